/*
 * kernels.h - the inner part of direct sums, compiled once for each instruction set.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_KERNELS_H
#define ENUF_DIRECT_KERNELS_H

#include "isa.h"
#include "problem.h"

/** Sources and targets anywhere. */
typedef struct enuf_sum_of_sources {
    int dim;
    int sign;
    int threads;
    int64_t n, n_targets;
    const double *sources;   /* [n][dim] */
    const double *strengths; /* [n] complex */
    const double *targets;   /* [n_targets][dim] */
    double *values;          /* [n_targets] complex */
    double *gradients;       /* [n_targets][dim] complex; NULL: not wanted */
} enuf_sum_of_sources;

enuf_status enuf_direct_sum_type1(const enuf_direct_problem *problem,
                                  const enuf_direct_points *points, const void *strengths,
                                  void *modes);
enuf_status enuf_direct_sum_type2(const enuf_direct_problem *problem,
                                  const enuf_direct_points *points, const void *modes, void *values,
                                  void *gradients);
void enuf_direct_sum_sources(const enuf_sum_of_sources *sum);

/** The functions above in one set. */
typedef struct enuf_direct_kernels {
    enuf_status (*type1)(const enuf_direct_problem *problem, const enuf_direct_points *points,
                         const void *strengths, void *modes);
    enuf_status (*type2)(const enuf_direct_problem *problem, const enuf_direct_points *points,
                         const void *modes, void *values, void *gradients);
    void (*sources)(const enuf_sum_of_sources *sum);
} enuf_direct_kernels;

ENUF_DECLARE_TABLES(enuf_direct_kernels, enuf_direct_kernels)

#endif
