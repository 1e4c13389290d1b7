/*
 * block_sum.cuh - sums in a fixed order: over the threads of a block, then, in the last block to
 * arrive, over the blocks. No double is added by an atomic, so that the result is bitwise the same
 * each time. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_BLOCK_SUM_CUH
#define ENUF_CUDA_BLOCK_SUM_CUH

/* Two ways to combine values. */
struct enuf_plus {
    static __device__ inline double of(double a, double b)
    {
        return a + b;
    }
};
struct enuf_larger { /* NaN wins */
    static __device__ inline double of(double a, double b)
    {
        return a > b || a != a ? a : b;
    }
};

/** Combines value over the block's THREADS (a power of two >= 32); valid in thread 0. */
template <int THREADS, class Combine> static __device__ inline double enuf_block_sum(double value)
{
    __shared__ double of_warp[THREADS / 32];
    int thread = threadIdx.x + threadIdx.y * blockDim.x;
    for (int k = 16; k > 0; k /= 2)
        value = Combine::of(value, __shfl_down_sync(0xffffffffu, value, k));
    if (thread % 32 == 0) of_warp[thread / 32] = value;
    __syncthreads();
    if (thread == 0)
        for (int w = 1; w < THREADS / 32; w++) value = Combine::of(value, of_warp[w]);
    __syncthreads();
    return value;
}

/** Returns 1 in all threads of the last block to arrive. Its reads see the writes of all blocks. It
 * sets the counter back to 0. */
static __device__ inline int enuf_last_block(unsigned int *arrived, unsigned int blocks)
{
    __shared__ int is_last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        is_last = atomicAdd(arrived, 1u) == blocks - 1;
        if (is_last) *arrived = 0;
    }
    __syncthreads();
    __threadfence();
    return is_last;
}

#endif
