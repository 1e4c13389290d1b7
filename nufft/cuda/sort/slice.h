/*
 * slice.h - points in indexed storage, a slice of them at a time.
 *
 * Kernels that spread or interpolate read records in the order of the tiles. Packed storage keeps
 * those of all points, one slice. Indexed storage keeps the caller's index of each point in that
 * order; a slice is some of its sub-problems, one behind the other, whose records are made from the
 * caller's coordinates when it is their turn. Kernels see a slice as if there were no other points
 * (sorted_view, point.cuh); tiles that two slices share are spread twice, each time their own
 * points. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SLICE_H
#define ENUF_NUFFT_CUDA_SLICE_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Points of a slice at most, of n in all that are cut into sub-problems of `most` points. */
int64_t enuf_cuda_slice_points(const enuf_nufft *plan, int64_t n, int64_t most);

/** Slices of the points that are set: packed storage one, no points none. */
int64_t enuf_cuda_slices(const enuf_nufft *plan);

/** Makes slice k the points that spreading and interpolation see. Packed storage: nothing to do. */
enuf_status enuf_cuda_slice_load(enuf_nufft *plan, int64_t k);

#ifdef __cplusplus
}
#endif
#endif
