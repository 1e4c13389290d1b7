/*
 * error_scale_ranks.h - the error scale of a method for all ranks, and its verification. All
 * functions are collective.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_ERROR_SCALE_RANKS_H
#define ENUF_EWALD_MPI_ERROR_SCALE_RANKS_H

#include "mpi/object/rank_state.h"

/** Measures the error scale at `positions`, then chooses with it. */
enuf_status enuf_ranks_find_error_scale(enuf_rank_state *m, const double *positions,
                                        int64_t stride);
/** As enuf_ewald_verify_first(). All ranks must be ready. */
enuf_status enuf_ranks_verify_first(enuf_rank_state *m, const enuf_evaluation *what);
/** As enuf_ewald_verify(). All ranks must be ready. */
enuf_status enuf_ranks_verify_at(enuf_rank_state *m, const double *positions, int64_t stride,
                                 enuf_memory memory);
/** As enuf_ewald_measure_tail(). All ranks must be ready. */
enuf_status enuf_ranks_measure_tail_at(enuf_rank_state *m, const double *positions, int64_t stride);

#endif
