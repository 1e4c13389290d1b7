/*
 * test_finufft_adapter.c - bench/peers/finufft.c reports a problem that FINUFFT refuses.
 *
 * The peer is stand_in_finufft.c. If it refuses a tolerance or points, the times are negative and
 * the status is that of the refusing call. The adapter does not use what a refused call returns;
 * the stand-in aborts if it does. The next problem is solved: the results, and no other numbers,
 * become the stand-in's, which are zero. Type 3 hands its targets over; the stand-in aborts without
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "peers/finufft.h"

#include <stdlib.h>

enum { N = 100, MANY = 1000000, MODES = 4 * 4 * 4 };

static double *ones(int64_t n)
{
    double *numbers = malloc((size_t)n * sizeof *numbers);
    for (int64_t i = 0; numbers && i < n; i++) numbers[i] = 1;
    return numbers;
}

/* The first n complex numbers, in float or double, are 0, and no other number has changed. */
static int zeros_then_ones(const double *numbers, int64_t n, int single, int64_t count)
{
    const int64_t bytes = n * (single ? 8 : 16), rest = bytes / (int64_t)sizeof *numbers;
    for (int64_t i = 0; i < rest; i++)
        if (numbers[i] != 0) return 0;
    for (int64_t i = rest; i < count; i++)
        if (numbers[i] != 1) return 0;
    return 1;
}

static void row(int single, int type, double tolerance, int64_t n, int expected)
{
    const int64_t most = 2 * (n > MODES ? n : MODES);
    double *x = calloc((size_t)n, sizeof *x), *numbers = ones(most), *result = ones(most);
    const finufft_problem problem = {
        .dim = 3,
        .single = single,
        .type = type,
        .modes = {4, 4, 4},
        .tolerance = tolerance,
        .threads = 1,
        .n = n,
        .radians = {x, x, x},
        .targets = {type == 3 ? x : NULL, type == 3 ? x : NULL, type == 3 ? x : NULL}};
    finufft_times found = {.status = -1};
    if (x && numbers && result) {
        found = finufft_time(&problem, numbers, result, 2);
        CHECK(expected == 0 ? found.seconds >= 0 && found.execute >= 0
                            : found.seconds < 0 && found.execute < 0);
        const int64_t outputs = expected != 0 ? 0 : type == 1 ? MODES : n;
        CHECK(zeros_then_ones(result, outputs, single, most));
        CHECK(zeros_then_ones(numbers, 0, single, most));
    }
    CHECK(found.status == expected);
    free(x);
    free(numbers);
    free(result);
}

int main(void)
{
    setenv("FINUFFT_LIBRARY", STAND_IN_FINUFFT, 1);
    const char *missing = finufft_open();
    if (!CHECK(missing == NULL)) return check_result();
    for (int type = 1; type <= 3; ++type) {
        row(1, type, 1e-6, N, 22); /* below FINUFFT's floor in float */
        row(1, type, 2e-5, N, 0);  /* near the floor: FINUFFT only warns */
        row(1, type, 1e-3, N, 0);
        row(0, type, 1e-16, N, 22);
        row(0, type, 1e-9, MANY, 23); /* setpts refuses so many: execute is not called */
        row(0, type, 1e-9, N, 0);
    }
    return check_result();
}
