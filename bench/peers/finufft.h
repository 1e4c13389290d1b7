/*
 * finufft.h - FINUFFT as a peer: opened at run time, where it is installed. Nothing of it is needed
 * to build. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_FINUFFT_H
#define BENCH_PEERS_FINUFFT_H

#include <stdint.h>

/** One problem: complex strengths, sign -1 for type 1 and +1 for type 2, modes centred. */
typedef struct finufft_problem {
    int dim;
    int single; /* float instead of double */
    int type;   /* 1 or 2 */
    int64_t modes[3];
    double tolerance;
    int threads;
    int64_t n;
    const void *radians[3]; /* [n] in [-pi, pi), in the problem's precision */
} finufft_problem;

/** Seconds of set points + execute, and of execute alone: the best of the repeats, each for itself.
 * Both negative: the peer refused or failed, and `status` is what its call returned. */
typedef struct finufft_times {
    double seconds, execute;
    int status;
} finufft_times;

/** Opens the library (FINUFFT_LIBRARY or libfinufft.so). Returns NULL, or what is missing. */
const char *finufft_open(void);

/** Version, build and file; FINUFFT_BUILD tells the first two of a library that is no wheel. */
const char *finufft_description(void);

/** data [n] or [modes] complex in the problem's precision, result likewise. From 2.6 on a tolerance
 * below the library's floor is refused. */
finufft_times finufft_time(const finufft_problem *problem, const void *data, void *result,
                           int repeats);

#endif
