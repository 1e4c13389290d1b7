/* common_array.h - some doubles of each atom of the ranks that share a GPU, for their leader: in
 * shared memory, or, if the system has none, on the leader alone, with messages to it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_MPI_COMMON_ARRAY_H
#define ENUF_EWALD_MPI_COMMON_ARRAY_H

#include "enuf/ewald.h"
#include "exchange.h"
#include "array.h"
#include "shared_memory.h"

/** Whose rows the array has. */
typedef struct enuf_row_share {
    enuf_ranks *group;        /* rank 0 leads */
    enuf_exchange *to_leader; /* n_send: rows of this rank */
    int64_t first, all;       /* number of this rank's first row; rows of all ranks */
} enuf_row_share;

typedef struct enuf_common_array {
    int width; /* doubles of a row */
    int64_t capacity;
    enuf_shared_memory shared;
    int is_refused;        /* 1: the system has no shared memory */
    enuf_array here;       /* then: all rows, on the leader */
    enuf_array own;        /* and those of this rank on their way */
    enuf_ewald *locks_for; /* whose GPU has locked the pages, on the leader; NULL: none */
} enuf_common_array;

/** Collective in the group: room for all rows; those that were there are lost where it grows.
 * ewald  the leader's, whose GPU reads and writes the array; NULL elsewhere.
 * Local errors: ENUF_OUT_OF_MEMORY. */
enuf_status enuf_common_array_reserve(const enuf_row_share *share, int width, enuf_ewald *ewald,
                                      enuf_common_array *array);
/** Local, before `ewald` of reserve is destroyed. */
void enuf_common_array_release(enuf_common_array *array);

/** All rows, on the leader. */
double *enuf_common_array_rows(const enuf_common_array *array);

/* Rows to the leader: each rank puts its own, then all ranks of the group agree, then send. Rows in
 * shared memory are visible after the agreement. */
/** Local. stride: from row to row of x. */
void enuf_common_array_put(const enuf_row_share *share, const double *x, int64_t stride,
                           enuf_common_array *array);
/** Collective in the group. */
void enuf_common_array_send(const enuf_row_share *share, const enuf_common_array *array);

/** Collective in the group, after all ranks know that the leader has written: this rank's rows,
 * until the next call. */
const double *enuf_common_array_take(const enuf_row_share *share, enuf_common_array *array);

#endif
