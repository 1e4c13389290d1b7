/*
 * transport_nccl.c - NCCL: messages are enqueued, the host does not wait. If a rank fails, the
 * others would wait for ever for its messages; an alarm informs them, and all ranks abort. NCCL
 * waits for other ranks while it makes connections (creation, first message to each rank). So its
 * calls do not block, and ranks look for the alarm during these waits.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "nccl_library.h"
#include "transport.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

typedef struct nccl_transport {
    enuf_transport base;
    enuf_alarm *alarm;
    enuf_nccl_comm comm;
    int failed;     /* 1: others may wait for this rank's messages; the rest is aborted */
    int gave_up;    /* 1: another rank failed during a call of this one */
    char text[256]; /* of the first failure, reported until all ranks have given up */
    int in_group;
} nccl_transport;

static int is_error(int result)
{
    return result != ENUF_NCCL_SUCCESS && result != ENUF_NCCL_IN_PROGRESS;
}

static enuf_status note(nccl_transport *t, int result, const char *what)
{
    if (!is_error(result)) return ENUF_SUCCESS;
    const enuf_status status =
        enuf_fail(ENUF_INTERNAL, "%s: NCCL failed: %s (NCCL_DEBUG=INFO says more)", what,
                  enuf_nccl.GetErrorString(result));
    snprintf(t->text, sizeof t->text, "%s", enuf_last_error());
    t->failed = 1;
    return status;
}

static int look_at(nccl_transport *t)
{
    int error = ENUF_NCCL_SUCCESS;
    const int result = enuf_nccl.CommGetAsyncError(t->comm, &error);
    return result == ENUF_NCCL_SUCCESS ? error : result;
}

/* Waits for the end of a call. Stops if another rank has raised the alarm. */
static enuf_status finish(nccl_transport *t, int result, const char *what)
{
    enum { LOOKS = 32 };
    for (int k = 1; result == ENUF_NCCL_IN_PROGRESS; k = (k + 1) % LOOKS) {
        if (k == 0 && enuf_alarm_is_heard(t->alarm)) {
            t->base.ranks->follows = t->gave_up = 1;
            return enuf_fail(ENUF_INTERNAL, "%s: messages between GPUs failed on another rank",
                             what);
        }
        sched_yield(); /* NCCL's own thread may share the core */
        result = look_at(t);
    }
    return note(t, result, what);
}

static void destroy(enuf_transport **made)
{
    nccl_transport *t = (nccl_transport *)*made;
    if (t->comm && (t->failed || t->gave_up))
        enuf_nccl.CommAbort(t->comm);
    else if (t->comm)
        enuf_nccl.CommDestroy(t->comm);
    enuf_release(&t);
    *made = NULL;
}

static enuf_status join(enuf_ranks *ranks, nccl_transport *t)
{
    enuf_nccl_config config = ENUF_NCCL_NONBLOCKING;
    enuf_nccl_id id;
    memset(&id, 0, sizeof id);
    enuf_status status = ENUF_SUCCESS;
    if (ranks->rank == 0)
        status = note(t, enuf_nccl.GetUniqueId(&id), "making an identity for the ranks");
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    enuf_ranks_from_first(ranks, (int64_t)sizeof id, &id);
    status =
        finish(t, enuf_nccl.CommInitRankConfig(&t->comm, ranks->size, id, ranks->rank, &config),
               "joining the ranks' GPUs");
    if (t->failed) enuf_alarm_raise(t->alarm);
    return enuf_ranks_agree(ranks, status);
}

static enuf_status create(enuf_ranks *ranks, enuf_alarm *alarm, enuf_transport **made)
{
    nccl_transport *t = NULL;
    enuf_status status =
        enuf_ranks_agree(ranks, enuf_allocate(&t, 1, sizeof *t, "messages between GPUs"));
    if (status != ENUF_SUCCESS) {
        enuf_release(&t);
        return status;
    }
    *t = (nccl_transport){.base = {&enuf_transport_nccl, ranks}, .alarm = alarm};
    *made = &t->base;
    status = join(ranks, t);
    if (status != ENUF_SUCCESS) {
        t->failed = 1;
        destroy(made);
    }
    return status;
}

