/*
 * ewald_gpu_stages.h - times of the reciprocal step's stages on the GPU, by a plan like its own.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_EWALD_GPU_STAGES_H
#define BENCH_EWALD_GPU_STAGES_H

#include "enuf/ewald.h"

/* points sorted; charges spread; FFT and what leads to the modes; modes to grid, FFT, gradients */
enum { BENCH_SORT, BENCH_SPREAD, BENCH_FORWARD, BENCH_BACKWARD, BENCH_STAGES };

/**
 * Microseconds of each stage for n ions in a cube, positions [n][3] on the device, with the
 * parameters of a report. Errors: those of the plan; ENUF_OUT_OF_MEMORY, ENUF_INTERNAL of CUDA.
 */
enuf_status bench_time_stages(const enuf_ewald_report *report, int64_t n, double edge,
                              const double *device_x, int steps, double microseconds[]);

#endif
