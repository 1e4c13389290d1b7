/*
 * test_nccl_connections.c - NCCL fails on one rank while ranks connect, for a communicator or for
 * their first messages. The other ranks, whose connections never come, do not wait, and all ranks
 * report the same error. Functions of this test take the place of NCCL's and connect when all ranks
 * have called them. So no GPU is needed, but NCCL must be installed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "mpi/devices/transports/device_ranks.h"
#include "mpi_program.h"
#include "mpi/devices/transports/nccl_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEM_ERROR = 2, QUERIES_TO_FAIL = 100 };

/* The step at which one rank fails. */
typedef enum step { JOINING, SUMMING, EXCHANGING, GROUPING, NOWHERE } step;
static const char *const steps[] = {"joining", "a sum", "an exchange", "a group of exchanges"};

static struct {
    int fails, later; /* this rank fails; while it connects instead of in the call */
    step at, now;
    MPI_Request others; /* complete when all ranks have called */
    int connecting, n_queries, depth, called, aborts, ends;
} stub;

static struct ncclComm {
    int unused;
} communicator;

static int connect(step now)
{
    if (stub.fails && !stub.later && stub.at == now) return SYSTEM_ERROR;
    stub.connecting = 1;
    stub.now = now;
    stub.n_queries = 0;
    if (!(stub.fails && stub.at == now)) MPI_Ibarrier(MPI_COMM_WORLD, &stub.others);
    return ENUF_NCCL_IN_PROGRESS;
}

