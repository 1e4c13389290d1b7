/* runs_cuda.h - runs between the host and the GPU. The plan's device is current.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CUDA_RUNS_CUDA_H
#define ENUF_CUDA_RUNS_CUDA_H

#include "cuda/cuda.h"

/** An array of the caller's to the host. Waits. ENUF_BAD_MEMORY if it lives elsewhere than the
 * plan's `memory` says. */
enuf_status enuf_cuda_runs_read(enuf_nufft *plan, const char *name, const void *array,
                                int64_t bytes, void *to);

/** Device memory: first points and n of runs, or n = -1, as count_runs in plan/backend.h. */
enuf_status enuf_cuda_runs_count(enuf_nufft *plan, const int64_t *lengths, enuf_runs *runs);

/** Fills the coordinates of all points on the device, [dim][n] in the plan's precision. Runs in
 * host memory are copied there first. */
enuf_status enuf_cuda_runs_fill(enuf_nufft *plan, const enuf_runs *runs, void *numbers);

/** Host memory: fills the coordinates in copied_points, in place of enuf_cuda_coordinates_in(). */
enuf_status enuf_cuda_runs_in(enuf_nufft *plan, const enuf_coordinates *points,
                              enuf_coordinates *device, int64_t *bytes);

#endif
