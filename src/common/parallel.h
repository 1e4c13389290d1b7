/*
 * parallel.h - loops shared out among threads. The threads are the library's own: they wait without
 * holding a processor, and a loop ends when its items are done, whether or not all threads came. A
 * machine that others use too costs what they take of it (docs/decisions.md, "Threads are the
 * library's own"). SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PARALLEL_H
#define ENUF_PARALLEL_H

#include "private.h"

#include <stdatomic.h>
#include <stdint.h>

/** Items [begin, end) of a loop. `thread` is 0 for the caller, less than the number of threads
 * asked for, and different for calls that run at the same time. */
typedef void (*enuf_loop_body)(void *context, int64_t begin, int64_t end, int thread);

/**
 * Calls body for all items 0 ... n - 1, in chunks of `grain` items, by up to `threads` threads;
 * returns when all are done. grain 0: a few chunks for each thread. Every thread begins with its
 * own part of the items, the same for the same n, grain and threads, and then helps the others.
 *
 * Inside a body, and inside a parallel region of the host's OpenMP that allows no deeper one, the
 * caller does all the work. Where the system gives fewer threads, those that there are do.
 */
ENUF_PRIVATE void enuf_parallel_for(int threads, int64_t n, int64_t grain, enuf_loop_body body,
                                    void *context);

/**
 * Threads of a request: `asked` of them, at most what ENUF_THREADS_OF_PROCESSOR says; 0: as many as
 * OpenMP would take (OMP_NUM_THREADS, omp_set_num_threads()), and where that is one for each
 * processor that the process may use, without OMP_NUM_THREADS, its control group's quota of
 * processor time at most.
 */
ENUF_PRIVATE int enuf_thread_count(int asked);

/**
 * Threads of each of so many processes of one machine that do the same: enuf_thread_count(0) where
 * OMP_NUM_THREADS says it or where there is room for all, as when each is bound to processors of
 * its own; else their share of the processors, or of the quota where that is less.
 */
ENUF_PRIVATE int enuf_thread_share(int processes);

/** More threads than this for each processor are never started (but 16 always may). */
enum { ENUF_THREADS_OF_PROCESSOR = 4 };

/** Lowers *least to `value`, or raises *greatest, if it is not yet there: what the threads of a
 * loop found. */
static inline void enuf_lower(_Atomic int64_t *least, int64_t value)
{
    int64_t now = atomic_load_explicit(least, memory_order_relaxed);
    while (value < now && !atomic_compare_exchange_weak(least, &now, value)) continue;
}

static inline void enuf_raise(_Atomic double *greatest, double value)
{
    double now = atomic_load_explicit(greatest, memory_order_relaxed);
    while (value > now && !atomic_compare_exchange_weak(greatest, &now, value)) continue;
}

/** How often the process has become a child by fork(): threads of before are not there any more. */
uint64_t enuf_forks(void);

#endif
