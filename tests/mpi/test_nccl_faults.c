/*
 * test_nccl_faults.c - NCCL fails on one rank: when the ranks make a communicator, or at any of its
 * calls in the first or the second evaluation. No rank waits for messages that never come, all
 * ranks report the same error, and a new object works. Needs a GPU for each rank.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "mpi/devices/transports/nccl_library.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400, NCCL_SYSTEM_ERROR = 2, NEVER = 1 << 30 };

static int rank, ranks;
static enuf_nccl_functions real;
static int calls_left = NEVER; /* calls of NCCL until one fails */
static int fails_later;        /* work that was enqueued fails */
static enum { JOINS, NEVER_CALLS, FAILS_TO_CONNECT } joining;

static int fails(void)
{
    return --calls_left == 0;
}

static int all_reduce(const void *sent, void *received, size_t count, int type, int operation,
                      enuf_nccl_comm comm, cudaStream_t stream)
{
    if (fails()) return NCCL_SYSTEM_ERROR;
    return real.AllReduce(sent, received, count, type, operation, comm, stream);
}

static int send(const void *sent, size_t count, int type, int to, enuf_nccl_comm comm,
                cudaStream_t stream)
{
    return fails() ? NCCL_SYSTEM_ERROR : real.Send(sent, count, type, to, comm, stream);
}

static int receive(void *received, size_t count, int type, int from, enuf_nccl_comm comm,
                   cudaStream_t stream)
{
    return fails() ? NCCL_SYSTEM_ERROR : real.Recv(received, count, type, from, comm, stream);
}

static int find_error(enuf_nccl_comm comm, int *error)
{
    const int result = real.CommGetAsyncError(comm, error);
    if (fails_later || joining == FAILS_TO_CONNECT) *error = NCCL_SYSTEM_ERROR;
    return result;
}

static int join(enuf_nccl_comm *comm, int of, enuf_nccl_id id, int as, enuf_nccl_config *config)
{
    if (joining == NEVER_CALLS) return NCCL_SYSTEM_ERROR;
    return real.CommInitRankConfig(comm, of, id, as, config);
}

static void replace_nccl(void)
{
    const char *reason;
    if (!enuf_nccl_load(&reason)) return;
    real = enuf_nccl;
    enuf_nccl.CommInitRankConfig = join;
    enuf_nccl.AllReduce = all_reduce;
    enuf_nccl.Send = send;
    enuf_nccl.Recv = receive;
    enuf_nccl.CommGetAsyncError = find_error;
}

static int uses_nccl(const enuf_ewald_options *options)
{
    enuf_ewald *ewald = NULL;
    enuf_ewald_mpi_report report = {.struct_size = sizeof report};
    if (CHECK_STATUS(enuf_ewald_create_mpi(MPI_COMM_WORLD, options, &ewald), ENUF_SUCCESS))
        CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    return strcmp(report.transport, "nccl") == 0 && report.devices == ranks;
}

static int same_on_all(enuf_status status)
{
    int of_first = (int)status;
    MPI_Bcast(&of_first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return (int)status == of_first;
}

static void check_energy(const enuf_ewald_result *here, double *energy)
{
    if (isnan(*energy)) *energy = here->energy;
    CHECK(fabs(here->energy / *energy - 1) < 1e-9);
}

/* An evaluation in which the n-th call of NCCL fails, or, if n = 0, enqueued work. The object is
 * unusable then. The first evaluation verifies its parameters with other objects: if one of those
 * fails, the object itself still works. */
static enuf_status compute_failing(enuf_ewald *ewald, const double *x, int n, int first,
                                   int failing, enuf_ewald_result *here, double *energy)
{
    if (rank == failing && n > 0) calls_left = n;
    fails_later = rank == failing && n == 0;
    const enuf_status status = enuf_ewald_compute(ewald, x, 3, WANT_SUMS, here);
    calls_left = NEVER;
    fails_later = 0;
    CHECK(same_on_all(status));
    if (status == ENUF_SUCCESS) return status;
    CHECK(status == ENUF_INTERNAL);
    if (!first) CHECK_TEXT("NCCL failed");
    const enuf_status again = enuf_ewald_compute(ewald, x, 3, WANT_SUMS, here);
    CHECK(same_on_all(again));
    if (first && again == ENUF_SUCCESS) {
        check_energy(here, energy);
        return status;
    }
    CHECK(again == ENUF_INTERNAL);
    CHECK_TEXT("make a new object");
    return status;
}

/* Fails in the first evaluation of an object, where NCCL makes connections, or in the second one.
 * Returns 1 if there was an n-th call. */
static int fail_call(int n, int first, int failing, const enuf_ewald_options *options,
                     const charge_system *s, const enuf_exclusions *exclusions, double *energy)
{
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    enuf_ewald *ewald = make_shared(options, s);
    int reached = 0;
    if (ewald && set_shared(ewald, &dealt, exclusions)) {
        if (!first) {
            CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_SUCCESS);
            check_energy(&here, energy);
        }
        reached = compute_failing(ewald, dealt.x, n, first, failing, &here, energy) != ENUF_SUCCESS;
    }
    enuf_ewald_destroy(&ewald);
    free_result(&here);
    free_dealt(&dealt);
    return reached;
}

