/*
 * common_array.h - rows of doubles, one row for each atom of the ranks that share a GPU. The leader
 * reads and writes all rows. The rows are in shared memory. If the system refuses shared memory,
 * the leader has them and the other ranks exchange messages with it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_COMMON_ARRAY_H
#define ENUF_EWALD_MPI_COMMON_ARRAY_H

#include "enuf/ewald.h"
#include "mpi/messages/exchange.h"
#include "array.h"
#include "mpi/messages/shared_memory.h"

/** The ranks of an array and their numbers of rows. */
typedef struct enuf_row_share {
    enuf_ranks *group;        /* rank 0 leads */
    enuf_exchange *to_leader; /* n_send: rows of this rank */
    int64_t first, all;       /* number of this rank's first row; rows of all ranks */
} enuf_row_share;

typedef struct enuf_common_array {
    int width; /* doubles of a row */
    int64_t capacity;
    enuf_shared_memory shared;
    int is_refused;        /* 1: the system refuses shared memory */
    enuf_array here;       /* without shared memory: all rows, on the leader */
    enuf_array own;        /* without shared memory: this rank's rows, sent or received */
    enuf_ewald *locks_for; /* on the leader: its GPU has locked the pages; NULL: not locked */
} enuf_common_array;

/** Collective in the group: makes room for all rows. An array that grows loses its rows. ewald is
 * the leader's object, whose GPU reads and writes the array; it is NULL on other ranks. Local
 * errors: ENUF_OUT_OF_MEMORY. */
enuf_status enuf_common_array_reserve(const enuf_row_share *share, int width, enuf_ewald *ewald,
                                      enuf_common_array *array);
/** Local, before `ewald` of reserve is destroyed. */
void enuf_common_array_release(enuf_common_array *array);

/** All rows, on the leader. */
double *enuf_common_array_rows(const enuf_common_array *array);

/* Rows to the leader: each rank calls put(), then all ranks of the group agree, then they call
 * send(). The leader sees rows in shared memory after the agreement. */
/** Local. stride: doubles from one row of x to the next. */
void enuf_common_array_put(const enuf_row_share *share, const double *x, int64_t stride,
                           enuf_common_array *array);
/** Collective in the group. */
void enuf_common_array_send(const enuf_row_share *share, const enuf_common_array *array);

/** Collective in the group, after all ranks know that the leader has written. Returns this rank's
 * rows; they are valid until the next call. */
const double *enuf_common_array_take(const enuf_row_share *share, enuf_common_array *array);

#endif
