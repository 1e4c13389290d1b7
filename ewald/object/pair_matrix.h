/*
 * pair_matrix.h - potentials of the pairs at fixed places as a sparse matrix, for many sets of
 * charges. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PAIR_MATRIX_H
#define ENUF_PAIR_MATRIX_H

#include "array.h"

/** Rows are atoms in the order of the cell lists, atom a is order[a] of the caller. Row a has the
 * entries first[a] ... first[a + 1] - 1, one for each image of a neighbour inside the cutoff, both
 * of a pair; and those of its excluded partners. */
typedef struct enuf_pair_matrix {
    int64_t n;
    enuf_array order;  /* int64_t [n] */
    enuf_array first;  /* int64_t [n + 1] */
    enuf_array column; /* int32_t */
    enuf_array value;  /* double, 1/length */
    enuf_array filled; /* int64_t [n], while it is made */
} enuf_pair_matrix;

enum { ENUF_MATRIX_VECTORS = 8 }; /* at once */

#endif
