/*
 * test_error_scale_ranks.c - tune() with positions measures the error scale on all ranks together:
 * of many charges by a finer mesh, of few by exact sums at a sample. All parameters and the
 * prediction have the bits of one process, however the atoms are distributed and ordered. The
 * measured error is at most the requested accuracy, and within a factor of 2 of the prediction.
 *
 * Water with exclusions (accuracies 1e-4 and 1e-3), ions near the points of a lattice (1e-6).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "random_system.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Many charges, measured by a finer mesh, and few: molecules of water, and ions along an axis. */
enum { MOLECULES = 3400, FEW_MOLECULES = 150, PER_AXIS = 22, FEW_PER_AXIS = 10 };

static int rank, ranks;

static void check_deal(deal how, const enuf_ewald_options *options, const charge_system *s,
                       const enuf_exclusions *exclusions, const enuf_ewald_report *one)
{
    dealt_system dealt = deal_out(s, how, MPI_COMM_WORLD);
    enuf_ewald *ewald = make_shared(options, s);
    enuf_ewald_report many = {.struct_size = sizeof many};
    enuf_ewald_error error = {.struct_size = sizeof error};
    if (ewald && set_shared(ewald, &dealt, exclusions)) {
        CHECK_STATUS(enuf_ewald_tune(ewald, dealt.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_measure_error(ewald, dealt.x, 3, 100, 3, &error), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &many), ENUF_SUCCESS);
        const enuf_ewald_report *m = &many;
        CHECK(memcmp(one->grid, m->grid, sizeof one->grid) == 0 && one->width == m->width);
        CHECK(one->split == m->split && one->alpha == m->alpha && one->c == m->c);
        CHECK(one->cutoff == m->cutoff && one->kmax == m->kmax && one->shape == m->shape);
        CHECK(one->predicted == m->predicted);
        const double log2_ratio = fabs(log2(m->predicted / error.accuracy));
        CHECK(log2_ratio <= 1 && error.accuracy <= m->requested);
        if (rank == 0) {
            printf("atoms %s: grid %lld, width %d; asked %.1e, predicted %.2e, measured %.2e\n",
                   deal_name(how), (long long)m->grid[0], m->width, m->requested, m->predicted,
                   error.accuracy);
            CHECK_BELOW(log2_ratio, 1, "log2(predicted / measured)");
        }
    }
    enuf_ewald_destroy(&ewald);
    free_dealt(&dealt);
}

static void check_system(const charge_system *s, const enuf_exclusions *exclusions, double accuracy,
                         deal how, int positions_matter)
{
    enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_AUTO);
    enuf_ewald_report one = {.struct_size = sizeof one};
    options.threads = 1;
    if (ranks == 1) options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    if (rank == 0) {
        enuf_ewald *alone = make_alone(&options, s, exclusions);
        enuf_ewald_report random = one;
        CHECK_STATUS(enuf_ewald_tune(alone, NULL, 0), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(alone, &random), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_tune(alone, s->x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(alone, &one), ENUF_SUCCESS);
        if (positions_matter)
            CHECK(one.grid[0] != random.grid[0] || one.width != random.width ||
                  one.cutoff != random.cutoff);
        enuf_ewald_destroy(&alone);
    }
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    check_deal(DEAL_IN_BLOCKS, &options, s, exclusions, &one);
    check_deal(how, &options, s, exclusions, &one);
}

/* Ions near the points of a lattice. Errors are smaller than those of random charges. */
static charge_system make_crystal(int per_axis)
{
    const double edge = per_axis * 2.8;
    charge_system s = {.n = (int64_t)per_axis * per_axis * per_axis,
                       .cell = {edge, 0, 0, 0, edge, 0, 0, 0, edge}};
    s.x = malloc((size_t)s.n * 3 * sizeof *s.x);
    s.q = malloc((size_t)s.n * sizeof *s.q);
    if (!s.x || !s.q) abort();
    random_numbers(11, 3 * s.n, -0.03, 0.03, s.x);
    for (int64_t i = 0; i < s.n; i++) {
        const int64_t at[3] = {i % per_axis, i / per_axis % per_axis, i / per_axis / per_axis};
        s.q[i] = (at[0] + at[1] + at[2]) % 2 ? 1 : -1;
        for (int d = 0; d < 3; d++)
            s.x[3 * i + d] = ((double)at[d] + s.x[3 * i + d]) * edge / per_axis;
    }
    return s;
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t *pairs = malloc(6 * MOLECULES * sizeof *pairs);
    if (!pairs) abort();
    charge_system few = make_water(6, FEW_MOLECULES, pairs), few_ions = make_crystal(FEW_PER_AXIS);
    const enuf_exclusions of_few = {3 * FEW_MOLECULES, pairs, NULL};
    check_system(&few, &of_few, 1e-4, DEAL_IN_TURN, 0);
    check_system(&few_ions, NULL, 1e-6, DEAL_ALL_ON_LAST, 0);
    charge_system water = make_water(5, MOLECULES, pairs), crystal = make_crystal(PER_AXIS);
    const enuf_exclusions exclusions = {3 * MOLECULES, pairs, NULL};
    check_system(&water, &exclusions, 1e-3, DEAL_IN_TURN, 0);
    check_system(&crystal, NULL, 1e-6, DEAL_ALL_ON_LAST, 1);
    free(pairs);
    free_system(&few);
    free_system(&few_ions);
    free_system(&water);
    free_system(&crystal);
    return finish_ranks();
}
