/*
 * cufinufft.h - cuFINUFFT as a peer: opened at run time, where it is installed. Nothing of it is
 * needed to build. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_CUFINUFFT_H
#define BENCH_PEERS_CUFINUFFT_H

#include <stdint.h>

/** One problem on the device: complex strengths, sign -1 for type 1 and +1 for type 2, modes
 * centred. */
typedef struct cufinufft_problem {
    int dim;
    int single; /* float instead of double */
    int type;   /* 1 or 2 */
    int64_t modes[3];
    double tolerance;
    int64_t n;
    const void *radians[3]; /* device, [n] in [-pi, pi), in the problem's precision */
    void *strengths, *spectrum;
    int methods; /* bit k: method k is tried */
} cufinufft_problem;

/** Best of its methods: the times of set points + execute, of execute alone, and the device memory
 * that it takes at most. */
typedef struct cufinufft_times {
    double seconds, execute, bytes;
    int method; /* 0: none worked */
    int status; /* ... and what the last call that failed returned */
} cufinufft_times;

/** Opens the library (CUFINUFFT_LIBRARY or libcufinufft.so). Returns NULL, or what is missing. */
const char *cufinufft_open(void);

/** Version, build and file; CUFINUFFT_BUILD tells the first two of a library that is no wheel. */
const char *cufinufft_description(void);

/** Best of `repeats` of each method, by CUDA events; the result is that of the last method tried.
 */
cufinufft_times cufinufft_time(const cufinufft_problem *problem, int repeats);

#endif
