/*
 * pairs_close.h - pairs so close that the rounding of their places in the block shows in their
 * forces. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_CLOSE_H
#define ENUF_EWALD_CPU_PAIRS_CLOSE_H

#include "pairs_block.h"

/** What a mended block was made from, and which of its sums the kernel has set. */
typedef struct enuf_pair_close {
    const enuf_cells *cells;
    const enuf_pair_request *request;
    long double cell[9], inverse[9]; /* the request's, in cutoffs */
    double square;                   /* (r/r_c)^2 below which pairs are mended */
    int field, potential, tensor;
} enuf_pair_close;

/** For a request, with what the kernel sets. */
enuf_pair_close enuf_pair_close_make(const enuf_cells *cells, const enuf_pair_request *request,
                                     int field, int potential, int tensor);

/**
 * Coordinates in a block are rounded at the size of the cutoff, by some 1e-16 r_c: 1/r^2 of a pair
 * comes out wrong by 1e-16 r_c/r of itself. Adds to the block's sums what the close pairs' 1/r is
 * with the caller's own numbers less what it is with the block's. The splitting's part is smooth
 * and needs no mending; nor does the virial sum F_a r_b, whose sum rounds as much as its places.
 * Returns the sum of the squares of the forces q_i q_j/r^2 on the pairs' atoms.
 */
double enuf_pair_mend_close(const enuf_pair_close *close, enuf_pair_block *block);

#endif
