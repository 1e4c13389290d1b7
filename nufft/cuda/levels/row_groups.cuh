/*
 * row_groups.cuh - rows of a matrix, each by a group of neighbouring lanes of a warp.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_ROW_GROUPS_CUH
#define ENUF_NUFFT_CUDA_ROW_GROUPS_CUH

#include <stdint.h>

enum { ROW_THREADS = 256 }; /* of a block */

/** The least power of two that is not below `items`, up to a warp: lanes of a group. */
static inline int lanes_for(double items)
{
    int lanes = 1;
    while (lanes < 32 && lanes < items) lanes *= 2;
    return lanes;
}

/** A lane's place. All lanes of a warp take the same turns of
 *  for (int64_t row = g.first; g.warp_has(row, rows); row += g.step), so that they may shuffle;
 *  `row` itself may lie behind the last. */
struct row_group {
    int lanes, lane; /* of the group */
    int64_t first, step;

    __device__ __forceinline__ explicit row_group(int of_lanes)
        : lanes(of_lanes), lane((int)threadIdx.x % of_lanes),
          first(((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / of_lanes),
          step((int64_t)gridDim.x * blockDim.x / of_lanes)
    {
    }

    /** 1 if the first row of the warp is one of the rows. */
    __device__ __forceinline__ bool warp_has(int64_t row, int64_t rows) const
    {
        return row - (int)(threadIdx.x % 32) / lanes < rows;
    }
};

#endif
