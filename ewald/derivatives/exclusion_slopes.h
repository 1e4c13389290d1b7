/*
 * exclusion_slopes.h - slopes of the excluded share -(1 - w) q_i q_j / r of one pair. Read by C and
 * by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_EXCLUSION_SLOPES_H
#define ENUF_EWALD_EXCLUSION_SLOPES_H

#include "lattice/tensor.h"
#include "motion.h"

#include <math.h>

/** A pair as atom i sees it: potential of unit charges, d, dd, and their products. */
typedef struct enuf_excluded_pair {
    double potential, g; /* -removed/r, and g = -removed/r^3 */
    double d[3], delta[3];
    double projected;       /* d . dd */
    double changed, both;   /* q_i w_j + w_i q_j, q_i q_j */
    double force_slope[3];  /* df on i */
    double potential_slope; /* of a unit charge at i */
} enuf_excluded_pair;

/** Atoms i and j of the caller, with d = x_i - x_j at the nearest image. */
ENUF_SLOPE_INLINE void enuf_excluded_pair_make(const enuf_motion *m, int64_t i, int64_t j,
                                               double q_i, double q_j, double removed,
                                               const double d[3], enuf_excluded_pair *x)
{
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double w_i = enuf_motion_charge(m, i), w_j = enuf_motion_charge(m, j);
    double v_i[3], v_j[3], strained[3] = {0, 0, 0};
    x->changed = q_i * w_j + w_i * q_j;
    x->both = q_i * q_j;
    x->potential = x->g = x->projected = x->potential_slope = 0;
    for (int a = 0; a < 3; a++) {
        x->d[a] = d[a];
        x->delta[a] = x->force_slope[a] = 0;
    }
    /* at r = 0 one of the two has no charge, as in cpu/exclusions.c */
    if (!(r2 > 0)) return;
    x->potential = -removed / sqrt(r2);
    x->g = x->potential / r2;
    enuf_motion_moved(m, i, v_i);
    enuf_motion_moved(m, j, v_j);
    if (m->strains) enuf_motion_strain(m, d, strained);
    for (int a = 0; a < 3; a++) {
        x->delta[a] = v_i[a] - v_j[a] + strained[a];
        x->projected += d[a] * x->delta[a];
    }
    const double along = x->changed * x->g - 3 * x->both * x->g / r2 * x->projected;
    for (int a = 0; a < 3; a++) x->force_slope[a] = along * d[a] + x->both * x->g * x->delta[a];
    x->potential_slope = w_j * x->potential - q_j * x->g * x->projected;
}

/** Adds half of the pair to the totals, because it is listed at both of its atoms. */
ENUF_SLOPE_INLINE void enuf_excluded_pair_add(const enuf_excluded_pair *x,
                                              double totals[SLOPE_TOTALS])
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    totals[SLOPE_ENERGY] += 0.5 * (x->changed * x->potential - x->both * x->g * x->projected);
    for (int k = 0; k < 9; k++)
        totals[SLOPE_PRODUCT + k] += 0.5 * x->force_slope[k / 3] * x->d[k % 3];
    for (int c = 0; c < 6; c++) {
        const int a = row[c], b = column[c];
        totals[SLOPE_VIRIAL + c] +=
            0.5 * (x->force_slope[a] * x->d[b] + x->both * x->g * x->d[a] * x->delta[b]);
    }
}

#endif