/* If NCCL cannot join the ranks, they use another transport. If ENUF_TRANSPORT asks for NCCL, they
 * report why not. */
static void check_joining(int failing, int how, const enuf_ewald_options *options)
{
    for (int required = 0; required < 2; required++) {
        enuf_ewald *ewald = NULL;
        enuf_ewald_mpi_report report = {.struct_size = sizeof report};
        if (required) setenv("ENUF_TRANSPORT", "nccl", 1);
        if (rank == failing) joining = how;
        const enuf_status status = enuf_ewald_create_mpi(MPI_COMM_WORLD, options, &ewald);
        joining = JOINS;
        unsetenv("ENUF_TRANSPORT");
        CHECK(same_on_all(status));
        if (required) {
            CHECK(status == ENUF_INTERNAL && !ewald);
            CHECK_TEXT("NCCL failed");
        } else if (CHECK_STATUS(status, ENUF_SUCCESS)) {
            CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
            CHECK(strcmp(report.transport, "nccl") != 0);
        }
        enuf_ewald_destroy(&ewald);
    }
    CHECK(uses_nccl(options));
    if (rank == 0) printf("rank %d could not join, %d: no rank waited\n", failing, how);
    fflush(stdout);
}

static void fail_calls(enuf_decomposition decomposition, int deterministic, int first, int failing)
{
    charge_system s = make_ions(7, N, CELL_CUBIC, 0);
    const int64_t pairs[4] = {0, N - 1, 1, N / 2};
    const enuf_exclusions exclusions = {2, pairs, NULL};
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    double energy = NAN;
    int n = 0;
    options.decomposition = decomposition;
    options.deterministic = deterministic;
    int failed = 0;
    /* each object takes a second to connect: only some of many calls fail */
    for (; fail_call(n, first, failing, &options, &s, &exclusions, &energy);
         n += 1 + n / (first ? 3 : 6))
        failed++;
    if (rank == 0)
        printf("decomposition %d, deterministic %d, %s evaluation: %d calls of rank %d failed, the "
               "last the %d-th\n",
               (int)decomposition, deterministic, first ? "first" : "second", failed, failing, n);
    fflush(stdout);
    CHECK(n > 4);
    free_system(&s);
}

static int check_all(void)
{
    const enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    if (!uses_nccl(&options)) return check_skip("NCCL wants a GPU of its own for each rank");
    replace_nccl();
    check_joining(0, NEVER_CALLS, &options);
    check_joining(ranks - 1, NEVER_CALLS, &options);
    check_joining(ranks - 1, FAILS_TO_CONNECT, &options);
    fail_calls(ENUF_DECOMPOSITION_REPLICATED, 0, 0, 0);
    fail_calls(ENUF_DECOMPOSITION_REPLICATED, 1, 0, ranks - 1);
    fail_calls(ENUF_DECOMPOSITION_DISTRIBUTED, 0, 0, ranks - 1);
    fail_calls(ENUF_DECOMPOSITION_REPLICATED, 0, 1, ranks - 1);
    fail_calls(ENUF_DECOMPOSITION_DISTRIBUTED, 0, 1, 0);
    return check_result();
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return end_mpi(check_all());
}
