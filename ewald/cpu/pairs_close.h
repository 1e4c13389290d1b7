/*
 * pairs_close.h - pairs so close that the rounding of their places in the block shows in their
 * forces. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_CLOSE_H
#define ENUF_EWALD_CPU_PAIRS_CLOSE_H

#include "pairs_block.h"

/** The origin of a block, and the sums that its kernel has set. */
typedef struct enuf_pair_close {
    const enuf_cells *cells;
    const enuf_pair_request *request;
    long double cell[9], inverse[9]; /* the request's, in cutoffs */
    double square;                   /* (r/r_c)^2 below which pairs are mended */
    int field, potential, tensor;
} enuf_pair_close;

/** field, potential, tensor: 1 if the kernel sets these sums. */
enuf_pair_close enuf_pair_close_make(const enuf_cells *cells, const enuf_pair_request *request,
                                     int field, int potential, int tensor);

/**
 * Coordinates in a block are rounded at the size of the cutoff, by some 1e-16 r_c: 1/r^2 of a pair
 * has a relative error of 1e-16 r_c/r. For close pairs this adds to the block's sums the difference
 * between 1/r from the caller's numbers and 1/r from the block's. The splitting's part is smooth
 * and needs no correction. The virial sum F_a r_b needs none either: it rounds as much as its
 * coordinates. Returns the sum of the squares of the forces q_i q_j/r^2 on the pairs' atoms.
 */
double enuf_pair_mend_close(const enuf_pair_close *close, enuf_pair_block *block);

#endif
