/*
 * ranks.h - the ranks of a computation: agreement on errors, sums over ranks, bytes counted.
 *
 * Agreement: after a step that may fail on one rank alone (memory, input), and before the next
 * communication, all ranks call enuf_ranks_agree(). So all return the same status and text. Errors
 * of MPI itself go to the caller's error handler of the communicator; MPI's default ends all ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_RANKS_H
#define ENUF_EWALD_MPI_RANKS_H

#include "error.h"

#include <mpi.h>
#include <stdint.h>

typedef struct enuf_ranks {
    MPI_Comm comm;
    int rank, size;
    int named, of; /* rank and size in error texts; of = 0: the fields above */
    int follows; /* 1: this rank failed because another one did; the other one reports the error */
    int64_t bytes_sent;     /* by this rank, since it was last set to 0 */
    struct enuf_node *node; /* node_open.h; NULL: messages of MPI */
} enuf_ranks;

/** Collective: the ranks of `comm`, with a copy of the communicator. The caller must free the copy.
 * Local errors: ENUF_BAD_ARGUMENT if MPI does not run, or if this thread may not call it. */
enuf_status enuf_ranks_start(MPI_Comm comm, enuf_ranks *ranks);

/**
 * Collective. ENUF_SUCCESS if all ranks succeeded; else, on every rank, status and text of the
 * lowest rank that failed, with the number of the rank unless all failed. A rank that failed
 * because of another one (`follows`) counts only if no other rank failed. Resets `follows`.
 */
enuf_status enuf_ranks_agree(enuf_ranks *ranks, enuf_status mine);
/** As enuf_ranks_agree(), for a status of a group of ranks that has agreed: the text already names
 * the rank. */
enuf_status enuf_ranks_pass_on(enuf_ranks *ranks, enuf_status mine);

/** Collective: ENUF_BAD_ARGUMENT on all ranks if a number differs between ranks. */
enuf_status enuf_ranks_same(enuf_ranks *ranks, const char *name, int64_t value);

/** A number that must be the same on all ranks, and its name in the error text. */
typedef struct enuf_same_number {
    const char *name;
    int64_t value;
} enuf_same_number;

/** enuf_ranks_agree(), then enuf_ranks_same() for up to 4 numbers, in one message. *all: input of
 * this rank; becomes 1 if it is 1 on all ranks. */
enuf_status enuf_ranks_agree_same(enuf_ranks *ranks, enuf_status mine, int n,
                                  const enuf_same_number *same, int *all);

/** enuf_ranks_agree() and the sums over all ranks of a few numbers, in one message. After an error
 * `sums` is as before. */
enuf_status enuf_ranks_agree_sum(enuf_ranks *ranks, enuf_status mine, int n, double *sums);
/** The same for sums of rank 0, which all ranks get. */
enuf_status enuf_ranks_agree_from_first(enuf_ranks *ranks, enuf_status mine, int n, double *sums);

/* Collective; every rank gets the same bits. Any n. Counts the bytes of the ring algorithm, 2
 * (P-1)/P of the array, the least possible. */
void enuf_ranks_sum_doubles(enuf_ranks *ranks, int64_t n, double *sums);
void enuf_ranks_sum_floats(enuf_ranks *ranks, int64_t n, float *sums);
void enuf_ranks_sum_integers(enuf_ranks *ranks, int64_t n, int64_t *sums);
void enuf_ranks_largest(enuf_ranks *ranks, int64_t n, double *values);

/** Collective, for few sums: adds them in the order of ranks. The bits depend on the terms only. */
enuf_status enuf_ranks_sum_in_order(enuf_ranks *ranks, int n, double *sums);

/** Collective: n bytes of rank 0 to all. */
void enuf_ranks_from_first(enuf_ranks *ranks, int64_t n, void *bytes);

#endif
