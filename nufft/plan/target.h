/*
 * target.h - where spreading writes and interpolation reads: the plan's whole grid, or a brick of
 * the caller's. The same for every backend. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TARGET_H
#define ENUF_NUFFT_TARGET_H

#include "plan.h"

typedef struct enuf_target {
    int wraps[3];
    int64_t first[3];  /* lowest cell index held */
    int64_t count[3];  /* cells held */
    int64_t stride[3]; /* in numbers; stride[0] is 1 or 2 (complex) */
} enuf_target;

/* What happens to strengths as they are read, and to values and gradients as they are written. */
typedef struct enuf_weighting {
    const void *numbers; /* [n] factors, real or complex; NULL: 1 */
    int is_complex;
    int conjugate_weights; /* 1: takes their conjugate */
    int conjugate;         /* 1: conjugates weighted strengths, and results before their weights */
} enuf_weighting;

/* All arrays in the plan's precision and memory, in the caller's order of points. */
typedef struct enuf_spread_job {
    const void *strengths, *factors; /* [n]; factors may be NULL */
    enuf_target target;
    void *cells;              /* added to; int64 for fixed point */
    double scale;             /* fixed point on the CPU only: integer = value * scale */
    enuf_weighting weighting; /* CPU only: on a GPU it is a pass of its own */
} enuf_spread_job;

typedef struct enuf_interpolate_job {
    enuf_target target;
    const void *cells;
    const void *factors;      /* [n], multiply values and gradients; may be NULL */
    void *values, *gradients; /* [n], [n][dim]; either may be NULL */
    int add;                  /* 1: adds to the arrays, 0: overwrites them */
    enuf_weighting weighting; /* CPU only: on a GPU it is a pass of its own */
} enuf_interpolate_job;

/** The plan's whole grid, one batch, from one x row to the next `row` numbers, `plane` from one
 * plane to the next. */
enuf_target enuf_target_whole(const enuf_nufft *plan, int64_t row, int64_t plane);

/** A brick that enuf_stage_spread() accepted. */
enuf_target enuf_target_brick(const enuf_nufft *plan, const enuf_brick *brick);

/** Numbers from the first cell of a target to behind its last. */
int64_t enuf_target_span(const enuf_nufft *plan, const enuf_target *target);

/** Sum of absolute strengths up to which no sum on the grid or in its transform leaves `range`. */
double enuf_most_strength(const enuf_nufft *plan, double range);

/** 1 if the first number of a box is the zeroth frequency, the sum of all cells, and a mode. */
int enuf_box_begins_at_zero(const enuf_nufft *plan, const enuf_spectral_box *box);

/** The error of a point (caller's index) whose window leaves the brick; success for -1. */
enuf_status enuf_outside_brick(int64_t point);

#endif
