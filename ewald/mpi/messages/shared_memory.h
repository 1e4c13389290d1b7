/*
 * shared_memory.h - memory that several ranks of one machine share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_SHARED_MEMORY_H
#define ENUF_EWALD_MPI_SHARED_MEMORY_H

#include "ranks.h"

#include <stddef.h>

/** Memory without a name. The system frees it when the last rank ends. */
typedef struct enuf_shared_memory {
    void *at; /* NULL: no block */
    size_t bytes;
} enuf_shared_memory;

/** Collective: makes a block of `bytes` bytes. Returns 1 on all ranks, or 0 on all ranks if the
 * system refuses it or the ranks run on several machines. The block must be empty before. */
int enuf_shared_memory_allocate(enuf_ranks *ranks, size_t bytes, enuf_shared_memory *block);
/** Local. */
void enuf_shared_memory_release(enuf_shared_memory *block);

#endif
