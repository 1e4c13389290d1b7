/* allocation_walk.c - see allocation_walk.h. SPDX-License-Identifier: BSD-3-Clause */
#include "allocation_walk.h"

#include "memory.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ALLOCATIONS = 1000, FEW = 3 };

/* 1 if the n-th allocation has not happened yet: one of the next n allocations still fails. */
static int failure_is_pending(int n)
{
    for (int k = 0; k < n; ++k) {
        char *block;
        const enuf_status status = enuf_allocate(&block, 1, 1, "a probe");
        enuf_release(&block);
        if (status) return 1;
    }
    return 0;
}

int walk_allocations(const walk_step *step)
{
    for (int n = 1; n < MOST_ALLOCATIONS; ++n) {
        if (step->kind == TAKES_LONG && n > FEW) return FEW;
        enuf_fail_allocation(n);
        const enuf_status status = step->run();
        const int pending = status == ENUF_SUCCESS && failure_is_pending(n);
        enuf_fail_allocation(0);
        if (status == ENUF_SUCCESS) {
            if (check_true(pending, "the function reports the failure", step->function, n))
                return n - 1;
            return -1;
        }
        if (!check_true(status == ENUF_OUT_OF_MEMORY, enuf_last_error(), step->function, n))
            return -1;
        check_true(strstr(enuf_last_error(), "memory") != NULL, enuf_last_error(), step->function,
                   n);
    }
    check_true(0, "a round without a failure comes", step->function, MOST_ALLOCATIONS);
    return -1;
}

void walk_all(const walk_step *steps, int n_steps, int *counts)
{
    for (int s = 0; s < n_steps; ++s) {
        const int failed = steps[s].run ? walk_allocations(&steps[s]) : 0;
        if (failed > 0) counts[s] += failed;
    }
}

void walk_check(const walk_step *steps, int n_steps, const int *counts)
{
    for (int s = 0; s < n_steps; ++s) {
        printf("%-30s %d\n", steps[s].function, counts[s]);
        if (steps[s].kind == ALLOCATES || steps[s].kind == TAKES_LONG)
            check_true(counts[s] > 0, "an allocation failed", steps[s].function, s);
        if (steps[s].kind == NEVER_ALLOCATES)
            check_true(counts[s] == 0, "no allocation failed", steps[s].function, s);
    }
}

int walk_list(int argc, char **argv, const walk_step *steps, int n_steps)
{
    if (argc < 2 || strcmp(argv[1], "--list") != 0) return 0;
    for (int s = 0; s < n_steps; ++s) puts(steps[s].function);
    return 1;
}
