/*
 * slope_totals.cuh - sums over atoms or modes with the same bits in every run: a block sums its
 * threads, then one block sums the blocks, both in a fixed order. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_SLOPE_TOTALS_CUH
#define ENUF_EWALD_CUDA_SLOPE_TOTALS_CUH

#include "cuda/terms.cuh"
#include "slope_kernels.h"

static_assert(ENUF_CUDA_PARTIAL_ROWS >= 1024, "rows of summing_blocks()");

/** Writes the block's sums of COUNT shares of its threads to its row. All threads of a block of
 * atom_threads call it, once in a kernel. */
template <int COUNT>
static __device__ __forceinline__ void sum_block(const double (&shares)[COUNT], double *partial)
{
    static_assert(COUNT <= atom_threads, "a thread for each sum");
    __shared__ double of_warp[COUNT][atom_threads / 32];
    for (int k = 0; k < COUNT; k++) {
        double share = shares[k];
        for (int by = 16; by > 0; by /= 2) share += __shfl_xor_sync(~0u, share, by);
        if (threadIdx.x % 32 == 0) of_warp[k][threadIdx.x / 32] = share;
    }
    __syncthreads();
    if (threadIdx.x >= COUNT) return;
    double sum = 0;
    for (int warp = 0; warp < atom_threads / 32; warp++) sum += of_warp[threadIdx.x][warp];
    partial[(int64_t)blockIdx.x * COUNT + threadIdx.x] = sum;
}

#endif
