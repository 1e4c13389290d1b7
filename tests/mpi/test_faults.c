/*
 * test_faults.c - if one rank fails, every rank returns the same status and text within the time
 * limit, and the object works afterwards: its results are those of one process to 1e-12. The text
 * names one rank at most. Bad input of one rank; no memory at any allocation between creation and
 * the first result; ranks that request different things. 40 ions; replicated modes and distributed
 * grid.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "shared_system.h"
#include "enuf/ewald_derivatives.h"
#include "enuf/ewald_f32.h"
#include "enuf/ewald_tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPREAD = 25 };

static int rank, ranks;

static int ranks_named(const char *text)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, " (rank ")); at++) n++;
    return n;
}

/* Checks that all ranks have the expected status and the same text, which names one rank at
 * most. */
static void check_agreed(enuf_status status, enuf_status expected, const char *text)
{
    char mine[1024], first[1024];
    snprintf(mine, sizeof mine, "%s", enuf_last_error());
    memcpy(first, mine, sizeof first);
    int of_first = (int)status;
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(&of_first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(status == expected);
    CHECK(of_first == (int)status);
    CHECK(strcmp(mine, first) == 0);
    CHECK(ranks_named(mine) <= 1);
    CHECK_TEXT(text);
}

static enuf_ewald_options explicit_options(enuf_decomposition decomposition)
{
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    options.decomposition = decomposition;
    options.cutoff = 5;
    options.alpha = 0.6;
    options.kmax = 6;
    options.width = 6;
    for (int d = 0; d < 3; d++) options.grid[d] = 24;
    return options;
}

/* Wrong input on the last rank only. */
static void check_bad_input(const charge_system *s)
{
    const int last_rank = ranks - 1;
    const enuf_ewald_options options = explicit_options(ENUF_DECOMPOSITION_REPLICATED);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result whole = evaluate_alone(&options, s, NULL);
    enuf_ewald_result here = make_result(dealt.n);
    enuf_ewald *ewald = make_shared(&options, s);
    if (!ewald) return;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_NO_POINTS_SET,
                 "enuf_ewald_set_charges");

    const double right = dealt.q[0];
    if (rank == last_rank) dealt.q[0] = NAN;
    check_agreed(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, NULL), ENUF_NOT_FINITE,
                 "charges[0]");
    dealt.q[0] = right;
    check_agreed(enuf_ewald_set_charges(ewald, rank == last_rank ? -1 : dealt.n, dealt.q, NULL),
                 ENUF_BAD_ARGUMENT, "n is -1");
    const int64_t pair[2] = {0, s->n};
    const enuf_exclusions beyond = {rank == last_rank, pair, NULL};
    check_agreed(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, &beyond), ENUF_BAD_ARGUMENT,
                 "atoms are 0 ...");
    const int64_t twice[2] = {1, 0}, once[2] = {0, 1};
    const enuf_exclusions repeated = {rank == last_rank || rank == 0,
                                      rank == last_rank ? twice : once, NULL};
    if (last_rank > 0)
        check_agreed(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, &repeated), ENUF_BAD_ARGUMENT,
                     "excluded twice");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, NULL), ENUF_SUCCESS);

    if (rank == last_rank) dealt.x[4] = INFINITY;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_NOT_FINITE,
                 on_gpus() ? "position of atom" : "position of atom 1");
    if (rank == last_rank) memcpy(dealt.x, dealt.x + 3, 3 * sizeof *dealt.x);
    if (rank == last_rank) memcpy(dealt.x + 3, dealt.x, 3 * sizeof *dealt.x);
    if (rank == last_rank) dealt.x[1] = dealt.x[4] = 1;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_BAD_ARGUMENT,
                 "at the same place");
    check_agreed(enuf_ewald_compute(ewald, rank == last_rank ? NULL : dealt.x, 3, WANT_SUMS, &here),
                 ENUF_BAD_ARGUMENT, "positions is NULL");
    if (last_rank > 0)
        check_agreed(enuf_ewald_compute(ewald, dealt.x, 3,
                                        rank == last_rank ? ENUF_WANT_ENERGY : WANT_SUMS, &here),
                     ENUF_BAD_ARGUMENT, "wanted is");
    if (rank == last_rank) dealt.x[5] = 1e30;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_BAD_ARGUMENT,
                 on_gpus() ? "fold it first" : "cell vectors away");
    const enuf_ewald_direction direction = {.struct_size = sizeof direction};
    enuf_ewald_slopes slopes = {.struct_size = sizeof slopes};
    if (last_rank > 0) {
        check_agreed(
            enuf_ewald_differentiate(ewald, dealt.x, 3, &direction, ENUF_WANT_ENERGY, &slopes),
            ENUF_UNSUPPORTED, "ranks of MPI do not do that");
        check_agreed(enuf_ewald_hold(ewald, dealt.x, 3), ENUF_UNSUPPORTED, "enuf_ewald_create()");
        check_agreed(enuf_ewald_tune_with(ewald, NULL, dealt.x, 3, NULL), ENUF_UNSUPPORTED,
                     "ranks of MPI are not tuned by time");
        static const float zeros[3];
        enuf_ewald_result_f32 result = {.struct_size = sizeof result};
        check_agreed(enuf_ewald_compute_f32(ewald, zeros, 3, ENUF_WANT_ENERGY, &result),
                     ENUF_UNSUPPORTED, "ranks of MPI take arrays of doubles");
        check_agreed(enuf_ewald_set_charges_f32(ewald, 1, zeros, NULL), ENUF_UNSUPPORTED,
                     "ranks of MPI take arrays of doubles");
    }
    double flat[9] = {1, 0, 0, 2, 0, 0, 0, 0, 1};
    check_agreed(enuf_ewald_set_cell(ewald, flat), ENUF_BAD_ARGUMENT, "span a volume");

    free_dealt(&dealt);
    dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    const shared_difference d = compare_shared(&whole, s->n, &here, &dealt);
    check_difference(&d, 1e-12);
    enuf_ewald_destroy(&ewald);
    free_result(&here);
    free_result(&whole);
    free_dealt(&dealt);
}

