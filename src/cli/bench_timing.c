/* bench_timing.c - see bench_timing.h. SPDX-License-Identifier: BSD-3-Clause */
#include "bench_timing.h"

#include "error.h"
#include "wall_clock.h"

#include <stdlib.h>

enum { LEAST_REPETITIONS = 3, MOST_REPETITIONS = 25 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enuf_status call_once(cli_bench_call call, void *context, double *seconds)
{
    double counted = -1;
    const double begin = enuf_seconds();
    ENUF_TRY(call(context, &counted));
    *seconds = counted < 0 ? enuf_seconds() - begin : counted;
    return ENUF_SUCCESS;
}

enuf_status cli_bench_measure(cli_bench_call call, void *context, double budget,
                              cli_bench_time *time)
{
    double seconds[MOST_REPETITIONS], sum = 0;
    int n = 0;
    ENUF_TRY(call_once(call, context, &seconds[0]));
    while (n < LEAST_REPETITIONS || (n < MOST_REPETITIONS && sum < budget)) {
        ENUF_TRY(call_once(call, context, &seconds[n]));
        sum += seconds[n++];
    }
    qsort(seconds, (size_t)n, sizeof *seconds, ascending);
    *time = (cli_bench_time){
        .seconds = seconds[0], .spread = seconds[n / 2] / seconds[0] - 1, .repetitions = n};
    return ENUF_SUCCESS;
}

/* splitmix64: Steele, Lea, Flood, OOPSLA 2014, https://doi.org/10.1145/2660193.2660195 */
double cli_bench_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
