/*
 * clear_grid.cu - the grid before spreading: zeros, in a kernel of the chain. A memset would end
 * the chain: kernels before and behind it would not start early. Bytes: those of the grid; memory
 * bounds it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/point.cuh"
#include "cuda/precision.cuh"

enum { THREADS = 256 };

/* Two floats, or one number of 8 bytes: rows have an even number of floats. */
typedef uint2 word;

static __global__ void __launch_bounds__(THREADS) clear_words(int64_t n, word *words)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    enuf_chain_wait();
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        words[i] = make_uint2(0, 0);
}

extern "C" enuf_status enuf_cuda_clear_grid(const enuf_nufft *plan, void *cells)
{
    const int64_t n = enuf_cuda_grid_bytes(plan) / (int64_t)sizeof(word);
    enuf_chain(enuf_cuda_of(plan)->stream, clear_words, dim3(enuf_cuda_blocks(plan, n, THREADS)),
               THREADS, 0, n, (word *)cells);
    return enuf_cuda_launched("clearing the fine grid");
}
