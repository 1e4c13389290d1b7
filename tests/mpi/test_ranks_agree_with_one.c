/*
 * test_ranks_agree_with_one.c - many ranks give the results of one process to rounding: 1e-12, in a
 * cell that is tilted by 200 edges 1e-10. Any cell, clustered atoms and empty domains, atoms
 * distributed in any way, exclusions across ranks, slab, boundary dielectric, a net charge, a
 * cutoff beyond several domains or the cell. Both decompositions of the mesh. The report counts the
 * points of each rank; on CPUs none has 80 % of them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "random_system.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bound for sums that round in another order. */
static const double BOUND = 1e-12;

static void check_deal(enuf_ewald *ewald, deal how, const charge_system *s,
                       const enuf_exclusions *exclusions, const enuf_ewald_result *whole,
                       double bound)
{
    dealt_system dealt = deal_out(s, how, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    if (set_shared(ewald, &dealt, exclusions) &&
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS)) {
        shared_difference d = compare_shared(whole, s->n, &here, &dealt);
        check_difference(&d, bound);
        /* if only these are requested, they may come from other sums */
        memset(here.forces, 0, 3 * (size_t)dealt.n * sizeof *here.forces);
        here.energy = 0;
        memset(here.virial, 0, sizeof here.virial);
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_SUCCESS);
        d = compare_shared(whole, s->n, &here, &dealt);
        check_difference(&d, bound);
    }
    free_result(&here);
    free_dealt(&dealt);
}

static int next_deal;

static void check_case(const char *name, const enuf_ewald_options *options, const charge_system *s,
                       const enuf_exclusions *exclusions)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enuf_ewald_result whole = evaluate_alone(options, s, exclusions);
    enuf_ewald *ewald = make_shared(options, s);
    /* two distributions for each case, in turn; the object keeps what the first one left behind */
    for (int k = 0; k < 2 && ewald; k++, next_deal++) {
        const deal how = (deal)(next_deal % DEAL_COUNT);
        if (rank == 0) printf("%s, atoms %s\n", name, deal_name(how));
        check_deal(ewald, how, s, exclusions, &whole, BOUND);
    }
    next_deal++;
    enuf_ewald_destroy(&ewald);
    free_result(&whole);
}

/* Half of the atoms fill a sixtieth of the volume, and half of the volume is empty. */
static charge_system make_cluster(void)
{
    charge_system s = make_ions(33, 200, CELL_CUBIC, 0), t = make_ions(34, 200, CELL_CUBIC, 0);
    charge_system both = {
        .n = 400, .x = calloc(1200, sizeof(double)), .q = calloc(400, sizeof(double))};
    if (!both.x || !both.q) abort();
    memcpy(both.cell, s.cell, sizeof both.cell);
    for (int k = 0; k < 9; k++) both.cell[k] *= 2;
    for (int64_t i = 0; i < 200; i++) {
        both.q[i] = s.q[i];
        both.q[200 + i] = t.q[i];
        for (int d = 0; d < 3; d++) {
            both.x[3 * i + d] = 0.5 * s.x[3 * i + d] + (d == 0 ? 0.2 : 0.7) * both.cell[4 * d];
            both.x[3 * (200 + i) + d] = (d == 0 ? 0.5 : 1.9) * t.x[3 * i + d];
        }
    }
    free_system(&s);
    free_system(&t);
    return both;
}

static void check_cells(enuf_ewald_options *options)
{
    char name[80];
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        charge_system s = make_ions(21 + (uint64_t)shape, 300, (cell_shape)shape, shape % 2 * 1.7);
        /* most ions lie outside the cell */
        for (int64_t i = 0; i < s.n; i++)
            for (int d = 0; d < 3; d++)
                s.x[3 * i + d] += (double)(i % 5 - 2) * s.cell[d] - (double)(i % 3) * s.cell[6 + d];
        snprintf(name, sizeof name, "%s, net charge %.2g", cell_shape_name((cell_shape)shape),
                 shape % 2 * 1.7);
        check_case(name, options, &s, NULL);
        free_system(&s);
    }
}

/* Ranks with a lattice that is described by a cell tilted by 200 edges agree with one process and
 * the plain cell. There coordinates are as large as some 500 edges, and round a hundred times more
 * than coordinates of about 50 in the plain cell: 1e-10 instead of 1e-12. */
