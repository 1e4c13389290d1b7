/*
 * fuzz.c - the parts that all fuzz targets share; see fuzz.h. Every allocation of enuf calls
 * aligned_alloc(); the linker replaces it by __wrap_aligned_alloc(), which checks the size.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

int64_t fuzz_accepted;

static size_t largest_allocation = SIZE_MAX;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (size > largest_allocation)
        fprintf(stderr, "an allocation of %zu bytes, at most %zu are allowed\n", size,
                largest_allocation);
    FUZZ_REQUIRE(size <= largest_allocation);
    return __real_aligned_alloc(alignment, size);
}

void fuzz_limit_allocation(size_t bytes)
{
    largest_allocation = bytes;
}

void fuzz_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}
