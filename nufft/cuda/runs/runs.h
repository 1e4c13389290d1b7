/*
 * runs.h - coordinates of points given as runs, on the GPU. Read by C and by CUDA files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_RUNS_H
#define ENUF_NUFFT_CUDA_RUNS_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Runs as struct enuf_runs has them; device pointers, passed to the kernel by value. */
typedef struct enuf_cuda_runs {
    int64_t count, n;           /* runs, points */
    const int64_t *first;       /* [count + 1] */
    const double *start, *step; /* [count][dim] */
} enuf_cuda_runs;

/** Enqueues the writing of all coordinates, to [dim][n] in the plan's precision. */
enuf_status enuf_cuda_runs_write(const enuf_nufft *plan, const enuf_cuda_runs *runs, void *numbers);

#ifdef __cplusplus
}
#endif
#endif
