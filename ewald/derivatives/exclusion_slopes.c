/*
 * exclusion_slopes.c - slopes of the excluded pairs at their nearest images. Totals are summed on
 * one thread in the order of the caller's list. SPDX-License-Identifier: BSD-3-Clause
 */
#include "exclusion_slopes.h"
#include "slope_sums.h"
#include "parallel.h"

typedef struct excluded_loop {
    const enuf_ewald *ewald;
    const enuf_motion *motion;
    const enuf_atoms *atoms;
    enuf_slope_sums *sums;
} excluded_loop;

static enuf_excluded_pair pair_of(const excluded_loop *loop, int64_t i, int64_t p)
{
    const enuf_charge_set *set = &loop->ewald->charges;
    const enuf_motion *m = loop->motion;
    const int64_t j = set->partner[p];
    enuf_excluded_pair x;
    double d[3];
    enuf_nearest_image(&loop->ewald->lattice, m->positions + i * m->stride,
                       m->positions + j * m->stride, d);
    enuf_excluded_pair_make(m, i, j, set->q[i], set->q[j], set->removed[p], d, &x);
    return x;
}

static void add_shares(void *context, int64_t a, int64_t end, int thread)
{
    const excluded_loop *loop = context;
    const enuf_charge_set *set = &loop->ewald->charges;
    (void)thread;
    for (; a < end; a++) {
        const int64_t i = enuf_callers_atom(loop->atoms->original, a);
        for (int64_t p = set->first[i]; p < set->first[i + 1]; p++) {
            const enuf_excluded_pair x = pair_of(loop, i, p);
            for (int d = 0; d < 3; d++) loop->sums->forces[3 * a + d] += x.force_slope[d];
            loop->sums->potential[a] += x.potential_slope;
        }
    }
}

void enuf_add_exclusion_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                               const enuf_atoms *atoms, enuf_slope_sums *sums)
{
    const enuf_charge_set *set = &ewald->charges;
    double totals[SLOPE_TOTALS] = {0};
    if (set->n_excluded == 0) return;
    excluded_loop loop = {ewald, motion, atoms, sums};
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, add_shares, &loop);
    for (int64_t i = 0; i < set->n; i++)
        for (int64_t p = set->first[i]; p < set->first[i + 1]; p++) {
            const enuf_excluded_pair x = pair_of(&loop, i, p);
            enuf_excluded_pair_add(&x, totals);
        }
    enuf_slope_sums_add_pairs(totals, sums);
}
