/*
 * block_sum.cuh - sums in a fixed order: over the threads of a block, then, in the last block to
 * arrive, over the blocks. No number is added by an atomic, so that the result is bitwise the same
 * each time. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_BLOCK_SUM_CUH
#define ENUF_CUDA_BLOCK_SUM_CUH

#include "plain_float.cuh"

/** Two ways to combine values. */
struct enuf_plus {
    static __device__ inline double of(double a, double b)
    {
        return a + b;
    }
    static __device__ inline enuf_float_pair of(enuf_float_pair a, enuf_float_pair b)
    {
        return enuf_added(a, b);
    }
};
struct enuf_larger { /* NaN wins */
    template <class T> static __device__ inline T of(T a, T b)
    {
        return a > b || a != a ? a : b;
    }
};

template <class T> static __device__ inline T enuf_shuffled_down(T value, int by)
{
    return __shfl_down_sync(0xffffffffu, value, by);
}

static __device__ inline enuf_float_pair enuf_shuffled_down(enuf_float_pair value, int by)
{
    return {__shfl_down_sync(0xffffffffu, value.high, by),
            __shfl_down_sync(0xffffffffu, value.low, by)};
}

/** Combines value over the block's THREADS (a power of two >= 32); valid in thread 0. */
template <int THREADS, class Combine, class T> static __device__ inline T enuf_block_sum(T value)
{
    __shared__ T of_warp[THREADS / 32];
    int thread = threadIdx.x + threadIdx.y * blockDim.x;
    for (int k = 16; k > 0; k /= 2) value = Combine::of(value, enuf_shuffled_down(value, k));
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
