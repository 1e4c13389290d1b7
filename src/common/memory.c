/* memory.c - see memory.h. SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { ALIGNMENT = 64 };

/* Arrays of several large pages request them. Atoms and grid cells are read in random order, and
 * fewer pages mean fewer TLB misses. On Debian and Ubuntu, Linux gives large pages on request only.
 * */
enum { LARGE_PAGE = 2 << 20, LARGE_PAGES_FROM = 2 * LARGE_PAGE };

static _Atomic int64_t fail_countdown;

void enuf_fail_allocation(int64_t n)
{
    atomic_store(&fail_countdown, n);
}

int enuf_allocation_fails(void)
{
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) <= 0) return 0;
    return atomic_fetch_sub(&fail_countdown, 1) == 1;
}

static void *obtain(size_t bytes)
{
    if (bytes < LARGE_PAGES_FROM)
        return aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT);
    const size_t whole = (bytes / LARGE_PAGE + 1) * LARGE_PAGE;
    void *block = aligned_alloc(LARGE_PAGE, whole);
#ifdef MADV_HUGEPAGE
    if (block) madvise(block, whole, MADV_HUGEPAGE); /* a hint: a failure does no harm */
#endif
    return block;
}

int enuf_fits_in_memory(int64_t n, int64_t stride, size_t size)
{
    int64_t bytes;
    return !__builtin_mul_overflow(n, stride, &bytes) &&
           !__builtin_mul_overflow(bytes, (int64_t)size, &bytes) && bytes <= PTRDIFF_MAX;
}

enuf_status enuf_allocate(void *pointer, int64_t count, size_t size, const char *what)
{
    void *block = NULL;
    void *none = NULL;
    memcpy(pointer, &none, sizeof none);
    int sane = count >= 0 && size > 0 && (uint64_t)count < (SIZE_MAX / 2) / size;
    size_t bytes = sane ? (size_t)count * size : SIZE_MAX;
    if (sane && !enuf_allocation_fails()) block = obtain(bytes);
    if (!block)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "no memory for %s: %lld elements of %zu bytes (%.3g GB)", what,
                         (long long)count, size, (double)count * (double)size / 1e9);
    memcpy(pointer, &block, sizeof block);
    return ENUF_SUCCESS;
}

void enuf_release(void *pointer)
{
    void *block;
    void *none = NULL;
    memcpy(&block, pointer, sizeof block);
    free(block);
    memcpy(pointer, &none, sizeof none);
}
