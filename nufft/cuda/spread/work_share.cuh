/*
 * work_share.cuh - equal shares of the sorted points for warps that pay for every tile besides.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_WORK_SHARE_CUH
#define ENUF_NUFFT_CUDA_WORK_SHARE_CUH

#include "cuda/point.cuh"

/*
 * Warps take equal shares of the work, which is counted in points: each of a tile's, and for every
 * sub-problem of it as many as its layers' way into the grid takes. (Tiles at the end of the grid
 * are cut off and hold few points: with shares of points alone, 144^3 cells in tiles of 11 took
 * twice as long as in tiles of 12.) By count of instructions: 2500 or so, where a point takes 20.
 */
static const int WORK_OF_SUBPROBLEM = 128;

/** Of the tiles before the one that starts so. */
__device__ __forceinline__ uint64_t work_of(uint64_t start)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    return (start & points) + (start >> ENUF_CUDA_POINT_BITS) * WORK_OF_SUBPROBLEM;
}

/** Of the tiles before this one; of tiles_of(): in all. */
__device__ __forceinline__ uint64_t work_before(const sorted_view &v, uint32_t tile)
{
    return work_of(v.start[tile]);
}

/*
 * The first share of a warp, of an equal one of all the work, and the parts into which the rest is
 * cut for whoever comes first: shares cut through tiles, some through two, and multiprocessors do
 * not get on equally fast. With equal shares alone, a third of the warps' time was waiting for the
 * last of them (a million points, H100, November 2026). Shares of 0.75 and 0.15 take 7 us more than
 * these, 0.88 and 0.06 18 us.
 */
static const double FIRST_SHARE = 0.7, LATER_SHARE = 0.1;
static const uint64_t LEAST_LATER_SHARE = 96;

/** What `ticket` stands for; the first gridDim.x are the blocks' own. */
struct work_share {
    uint64_t from, until;
    bool later; /* there are more than the first ones */

    /* Made anew for each ticket: kernels have no registers to spare. False: nothing is left. */
    __device__ __forceinline__ bool take(const sorted_view &v, unsigned ticket)
    {
        const uint64_t work = work_before(v, tiles_of(v)), blocks = gridDim.x;
        const uint64_t equal = (work + blocks - 1) / blocks;
        const uint64_t own = (uint64_t)(FIRST_SHARE * (double)equal);
        const uint64_t first = own < 2 * LEAST_LATER_SHARE ? equal : own;
        const uint64_t tenth = (uint64_t)(LATER_SHARE * (double)equal);
        const uint64_t piece = tenth < LEAST_LATER_SHARE ? LEAST_LATER_SHARE : tenth;
        const bool is_first = ticket < blocks;
        from = is_first ? first * ticket : first * blocks + piece * (ticket - blocks);
        until = from + (is_first ? first : piece);
        later = first < equal;
        return from < work;
    }
    /** The next ticket, by one lane. */
    __device__ __forceinline__ unsigned next_ticket(unsigned *counter) const
    {
        return gridDim.x + (later ? atomicAdd(counter, 1u) : 0u);
    }
};

/** A block is done; the last one leaves the counters at 0: of tickets for each blockIdx.y, and of
 * blocks. */
__device__ __forceinline__ void leave_work(unsigned *counters)
{
    if (threadIdx.x != 0) return;
    if (atomicAdd(counters + ENUF_CUDA_TICKETS, 1u) != gridDim.x * gridDim.y - 1) return;
    for (int k = 0; k <= ENUF_CUDA_TICKETS; k++) counters[k] = 0;
}

/** The last tile with work_before() <= work, by all lanes. */
__device__ __forceinline__ uint32_t tile_of_work(const sorted_view &v, uint64_t work)
{
    uint32_t low = 0, high = tiles_of(v);
    while (high - low > 1) {
        const uint32_t step = (high - low + 31) / 32, mine = step * (threadIdx.x % 32 + 1);
        const bool here = mine < high - low && work_before(v, low + mine) <= work;
        low += step * (uint32_t)__popc(__ballot_sync(~0u, here));
        high = min(high, low + step);
    }
    return low;
}

/** The point at which a tile's share of the work ends that is cut at `work`; the points of a tile
 * come before the rest of its work. */
__device__ __forceinline__ uint64_t point_of_work(const sorted_view &v, uint32_t tile,
                                                  uint64_t work)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1, start = v.start[tile];
    const uint64_t first = start & points, behind = v.start[tile + 1] & points;
    const uint64_t before = work_of(start);
    return work <= before ? first : work - before < behind - first ? first + work - before : behind;
}

/** The tile of record `at`, from `tile` on, by all lanes. */
__device__ __forceinline__ uint32_t tile_behind(const sorted_view &v, uint32_t tile, uint64_t at)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    const uint32_t n_tiles = tiles_of(v);
    for (;; tile += 32) {
        const uint32_t mine = tile + threadIdx.x % 32;
        const bool here = mine + 1 >= n_tiles || (v.start[mine + 1] & points) > at;
        const unsigned found = __ballot_sync(~0u, here);
        if (found) return min(tile + (uint32_t)__ffs((int)found) - 1, n_tiles - 1);
    }
}

#endif
