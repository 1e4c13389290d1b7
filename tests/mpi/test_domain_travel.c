/*
 * test_domain_travel.c - the numbers of domains along the cell vectors follow from all that
 * travels: atoms to their domains, results back, ghosts.
 *
 *   - Atoms in layers or, on 8 ranks, in bricks: the domains are these, and hardly an atom moves.
 *     Atoms at random places of the cell: the numbers with the fewest ghosts.
 *   - Bytes sent by all ranks: the formulas of docs/theory.md, "Parallel decompositions", pairs,
 *     for the choice, and on CPUs for the numbers with the fewest ghosts too, which are forced upon
 *     it. The choice sends less. The results are those of one process to 1e-12.
 *   - Atoms dealt out anew: the choice is made anew, too.
 *
 * With `cuda` every rank leads a GPU (ENUF_LEADERS_PER_DEVICE=8: also where they share one); then
 * the test counts bytes, and does not look at the domains.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/domains/domain_choice.h"
#include "mpi/domains/domains.h"
#include "mpi/object/rank_state.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8000, MOST_RANKS = 64, IN_TURN = 3, IN_BRICKS };

static const double CUTOFF = 3;
static int rank, ranks;
static enuf_cell_geometry cell; /* of the system */

/* ---- Atoms of ranks ---- */

typedef struct placed {
    double at;
    int64_t atom;
} placed;

static int compare(const void *a, const void *b)
{
    const double x = ((const placed *)a)->at, y = ((const placed *)b)->at;
    return (x > y) - (x < y);
}

/* The order of an atom among the ranks: along an axis, in turn, or by 2 x 2 x 2 bricks. */
static double order_of(const charge_system *s, int64_t i, int axis)
{
    int brick = 0;
    if (axis < 3) return s->x[3 * i + axis];
    for (int d = 0; d < 3; d++) brick = 2 * brick + (s->x[3 * i + d] > 0.5 * s->cell[4 * d]);
    return axis == IN_TURN ? (double)(i % ranks) : brick;
}

/* Equal numbers of atoms, in this order. */
static dealt_system deal_by(const charge_system *s, int axis)
{
    dealt_system d = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    placed *order = malloc((size_t)s->n * sizeof *order);
    if (!order) abort();
    for (int64_t i = 0; i < s->n; i++) order[i] = (placed){order_of(s, i, axis), i};
    qsort(order, (size_t)s->n, sizeof *order, compare);
    const int64_t first = s->n * rank / ranks;
    for (int64_t k = 0; k < s->n; k++) d.number[order[k].atom] = k;
    for (int64_t k = 0; k < d.n; k++) {
        const int64_t i = d.atom[k] = order[first + k].atom;
        memcpy(d.x + 3 * k, s->x + 3 * i, 3 * sizeof *d.x);
        d.q[k] = s->q[i];
    }
    free(order);
    return d;
}

/* ---- Evaluations ---- */

static enuf_rank_state *state_of(enuf_ewald *ewald)
{
    return ewald->on_ranks;
}

static double bytes_of_all(enuf_ewald *ewald)
{
    int64_t bytes[MOST_RANKS];
    double sum = 0;
    enuf_ewald_mpi_report report = {.struct_size = sizeof report, .bytes_sent = bytes};
    CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
    for (int r = 0; r < ranks; r++) sum += (double)bytes[r];
    return sum;
}

/* Bytes of the pairs in one evaluation of forces, the second one after a choice. */
static double bytes_for_pairs(enuf_ewald *ewald, const dealt_system *dealt)
{
    enuf_ewald_result here = make_result(dealt->n);
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(
            enuf_ewald_real(ewald, dealt->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &here),
            ENUF_SUCCESS);
    free_result(&here);
    return bytes_of_all(ewald);
}

static void check_against_one(enuf_ewald *ewald, const charge_system *s, const dealt_system *dealt,
                              const enuf_ewald_result *whole)
{
    enuf_ewald_result here = make_result(dealt->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, dealt->x, 3, WANT_ALL, &here), ENUF_SUCCESS);
    const shared_difference d = compare_shared(whole, s->n, &here, dealt);
    check_difference(&d, 1e-12);
    free_result(&here);
}

static enuf_ewald_options options_of_pairs(void)
{
    enuf_ewald_options options = shared_options(1e-3, ENUF_SPLIT_GAUSSIAN);
    options.decomposition = ENUF_DECOMPOSITION_REPLICATED;
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    options.cutoff = CUTOFF;
    options.threads = 1;
    return options;
}

static void fewest_ghosts(int count[3])
{
    enuf_domains_choose(ranks, &cell, CUTOFF, count);
}

/* Bytes of all ranks to place the cuts: sums of the counts of blocks of bins, and of the bins in
 * the blocks that hold cuts; the blocks have the power of two of bins with the fewest counts. */
static double bytes_of_cuts(const int count[3])
{
    double numbers = 0, before = 1;
    for (int d = 0; d < 3; before *= count[d++]) {
        double fewest = ENUF_DOMAIN_BINS;
        for (int bins = 1; bins <= ENUF_DOMAIN_BINS && count[d] > 1; bins *= 2)
            fewest = fmin(fewest, ENUF_DOMAIN_BINS / bins + (count[d] - 1) * bins);
        if (count[d] > 1) numbers += before * fewest;
    }
    return 2.0 * (ranks - 1) * 8 * numbers;
}

/* Bytes by the formulas. moved: part of the atoms that move. GPUs keep their cuts. */
static double expected_bytes(const int count[3], double moved)
{
    const double ghosts = N * enuf_domain_ghosts(&cell, CUTOFF, count);
    if (on_gpus()) return 32 * ghosts + (32 + 24) * moved * N;
    return 0.5 * (40 + 24) * ghosts + (40 + 24) * moved * N + bytes_of_cuts(count);
}

