/*
 * runs.h - points given as runs, on the GPU. Arrays of the runs are device pointers; the struct is
 * passed to kernels by value. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_RUNS_H
#define ENUF_NUFFT_CUDA_RUNS_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the host learns of runs; in page-locked memory. */
typedef struct enuf_cuda_runs_found {
    int64_t n; /* points; -1: a length is negative, or too large for any GPU */
    int bad;   /* 1: a start or a step of a run that has points is not finite; 0 before the call */
} enuf_cuda_runs_found;

/** Enqueues the sums of the lengths: first [count + 1], whose last entry is n. Looks at starts and
 * steps of `vectors` vectors too. found NULL, in a graph: looks at lengths alone. */
enuf_status enuf_cuda_runs_add(const enuf_nufft *plan, const int64_t *lengths,
                               const enuf_runs *runs, int vectors, int64_t *first,
                               enuf_cuda_runs_found *found);

/** Enqueues the writing of all coordinates, to [dim][n] in the plan's precision: NaN if the sum of
 * the lengths is not runs->n. */
enuf_status enuf_cuda_runs_write(const enuf_nufft *plan, const enuf_runs *runs, void *numbers);

#ifdef __cplusplus
}
#endif
#endif