static void check_descriptions(const enuf_ewald_options *options)
{
    const double cell[9] = {11, 0, 0, 3, 13, 0, -3, 4, 17}, tilted_bound = 1e-10;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    charge_system s = make_ions(43, 240, CELL_CUBIC, 0);
    memcpy(s.cell, cell, sizeof cell);
    random_ions(44, s.n, s.cell, 1.3, s.x, s.q);
    enuf_ewald_result whole = evaluate_alone(options, &s, NULL);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        charge_system tilted = another_description(&s, seed, 15, 0);
        enuf_ewald *ewald = make_shared(options, &tilted);
        if (rank == 0) printf("tilted by 200 edges, beside one process with a plain cell\n");
        if (ewald) check_deal(ewald, DEAL_IN_TURN, &tilted, NULL, &whole, tilted_bound);
        enuf_ewald_destroy(&ewald);
        free_system(&tilted);
    }
    free_result(&whole);
    free_system(&s);
}

static void check_lengths(enuf_ewald_options *options)
{
    /* 16 atoms in a cell of edge 5.4: the cutoff reaches far beyond domains and cell */
    charge_system s = make_ions(41, 16, CELL_TRICLINIC, 0);
    options->cutoff = 11;
    check_case("a cutoff of two cells", options, &s, NULL);
    options->cutoff = 0;
    free_system(&s);
    s = make_ions(42, 3, CELL_CUBIC, 0.5);
    check_case("three atoms", options, &s, NULL);
    free_system(&s);
    s = make_cluster();
    check_case("a cluster", options, &s, NULL);
    free_system(&s);
}

static void check_boundaries(enuf_ewald_options *options)
{
    charge_system s = make_ions(51, 200, CELL_CUBIC, 0);
    options->surroundings = 2;
    check_case("a sphere in a dielectric", options, &s, NULL);
    options->surroundings = 0;
    options->slab = 3;
    check_case("a slab", options, &s, NULL);
    options->slab = 0;
    free_system(&s);
    int64_t pairs[6 * 80];
    double weights[240];
    for (int k = 0; k < 240; k++) weights[k] = k % 4 == 0 ? 0.5 : 0;
    s = make_water(52, 80, pairs);
    const enuf_exclusions exclusions = {240, pairs, weights};
    check_case("water with exclusions", options, &s, &exclusions);
    free_system(&s);
}

/* Ranks share the work on points, however the caller distributes the atoms. The report describes
 * the last evaluation. */
static void check_points(enuf_decomposition decomposition)
{
    enum { N = 1000, MOST_RANKS = 64, KINDS = 3 };
    static enuf_status (*const functions[KINDS])(enuf_ewald *, const double *, int64_t, int,
                                                 enuf_ewald_result *) = {
        enuf_ewald_reciprocal, enuf_ewald_real, enuf_ewald_compute};
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    charge_system s = make_ions(61, N, CELL_CUBIC, 0), t = make_ions(62, N / 2, CELL_CUBIC, 0);
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    options.decomposition = decomposition;
    enuf_ewald *ewald = make_shared(&options, &s);
    for (int k = 0; k < 2 * KINDS && ewald; k++) {
        /* fewer atoms the second time, so that numbers left from the first time show */
        const charge_system *now = k < KINDS ? &s : &t;
        dealt_system dealt = deal_out(now, DEAL_ALL_ON_FIRST, MPI_COMM_WORLD);
        enuf_ewald_result here = make_result(dealt.n);
        int64_t points[MOST_RANKS], sum = 0, most = 0;
        enuf_ewald_mpi_report report = {.struct_size = sizeof report, .points = points};
        if (k % KINDS == 0) set_shared(ewald, &dealt, NULL);
        CHECK_STATUS(functions[k % KINDS](ewald, dealt.x, 3, ENUF_WANT_ENERGY, &here),
                     ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
        for (int r = 0; r < ranks; r++) {
            sum += points[r];
            most = points[r] > most ? points[r] : most;
        }
        CHECK(sum == now->n);
        /* on GPUs one rank may have all points: as leader, or with the whole grid on each GPU */
        CHECK(ranks == 1 || on_gpus() || (double)most < 0.8 * (double)now->n);
        free_result(&here);
        free_dealt(&dealt);
    }
    enuf_ewald_destroy(&ewald);
    free_system(&s);
    free_system(&t);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    for (int how = ENUF_DECOMPOSITION_REPLICATED; how <= ENUF_DECOMPOSITION_DISTRIBUTED; how++) {
        /* each splitting runs with one of the two decompositions */
        enuf_ewald_options options = shared_options(
            1e-8, how == ENUF_DECOMPOSITION_REPLICATED ? ENUF_SPLIT_GAUSSIAN : ENUF_SPLIT_PROLATE);
        options.decomposition = (enuf_decomposition)how;
        check_cells(&options);
        check_descriptions(&options);
        check_lengths(&options);
        check_boundaries(&options);
        check_points((enuf_decomposition)how);
    }
    return finish_ranks();
}
