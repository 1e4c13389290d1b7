/*
 * sample_runs.h - runs for tests: spokes, pieces of a spiral, Cartesian lines, and their
 * coordinates one by one. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SAMPLE_RUNS_H
#define ENUF_SAMPLE_RUNS_H

#include "enuf/nufft.h"

typedef enum run_shape { SPOKES, SPIRAL, LINES, RUN_SHAPES } run_shape;

typedef struct sample_runs {
    int dim;
    int64_t runs, n;      /* n: points */
    int64_t *lengths;     /* [runs]; some are 0 */
    double *start, *step; /* [runs][dim], radians */
} sample_runs;

const char *run_shape_name(run_shape shape);

sample_runs sample_runs_make(run_shape shape, int dim, int64_t runs);
void sample_runs_free(sample_runs *s);

/** Their coordinates [dim][n] in a precision: fma(i, step, start) in double, then rounded. */
void *sample_runs_coordinates(const sample_runs *s, enuf_precision precision);

/** Sets coordinates [dim][n] of that precision in a plan. */
enuf_status sample_runs_set_coordinates(enuf_nufft *plan, int dim, int64_t n,
                                        enuf_precision precision, const void *coordinates);

#endif
