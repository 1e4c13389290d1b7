/*
 * slice.h - points in indexed storage, a slice of them at a time.
 *
 * Kernels that spread or interpolate read records in the order of the tiles. Packed storage keeps
 * the records of all points: one slice. Indexed storage keeps the caller's index of each point in
 * that order. A slice is a run of sub-problems; their records are made from the caller's
 * coordinates when the slice is used. Kernels see a slice as if there were no other points
 * (sorted_view, point.cuh). A tile that two slices share is spread twice, with the points of one
 * slice each time. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SLICE_H
#define ENUF_NUFFT_CUDA_SLICE_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most points of a slice, for n points in sub-problems of `most` points. */
int64_t enuf_cuda_slice_points(const enuf_nufft *plan, int64_t n, int64_t most);

/** Number of slices of the present points: 1 in packed storage, 0 without points. */
int64_t enuf_cuda_slices(const enuf_nufft *plan);

/** Makes slice k the points that spreading and interpolation see. Packed storage: nothing to do. */
enuf_status enuf_cuda_slice_load(enuf_nufft *plan, int64_t k);

#ifdef __cplusplus
}
#endif
#endif
