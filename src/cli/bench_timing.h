/*
 * bench_timing.h - best of several repetitions, and how far the others were from it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_BENCH_TIMING_H
#define ENUF_CLI_BENCH_TIMING_H

#include "enuf/status.h"

typedef struct cli_bench_time {
    double seconds; /* the best */
    double spread;  /* median / best - 1: what else ran on the machine */
    int repetitions;
} cli_bench_time;

/** Does the work once. Gives the seconds that count, where those are not all of the call. */
typedef enuf_status (*cli_bench_call)(void *context, double *seconds);

/**
 * Calls once unmeasured, which touches memory for the first time, then until the repetitions
 * together have taken `budget` seconds, at least three times.
 */
enuf_status cli_bench_measure(cli_bench_call call, void *context, double budget,
                              cli_bench_time *time);

/** Uniform random numbers in [0, 1), the same ones on every machine. */
double cli_bench_random(uint64_t *state);

#endif
