/*
 * mode_arrays.h - arrays of transforms in the memory of their backend, and the sum of modes over
 * the ranks. mode_arrays_cpu.c: on the host, by MPI. mode_arrays_cuda.c: on a GPU, by NCCL, or
 * through the host if ranks share GPUs or NCCL is missing.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_MODE_ARRAYS_H
#define BENCH_MODE_ARRAYS_H

#include "enuf/nufft.h"

#include <stdint.h>

typedef struct bench_mode_arrays {
    enuf_backend backend;
    /* collective; returns the name of the transport; ends the program if there is no GPU */
    const char *(*begin)(const char *program);
    double *(*copy)(const double *host, int64_t n); /* host NULL: n numbers, not set */
    void (*release)(double *array);
    void (*fetch)(double *host, const double *array, int64_t n); /* copies to the host */
    void (*wait)(void);                                          /* for enqueued work */
    void (*sum)(double *array, int64_t n); /* collective, over the ranks, in place; waits */
} bench_mode_arrays;

extern const bench_mode_arrays bench_mode_arrays_cpu, bench_mode_arrays_cuda;

#endif
