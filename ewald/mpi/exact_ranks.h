/*
 * exact_ranks.h - exact Ewald sums at a few atoms on all ranks: each sums the terms of its own
 * atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_EXACT_RANKS_H
#define ENUF_EWALD_MPI_EXACT_RANKS_H

#include "context.h"

/** Forces [n][3] and potentials [n] of the atoms that have these numbers, as callers count;
 * and their charges. The same arrays, and then the same bits, on all ranks. */
typedef struct enuf_exact_atoms {
    int64_t n;
    const int64_t *numbers;
    double *q, *forces, *potential;
    double *virial; /* [6], where the atoms are all that have charges; NULL: not wanted */
} enuf_exact_atoms;

/** Collective. The result of one process with all atoms, to rounding. */
enuf_status enuf_ranks_sum_exactly(enuf_rank_state *m, const double *positions, int64_t stride,
                                   const enuf_exact_atoms *atoms);

#endif
