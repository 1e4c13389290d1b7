/*
 * trajectory.h - what the files of this room share: the kinds of trajectories, where samples go,
 * and which readouts a reduction keeps. Nothing here calls the mathematical library but sqrt, ceil,
 * rint: their results are the same on every machine. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TRAJECTORY_H
#define ENUF_NUFFT_TRAJECTORY_H

#include "enuf/trajectories.h"

/** The part behind the point of the golden ratio (sqrt(5) + 1)/2. */
static const double ENUF_GOLDEN = 0.61803398874989485;

/** Readouts and samples of a whole trajectory. */
typedef struct enuf_trajectory_size {
    int64_t readouts, samples;
} enuf_trajectory_size;

/** Where the next sample goes. */
typedef struct enuf_sample_sink {
    double *at[3]; /* NULL past dim */
    int64_t stride;
    double period;
} enuf_sample_sink;

/** A kind, as enuf/trajectories.h describes it. */
typedef struct enuf_trajectory_functions {
    int dims; /* bits 1 << dim of the dimensions that it has */
    /* samples without reduction, or an upper bound */
    double (*full)(const enuf_trajectory_options *options);
    enuf_trajectory_size (*size)(const enuf_trajectory_options *options);
    void (*fill)(const enuf_trajectory_options *options, enuf_sample_sink *sink);
} enuf_trajectory_functions;

extern const enuf_trajectory_functions enuf_radial_trajectory, enuf_stack_trajectory; /* radial.c */
extern const enuf_trajectory_functions enuf_cone_trajectory;                          /* cones.c */
extern const enuf_trajectory_functions enuf_random_trajectory, enuf_cluster_trajectory,
    enuf_cartesian_trajectory; /* box.c */

/** Writes a sample, in periods, and steps to the next. */
static inline void enuf_put_sample(enuf_sample_sink *sink, const double s[3])
{
    for (int d = 0; d < 3 && sink->at[d]; d++) {
        *sink->at[d] = sink->period * s[d];
        sink->at[d] += sink->stride;
    }
}

/** The largest of the first `axes` numbers of modes. */
static inline int64_t enuf_most_modes(const enuf_trajectory_options *o, int axes)
{
    int64_t most = o->modes[0];
    for (int d = 1; d < axes; d++) most = o->modes[d] > most ? o->modes[d] : most;
    return most;
}

/** The point exp(2 pi i turns) of the circle, right to 2e-16. turn.c */
typedef struct enuf_circle_point {
    double x, y;
} enuf_circle_point;
enuf_circle_point enuf_turn(double turns);

/** Steps through `kept` of `all` things: thing `at` = floor(k all / kept), k = 0 ... kept-1. */
typedef struct enuf_kept {
    int64_t at, all, kept, rest;
} enuf_kept;

static inline enuf_kept enuf_kept_first(int64_t all, int64_t kept)
{
    return (enuf_kept){0, all, kept, 0};
}

static inline void enuf_kept_next(enuf_kept *k)
{
    k->at += k->all / k->kept;
    k->rest += k->all % k->kept;
    if (k->rest < k->kept) return;
    k->rest -= k->kept;
    k->at++;
}

#endif
