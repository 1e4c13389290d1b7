/*
 * test_finufft_adapter.c - bench/peers/finufft.c reports a problem that FINUFFT refuses.
 *
 * The peer is stand_in_finufft.c. If it refuses a tolerance or points, the times are negative and
 * the status is that of the refusing call. The adapter does not use what a refused call returns;
 * the stand-in aborts if it does. The next problem is solved.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "peers/finufft.h"

#include <stdlib.h>

enum { N = 100, MANY = 1000000, MODES = 4 * 4 * 4 };

static void row(int single, int type, double tolerance, int64_t n, int expected)
{
    double *x = calloc((size_t)n, sizeof *x);
    double *numbers = calloc(2 * (size_t)(n > MODES ? n : MODES), sizeof *numbers);
    double *result = calloc(2 * (size_t)(n > MODES ? n : MODES), sizeof *result);
    const finufft_problem problem = {.dim = 3,
                                     .single = single,
                                     .type = type,
                                     .modes = {4, 4, 4},
                                     .tolerance = tolerance,
                                     .threads = 1,
                                     .n = n,
                                     .radians = {x, x, x}};
    finufft_times found = {.status = -1};
    if (x && numbers && result) {
        found = finufft_time(&problem, numbers, result, 2);
        CHECK(expected == 0 ? found.seconds >= 0 && found.execute >= 0
                            : found.seconds < 0 && found.execute < 0);
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
    for (int type = 1; type <= 2; ++type) {
        row(1, type, 1e-6, N, 22); /* below FINUFFT's floor in float */
        row(1, type, 2e-5, N, 0);  /* near the floor: FINUFFT only warns */
        row(1, type, 1e-3, N, 0);
        row(0, type, 1e-16, N, 22);
        row(0, type, 1e-9, MANY, 23); /* setpts refuses so many: execute is not called */
        row(0, type, 1e-9, N, 0);
    }
    return check_result();
}
