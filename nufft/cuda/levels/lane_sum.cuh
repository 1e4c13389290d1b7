/* lane_sum.cuh - sums over neighbouring lanes, in a fixed order. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_NUFFT_CUDA_LANE_SUM_CUH
#define ENUF_NUFFT_CUDA_LANE_SUM_CUH

/** Sum over each group of `lanes` lanes, a power of two up to 32, in all its lanes. All lanes of a
 * warp call it. */
template <typename number> __device__ __forceinline__ number lane_sum(number x, int lanes)
{
    for (int step = lanes / 2; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

#endif
