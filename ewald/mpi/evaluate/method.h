/*
 * method.h - one method for all ranks. All functions are collective.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_METHOD_H
#define ENUF_EWALD_MPI_METHOD_H

#include "mpi/object/rank_state.h"

/** Chooses new parameters with ewald->error_scale. */
enuf_status enuf_ranks_choose_anew(enuf_rank_state *m);
/** As enuf_ewald_update_method(), with the mesh. Call it after the ranks agreed that one of them is
 * not ready. */
enuf_status enuf_ranks_update_method(enuf_rank_state *m);

#endif
