/*
 * exclusion_slopes.c - slopes of the excluded shares -(1 - w) q_i q_j / r of pairs at their nearest
 * images. Totals are summed on one thread in the order of the caller's list.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "slope_sums.h"
#include "parallel.h"

#include <math.h>

/* A pair as atom i sees it: potential of unit charges, d, dd, and their products. */
typedef struct excluded_pair {
    double potential, g; /* -removed/r, and g = -removed/r^3 */
    double d[3], delta[3];
    double projected;     /* d . dd */
    double changed, both; /* q_i w_j + w_i q_j, q_i q_j */
    double q_j, w_j;
    double force_slope[3];  /* df on i */
    double potential_slope; /* of a unit charge at i */
} excluded_pair;

static excluded_pair pair_of(const enuf_ewald *ewald, const enuf_motion *m, int64_t i, int64_t p)
{
    const enuf_charge_set *set = &ewald->charges;
    const int64_t j = set->partner[p];
    excluded_pair x = {.q_j = set->q[j], .w_j = enuf_motion_charge(m, j)};
    const double q_i = set->q[i], w_i = enuf_motion_charge(m, i);
    double v_i[3], v_j[3], strained[3] = {0, 0, 0};
    enuf_nearest_image(&ewald->lattice, m->positions + i * m->stride, m->positions + j * m->stride,
                       x.d);
    const double r2 = x.d[0] * x.d[0] + x.d[1] * x.d[1] + x.d[2] * x.d[2];
    x.changed = q_i * x.w_j + w_i * x.q_j;
    x.both = q_i * x.q_j;
    /* at r = 0 one of the two has no charge, as in cpu/exclusions.c */
    if (!(r2 > 0)) return x;
    x.potential = -set->removed[p] / sqrt(r2);
    x.g = x.potential / r2;
    enuf_motion_moved(m, i, v_i);
    enuf_motion_moved(m, j, v_j);
    if (m->strains) enuf_motion_strain(m, x.d, strained);
    for (int a = 0; a < 3; a++) {
        x.delta[a] = v_i[a] - v_j[a] + strained[a];
        x.projected += x.d[a] * x.delta[a];
    }
    const double along = x.changed * x.g - 3 * x.both * x.g / r2 * x.projected;
    for (int a = 0; a < 3; a++) x.force_slope[a] = along * x.d[a] + x.both * x.g * x.delta[a];
    x.potential_slope = x.w_j * x.potential - x.q_j * x.g * x.projected;
    return x;
}

typedef struct excluded_loop {
    const enuf_ewald *ewald;
    const enuf_motion *motion;
    const enuf_atoms *atoms;
    enuf_slope_sums *sums;
} excluded_loop;

static void add_shares(void *context, int64_t a, int64_t end, int thread)
{
    const excluded_loop *loop = context;
    const enuf_charge_set *set = &loop->ewald->charges;
    (void)thread;
    for (; a < end; a++) {
        const int64_t i = enuf_callers_atom(loop->atoms->original, a);
        for (int64_t p = set->first[i]; p < set->first[i + 1]; p++) {
            const excluded_pair x = pair_of(loop->ewald, loop->motion, i, p);
            for (int d = 0; d < 3; d++) loop->sums->forces[3 * a + d] += x.force_slope[d];
            loop->sums->potential[a] += x.potential_slope;
        }
    }
}

/* Each pair is listed at both of its atoms: halves. */
static void add_totals(const excluded_loop *loop)
{
    const enuf_charge_set *set = &loop->ewald->charges;
    enuf_slope_sums *sums = loop->sums;
    for (int64_t i = 0; i < set->n; i++)
        for (int64_t p = set->first[i]; p < set->first[i + 1]; p++) {
            const excluded_pair x = pair_of(loop->ewald, loop->motion, i, p);
            sums->energy += 0.5 * (x.changed * x.potential - x.both * x.g * x.projected);
            for (int k = 0; k < 9; k++) sums->product[k] += 0.5 * x.force_slope[k / 3] * x.d[k % 3];
            for (int c = 0; c < 6; c++) {
                const int a = enuf_tensor_row[c], b = enuf_tensor_column[c];
                sums->virial[c] +=
                    0.5 * (x.force_slope[a] * x.d[b] + x.both * x.g * x.d[a] * x.delta[b]);
            }
        }
}

void enuf_add_exclusion_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                               const enuf_atoms *atoms, enuf_slope_sums *sums)
{
    if (ewald->charges.n_excluded == 0) return;
    excluded_loop loop = {ewald, motion, atoms, sums};
    enuf_parallel_for(enuf_ewald_threads(ewald), atoms->n, 0, add_shares, &loop);
    add_totals(&loop);
}
