/*
 * sample_ranks.h - atoms drawn from all ranks, with exact forces and potentials: the same sample as
 * in ewald/verify/sample.h. Every rank knows the sample; no rank needs all atoms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_SAMPLE_RANKS_H
#define ENUF_EWALD_MPI_SAMPLE_RANKS_H

#include "mpi/object/rank_state.h"
#include "verify/sample.h"

typedef struct enuf_rank_sample {
    int64_t *number;    /* [n] among the atoms of all ranks, ascending */
    double *q;          /* [n] */
    enuf_sample sample; /* its atoms are places in these arrays */
} enuf_rank_sample;

/** Collective, the same status on all: draws `size` charged atoms (0: all) and computes their
 * forces by exact sums on all ranks. The caller must release the sample, also after an error. */
enuf_status enuf_rank_sample_make(enuf_rank_state *m, const double *positions, int64_t stride,
                                  int64_t size, uint64_t seed, enuf_rank_sample *made);
void enuf_rank_sample_release(enuf_rank_sample *sample);

/** Collective: compares forces [charges.n][3] and potential of this rank's atoms with the
 * sample. Compares the virial of all atoms if the sample has an exact one. All ranks get the
 * same errors. */
void enuf_rank_sample_compare(enuf_rank_state *m, const double *forces, const double *potential,
                              const double virial[6], const enuf_rank_sample *sample,
                              enuf_ewald_error *found);

#endif
