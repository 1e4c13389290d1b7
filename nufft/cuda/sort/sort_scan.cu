/*
 * sort_scan.cu - computes the places of tiles, bins and sub-problems from the counts of bins, in
 * one launch.
 *
 * A block takes a share of the tiles. It adds up its counts, publishes the sum, and reads the sums
 * of all blocks before it. Blocks take their numbers as they start, and publish before they wait.
 * So a block waits only for blocks that run. Then it goes through its tiles again, a thread a tile,
 * and writes the places and the sub-problems.
 *
 * Bytes: counts are read once or, in large grids, twice; 4 written a bin, 8 a tile, 16 a
 * sub-problem. SPDX-License-Identifier: BSD-3-Clause
 */
#include "sort_scan.h"

static const int THREADS = 256, WARPS = THREADS / 32;
/* Tiles of a block at a time: few, because the time of a block is the latency of its steps. */
static const int TILES = 32;
static const uint64_t PUBLISHED = (uint64_t)1 << 63;
static const uint64_t POINTS = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;

struct scan_parameters {
    const uint32_t *count;
    uint64_t *start, *published;
    uint32_t *bin_start;
    enuf_cuda_sort_state *state;
    enuf_cuda_subproblem *list;
    uint32_t n_tiles, share; /* tiles, those of a block */
    uint32_t bins, most;     /* bins of a tile, points of a sub-problem */
};

__device__ __forceinline__ uint32_t subproblems(uint64_t packed)
{
    return (uint32_t)(packed >> ENUF_CUDA_POINT_BITS);
}

/* Counts of up to TILES tiles from the first, to shared memory. */
__device__ __forceinline__ void fetch(const scan_parameters &a, uint64_t tile, uint64_t end,
                                      uint32_t *counts)
{
    const uint64_t tiles = end - tile < TILES ? end - tile : TILES;
    __syncthreads(); /* the old contents are no longer needed */
    for (uint32_t k = threadIdx.x; k < tiles * a.bins; k += THREADS)
        counts[k] = a.count[tile * a.bins + k];
    __syncthreads();
}

/* The points and sub-problems of the thread's tile in one number. */
__device__ __forceinline__ uint64_t pack(const scan_parameters &a, uint64_t tile, uint64_t end,
                                         const uint32_t *counts)
{
    if (threadIdx.x >= TILES || tile + threadIdx.x >= end) return 0;
    uint32_t n = 0;
    for (uint32_t k = 0; k < a.bins; k++) n += counts[threadIdx.x * a.bins + k];
    return (uint64_t)n | (uint64_t)(n / a.most + (n % a.most != 0)) << ENUF_CUDA_POINT_BITS;
}

/* Writes the place of the thread's tile, and replaces the counts of its bins by their places. */
__device__ __forceinline__ void place(const scan_parameters &a, uint64_t tile, uint64_t end,
                                      uint64_t begin, uint32_t *counts)
{
    if (threadIdx.x < TILES && tile + threadIdx.x < end) {
        uint32_t next = (uint32_t)(begin & POINTS);
        a.start[tile + threadIdx.x] = begin;
        for (uint32_t k = threadIdx.x * a.bins; k < (threadIdx.x + 1) * a.bins; k++) {
            const uint32_t n = counts[k];
            counts[k] = next;
            next += n;
        }
    }
    __syncthreads();
    const uint64_t tiles = end - tile < TILES ? end - tile : TILES;
    for (uint32_t k = threadIdx.x; k < tiles * a.bins; k += THREADS)
        a.bin_start[tile * a.bins + k] = counts[k];
}

/* Sum over the threads before this one; *total of all. `of_warp` holds WARPS + 1 numbers. */
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
    for (int w = 0; w < WARPS; w++) {
        if (w < warp) before += of_warp[w];
        all += of_warp[w];
    }
    *total = all;
    return before + sum - value;
}

