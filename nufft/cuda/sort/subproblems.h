/*
 * subproblems.h - how many points a sub-problem has, the part of a tile that a warp or a block
 * takes at a time, and how many there are. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SUBPROBLEMS_H
#define ENUF_NUFFT_CUDA_SUBPROBLEMS_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most points of a sub-problem, for n points in the plan's tiles. */
uint32_t enuf_cuda_subproblem_points(const enuf_cuda *cuda, int64_t n);

/** Most sub-problems of up to n points. */
int64_t enuf_cuda_subproblems(const enuf_cuda *cuda, int64_t n);

/** The same of a slice of the points (slice.h). */
int64_t enuf_cuda_subproblems_of_slice(const enuf_cuda *cuda, int64_t points);

#ifdef __cplusplus
}
#endif
#endif
