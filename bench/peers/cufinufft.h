/*
 * cufinufft.h - cuFINUFFT as a peer. Its library is opened at run time; to build, nothing of it is
 * needed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_CUFINUFFT_H
#define BENCH_PEERS_CUFINUFFT_H

#include <stdint.h>

/** One problem on the device: complex strengths, sign +1 for type 2, else -1, modes centred. */
typedef struct cufinufft_problem {
    int dim;
    int single; /* float instead of double */
    int type;   /* 1, 2 or 3 */
    int64_t modes[3];
    double tolerance;
    int64_t n;
    const void *radians[3];     /* device, [n] in [-pi, pi), in the problem's precision */
    const void *targets[3];     /* [n] of type 3 */
    void *strengths, *spectrum; /* spectrum of type 3: the values at the targets */
    int methods;                /* bit k: method k is tried */
    int in_a_row; /* executions that one time has in it, as a stream of frames has; 0: one */
    int vectors;  /* transforms of the same points in one execution; 0: one */
    int unsorted; /* 1: method 1 takes points in their order */
    int alone;    /* 1: spreading, or interpolation, and no more: the modes are the cells */
} cufinufft_problem;

/** Times of set points + execute and of execute alone, and peak device memory, of the fastest
 * method. */
typedef struct cufinufft_times {
    double seconds, execute, bytes;
    int method; /* 0: none worked */
    int status; /* of the last method tried: 0, or the status of its failed call */
} cufinufft_times;

/** Opens the library (CUFINUFFT_LIBRARY or libcufinufft.so). Returns NULL, or a text that names
 * what is missing. */
const char *cufinufft_open(void);

/** Version, build and file, see peers/library.h. */
const char *cufinufft_description(void);

/** A plan of one method on the current GPU; NULL: refused, with the status. */
void *cufinufft_make(const cufinufft_problem *problem, int method, int *status);

/** Sets points and targets; executes. On the default stream, without waiting. Returns 0, or the
 * status of the call that failed. */
int cufinufft_set(const cufinufft_problem *problem, void *plan);
int cufinufft_execute(const cufinufft_problem *problem, void *plan);

void cufinufft_destroy(const cufinufft_problem *problem, void *plan);

/** Times each method `repeats` times by CUDA events. The result arrays hold the result of the last
 * method. */
cufinufft_times cufinufft_time(const cufinufft_problem *problem, int repeats);

#endif
