/*
 * If one rank fails, all fail: every rank returns the same status and text within the time limit,
 * and the object works afterwards. Bad input, no memory at any allocation, ranks that ask for
 * different things. SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "shared_system.h"

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

/* The same status and text on all ranks, with one rank named at the most. */
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

/* Input that one rank alone gets wrong. */
static void check_bad_input(const charge_system *s)
{
    const int bad = ranks - 1;
    const enuf_ewald_options options = explicit_options(ENUF_DECOMPOSITION_REPLICATED);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result whole = evaluate_alone(&options, s, NULL);
    enuf_ewald_result here = make_result(dealt.n);
    enuf_ewald *ewald = make_shared(&options, s);
    if (!ewald) return;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_NO_POINTS_SET,
                 "enuf_ewald_set_charges");

    const double right = dealt.q[0];
    if (rank == bad) dealt.q[0] = NAN;
    check_agreed(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, NULL), ENUF_NOT_FINITE,
                 "charges[0]");
    dealt.q[0] = right;
    check_agreed(enuf_ewald_set_charges(ewald, rank == bad ? -1 : dealt.n, dealt.q, NULL),
                 ENUF_BAD_ARGUMENT, "n is -1");
    const int64_t pair[2] = {0, s->n};
    const enuf_exclusions beyond = {rank == bad, pair, NULL};
    check_agreed(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, &beyond), ENUF_BAD_ARGUMENT,
                 "atoms are 0 ...");
    const int64_t twice[2] = {1, 0}, once[2] = {0, 1};
    const enuf_exclusions repeated = {rank == bad || rank == 0, rank == bad ? twice : once, NULL};
    if (bad > 0)
        check_agreed(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, &repeated), ENUF_BAD_ARGUMENT,
                     "excluded twice");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, dealt.n, dealt.q, NULL), ENUF_SUCCESS);

    if (rank == bad) dealt.x[4] = INFINITY;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_NOT_FINITE,
                 on_gpus() ? "position of atom" : "position of atom 1");
    if (rank == bad) memcpy(dealt.x, dealt.x + 3, 3 * sizeof *dealt.x);
    if (rank == bad) memcpy(dealt.x + 3, dealt.x, 3 * sizeof *dealt.x);
    if (rank == bad) dealt.x[1] = dealt.x[4] = 1;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_BAD_ARGUMENT,
                 "at the same place");
    check_agreed(enuf_ewald_compute(ewald, rank == bad ? NULL : dealt.x, 3, WANT_SUMS, &here),
                 ENUF_BAD_ARGUMENT, "positions is NULL");
    if (bad > 0)
        check_agreed(enuf_ewald_compute(ewald, dealt.x, 3,
                                        rank == bad ? ENUF_WANT_ENERGY : WANT_SUMS, &here),
                     ENUF_BAD_ARGUMENT, "wanted is");
    if (rank == bad) dealt.x[5] = 1e30;
    check_agreed(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_BAD_ARGUMENT,
                 on_gpus() ? "fold it first" : "cell vectors away");
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

/* From birth to the first results, until something fails; test_agreement walks through the rest. */
static enuf_status do_all(enuf_decomposition decomposition, const charge_system *s,
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

/* How the arrays of an object go between GPUs; "none": one rank leads, the others hand it their
 * atoms. */
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

/*
 * From one allocation that fails to the next: 1 but with NCCL, where every object makes a
 * communicator, which takes some 0.3 s, and all allocations minutes. There SPREAD of them fail, all
 * along the walk.
 */
static int64_t find_step(enuf_decomposition decomposition, const charge_system *s,
                         const dealt_system *dealt, const enuf_exclusions *exclusions,
                         enuf_ewald_result *here, int failing)
{
    const int64_t many = 1 << 20;
    int64_t step = 1;
    if (!on_gpus() || strcmp(report_of(decomposition).transport, "nccl") != 0) return step;
    if (rank == failing) enuf_fail_allocation(many);
    CHECK_STATUS(do_all(decomposition, s, dealt, exclusions, here), ENUF_SUCCESS);
    if (rank == failing) {
        int64_t left = 1; /* of many: those made are the others */
        while (left < many && !enuf_allocation_fails()) left++;
        enuf_fail_allocation(0);
        if (many - left > SPREAD) step = (many - left) / SPREAD;
    }
    MPI_Bcast(&step, 1, MPI_INT64_T, failing, MPI_COMM_WORLD);
    return step;
}

/* The n-th allocation of one rank fails, for every n up to the last, or some all along. */
static void walk(enuf_decomposition decomposition, const charge_system *s, int failing)
{
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    const int64_t pairs[4] = {0, s->n - 1, 1, s->n / 2};
    const enuf_exclusions exclusions = {rank == 0 ? 2 : 0, pairs, NULL};
    const int64_t step = find_step(decomposition, s, &dealt, &exclusions, &here, failing);
    int64_t n = 1, reached = 1, failed = 0;
    for (; reached; n += step) {
        if (rank == failing) enuf_fail_allocation(n);
        const enuf_status status = do_all(decomposition, s, &dealt, &exclusions, &here);
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
    options.accuracy = rank == 0 ? 7 : 1e-3; /* that of rank 0 counts */
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
    /* a rank that is not the first meets other allocations; three ranks tell no more than two */
    for (int how = ENUF_DECOMPOSITION_REPLICATED; how <= ENUF_DECOMPOSITION_DISTRIBUTED; how++)
        for (int failing = on_gpus(); failing < 2 && ranks == 2; failing++)
            walk((enuf_decomposition)how, &s, failing);
    free_system(&s);
    return finish_ranks();
}
