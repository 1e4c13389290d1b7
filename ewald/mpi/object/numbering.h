/*
 * numbering.h - the two numbers of an atom where ranks share GPUs: callers count rank by rank,
 * leaders group by group. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_NUMBERING_H
#define ENUF_EWALD_MPI_NUMBERING_H

#include "enuf/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum enuf_counting { ENUF_CALLERS_COUNT, ENUF_LEADERS_COUNT } enuf_counting;

/** Atoms of one rank. They have consecutive numbers in both counts. */
typedef struct enuf_piece {
    int64_t n;
    int64_t first[2]; /* number of the first atom, by enuf_counting */
} enuf_piece;

/** The same on all ranks. */
typedef struct enuf_numbering {
    int n;             /* pieces: ranks that have atoms */
    enuf_piece *by[2]; /* [n] ascending in this count; room for all ranks */
} enuf_numbering;

/** Local: room for the pieces of so many ranks. */
enuf_status enuf_numbering_create(int ranks, enuf_numbering *made);
void enuf_numbering_release(enuf_numbering *numbering);
/** Local. Before the call, by[ENUF_CALLERS_COUNT] must hold one piece of each rank, in the order of
 * ranks. */
void enuf_numbering_sort(enuf_numbering *numbering, int ranks);

/** Converts the number of an existing atom to the other count. NULL: both counts are equal. */
int64_t enuf_numbering_convert(const enuf_numbering *numbering, enuf_counting from, int64_t number);

#endif
