/*
 * remote_exclusions.h - exclusions between atoms of two ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_REMOTE_EXCLUSIONS_H
#define ENUF_EWALD_MPI_REMOTE_EXCLUSIONS_H

#include "rank_state.h"

/** Collective: makes the lists of `set` from exclusions that name atoms of all ranks. */
enuf_status enuf_remote_exclusions_list(enuf_rank_state *m, const enuf_exclusions *exclusions,
                                        enuf_charge_set *set, enuf_remote_exclusions *remote);
/** Collective: positions of own and remote atoms, [charges + n][3]. */
enuf_status enuf_remote_exclusions_positions(enuf_rank_state *m, const enuf_evaluation *what,
                                             const double **positions);
void enuf_remote_exclusions_release(enuf_remote_exclusions *remote);

#endif