/* From creation to the first results, until a call fails. test_agreement.c tests the other
 * calls. */
static enuf_status create_and_compute(enuf_decomposition decomposition, const charge_system *s,
                                      const dealt_system *dealt, const enuf_exclusions *exclusions,
                                      enuf_ewald_result *here)
{
    const enuf_ewald_options options = explicit_options(decomposition);
    enuf_ewald *ewald = NULL;
    enuf_status status = enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald);
    if (!status) status = enuf_ewald_set_cell(ewald, s->cell);
    if (!status) status = enuf_ewald_set_charges(ewald, dealt->n, dealt->q, exclusions);
    if (!status) status = enuf_ewald_compute(ewald, dealt->x, 3, WANT_ALL, here);
    enuf_ewald_destroy(&ewald);
    return status;
}

/* The report of a new object. Its transport is "none" if one rank leads and the others send their
 * atoms to it. */
static enuf_ewald_mpi_report report_of(enuf_decomposition decomposition)
{
    const enuf_ewald_options options = explicit_options(decomposition);
    enuf_ewald *ewald = NULL;
    enuf_ewald_mpi_report report = {.struct_size = sizeof report};
    if (CHECK_STATUS(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), ENUF_SUCCESS))
        CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    return report;
}

/* The distance between allocations that fail. It is 1, except with NCCL: there each object makes a
 * communicator, which takes some 0.3 s, and all allocations would take minutes. So about SPREAD
 * allocations fail, from the first to the last. */
static int64_t find_step(enuf_decomposition decomposition, const charge_system *s,
                         const dealt_system *dealt, const enuf_exclusions *exclusions,
                         enuf_ewald_result *here, int failing)
{
    const int64_t many = 1 << 20;
    int64_t step = 1;
    if (!on_gpus() || strcmp(report_of(decomposition).transport, "nccl") != 0) return step;
    if (rank == failing) enuf_fail_allocation(many);
    CHECK_STATUS(create_and_compute(decomposition, s, dealt, exclusions, here), ENUF_SUCCESS);
    if (rank == failing) {
        int64_t remaining = 1; /* the rest of `many` after the allocations that were made */
        while (remaining < many && !enuf_allocation_fails()) remaining++;
        enuf_fail_allocation(0);
        if (many - remaining > SPREAD) step = (many - remaining) / SPREAD;
    }
    MPI_Bcast(&step, 1, MPI_INT64_T, failing, MPI_COMM_WORLD);
    return step;
}

