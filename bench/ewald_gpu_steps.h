/*
 * ewald_gpu_steps.h - times of the steps of the reciprocal part on the GPU, by a plan with its
 * parameters.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_EWALD_GPU_STEPS_H
#define BENCH_EWALD_GPU_STEPS_H

#include "enuf/ewald.h"

/* sorts the points; spreads charges; FFT and deconvolution; modes to grid, FFT, gradients */
enum { BENCH_SORT, BENCH_SPREAD, BENCH_FORWARD, BENCH_BACKWARD, BENCH_STEPS };

/**
 * Microseconds of each step, the mean over `calls` calls in a row, for n ions in a cube with the
 * parameters of a report; positions [n][3] are on the device. Errors: as for plans;
 * ENUF_OUT_OF_MEMORY; ENUF_INTERNAL if CUDA fails.
 */
enuf_status bench_time_steps(const enuf_ewald_report *report, int64_t n, double edge,
                             const double *device_x, int calls, double microseconds[]);

#endif
