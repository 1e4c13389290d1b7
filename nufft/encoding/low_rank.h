/*
 * low_rank.h - the leading left singular vectors of a dense complex matrix, and least squares.
 * Matrices are in columns, [columns][rows], interleaved. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_LOW_RANK_H
#define ENUF_ENCODING_LOW_RANK_H

#include "error.h"

#include <complex.h>

typedef struct enuf_low_rank {
    int rank;               /* the fewest vectors that leave out at most the tolerance */
    double rest;            /* what they leave out: Frobenius norm over that of the matrix */
    double complex *vector; /* [rank][rows], orthonormal */
    double complex *right;  /* [rank][columns]: those of the columns */
    double *value;          /* [rank] */
} enuf_low_rank;

/**
 * The singular vectors of the fewest largest singular values such that the others have at most
 * `tolerance` of the Frobenius norm; at least one, unless the matrix is zero. Overwrites `a`. Free
 * with enuf_low_rank_free(), after an error too.
 *
 * Errors are those of rounding once: products with the vectors differ from the matrix by 1e-15 of
 * its norm, however small the singular values are. Sources: column pivoting, Businger, Golub,
 * Numer. Math. 7 (1965) 269; one-sided rotations, Hestenes, J. SIAM 6 (1958) 51; both together,
 * Drmac, Veselic, SIAM J. Matrix Anal. Appl. 29 (2008) 1322.
 */
enuf_status enuf_low_rank_make(int rows, int columns, double complex *a, double tolerance,
                               enuf_low_rank *made);
void enuf_low_rank_free(enuf_low_rank *low);

/**
 * Orthonormal columns: q [columns][rows] is overwritten with vectors that span its first 1, 2, ...
 * columns; column k was sum_i triangle[k][i] q_i, i <= k. A column that depends on those before it
 * becomes zero.
 */
void enuf_orthonormalise(int rows, int columns, double complex *q, double complex *triangle);

/** a^H b. */
double complex enuf_inner(int n, const double complex *a, const double complex *b);

/** to -= factor * from. */
void enuf_subtract(int n, double complex factor, const double complex *from, double complex *to);

#endif