/* An error after a failure: calls of NCCL may then never return. */
static enuf_status still_there(const nccl_transport *t)
{
    if (t->comm && !t->failed && !t->gave_up) return ENUF_SUCCESS;
    if (t->failed && t->comm) return enuf_fail(ENUF_INTERNAL, "%s", t->text);
    return enuf_fail(ENUF_INTERNAL, "messages between GPUs failed before: make a new object");
}

static enuf_status sum(enuf_transport *base, enuf_sum_type type, int64_t n, void *sums,
                       cudaStream_t stream)
{
    static const int types[] = {[ENUF_SUM_FLOAT] = ENUF_NCCL_FLOAT32,
                                [ENUF_SUM_DOUBLE] = ENUF_NCCL_FLOAT64,
                                [ENUF_SUM_INT64] = ENUF_NCCL_INT64};
    nccl_transport *t = (nccl_transport *)base;
    ENUF_TRY(still_there(t));
    return finish(
        t, enuf_nccl.AllReduce(sums, sums, (size_t)n, types[type], ENUF_NCCL_SUM, t->comm, stream),
        "sum over GPUs");
}

static enuf_status swap(enuf_transport *base, const enuf_exchange *exchange, size_t size,
                        const void *sent, void *received, cudaStream_t stream)
{
    nccl_transport *t = (nccl_transport *)base;
    const enuf_ranks *ranks = base->ranks;
    const char *from = sent;
    char *to = received;
    ENUF_TRY(still_there(t));
    int result = enuf_nccl.GroupStart();
    for (int r = 0; r < ranks->size; r++) {
        const size_t out = (size_t)exchange->send[r] * size;
        const size_t in = (size_t)exchange->receive[r] * size;
        if (r != ranks->rank && out > 0 && !is_error(result))
            result = enuf_nccl.Send(from, out, ENUF_NCCL_INT8, r, t->comm, stream);
        if (r != ranks->rank && in > 0 && !is_error(result))
            result = enuf_nccl.Recv(to, in, ENUF_NCCL_INT8, r, t->comm, stream);
        from += out;
        to += in;
    }
    const int ended = enuf_nccl.GroupEnd();
    return finish(t, is_error(result) ? result : ended, "messages between GPUs");
}

static enuf_status begin_group(enuf_transport *base)
{
    nccl_transport *t = (nccl_transport *)base;
    ENUF_TRY(still_there(t));
    ENUF_TRY(note(t, enuf_nccl.GroupStart(), "messages between GPUs"));
    t->in_group = 1;
    return ENUF_SUCCESS;
}

static enuf_status end_group(enuf_transport *base)
{
    nccl_transport *t = (nccl_transport *)base;
    /* end the group after a failure too, because an abort would wait for its end */
    const int result = t->in_group ? enuf_nccl.GroupEnd() : ENUF_NCCL_SUCCESS;
    t->in_group = 0;
    ENUF_TRY(still_there(t));
    return finish(t, result, "messages between GPUs");
}

static int has_failed(const enuf_transport *base)
{
    return ((const nccl_transport *)base)->failed;
}

static void give_up(enuf_transport *base)
{
    nccl_transport *t = (nccl_transport *)base;
    if (t->comm) enuf_nccl.CommAbort(t->comm);
    t->comm = NULL;
    t->failed = 1;
}

static int usable(const char **reason)
{
    return enuf_nccl_load(reason);
}

static enuf_status check(enuf_transport *base)
{
    nccl_transport *t = (nccl_transport *)base;
    ENUF_TRY(still_there(t));
    return note(t, look_at(t), "messages between GPUs");
}

const enuf_transport_table enuf_transport_nccl = {
    .name = "nccl",
    .usable = usable,
    .create = create,
    .destroy = destroy,
    .sum = sum,
    .swap = swap,
    .begin_group = begin_group,
    .end_group = end_group,
    .enqueues = 1,
    .check = check,
    .has_failed = has_failed,
    .give_up = give_up,
};
