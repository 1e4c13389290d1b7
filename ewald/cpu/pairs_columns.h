/*
 * pairs_columns.h - the data of the pair sums that are kept between calls, and the loop over
 * columns of cells, for sums in doubles (pairs.c) and in integers (pairs_deterministic.c).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_COLUMNS_H
#define ENUF_EWALD_CPU_PAIRS_COLUMNS_H

#include "array.h"
#include "pairs_block.h"
#include "pairs_rows.h"

enum { PAIR_NEAR_SUMS = PAIR_TENSOR, PAIR_TENSOR_SUMS = PAIR_SUMS - PAIR_TENSOR };

/** Totals and checks of one column of cells. */
typedef struct enuf_pair_column {
    double virial[6];
    double energy;
    double closest;       /* smallest (r/r_c)^2 */
    double close_forces2; /* deterministic: without ghosts */
    int overflowed;       /* deterministic: a sum left its range */
} enuf_pair_column;

struct enuf_pairs {
    enuf_cells cells;
    enuf_pair_rows rows;
    enuf_pair_polynomials polynomials;
    /* sums of atoms in sorted order, double, units of charge and cutoff */
    enuf_array sums;    /* [n][PAIR_NEAR_SUMS] field and potential */
    enuf_array tensor;  /* [n][PAIR_TENSOR_SUMS] */
    enuf_array columns; /* enuf_pair_column */
    enuf_array blocks;  /* [threads] enuf_pair_block */
    /* deterministic: sums of atoms in fixed point, and the same of one block for each thread */
    enuf_array fixed;        /* int64_t [2][n][sums] lower and upper words (pairs_fixed_words.h) */
    enuf_array fixed_blocks; /* [threads] enuf_fixed_block */
    /* slopes (pairs_slopes.c): of atoms in sorted order, of columns, of one block a thread, and the
     * direction in sorted order */
    enuf_array slopes, slope_columns, slope_blocks, direction;
};

/** Threads for a request. pairs.c */
int enuf_pairs_threads(const enuf_pair_request *request);

/** The polynomials of a table as the kernels read them. pairs.c */
void enuf_pairs_make_polynomials(const enuf_pair_table *table, enuf_pair_polynomials *polynomials);

/** Sums the pairs of one column, in the thread's own block. */
typedef void (*enuf_pair_column_sum)(enuf_pairs *pairs, int64_t column, int thread,
                                     const void *context);

/** Sums every column; columns of one batch at the same time (pairs_rows.h). */
void enuf_pairs_sum_columns(enuf_pairs *pairs, int threads, enuf_pair_column_sum sum_column,
                            const void *context);

/** Sum of the squares of the close pairs' forces, without the Coulomb constant. */
double enuf_pairs_close_forces2(const enuf_pairs *pairs, double cutoff);

/** The smallest (r/r_c)^2 of all columns, or 1. ENUF_BAD_ARGUMENT names two atoms at one place. */
enuf_status enuf_pairs_check_closest(enuf_pairs *pairs, const enuf_pair_request *request,
                                     double *closest);

#endif
