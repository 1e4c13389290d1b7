/*
 * finufft.h - FINUFFT as a peer. Its library is opened at run time; to build, nothing of it is
 * needed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_FINUFFT_H
#define BENCH_PEERS_FINUFFT_H

#include <stdint.h>

/** One problem: complex strengths, sign -1 for types 1 and 3 and +1 for type 2, modes centred.
 * Points and targets are in the problem's precision. */
typedef struct finufft_problem {
    int dim;
    int single;       /* float instead of double */
    int type;         /* 1, 2 or 3 */
    int64_t modes[3]; /* of types 1 and 2 */
    double tolerance;
    int threads;
    int processor_time; /* of this thread, in place of wall time: other work does not count */
    int64_t n;
    const void *radians[3]; /* [n] in [-pi, pi) */
    const void *targets[3]; /* [n] of type 3 */
} finufft_problem;

/** Seconds of set points (and targets) + execute and of execute alone, each the best of the
 * repeats. Both are negative if the peer refused or failed; `status` is then the status of its
 * call. */
typedef struct finufft_times {
    double seconds, execute;
    int status;
} finufft_times;

/** Opens the library (FINUFFT_LIBRARY or libfinufft.so). Returns NULL, or a text that names what is
 * missing. */
const char *finufft_open(void);

/** Version, build and file, see peers/library.h. */
const char *finufft_description(void);

/** data, result: [n] (points or targets) or [modes] complex in the problem's precision. FINUFFT 2.6
 * and later refuse a tolerance below their floor. */
finufft_times finufft_time(const finufft_problem *problem, const void *data, void *result,
                           int repeats);

#endif
