/*
 * direct_case.h - samples, pixels and maps of a scan for the benchmark of direct sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_DIRECT_CASE_H
#define BENCH_DIRECT_CASE_H

#include <stdint.h>

enum { BENCH_SPIRAL, BENCH_RADIAL, BENCH_RANDOM, BENCH_TRAJECTORIES };
enum { BENCH_PLAIN, BENCH_FIELD, BENCH_DECAY, BENCH_GRADIENTS, BENCH_SCANS };

/** An image of edge^dim pixels in a field of view of 1, and samples of |k_d| <= edge / 2. */
typedef struct bench_scan {
    int dim, trajectory, kind;
    int64_t edge, pixels, samples;
    double *k[3], *times;                /* of samples; times of 30 ms a shot */
    double *omega, *decay, *gradient[3]; /* of pixels: +-100 Hz, 20 to 50 1/s, the field's slope */
    double voxel[3];
    double *image, *values; /* complex, random */
} bench_scan;

bench_scan bench_scan_make(int dim, int64_t edge, int trajectory, int64_t samples);
void bench_scan_free(bench_scan *scan);

#endif
