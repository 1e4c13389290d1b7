/*
 * finufft.h - FINUFFT as a peer: opened at run time, where it is installed. Nothing of it is needed
 * to build. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_FINUFFT_H
#define BENCH_PEERS_FINUFFT_H

#include <stdint.h>

/** One 3D problem: complex strengths, sign -1 for type 1 and +1 for type 2, modes centred. */
typedef struct peer_problem {
    int single; /* float instead of double */
    int type;   /* 1 or 2 */
    int64_t modes[3];
    double tolerance;
    double upsampling; /* 0: its own choice */
    int threads;
    int64_t n;
    const double *x, *y, *z; /* [n] in [0, 1) */
} peer_problem;

/** Opens the library (FINUFFT_LIBRARY or libfinufft.so). Returns NULL, or what is missing. */
const char *finufft_open(void);

/**
 * Best time of `repeats` of set points + execute, seconds; data [n] or [modes] complex in the
 * problem's precision, result likewise. Negative: the peer refused or failed; *status is what its
 * call returned (from 2.6 on a tolerance below its floor is refused so), else 0.
 */
double finufft_time(const peer_problem *problem, const void *data, void *result, int repeats,
                    int *status);

#endif