/* The n-th allocation of one rank fails, n = 1, 1 + step, ..., until no allocation fails. */
static void fail_each_allocation(enuf_decomposition decomposition, const charge_system *s,
                                 int failing)
{
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    const int64_t pairs[4] = {0, s->n - 1, 1, s->n / 2};
    const enuf_exclusions exclusions = {rank == 0 ? 2 : 0, pairs, NULL};
    const int64_t step = find_step(decomposition, s, &dealt, &exclusions, &here, failing);
    int64_t n = 1, reached = 1, failed = 0;
    for (; reached; n += step) {
        if (rank == failing) enuf_fail_allocation(n);
        const enuf_status status = create_and_compute(decomposition, s, &dealt, &exclusions, &here);
        reached = rank == failing ? status != ENUF_SUCCESS : 0;
        if (rank == failing) enuf_fail_allocation(0);
        MPI_Bcast(&reached, 1, MPI_INT64_T, failing, MPI_COMM_WORLD);
        failed += reached;
        if (reached)
            check_agreed(status, ENUF_OUT_OF_MEMORY, "memory");
        else
            CHECK(status == ENUF_SUCCESS);
    }
    if (rank == 0)
        printf("rank %d: %lld allocations failed, every %lld-th\n", failing, (long long)failed,
               (long long)step);
    const int hands_over = on_gpus() && strcmp(report_of(decomposition).transport, "none") == 0;
    CHECK(n > (hands_over ? 10 : 50));
    CHECK(step == 1 || failed > SPREAD / 2);
    free_result(&here);
    free_dealt(&dealt);
}

static void check_options(void)
{
    enuf_ewald_options options = explicit_options(ENUF_DECOMPOSITION_AUTO);
    enuf_ewald *ewald = NULL;
    options.struct_size = rank == ranks - 1 ? 1 : options.struct_size;
    check_agreed(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), ENUF_BAD_ARGUMENT,
                 "options is NULL");
    CHECK(!ewald);
    options = explicit_options(ENUF_DECOMPOSITION_AUTO);
    check_agreed(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, rank == ranks - 1 ? NULL : &ewald),
                 ENUF_BAD_ARGUMENT, "ewald is NULL");
    options = explicit_options((enuf_decomposition)7);
    check_agreed(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), ENUF_BAD_ARGUMENT,
                 "decomposition is 7");
    options = explicit_options(ENUF_DECOMPOSITION_AUTO);
    options.accuracy = rank == 0 ? 7 : 1e-3; /* the options of rank 0 count */
    check_agreed(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), ENUF_BAD_ARGUMENT,
                 "accuracy");
    options.accuracy = 1e-3;
    options.backend = ENUF_BACKEND_CUDA;
    const enuf_status on_cuda = enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald);
    if (ranks > 1 && on_cuda != ENUF_SUCCESS)
        check_agreed(on_cuda, ENUF_NO_BACKEND, "backend cuda");
    enuf_ewald_destroy(&ewald);
    options.backend = ENUF_BACKEND_CPU;
    CHECK(enuf_ewald_create_mpi(MPI_COMM_NULL, &options, &ewald) == ENUF_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    charge_system s = make_ions(7, 40, CELL_CUBIC, 0);
    check_options();
    check_bad_input(&s);
    /* rank 0 and other ranks make different allocations; three ranks add nothing to two */
    for (int how = ENUF_DECOMPOSITION_REPLICATED; how <= ENUF_DECOMPOSITION_DISTRIBUTED; how++)
        for (int failing = on_gpus(); failing < 2 && ranks == 2; failing++)
            fail_each_allocation((enuf_decomposition)how, &s, failing);
    free_system(&s);
    return finish_ranks();
}
