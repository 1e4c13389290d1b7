/*
 * nfft3.h - NFFT3 as a peer, its direct sums and its transforms, by the interface that its wheel
 * pynfft3 loads. The library is opened at run time; to build, nothing of it is needed.
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
    int cutoff; /* m of the transform's window, 2 m + 2 cells of a grid of twice the modes; 0:
                   direct sums */
    int table;  /* 1: the window's values of each sample are computed beforehand (PRE_PSI) */
} nfft3_problem;

/** Seconds of setting the samples, and of a call; negative: the plan was not made. */
typedef struct nfft3_times {
    double setting, execute;
} nfft3_times;

/** Opens the library (NFFT3_LIBRARY or libnfft3.so). Returns NULL, or a text that names what is
 * missing. */
const char *nfft3_open(void);

/** Version, build and file, see peers/library.h. */
const char *nfft3_description(void);

/** Times of the fastest of some repeats: modes to values, or adjoint values to modes. Arrays are
 * complex, x fastest. OMP_NUM_THREADS gives the threads. */
nfft3_times nfft3_time(const nfft3_problem *problem, int adjoint, const double *input,
                       double *result, int repeats);

#endif
