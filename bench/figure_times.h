/*
 * figure_times.h - the three timings of cuFINUFFT's paper for one transform by one library: points
 * set, new points, and everything from host memory and back. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_FIGURE_TIMES_H
#define BENCH_FIGURE_TIMES_H

#include <stdint.h>

/** A transform with complex strengths. */
typedef struct figure_problem {
    int dim, single, type; /* 1 or 2; single: float */
    int alone;             /* 1: spreading, or interpolation, and no more */
    int share;             /* 1: time spreading or interpolation within execution too */
    int cluster;           /* 1: all points in 8 fine cells along each axis; 0: anywhere */
    int64_t side;          /* modes along an axis; alone: fine cells, two a mode */
    int64_t n;             /* points */
    double tolerance;
} figure_problem;

/** A way of a library to do it. */
typedef struct figure_way {
    const char *name;
    int peer;     /* 1: cuFINUFFT */
    int method;   /* of the peer; of enuf: an enuf_strategy, of spreading or of interpolation */
    int unsorted; /* of the peer: see cufinufft.h */
} figure_way;

/** Inputs and outputs. Data stay as they are made; results are overwritten. */
typedef struct figure_arrays {
    void *x[3], *radians[3]; /* device, [n] */
    void *strengths, *spectrum, *values,
        *modes; /* device: data of types 1 and 2, results of 2, 1 */
    void *host_points, *host_strengths, *host_spectrum; /* pinned, of all timings with copies */
    int64_t numbers;                                    /* of a spectrum, two a mode */
} figure_arrays;

/** Seconds; NaN: not measured. */
typedef struct figure_times {
    double set, execute, total; /* total: set, then execute */
    double with_memory;         /* plan, device memory, copies to the GPU and back too */
    double convolution;         /* of execute: spreading or interpolation */
    double bytes;               /* device memory of plan, points and execution */
    double error;               /* relative l2 against direct sums */
} figure_times;

/** pinned 1: host arrays too. Ends the program where memory is missing. */
figure_arrays figure_arrays_make(const figure_problem *problem, int pinned);
void figure_arrays_free(figure_arrays *arrays);

/** The least of the turns that fit into `seconds`, at least one behind the first. Returns 0 if the
 * library refuses the problem, with its reason on stderr. Timings with copies are taken where host
 * arrays are there. */
int figure_time(const figure_problem *problem, const figure_way *way, figure_arrays *arrays,
                double seconds, figure_times *times);

#endif
