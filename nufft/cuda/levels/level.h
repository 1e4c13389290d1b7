/*
 * level.h - what a level of precomputation keeps of the sorted points on the device, and the ways
 * between points and cells that read it. Arrays of the points live and die with their records:
 * a sort that is refused leaves both, because the kernels that fill them see no points then.
 *
 * Spreading and interpolation of level SORTED, bricks of level MATRIX and gradients of any level go
 * on to spread.c and interpolate.c. Read by C and by CUDA files. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_LEVEL_H
#define ENUF_NUFFT_CUDA_LEVEL_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The arrays that depend on the fine grid only. ENUF_UNSUPPORTED: a matrix of too many cells. */
enuf_status enuf_cuda_level_create(enuf_nufft *plan);

/** New arrays for so many points in *kept. A failure leaves none. ENUF_OUT_OF_MEMORY names the
 * level and its bytes where memory_limit is too small. */
enuf_status enuf_cuda_level_room(enuf_nufft *plan, int64_t points, enuf_cuda_kept *kept);
void enuf_cuda_level_free(enuf_nufft *plan, enuf_cuda_kept *kept);

/** Bytes of the arrays in the plan's memory. */
int64_t enuf_cuda_level_bytes(const enuf_nufft *plan);

/** Fills the arrays from the points that the last sort has left. Enqueued; nothing waits. */
enuf_status enuf_cuda_level_fill(enuf_nufft *plan);

/** 1: the plan's own grid is spread and interpolated by matrix.h; bricks and gradients are not. */
int enuf_cuda_level_multiplies(const enuf_nufft *plan);

/** As enuf_cuda_spread(), enuf_cuda_spread_fixed(), enuf_cuda_interpolate(), with kept weights if
 * there are. */
enuf_status enuf_cuda_level_spread(enuf_nufft *plan, const enuf_spread_job *job, int vectors);
enuf_status enuf_cuda_level_spread_fixed(enuf_nufft *plan, const enuf_spread_job *job);
enuf_status enuf_cuda_level_interpolate(enuf_nufft *plan, const enuf_interpolate_job *job,
                                        int vectors);

#ifdef __cplusplus
}
#endif
#endif
