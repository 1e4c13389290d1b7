/*
 * nufft_gpu_direct.h - makes data and direct sums for nufft_gpu.c on the device. All arrays are in
 * device memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_NUFFT_GPU_DIRECT_H
#define BENCH_NUFFT_GPU_DIRECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_CHECKED = 24 }; /* modes, points or targets summed directly */

/** A transform to check: m^dim modes, or n targets; real or, always of type 3, complex strengths.
 */
typedef struct bench_sum {
    int dim, single, real, type;
    int64_t m, n;
    const void *x[3];       /* [n] in the transform's precision; x[d] is read for d < dim */
    const void *targets[3]; /* [n] of type 3 */
    double period;          /* of type 3: 2 pi */
    const void *strengths, *spectrum; /* one is data, the other a result; complex unless real */
    const void *values;               /* the result of types 2 and 3 */
} bench_sum;

/** n numbers uniform in [low, high), in float or double. 0 on success. */
int bench_fill(void *array, int single, int64_t n, uint64_t seed, double low, double high);

/** 2 pi x, or 2 pi (x - 1) from 1/2 on. */
int bench_radians(const void *x, void *radians, int single, int64_t n);

/** Relative l2 error of a transform on BENCH_CHECKED modes (type 1), points (type 2) or targets
 * (type 3), by direct sums in double over the points as given. Negative: CUDA failed. */
double bench_error(const bench_sum *sum);

#ifdef __cplusplus
}
#endif
#endif
