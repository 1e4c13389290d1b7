/*
 * pairs_slopes.h - the kernel of the slopes of pairs: one atom of a group against the list, in the
 * three passes of pairs_kernel.h. Bound by arithmetic: with displacements, strain and virial the
 * third pass takes some 80 operations and 7 loads and stores of sums, beside 17 and 4 there.
 *
 * With d = r_i - r_j and delta = dd = v_i - v_j + d e, in cutoffs, and the pair functions
 * l = 1/r - Q, g = 1/r^3 - R, k = 3/r^5 - B:
 *
 *     dl = -g (d . delta)     dg = -k (d . delta)
 *     f  = q_i q_j g d        df = (dq_i q_j + q_i dq_j) g d + q_i q_j (dg d + g delta)
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_SLOPES_H
#define ENUF_EWALD_CPU_PAIRS_SLOPES_H

#include "pairs_block.h"

/* Sums of an atom: df, of its potential, and f. */
enum { SLOPE_FORCE = 0, SLOPE_POTENTIAL = 3, SLOPE_PLAIN = 4, SLOPE_SUMS = 7 };

/* The direction at an atom: v in cutoffs, and w. */
enum { MOVED = 0, RECHARGED = 3, DIRECTIONS = 4 };

/** The direction and the sums of a block's atoms, beside the block itself. */
typedef struct enuf_slope_block {
    enuf_pair_block block;
    double to_i[DIRECTIONS][PAIR_ROOM], sum_i[SLOPE_SUMS][PAIR_ROOM];
    PAIR_ALIGNED double to[DIRECTIONS][PAIR_LIST + PAIR_PADDING];
    PAIR_ALIGNED double sum_j[SLOPE_SUMS][PAIR_LIST + PAIR_PADDING];
    double energy; /* set by the kernel */
} enuf_slope_block;

/** What the kernels read of a request. */
typedef struct enuf_slope_functions {
    const enuf_pair_polynomials *polynomials;
    const enuf_pair_bend *bend;
    double strain[9];
} enuf_slope_functions;

#endif
