/*
 * test_memory.c - enuf_allocate() gives blocks of the requested size on cache lines, refuses
 * impossible sizes with a text, and fails at the n-th call if enuf_fail_allocation(n) asks for it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "memory.h"

#include <stdint.h>
#include <string.h>

static void blocks_start_on_cache_lines(void)
{
    for (int64_t count = 0; count < 200; count++) {
        char *block;
        CHECK(enuf_allocate(&block, count, 3, "a block") == ENUF_SUCCESS);
        CHECK(block != NULL && (uintptr_t)block % 64 == 0);
        memset(block, 1, (size_t)(3 * count)); /* sanitizers find a block that is too short */
        enuf_release(&block);
        CHECK(block == NULL);
        enuf_release(&block); /* NULL is legal */
    }
}

static void impossible_sizes_are_refused(void)
{
    static char somewhere;
    double *block = (double *)(void *)&somewhere;
    CHECK_STATUS(enuf_allocate(&block, -1, sizeof *block, "the fine grid"), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("the fine grid: -1 elements");
    CHECK(block == NULL);
    /* count * size wraps around to 0 and to 8 bytes */
    CHECK_STATUS(enuf_allocate(&block, INT64_C(1) << 61, 8, "modes"), ENUF_OUT_OF_MEMORY);
    CHECK_STATUS(enuf_allocate(&block, (INT64_C(1) << 61) + 1, 8, "modes"), ENUF_OUT_OF_MEMORY);
    CHECK_STATUS(enuf_allocate(&block, INT64_MAX, 8, "modes"), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("modes");
    CHECK(block == NULL);
}

static void the_nth_allocation_fails_and_no_other(void)
{
    for (int64_t nth = 1; nth <= 5; nth++) {
        enuf_fail_allocation(nth);
        for (int64_t i = 1; i <= 8; i++) {
            int *block;
            enuf_status status = enuf_allocate(&block, 4, sizeof *block, "a test");
            CHECK((status == ENUF_OUT_OF_MEMORY) == (i == nth));
            CHECK((block == NULL) == (i == nth));
            enuf_release(&block);
        }
    }
    enuf_fail_allocation(1);
    enuf_fail_allocation(0);
    int *block;
    CHECK_STATUS(enuf_allocate(&block, 4, sizeof *block, "a test"), ENUF_SUCCESS);
    enuf_release(&block);
}

int main(void)
{
    blocks_start_on_cache_lines();
    impossible_sizes_are_refused();
    the_nth_allocation_fails_and_no_other();
    return check_result();
}
