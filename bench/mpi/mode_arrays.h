/*
 * mode_arrays.h - arrays of transforms on many ranks, where their backend has them, and the sum of
 * modes over the ranks: on the host by MPI (mode_arrays_cpu.c), on a GPU each by NCCL, or through
 * the host where ranks share GPUs or NCCL is missing (mode_arrays_cuda.c).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_MODE_ARRAYS_H
#define BENCH_MODE_ARRAYS_H

#include "enuf/nufft.h"

#include <stdint.h>

typedef struct bench_mode_arrays {
    enuf_backend backend;
    /* Collective; the program ends where there is none of these. The transport's name. */
    const char *(*begin)(const char *program);
    double *(*copy)(const double *host, int64_t n); /* NULL: n numbers of no value */
    void (*release)(double *array);
    void (*bring)(double *host, const double *array, int64_t n);
    void (*wait)(void);                    /* for what has been enqueued */
    void (*sum)(double *array, int64_t n); /* collective, over the ranks, in place; waits */
} bench_mode_arrays;

extern const bench_mode_arrays bench_mode_arrays_cpu, bench_mode_arrays_cuda;

#endif
