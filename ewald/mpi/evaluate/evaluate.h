/*
 * evaluate.h - an evaluation on many ranks. All functions are collective.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_EVALUATE_H
#define ENUF_EWALD_MPI_EVALUATE_H

#include "mpi/object/rank_state.h"

/** enuf_ranks_agree_same() for an evaluation: every rank must make the same request. */
enuf_status enuf_ranks_agree_request(enuf_ranks *ranks, enuf_status mine,
                                     const enuf_evaluation *what, int *ready);
/** Checks that every rank makes the same request, then updates method and mesh. */
enuf_status enuf_ranks_prepare_for(enuf_rank_state *m, const enuf_evaluation *what);
/** Sums all terms. Call enuf_ranks_prepare_for() first. */
enuf_status enuf_ranks_sum(enuf_rank_state *m, const enuf_evaluation *what);

#endif