static int find_error(enuf_nccl_comm comm, int *error)
{
    int done = 0;
    (void)comm;
    *error = ENUF_NCCL_SUCCESS;
    if (!stub.connecting) return ENUF_NCCL_SUCCESS;
    if (stub.fails && stub.at == stub.now)
        *error = ++stub.n_queries > QUERIES_TO_FAIL ? SYSTEM_ERROR : ENUF_NCCL_IN_PROGRESS;
    else if (MPI_Test(&stub.others, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        *error = ENUF_NCCL_IN_PROGRESS;
    stub.connecting = *error == ENUF_NCCL_IN_PROGRESS;
    return ENUF_NCCL_SUCCESS;
}

static int get_identity(enuf_nccl_id *id)
{
    memset(id, 0, sizeof *id);
    return ENUF_NCCL_SUCCESS;
}

static int join(enuf_nccl_comm *comm, int ranks, enuf_nccl_id id, int rank,
                enuf_nccl_config *config)
{
    (void)ranks;
    (void)id;
    (void)rank;
    CHECK(config->blocking == 0);
    *comm = &communicator;
    return connect(JOINING);
}

static int reduce(const void *sent, void *received, size_t count, int type, int operation,
                  enuf_nccl_comm comm, cudaStream_t on)
{
    (void)sent;
    (void)received;
    (void)count;
    (void)type;
    (void)operation;
    (void)comm;
    (void)on;
    CHECK(!stub.connecting);
    return connect(SUMMING);
}

static int pass(void *array, size_t count, int type, int other, enuf_nccl_comm comm,
                cudaStream_t on)
{
    (void)array;
    (void)count;
    (void)type;
    (void)other;
    (void)comm;
    (void)on;
    CHECK(!stub.connecting && stub.depth > 0);
    stub.called = stub.depth > 1 ? GROUPING : EXCHANGING;
    return ENUF_NCCL_SUCCESS;
}

static int send(const void *array, size_t count, int type, int to, enuf_nccl_comm comm,
                cudaStream_t on)
{
    return pass((void *)(uintptr_t)array, count, type, to, comm, on);
}

static int start_group(void)
{
    stub.depth++;
    return ENUF_NCCL_SUCCESS;
}

static int end_group(void)
{
    return --stub.depth == 0 ? connect((step)stub.called) : ENUF_NCCL_SUCCESS;
}

static int abort_all(enuf_nccl_comm comm)
{
    CHECK(comm == &communicator);
    stub.aborts++;
    return ENUF_NCCL_SUCCESS;
}

static int destroy(enuf_nccl_comm comm)
{
    CHECK(comm == &communicator && !stub.connecting);
    stub.ends++;
    return ENUF_NCCL_SUCCESS;
}

static const char *text_of(int result)
{
    (void)result;
    return "a simulated error";
}

static void replace_nccl(void)
{
    enuf_nccl = (enuf_nccl_functions){.GetUniqueId = get_identity,
                                      .CommInitRankConfig = join,
                                      .CommDestroy = destroy,
                                      .CommAbort = abort_all,
                                      .CommGetAsyncError = find_error,
                                      .AllReduce = reduce,
                                      .Send = send,
                                      .Recv = pass,
                                      .GroupStart = start_group,
                                      .GroupEnd = end_group,
                                      .GetErrorString = text_of};
}

static enuf_status do_steps(enuf_device_ranks *d, const enuf_exchange *x)
{
    enuf_ranks *ranks = d->ranks;
    double array[64] = {0};
    ENUF_TRY(enuf_ranks_agree(ranks, enuf_device_sum(d, ENUF_SUM_DOUBLE, 1, array, NULL)));
    ENUF_TRY(enuf_ranks_agree(
        ranks, enuf_device_exchange_forth(d, x, sizeof(double), array, array, NULL)));
    enuf_status status = enuf_device_group_begin(d);
    for (int k = 0; k < 2 && status == ENUF_SUCCESS; k++)
        status = enuf_device_exchange_forth(d, x, sizeof(double), array, array, NULL);
    const enuf_status ended = enuf_device_group_end(d);
    return enuf_ranks_agree(ranks, status == ENUF_SUCCESS ? ended : status);
}

static void check_failure(enuf_ranks *ranks, step at, int failing, int later)
{
    enuf_device_ranks d;
    enuf_exchange x;
    char named[64];
    const double began = MPI_Wtime();
    memset(&stub, 0, sizeof stub);
    stub.at = at;
    stub.fails = at != NOWHERE && ranks->rank == failing;
    stub.later = later;
    CHECK_STATUS(enuf_exchange_create(ranks, &x), ENUF_SUCCESS);
    for (int r = 0; r < ranks->size; r++) x.send[r] = r != ranks->rank;
    enuf_exchange_count(ranks, &x);
    enuf_status status = enuf_device_ranks_create(ranks, 0, 1, &d);
    const int made = status == ENUF_SUCCESS;
    if (made) status = do_steps(&d, &x);
    CHECK(made == (at != JOINING));
    CHECK(status == (at == NOWHERE ? ENUF_SUCCESS : ENUF_INTERNAL));
    if (at != NOWHERE) {
        CHECK_TEXT("a simulated error");
        snprintf(named, sizeof named, "(rank %d of %d)", failing, ranks->size);
        CHECK_TEXT(named);
    }
    enuf_device_ranks_stop(&d);
    if (made && at != NOWHERE) {
        CHECK(enuf_ranks_agree(ranks, do_steps(&d, &x)) == ENUF_INTERNAL);
        CHECK_TEXT("make a new object");
    }
    enuf_device_ranks_release(&d);
    enuf_exchange_release(&x);
    CHECK(stub.aborts == (at != NOWHERE));
    CHECK(stub.ends == (at == NOWHERE));
    if (ranks->rank == 0 && at != NOWHERE)
        printf("%d ranks, rank %d fails in %s, %s: all gave up after %.3f s\n", ranks->size,
               failing, steps[at], later ? "while it connects" : "at once", MPI_Wtime() - began);
    if (at == NOWHERE) return;
    /* the call that this rank has not made */
    if (stub.fails) MPI_Ibarrier(MPI_COMM_WORLD, &stub.others);
    MPI_Wait(&stub.others, MPI_STATUS_IGNORE);
}

static int check_all(enuf_ranks *ranks)
{
    const char *reason = "";
    int here = enuf_nccl_load(&reason);
    MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!here) return check_skip("NCCL is missing on a rank");
    replace_nccl();
    setenv("ENUF_TRANSPORT", "nccl", 1);
    check_failure(ranks, NOWHERE, 0, 0);
    for (int failing = 0; failing < ranks->size; failing += ranks->size - 1)
        for (int at = JOINING; at < NOWHERE; at++)
            for (int later = 0; later < 2; later++) check_failure(ranks, (step)at, failing, later);
    return check_result();
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = {.comm = MPI_COMM_WORLD};
    MPI_Comm_rank(ranks.comm, &ranks.rank);
    MPI_Comm_size(ranks.comm, &ranks.size);
    return end_mpi(check_all(&ranks));
}
