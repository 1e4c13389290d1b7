/*
 * method.h - one method for all ranks, its error scale, and its verification. All functions are
 * collective.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_METHOD_H
#define ENUF_EWALD_MPI_METHOD_H

#include "rank_state.h"

/** Chooses new parameters with ewald->error_scale. */
enuf_status enuf_ranks_choose_anew(enuf_rank_state *m);
/** error_scale_ranks.c: measures the error scale at `positions`, then chooses with it. */
enuf_status enuf_ranks_find_error_scale(enuf_rank_state *m, const double *positions,
                                        int64_t stride);
/** error_scale_ranks.c: as enuf_ewald_verify_first(). All ranks must be ready. */
enuf_status enuf_ranks_verify_first(enuf_rank_state *m, const enuf_evaluation *what);
/** error_scale_ranks.c: as enuf_ewald_verify(). All ranks must be ready. */
enuf_status enuf_ranks_verify_at(enuf_rank_state *m, const double *positions, int64_t stride,
                                 enuf_memory memory);
/** As enuf_ewald_update_method(), with the mesh. Call it after the ranks agreed that one of them is
 * not ready. */
enuf_status enuf_ranks_update_method(enuf_rank_state *m);

#endif
