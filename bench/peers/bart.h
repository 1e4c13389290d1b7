/*
 * bart.h - the direct sums of BART (`bart nufft -s`) as a peer. The program is run as a user runs
 * it, with files in memory. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PEERS_BART_H
#define BENCH_PEERS_BART_H

#include <stdint.h>

/** An image of edge^dim pixels, x fastest, and n samples, in float there. */
typedef struct bart_problem {
    int dim, adjoint; /* adjoint: samples to the image */
    int64_t edge, n;
    const double *k[3];  /* [n] cycles for a field of view */
    int processor_time;  /* 1: user time of the program, 0: wall time */
    const double *input; /* complex */
    double *result;      /* complex, in our scale */
} bart_problem;

/** Finds the program (BART_PROGRAM, or bart on the path). Returns NULL, or a text that names what
 * is missing. */
const char *bart_open(void);
const char *bart_description(void);

/** Seconds of the fastest of some runs, reading and writing of files included. OMP_NUM_THREADS
 * gives its threads. Negative: it failed. */
double bart_time(const bart_problem *problem, int repeats);

#endif