/* Sub-problems of TILES tiles; the i-th, tile + i, begins at begin[i]. */
__device__ __forceinline__ void write_list(const scan_parameters &a, uint32_t tile,
                                           const uint64_t *begin, uint64_t behind)
{
    const uint32_t first = subproblems(begin[0]), n = subproblems(behind) - first;
    for (uint32_t k = threadIdx.x; k < n; k += THREADS) {
        int low = 0, high = TILES; /* subproblems(begin[low]) <= first + k < those of high */
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (subproblems(begin[middle]) <= first + k)
                low = middle;
            else
                high = middle;
        }
        const uint64_t behind_tile = low + 1 < TILES ? begin[low + 1] : behind;
        const uint64_t points = (behind_tile & POINTS) - (begin[low] & POINTS);
        const uint32_t pieces = subproblems(behind_tile) - subproblems(begin[low]);
        const uint32_t nth = first + k - subproblems(begin[low]);
        const uint64_t from = points * nth / pieces; /* equal shares */
        enuf_cuda_subproblem s;
        s.first = (begin[low] & POINTS) + from;
        s.tile = tile + (uint32_t)low;
        s.count = (uint32_t)(points * (nth + 1) / pieces - from);
        a.list[first + k] = s;
    }
}

__global__ void __launch_bounds__(THREADS) scan_tiles(const scan_parameters a)
{
    __shared__ uint32_t number, counts[TILES * ENUF_CUDA_MOST_BINS];
    __shared__ uint64_t of_warp[WARPS], begin[TILES];
    const uint32_t bad = a.state->bad; /* loaded while the number is on its way */
    if (threadIdx.x == 0) number = atomicAdd(&a.state->ticket, 1u);
    __syncthreads();
    if (threadIdx.x == 0 && number == 0) a.state->refused = bad;
    if (bad) {
        if (threadIdx.x == 0 && number == 0) a.start[a.n_tiles] = 0;
        return;
    }
    const uint64_t first = (uint64_t)number * a.share;
    const uint64_t end = first + a.share < a.n_tiles ? first + a.share : a.n_tiles;

    uint64_t mine = 0, total, before;
    for (uint64_t tile = first; tile < end; tile += TILES) {
        fetch(a, tile, end, counts);
        mine += pack(a, tile, end, counts);
    }
    sum_before(mine, of_warp, &total);
    volatile uint64_t *published = a.published;
    if (threadIdx.x == 0) published[number] = total | PUBLISHED;
    mine = 0;
    for (uint32_t b = threadIdx.x; b < number; b += THREADS) {
        uint64_t other;
        do other = published[b];
        while (!(other & PUBLISHED));
        mine += other & ~PUBLISHED;
    }
    sum_before(mine, of_warp, &before);

    for (uint64_t tile = first; tile < end; tile += TILES) {
        if (end - first > TILES) fetch(a, tile, end, counts); /* else counts still has them */
        const uint64_t here = before + sum_before(pack(a, tile, end, counts), of_warp, &total);
        if (threadIdx.x < TILES) begin[threadIdx.x] = here;
        before += total;
        place(a, tile, end, here, counts);
        write_list(a, (uint32_t)tile, begin, before);
    }
    if (end == a.n_tiles && first < end && threadIdx.x == 0) a.start[a.n_tiles] = before;
}

extern "C" enuf_status enuf_cuda_sort_scan(enuf_cuda *cuda, uint32_t most)
{
    enuf_cuda_points *p = &cuda->points;
    const uint32_t least = p->n_tiles / ENUF_CUDA_SCAN_BLOCKS + 1;
    scan_parameters a;
    a.count = p->count;
    a.start = p->start;
    a.published = p->published;
    a.bin_start = p->bin_start;
    a.state = p->state;
    a.list = p->list;
    a.n_tiles = p->n_tiles;
    a.share = (least + TILES - 1) / TILES * TILES;
    a.bins = p->bins;
    a.most = most;
    const uint32_t blocks = (p->n_tiles - 1) / a.share + 1;
    scan_tiles<<<blocks, THREADS, 0, cuda->stream>>>(a);
    return enuf_cuda_launched("scan of the tiles");
}
