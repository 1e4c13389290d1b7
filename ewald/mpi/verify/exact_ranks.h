/*
 * exact_ranks.h - exact Ewald sums at a few atoms on all ranks: each sums the terms of its own
 * atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_EXACT_RANKS_H
#define ENUF_EWALD_MPI_EXACT_RANKS_H

#include "mpi/object/rank_state.h"

/** Forces [n][3], potentials [n] and charges [n] of the atoms with these numbers (as callers
 * count). All ranks have the same arrays with the same bits. */
typedef struct enuf_exact_atoms {
    int64_t n;
    const int64_t *numbers;
    double *q, *forces, *potential;
    double *virial; /* [6], if the atoms are all charged atoms; NULL: not wanted */
} enuf_exact_atoms;

/** Collective. Equals the result of one process with all atoms, to rounding. */
enuf_status enuf_ranks_sum_exactly(enuf_rank_state *m, const double *positions, int64_t stride,
                                   const enuf_exact_atoms *atoms);

#endif
