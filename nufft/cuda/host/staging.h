/*
 * staging.h - between the caller's arrays and the kernels: checks of pointers, and the copies of
 * host memory. The plan's device is current. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_STAGING_H
#define ENUF_CUDA_STAGING_H

#include "cuda/cuda.h"

/** ENUF_BAD_MEMORY if an array is not in the memory that the plan's `memory` names; NULL passes. */
enuf_status enuf_cuda_check_memory(const enuf_nufft *plan, const void *array, const char *name);

/** Copies on the plan's stream; `out` has arrived when the stream has been waited for. */
enuf_status enuf_cuda_copy_in(const enuf_nufft *plan, void *device, const void *host,
                              int64_t bytes);
enuf_status enuf_cuda_copy_out(const enuf_nufft *plan, void *host, const void *device,
                               int64_t bytes);

/** Waits for the stream; returns errors of earlier work. */
enuf_status enuf_cuda_wait(const enuf_nufft *plan);

/** The host's coordinates, copied into staged_points, *bytes of it. Indexed points read them again,
 * so staged_coordinates gets room for as many. */
enuf_status enuf_cuda_coordinates_in(enuf_nufft *plan, const enuf_coordinates *host,
                                     enuf_coordinates *device, int64_t *bytes);

/** Indexed points: the coordinates that coordinates_in has copied become staged_coordinates, and
 * those of the points. */
enuf_status enuf_cuda_coordinates_keep(enuf_nufft *plan, const enuf_coordinates *staged,
                                       int64_t bytes);

/** Makes staged_cells hold `bytes`; its contents are lost. */
enuf_status enuf_cuda_staged_cells(enuf_nufft *plan, int64_t bytes);

/** Offset behind `bytes`, where the next array of a staging buffer may begin. */
static inline int64_t enuf_cuda_behind(int64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

#endif
