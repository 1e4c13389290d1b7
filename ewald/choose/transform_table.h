/*
 * transform_table.h - the transform of a splitting as polynomials, for many modes.
 *
 * psi of the prolate splitting is a Legendre series of some 30 terms, 150 ns a mode with its slope.
 * The table takes 15 ns, and its error is below 1e-15 of chi_hat(0) = 1: rounding.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TRANSFORM_TABLE_H
#define ENUF_TRANSFORM_TABLE_H

#include "splitting.h"

enum { ENUF_TRANSFORM_PIECES = 64, ENUF_TRANSFORM_TERMS = 12 };

/** chi_hat and chi_hat D as functions of (k/band)^2, on pieces of equal length. */
typedef struct enuf_transform_table {
    double per_band; /* 1/band */
    int n_pieces;    /* 0: the splitting's own functions serve (Gaussian, c > 128) */
    double chi[ENUF_TRANSFORM_PIECES][ENUF_TRANSFORM_TERMS];
    double chi_d[ENUF_TRANSFORM_PIECES][ENUF_TRANSFORM_TERMS];
} enuf_transform_table;

void enuf_transform_table_make(const enuf_splitting *splitting, enuf_transform_table *table);

/** The result of enuf_splitting_transform() at wave number k, from the table of this splitting. */
void enuf_transform_table_at(const enuf_transform_table *table, const enuf_splitting *splitting,
                             double k, double *chi, double *chi_d);

/** The result of enuf_splitting_transform_bend(): from the slopes of the table's polynomials, with
 * an error below 1e-11 of chi_hat(0). */
double enuf_transform_table_bend_at(const enuf_transform_table *table,
                                    const enuf_splitting *splitting, double k);

#endif
