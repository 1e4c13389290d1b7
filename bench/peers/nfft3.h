/*
 * nfft3.h - the direct sums of NFFT3 as a peer, by the interface that its wheel pynfft3 loads. The
 * library is opened at run time; to build, nothing of it is needed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_NFFT3_H
#define BENCH_PEERS_NFFT3_H

#include <stdint.h>
#include <time.h>

/** Values of n samples and modes of a grid, in double; sign -1 forward, +1 adjoint; modes centred.
 */
typedef struct nfft3_problem {
    int dim;
    int64_t modes[3]; /* x first */
    int64_t n;
    const double *x[3]; /* [n] in [-1/2, 1/2) */
    clockid_t clock;
} nfft3_problem;

/** Opens the library (NFFT3_LIBRARY or libnfft3.so). Returns NULL, or a text that names what is
 * missing. */
const char *nfft3_open(void);

/** Version, build and file, see peers/library.h. */
const char *nfft3_description(void);

/** Seconds of the fastest of some repeats: modes to values, or adjoint values to modes. Arrays are
 * complex, x fastest. OMP_NUM_THREADS gives the threads. Negative: the plan was not made. */
double nfft3_time(const nfft3_problem *problem, int adjoint, const double *input, double *result,
                  int repeats);

#endif
