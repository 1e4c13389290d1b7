/*
 * terms.h - the terms of an evaluation on many ranks: pairs and modes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_TERMS_H
#define ENUF_EWALD_MPI_TERMS_H

#include "mpi/object/rank_state.h"

/* place_atoms.c: collective, the same status on all: sends the caller's atoms to their domains, in
 * m->migration. Chooses the domains if those in use do not serve */
enuf_status enuf_ranks_place_atoms(enuf_rank_state *m, const enuf_evaluation *what);
/* pairs.c: collective, on the atoms of m->migration */
enuf_status enuf_ranks_sum_pairs(enuf_rank_state *m, int wanted, enuf_ewald_sums *sums);
/* modes.c: collective, on the atoms of m->migration or on the caller's. status: this rank's status
 * after it allocated the sums */
enuf_status enuf_ranks_sum_modes(enuf_rank_state *m, const enuf_evaluation *what,
                                 enuf_status status, enuf_ewald_sums *sums);
/** 1 if the modes are summed at the caller's atoms. A distributed grid sends points to the
 * ranks of their cells itself. A replicated mesh accepts any points, but ranks need equal
 * numbers of them. */
int enuf_modes_at_home(const enuf_rank_state *m);

#endif
