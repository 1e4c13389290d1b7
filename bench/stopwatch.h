/* stopwatch.h - clocks in seconds. SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

#include <time.h>

static inline double bench_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Wall time. */
static inline double bench_seconds(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

/** Processor time of this thread: other work on the machine does not count. */
static inline double bench_thread_seconds(void)
{
    return bench_clock(CLOCK_THREAD_CPUTIME_ID);
}

#endif
