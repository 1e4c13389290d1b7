/*
 * alarm.c - see alarm.h. An alarm is an empty message to every other rank. Ranks probe for it. They
 * receive it only in enuf_alarm_clear().
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "alarm.h"
#include "memory.h"

enum { TAG = 2 };

enuf_status enuf_alarm_create(enuf_ranks *ranks, enuf_alarm *alarm)
{
    *alarm = (enuf_alarm){.raised = 0};
    enuf_status status = enuf_allocate(&alarm->raised_by, ranks->size, sizeof(int), "an alarm");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&alarm->sent, ranks->size, sizeof *alarm->sent, "an alarm");
    status = enuf_ranks_agree(ranks, status);
    if (status != ENUF_SUCCESS) {
        enuf_alarm_release(alarm);
        return status;
    }
    alarm->ranks = *ranks;
    MPI_Comm_dup(ranks->comm, &alarm->ranks.comm);
    return ENUF_SUCCESS;
}

void enuf_alarm_release(enuf_alarm *alarm)
{
    if (alarm->ranks.size > 0) MPI_Comm_free(&alarm->ranks.comm);
    enuf_release(&alarm->raised_by);
    enuf_release(&alarm->sent);
    *alarm = (enuf_alarm){.raised = 0};
}

void enuf_alarm_raise(enuf_alarm *alarm)
{
    const enuf_ranks *ranks = &alarm->ranks;
    if (alarm->raised) return;
    alarm->raised = 1;
    for (int r = 0; r < ranks->size; r++) {
        alarm->sent[r] = MPI_REQUEST_NULL;
        if (r != ranks->rank) MPI_Isend(NULL, 0, MPI_BYTE, r, TAG, ranks->comm, &alarm->sent[r]);
    }
}

int enuf_alarm_is_heard(const enuf_alarm *alarm)
{
    int heard = 0;
    if (alarm->ranks.size > 1)
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, alarm->ranks.comm, &heard, MPI_STATUS_IGNORE);
    return heard;
}

int enuf_alarm_clear(enuf_alarm *alarm)
{
    const enuf_ranks *ranks = &alarm->ranks;
    int any = 0;
    MPI_Allgather(&alarm->raised, 1, MPI_INT, alarm->raised_by, 1, MPI_INT, ranks->comm);
    for (int r = 0; r < ranks->size; r++) {
        any |= alarm->raised_by[r];
        if (alarm->raised_by[r] && r != ranks->rank)
            MPI_Recv(NULL, 0, MPI_BYTE, r, TAG, ranks->comm, MPI_STATUS_IGNORE);
    }
    if (alarm->raised) MPI_Waitall(ranks->size, alarm->sent, MPI_STATUSES_IGNORE);
    alarm->raised = 0;
    return any;
}
