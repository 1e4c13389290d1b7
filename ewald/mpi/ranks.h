/*
 * ranks.h - the ranks of a computation: agreement on errors, sums over ranks, bytes counted.
 *
 * Agreement: what may fail on one rank alone (memory, input) is followed by enuf_ranks_agree()
 * before the next communication, so that all ranks leave by the same way, with the same status and
 * text. Errors of MPI itself go to the communicator's error handler, which is the caller's: MPI's
 * default ends all ranks. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_RANKS_H
#define ENUF_EWALD_MPI_RANKS_H

#include "error.h"

#include <mpi.h>
#include <stdint.h>

typedef struct enuf_ranks {
    MPI_Comm comm;
    int rank, size;
    int named, of;      /* as errors name this rank: among other ranks; of 0: rank and size */
    int follows;        /* 1: what failed here did so because of another rank, who is to tell */
    int64_t bytes_sent; /* by this rank, since it was last set to 0 */
} enuf_ranks;

/** Collective: the ranks of a copy of `comm`, which is the caller's to free. Local errors:
 * ENUF_BAD_ARGUMENT where MPI does not run, or this thread may not call it. */
enuf_status enuf_ranks_start(MPI_Comm comm, enuf_ranks *ranks);

/**
 * Collective. ENUF_SUCCESS where all ranks bring that; else the status and text of the lowest rank
 * that failed, on every rank, with the rank named behind the text unless all of them failed. Ranks
 * that follow others count where nobody else failed; after it none does.
 */
enuf_status enuf_ranks_agree(enuf_ranks *ranks, enuf_status mine);
/** The same, of what some of the ranks have agreed on among themselves: no rank is named again. */
enuf_status enuf_ranks_pass_on(enuf_ranks *ranks, enuf_status mine);

/** Collective: ENUF_BAD_ARGUMENT on all ranks where a number is not the same on all. */
enuf_status enuf_ranks_same(enuf_ranks *ranks, const char *name, int64_t value);

/** A number that has to be the same on all ranks, and its name in the error. */
typedef struct enuf_same_number {
    const char *name;
    int64_t value;
} enuf_same_number;

/** Both, agreement first, of up to 4 numbers in one message. *all: 1 here if this rank has
 * something, then if all of them have. */
enuf_status enuf_ranks_agree_same(enuf_ranks *ranks, enuf_status mine, int n,
                                  const enuf_same_number *same, int *all);

/** enuf_ranks_agree(), and few sums of rank 0 told to all, in one message. */
enuf_status enuf_ranks_agree_from_first(enuf_ranks *ranks, enuf_status mine, int n, double *sums);

/* Collective; every rank gets the same bits. Any n. Bytes are counted as those of the ring
 * algorithm, 2 (P-1)/P of the array, which no other undercuts. */
void enuf_ranks_sum_doubles(enuf_ranks *ranks, int64_t n, double *sums);
void enuf_ranks_sum_floats(enuf_ranks *ranks, int64_t n, float *sums);
void enuf_ranks_sum_integers(enuf_ranks *ranks, int64_t n, int64_t *sums);
void enuf_ranks_largest(enuf_ranks *ranks, int64_t n, double *values);

/** The same for few sums, added in the order of ranks: bits depend on nothing but the terms. */
enuf_status enuf_ranks_sum_in_order(enuf_ranks *ranks, int n, double *sums);

/** Collective: n bytes of rank 0 to all. */
void enuf_ranks_from_first(enuf_ranks *ranks, int64_t n, void *bytes);

#endif