/* Ghosts are random numbers; ranks agree, and exchange counts. */
static const double SLACK = 0.06;

static void layers(int axis, int count[3])
{
    for (int d = 0; d < 3; d++) count[d] = d == axis ? ranks : 1;
}

static int same(const int a[3], const int b[3])
{
    return memcmp(a, b, 3 * sizeof *a) == 0;
}

/* ---- The checks ---- */

static void force_domains(enuf_rank_state *m, const int count[3])
{
    enuf_migration_release(&m->migration);
    CHECK_STATUS(enuf_migration_create(&m->ranks, count, &m->migration), ENUF_SUCCESS);
}

/* The part of the atoms that the fewest ghosts would move on CPUs, and the bytes. */
static double bytes_with_fewest_ghosts(enuf_ewald *ewald, const dealt_system *dealt, double *moved)
{
    enuf_rank_state *m = state_of(ewald);
    const enuf_domain_choice chosen = m->domain_choice;
    fewest_ghosts(m->domain_choice.count);
    force_domains(m, m->domain_choice.count);
    const double bytes = bytes_for_pairs(ewald, dealt);
    const enuf_exchange *e = &m->migration.exchange;
    *moved = (double)(e->n_send - e->send[m->ranks.rank]);
    enuf_ranks_sum_doubles(&m->ranks, 1, moved);
    *moved /= N;
    m->domain_choice = chosen;
    force_domains(m, chosen.count);
    return bytes;
}

static void check_layers(const charge_system *s, const enuf_ewald_result *whole, int axis)
{
    const enuf_ewald_options options = options_of_pairs();
    enuf_ewald *ewald = make_shared(&options, s);
    dealt_system dealt = deal_by(s, axis);
    int count[3];
    layers(axis, count);
    if (!ewald || !set_shared(ewald, &dealt, NULL)) return;
    const double bytes = bytes_for_pairs(ewald, &dealt);
    const double expected = expected_bytes(count, 0);
    CHECK_CLOSE(bytes, expected, SLACK, "bytes for the pairs of layers");
    check_against_one(ewald, s, &dealt, whole);
    if (!on_gpus()) {
        double moved;
        CHECK(same(state_of(ewald)->domain_choice.count, count));
        CHECK_BELOW(state_of(ewald)->domain_choice.moved, 0.01, "part of the atoms that moves");
        const double before = bytes_with_fewest_ghosts(ewald, &dealt, &moved);
        int fewest[3];
        fewest_ghosts(fewest);
        const double formula = expected_bytes(fewest, moved);
        if (rank == 0)
            printf("the fewest ghosts: %d x %d x %d, %.3g of the atoms move, %.0f bytes, formula "
                   "%.0f\n",
                   fewest[0], fewest[1], fewest[2], moved, before, formula);
        CHECK_CLOSE(before, formula, SLACK, "bytes for the pairs with the fewest ghosts");
        if (!same(fewest, count)) CHECK_BELOW(bytes, 0.75 * before, "bytes of the choice");
    }
    enuf_ewald_destroy(&ewald);
    free_dealt(&dealt);
}

/* Atoms at random get the fewest ghosts; then they arrive in layers. */
static void check_dealt_anew(const charge_system *s)
{
    const enuf_ewald_options options = options_of_pairs();
    enuf_ewald *ewald = make_shared(&options, s);
    dealt_system along[2] = {deal_by(s, 2), deal_by(s, 0)}, random = deal_by(s, IN_TURN);
    int count[3];
    if (!ewald || !set_shared(ewald, &random, NULL)) return;
    bytes_for_pairs(ewald, &random);
    fewest_ghosts(count);
    CHECK(same(state_of(ewald)->domain_choice.count, count));
    enuf_ewald_destroy(&ewald);
    ewald = make_shared(&options, s);
    if (ewald && ranks == 8) {
        dealt_system bricks = deal_by(s, IN_BRICKS);
        if (!set_shared(ewald, &bricks, NULL)) return;
        bytes_for_pairs(ewald, &bricks);
        CHECK(same(state_of(ewald)->domain_choice.count, (const int[3]){2, 2, 2}));
        CHECK_BELOW(state_of(ewald)->domain_choice.moved, 0.1, "part of the atoms that moves");
        free_dealt(&bricks);
    }
    for (int k = 0; ewald && k < 2; k++) {
        if (!set_shared(ewald, &along[k], NULL)) return;
        bytes_for_pairs(ewald, &along[k]);
        layers(2 - 2 * k, count);
        CHECK(same(state_of(ewald)->domain_choice.count, count));
        CHECK_BELOW(state_of(ewald)->domain_choice.moved, 0.01, "part of the atoms that moves");
    }
    enuf_ewald_destroy(&ewald);
    free_dealt(&along[0]);
    free_dealt(&along[1]);
    free_dealt(&random);
}

int main(int argc, char **argv)
{
    const int usable = begin_ranks(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (usable) {
        charge_system s = make_ions(9, N, CELL_CUBIC, 0);
        CHECK_STATUS(enuf_cell_geometry_make(s.cell, &cell), ENUF_SUCCESS);
        const enuf_ewald_options options = options_of_pairs();
        enuf_ewald_result whole = evaluate_alone(&options, &s, NULL);
        for (int axis = 0; axis < 3; axis++) check_layers(&s, &whole, axis);
        if (!on_gpus()) check_dealt_anew(&s);
        free_result(&whole);
        free_system(&s);
    }
    return finish_ranks();
}
