/*
 * runs.cu - coordinates of points given as runs, a thread a point, which finds its run by halving.
 * Bytes: each coordinate once out; neighbours read the same runs, from the caches. Before that one
 * block adds the lengths up, as many as it has threads for at a time, and all blocks look at starts
 * and steps: each is read once. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/runs/runs.h"
#include "chain.cuh"
#include "cuda/precision.cuh"

enum { THREADS = 256, ADDERS = 1024, EACH = 4 /* lengths of a thread at a time */ };

static const int64_t LONGEST = (int64_t)1 << 40; /* run: sums of a block's do not overflow */
static const int64_t MOST = (int64_t)1 << 62;    /* points: larger sums become this one */

/* All threads of a block: the sum of the values up to and with that of this thread; that of all. */
static __device__ __forceinline__ int64_t sum_up_to(int64_t value, int64_t *all)
{
    __shared__ int64_t of_warp[ADDERS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int by = 1; by < 32; by *= 2) {
        const int64_t other = __shfl_up_sync(~0u, value, by);
        if (lane >= by) value += other;
    }
    __syncthreads(); /* of_warp is free */
    if (lane == 31) of_warp[warp] = value;
    __syncthreads();
    *all = 0;
    for (int w = 0; w < ADDERS / 32; w++) {
        if (w < warp) value += of_warp[w];
        *all += of_warp[w];
    }
    return value;
}

/* One block. Returns the number of points, or -1, in all threads. */
static __device__ int64_t add_lengths(const int64_t *lengths, int64_t count, int64_t *first)
{
    int64_t before = 0;
    int bad = 0;
    for (int64_t r = 0; r < count; r += ADDERS * EACH) {
        const int64_t mine = r + (int64_t)threadIdx.x * EACH;
        int64_t length[EACH], sum = 0, all;
        for (int k = 0; k < EACH; k++) {
            length[k] = mine + k < count ? lengths[mine + k] : 0;
            const int fits = length[k] >= 0 && length[k] <= LONGEST;
            bad |= !fits;
            if (!fits) length[k] = 0;
            sum += length[k];
        }
        int64_t place = before + sum_up_to(sum, &all) - sum;
        for (int k = 0; k < EACH; k++) {
            if (mine + k < count) first[mine + k] = place;
            place += length[k];
        }
        before = before + all < MOST ? before + all : MOST;
    }
    return __syncthreads_or(bad) ? -1 : before;
}

/* 1: a number that this thread looks at, of a run that has points, is not finite. */
static __device__ int finds_bad(const int64_t *lengths, const enuf_runs &runs, int dim, int vectors)
{
    const int64_t of_vector = runs.count * dim, step = (int64_t)gridDim.x * ADDERS;
    int64_t k = (int64_t)blockIdx.x * ADDERS + threadIdx.x;
    for (; k < vectors * of_vector; k += step)
        if (!(isfinite(runs.start[k]) && isfinite(runs.step[k])) &&
            lengths[k % of_vector / dim] != 0)
            return 1;
    return 0;
}

__global__ void __launch_bounds__(ADDERS)
    add_kernel(const int64_t *lengths, enuf_runs runs, int dim, int vectors, int64_t *first,
               enuf_cuda_runs_found *found)
{
    if (found && finds_bad(lengths, runs, dim, vectors)) found->bad = 1;
    if (blockIdx.x > 0) return;
    const int64_t n = add_lengths(lengths, runs.count, first);
    if (threadIdx.x > 0) return;
    first[runs.count] = n;
    if (found) found->n = n;
}

enuf_status enuf_cuda_runs_add(const enuf_nufft *plan, const int64_t *lengths,
                               const enuf_runs *runs, int vectors, int64_t *first,
                               enuf_cuda_runs_found *found)
{
    const int dim = plan->options.dim;
    const int64_t numbers = found ? vectors * runs->count * dim : 0;
    add_kernel<<<enuf_cuda_blocks(plan, numbers, ADDERS), ADDERS, 0, enuf_cuda_of(plan)->stream>>>(
        lengths, *runs, dim, vectors, first, found);
    return enuf_cuda_launched("sums of the lengths of runs");
}

/* The run of a point: the last one that begins at it or before. Empty runs are passed over. */
static __device__ __forceinline__ int64_t run_of(const enuf_runs &runs, int64_t point)
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
__global__ void __launch_bounds__(THREADS) write_kernel(enuf_runs runs, int dim, T *numbers)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    enuf_chain_wait();
    const bool good = runs.first[runs.count] == runs.n;
    for (int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x; j < runs.n; j += step) {
        const int64_t r = run_of(runs, j);
        const double i = (double)(j - runs.first[r]);
        for (int d = 0; d < dim; d++) {
            const double x = fma(i, runs.step[r * dim + d], runs.start[r * dim + d]);
            numbers[d * runs.n + j] = good ? (T)x : (T)NAN;
        }
    }
}

template <class T> static void write(const enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    enuf_chain(enuf_cuda_of(plan)->stream, write_kernel<T>,
               enuf_cuda_blocks(plan, runs->n, THREADS), THREADS, 0, *runs, plan->options.dim,
               (T *)numbers);
}

enuf_status enuf_cuda_runs_write(const enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    if (runs->n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, write, plan, runs, numbers);
    return enuf_cuda_launched("coordinates of runs");
}
