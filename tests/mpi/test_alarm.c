/*
 * test_alarm.c - an alarm reaches ranks that wait for something else than MPI. All ranks then agree
 * on the status and text of a rank that failed by itself, not of one that was stopped by the alarm.
 * After enuf_alarm_clear() no alarm is heard. Each rank fails alone, every second rank fails, and
 * all fail.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/messages/alarm.h"
#include "check.h"
#include "mpi_program.h"

#include <stdio.h>

/* Seconds that a rank waits for the alarm. A test that waits so long has failed. */
static const double LONGEST = 60;

static enuf_status wait_for_alarm(enuf_ranks *ranks, const enuf_alarm *alarm)
{
    const double start = MPI_Wtime();
    while (MPI_Wtime() - start < LONGEST)
        if (enuf_alarm_is_heard(alarm)) {
            ranks->follows = 1;
            return enuf_fail(ENUF_INTERNAL, "another rank failed");
        }
    return ENUF_SUCCESS;
}

/* Ranks first, first + step, ... fail, the others wait. */
static void check_alarm(enuf_ranks *ranks, enuf_alarm *alarm, int first, int step)
{
    const int fails = ranks->rank >= first && (ranks->rank - first) % step == 0;
    const int all_fail = ranks->size == 1 || step == 1;
    enuf_status status = ENUF_SUCCESS;
    char text[64];
    if (all_fail)
        snprintf(text, sizeof text, "rank %d lacks a thing", first);
    else
        snprintf(text, sizeof text, "rank %d lacks a thing (rank %d of %d)", first, first,
                 ranks->size);
    if (fails) {
        enuf_alarm_raise(alarm);
        enuf_alarm_raise(alarm);
        status = enuf_fail(ENUF_OUT_OF_MEMORY, "rank %d lacks a thing", ranks->rank);
    } else {
        status = wait_for_alarm(ranks, alarm);
        CHECK(status == ENUF_INTERNAL);
    }
    CHECK(enuf_ranks_agree(ranks, status) == ENUF_OUT_OF_MEMORY);
    CHECK_TEXT(text);
    CHECK(enuf_alarm_clear(alarm));
    CHECK(!enuf_alarm_is_heard(alarm));
    CHECK(!enuf_alarm_clear(alarm));
    CHECK_STATUS(enuf_ranks_agree(ranks, ENUF_SUCCESS), ENUF_SUCCESS);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = {.comm = MPI_COMM_WORLD};
    enuf_alarm alarm;
    MPI_Comm_rank(ranks.comm, &ranks.rank);
    MPI_Comm_size(ranks.comm, &ranks.size);
    CHECK_STATUS(enuf_alarm_create(&ranks, &alarm), ENUF_SUCCESS);
    CHECK(!enuf_alarm_is_heard(&alarm));
    CHECK(!enuf_alarm_clear(&alarm));
    for (int first = 0; first < ranks.size; first++) check_alarm(&ranks, &alarm, first, ranks.size);
    check_alarm(&ranks, &alarm, 0, 1); /* all */
    check_alarm(&ranks, &alarm, 0, 2);
    enuf_alarm_release(&alarm);
    return end_mpi(check_result());
}
