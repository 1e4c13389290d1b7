/*
 * bench_timing.h - best time of several repetitions, and their spread. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CLI_BENCH_TIMING_H
#define ENUF_CLI_BENCH_TIMING_H

#include "enuf/status.h"

typedef struct cli_bench_time {
    double seconds; /* the best */
    double spread;  /* median / best - 1: disturbance by other programs */
    int repetitions;
} cli_bench_time;

/** Does the work once. Sets *seconds if only a part of the call's time counts. */
typedef enuf_status (*cli_bench_call)(void *context, double *seconds);

/**
 * Calls once without measurement, to touch the memory. Then repeats the call at least three times
 * and for `budget` seconds in all.
 */
enuf_status cli_bench_measure(cli_bench_call call, void *context, double budget,
                              cli_bench_time *time);

/** Uniform random numbers in [0, 1), the same ones on every machine. */
double cli_bench_random(uint64_t *state);

#endif
