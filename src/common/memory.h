/*
 * memory.h - the one allocator of the library: aligned to cache lines, sizes checked for overflow,
 * and able to fail on demand so that tests reach every out-of-memory path.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_MEMORY_H
#define ENUF_MEMORY_H

#include "error.h"
#include "private.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Allocates count*size bytes, 64-byte aligned, not zeroed, into *pointer (NULL on failure).
 * `what` names the array in the error text. count 0 gives a valid pointer.
 */
ENUF_PRIVATE enuf_status enuf_allocate(void *pointer, int64_t count, size_t size, const char *what);

/** Frees and sets the pointer behind `pointer` to NULL. */
ENUF_PRIVATE void enuf_release(void *pointer);

/** Whether n entries of `size` bytes, each `stride` entries behind the last, fit into the address
 * space: their indices do not overflow. */
int enuf_fits_in_memory(int64_t n, int64_t stride, size_t size);

/** Tests: the n-th allocation from now fails (1 = the next one); 0 switches it off. */
void enuf_fail_allocation(int64_t n);

/** Returns 1 if the next allocation has to fail. Allocators of memory outside the host call it once
 * for each allocation. */
ENUF_PRIVATE int enuf_allocation_fails(void);

#endif
