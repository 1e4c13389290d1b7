/*
 * runs.cu - coordinates of points given as runs, a thread a point, which finds its run by halving.
 * Bytes: each coordinate once out; neighbours read the same runs, from the caches.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/runs/runs.h"
#include "cuda/precision.cuh"

enum { THREADS = 256 };

/* The run of a point: the last one that begins at it or before. Empty runs are passed over. */
static __device__ __forceinline__ int64_t run_of(const enuf_cuda_runs &runs, int64_t point)
{
    int64_t low = 0, high = runs.count; /* first[low] <= point < first[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (runs.first[middle] <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* fma in double and one rounding, as on the host: the same bits. */
template <class T>
__global__ void __launch_bounds__(THREADS) write_kernel(enuf_cuda_runs runs, int dim, T *numbers)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x; j < runs.n; j += step) {
        const int64_t r = run_of(runs, j);
        const double i = (double)(j - runs.first[r]);
        for (int d = 0; d < dim; d++)
            numbers[d * runs.n + j] = (T)fma(i, runs.step[r * dim + d], runs.start[r * dim + d]);
    }
}

template <class T>
static void write(const enuf_nufft *plan, const enuf_cuda_runs *runs, void *numbers)
{
    const unsigned int blocks = enuf_cuda_blocks(plan, runs->n, THREADS);
    write_kernel<T><<<blocks, THREADS, 0, enuf_cuda_of(plan)->stream>>>(*runs, plan->options.dim,
                                                                        (T *)numbers);
}

enuf_status enuf_cuda_runs_write(const enuf_nufft *plan, const enuf_cuda_runs *runs, void *numbers)
{
    if (runs->n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, write, plan, runs, numbers);
    return enuf_cuda_launched("coordinates of runs");
}
