/*
 * sort_scan.cuh - the places of tiles, bins and sub-problems from the counts of bins: a block of
 * SCAN_THREADS threads goes through its tiles, TILES at a time, a thread a tile.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SORT_SCAN_CUH
#define ENUF_NUFFT_CUDA_SORT_SCAN_CUH

#include "sort_scan.h"

enum { SCAN_THREADS = 256, SCAN_WARPS = SCAN_THREADS / 32 };

/** What a scan reads and writes. */
struct scan_parameters {
    uint32_t *count;
    uint64_t *start, *published;
    uint32_t *bin_start;
    enuf_cuda_sort_state *state;
    enuf_cuda_subproblem *list;
    uint32_t n_tiles, share; /* tiles, those of a block */
    uint32_t bins, most;     /* bins of a tile, points of a sub-problem */
};

/** Of the plan's points; `most` points of a sub-problem. */
scan_parameters enuf_cuda_scan_of(const enuf_cuda *cuda, uint32_t most);

/** Shared memory of a block. */
template <int TILES> struct scan_space {
    uint32_t counts[TILES * ENUF_CUDA_MOST_BINS];
    uint64_t of_warp[SCAN_WARPS], begin[TILES];
};

/* The points in a packed number of points and sub-problems. */
__device__ __forceinline__ uint64_t points_in(uint64_t packed)
{
    return packed & (((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1);
}

__device__ __forceinline__ uint32_t subproblems(uint64_t packed)
{
    return (uint32_t)(packed >> ENUF_CUDA_POINT_BITS);
}

/* Counts of up to TILES tiles from the first, to shared memory. */
template <int TILES>
__device__ __forceinline__ void fetch(const scan_parameters &a, uint64_t tile, uint64_t end,
                                      uint32_t *counts)
{
    const uint64_t tiles = end - tile < TILES ? end - tile : TILES;
    __syncthreads(); /* the old contents are no longer needed */
#pragma unroll 4
    for (uint32_t k = threadIdx.x; k < tiles * a.bins; k += SCAN_THREADS)
        counts[k] = __ldcg(a.count + tile * a.bins + k); /* this kernel may have counted */
    __syncthreads();
}

/* The points and sub-problems of the thread's tile in one number. */
template <int TILES>
__device__ __forceinline__ uint64_t pack(const scan_parameters &a, uint64_t tile, uint64_t end,
                                         const uint32_t *counts)
{
    if (threadIdx.x >= TILES || tile + threadIdx.x >= end) return 0;
    uint32_t n = 0;
    for (uint32_t k = 0; k < a.bins; k++) n += counts[threadIdx.x * a.bins + k];
    return (uint64_t)n | (uint64_t)(n / a.most + (n % a.most != 0)) << ENUF_CUDA_POINT_BITS;
}

/* Writes the place of the thread's tile, and replaces the counts of its bins by their places. */
template <int TILES>
__device__ __forceinline__ void place(const scan_parameters &a, uint64_t tile, uint64_t end,
                                      uint64_t begin, uint32_t *counts)
{
    if (threadIdx.x < TILES && tile + threadIdx.x < end) {
        uint32_t next = (uint32_t)points_in(begin);
        a.start[tile + threadIdx.x] = begin;
        for (uint32_t k = threadIdx.x * a.bins; k < (threadIdx.x + 1) * a.bins; k++) {
            const uint32_t n = counts[k];
            counts[k] = next;
            next += n;
        }
    }
    __syncthreads();
    const uint64_t tiles = end - tile < TILES ? end - tile : TILES;
    for (uint32_t k = threadIdx.x; k < tiles * a.bins; k += SCAN_THREADS)
        a.bin_start[tile * a.bins + k] = counts[k];
}

/* Sum over the threads before this one; *total of all. `of_warp` holds SCAN_WARPS + 1 numbers. */
__device__ __forceinline__ uint64_t sum_before(uint64_t value, uint64_t *of_warp, uint64_t *total)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint64_t sum = value;
    for (int step = 1; step < 32; step *= 2) {
        const uint64_t other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
    }
    __syncthreads(); /* of_warp is free */
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    uint64_t before = 0, all = 0;
    for (int w = 0; w < SCAN_WARPS; w++) {
        if (w < warp) before += of_warp[w];
        all += of_warp[w];
    }
    *total = all;
    return before + sum - value;
}

/* Sub-problems of TILES tiles; the i-th, tile + i, begins at begin[i]. */
template <int TILES>
__device__ __forceinline__ void write_list(const scan_parameters &a, uint32_t tile,
                                           const uint64_t *begin, uint64_t behind)
{
    const uint32_t first = subproblems(begin[0]), n = subproblems(behind) - first;
    for (uint32_t k = threadIdx.x; k < n; k += SCAN_THREADS) {
        int low = 0, high = TILES; /* subproblems(begin[low]) <= first + k < those of high */
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (subproblems(begin[middle]) <= first + k)
                low = middle;
            else
                high = middle;
        }
        const uint64_t behind_tile = low + 1 < TILES ? begin[low + 1] : behind;
        const uint64_t points = points_in(behind_tile) - points_in(begin[low]);
        const uint32_t pieces = subproblems(behind_tile) - subproblems(begin[low]);
        const uint32_t nth = first + k - subproblems(begin[low]);
        const uint64_t from = points * nth / pieces; /* equal shares */
        enuf_cuda_subproblem s;
        s.first = points_in(begin[low]) + from;
        s.tile = tile + (uint32_t)low;
        s.count = (uint32_t)(points * (nth + 1) / pieces - from);
        a.list[first + k] = s;
    }
}

/** Writes the places of tiles [first, end) and their bins and sub-problems; `before` points and
 * sub-problems, packed, stand before them. Returns those before `end`. fetched: space.counts has
 * the counts of all of them. All threads of the block call it. */
template <int TILES>
__device__ __forceinline__ uint64_t place_tiles(const scan_parameters &a, uint64_t first,
                                                uint64_t end, uint64_t before, bool fetched,
                                                scan_space<TILES> &space)
{
    for (uint64_t tile = first; tile < end; tile += TILES) {
        uint64_t total;
        if (!fetched) fetch<TILES>(a, tile, end, space.counts);
        const uint64_t mine = pack<TILES>(a, tile, end, space.counts);
        const uint64_t here = before + sum_before(mine, space.of_warp, &total);
        if (threadIdx.x < TILES) space.begin[threadIdx.x] = here;
        before += total;
        place<TILES>(a, tile, end, here, space.counts);
        write_list<TILES>(a, (uint32_t)tile, space.begin, before);
    }
    return before;
}

#endif
