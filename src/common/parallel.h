/*
 * parallel.h - loops over several threads. The library has threads of its own. A waiting thread
 * sleeps. A loop ends when its items are done, even if some threads never start (docs/decisions.md,
 * "Threads are the library's own"). SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PARALLEL_H
#define ENUF_PARALLEL_H

#include "private.h"

#include <stdatomic.h>
#include <stdint.h>

/** Works on items [begin, end) of a loop. `thread` is 0 for the caller, below the requested number
 * of threads, and different for calls that run at the same time. */
typedef void (*enuf_loop_body)(void *context, int64_t begin, int64_t end, int thread);

/**
 * Calls body for all items 0 ... n - 1, in chunks of `grain` items, by up to `threads` threads;
 * returns when all are done. grain 0: a few chunks for each thread. Every thread begins with its
 * own part of the items, the same for the same n, grain and threads, and then helps the others.
 *
 * Inside a body, and inside a parallel region of the host's OpenMP that allows no deeper one, the
 * caller does all the work. If the system gives fewer threads, the loop runs on fewer.
 */
ENUF_PRIVATE void enuf_parallel_for(int threads, int64_t n, int64_t grain, enuf_loop_body body,
                                    void *context);

/**
 * Number of threads for a request. requested > 0: this number, limited by
 * ENUF_THREADS_OF_PROCESSOR. requested = 0: the number that OpenMP takes (OMP_NUM_THREADS,
 * omp_set_num_threads()). If that is one thread for each processor and OMP_NUM_THREADS is not set,
 * the quota of the control group limits it.
 */
ENUF_PRIVATE int enuf_thread_count(int requested);

/**
 * Number of threads for each of `processes` equal processes on one machine. It is
 * enuf_thread_count(0) if OMP_NUM_THREADS is set or if the processors suffice for all threads.
 * Otherwise it is the process's share of the processors, or of the quota if that is smaller.
 */
ENUF_PRIVATE int enuf_thread_share(int processes);

/** Most threads for each processor; 16 threads are always allowed. */
enum { ENUF_THREADS_OF_PROCESSOR = 4 };

/** Atomic minimum and maximum over the threads of a loop: *least = min(*least, value), *greatest =
 * max(*greatest, value). */
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

/** Number of fork() calls between the first process and this one. Threads do not survive fork(). */
uint64_t enuf_forks(void);

#endif
