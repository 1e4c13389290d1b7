/*
 * pair_table.h - the pair functions of a splitting as piecewise polynomials.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PAIR_TABLE_H
#define ENUF_PAIR_TABLE_H

#include "choose/splitting.h"

/**
 * Polynomials of one splitting for the pair loop: eight pieces of equal length in s = (r/r_c)^2,
 * monomials of t in [-1, 1] inside a piece. Made once per splitting; rounded to float by its
 * reader.
 */
typedef struct enuf_pair_table {
    double cutoff;
    double error;                                            /* the splitting of the fit */
    int n_energy, n_force;                                   /* coefficients in use */
    double energy[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES]; /* Q(s) */
    double force[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];  /* R(s) */
} enuf_pair_table;

/**
 * Fits the table; `error` is the allowed absolute error of Q and R, 0: rounding. Errors:
 * ENUF_UNREACHABLE_ACCURACY if the splitting is too steep (alpha cutoff <= 8 and c <= 100 always
 * work); the table does not change.
 */
enuf_status enuf_pair_table_make(const enuf_splitting *splitting, double error,
                                 enuf_pair_table *table);

#endif
