/*
 * pair_bend.h - the slope of the force of a pair, as piecewise polynomials.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PAIR_BEND_H
#define ENUF_PAIR_BEND_H

#include "pair_table.h"

/**
 * B(s) = -2 dR/ds in the pieces of enuf_pair_table. With g = 1/r^3 - R of a pair, in cutoffs,
 * dg = -(3/r^5 - B) r dr. Made once per splitting; all zeros: not made.
 */
typedef struct enuf_pair_bend {
    enuf_split
        kind; /* of the splitting, with its parameter (alpha or c), cutoff, and table error */
    double parameter, cutoff, error;
    int n; /* coefficients in use */
    double at[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
} enuf_pair_bend;

/** Makes B for the splitting of a table, to a similar error; keeps one that is made for it. Errors:
 * those of enuf_pair_table_make(). */
enuf_status enuf_pair_bend_make(const enuf_splitting *splitting, const enuf_pair_table *table,
                                enuf_pair_bend *bend);

#endif
