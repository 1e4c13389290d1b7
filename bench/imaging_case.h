/*
 * imaging_case.h - as many samples as pixels, on spokes or spirals, with random data and image, and
 * the exact results of both directions at some places.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_IMAGING_CASE_H
#define BENCH_IMAGING_CASE_H

#include "nufft_sample.h"
#include "sampling.h"

/** From pixels to samples, and back. */
typedef enum imaging_direction { IMAGING_FORWARD, IMAGING_ADJOINT } imaging_direction;

typedef struct imaging_case {
    trajectory kind;
    int64_t side, n;           /* of the image; samples = pixels = side^2 */
    double *k[2], *radians[2]; /* [n] of x and y: cycles per field of view; 2 pi k / side */
    int64_t readouts, on_readout;
    double *turn;           /* [readouts][2] cosine and sine of the angle from the first one */
    double *values, *image; /* complex, [n] of the samples, of the pixels; numbers of float */
    bench_sample exact[2];  /* by direction */
} imaging_case;

/**
 * The first side^2 samples of examples/imaging: of `side` spokes of `side` samples, or of spirals
 * of constant angular velocity that are as many as give side^2 samples.
 */
imaging_case imaging_case_make(trajectory kind, int64_t side);
void imaging_case_free(imaging_case *c);

/** Computes the samples anew: each readout is the first one, turned about the centre. */
void imaging_case_samples(const imaging_case *c, double *x, double *y);

/** The samples of straight readouts as runs, radial alone; the arrays are the caller's. */
typedef struct imaging_runs {
    int64_t runs;
    int64_t *lengths;     /* [runs] */
    double *start, *step; /* [runs][2] */
} imaging_runs;
imaging_runs imaging_case_runs(const imaging_case *c);

/** What a direction reads. */
const double *imaging_case_input(const imaging_case *c, imaging_direction direction);

/** Relative l2 error of a result of float (single 1) or double, at the places. */
double imaging_case_error(const imaging_case *c, imaging_direction direction, int single,
                          const void *result);

#endif
