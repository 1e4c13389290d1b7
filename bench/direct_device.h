/*
 * direct_device.h - arrays in device memory for the benchmark of direct sums, and the sum as it is
 * commonly written for a GPU: a thread an output, 2 pi k scaled once, sine and cosine of every
 * pair, no tiles. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_DIRECT_DEVICE_H
#define BENCH_DIRECT_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 1 if this program can use device memory. */
int bench_device_built(void);

/** A new array of `bytes` in device memory, a copy of `from` if that is not NULL; NULL: it failed.
 */
void *bench_device_array(size_t bytes, const void *from);
void bench_device_read(void *to, const void *array, size_t bytes);
void bench_device_free(void *array);

/** Arrays in device memory, in float or all in double; maps may be NULL. With gradients a pair has
 * a factor sinc(k v + G t) for each axis. */
typedef struct bench_plain_sum {
    int dim, adjoint, in_double;
    int64_t pixels, samples;
    const void *k[3], *r[3], *times, *omega, *gradient[3];
    double voxel[3];   /* v, its edges */
    const void *input; /* complex: image, or values */
    void *output;
} bench_plain_sum;

/** Seconds of the fastest of some repeats, by CUDA events; negative: it failed. */
double bench_plain_time(const bench_plain_sum *sum, int repeats);

#ifdef __cplusplus
}
#endif
#endif
