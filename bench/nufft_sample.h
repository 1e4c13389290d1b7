/*
 * nufft_sample.h - the error of a transform on the CPU, by exact sums at a sample of its modes
 * (type 1), points (type 2) or targets (type 3).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_NUFFT_SAMPLE_H
#define BENCH_NUFFT_SAMPLE_H

#include <stdint.h>

/** A transform of m^dim modes, centred, or from points to targets; sign -1 for types 1 and
 * 3, +1 for type 2. Points and targets are in the transform's precision. */
typedef struct bench_transform {
    int dim, single, real, type;
    int64_t m, n;
    const void *radians[3]; /* [n] */
    const void *targets[3]; /* [n] of type 3 */
    const void *data;       /* modes of type 2 (complex), else strengths (real or complex) */
} bench_transform;

enum { BENCH_SAMPLES = 40 };

typedef struct bench_sample {
    int64_t at[BENCH_SAMPLES]; /* place in the result */
    double exact[BENCH_SAMPLES][2];
} bench_sample;

/** Chooses the places and sums exactly, in double; threaded. */
void bench_sample_make(const bench_transform *transform, bench_sample *sample);

/** Relative l2 error of a result on the sample. */
double bench_sample_error(const bench_transform *transform, const bench_sample *sample,
                          const void *result);

/** Element i of an array in float or double. */
double bench_element(const void *array, int single, int64_t i);

/** xorshift64*: uniform in [0, 1). */
double bench_uniform(uint64_t *state);

#endif
