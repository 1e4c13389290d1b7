/*
 * work_share.cuh - equal shares of work for warps: work is the sorted points plus a cost for every
 * tile. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_WORK_SHARE_CUH
#define ENUF_NUFFT_CUDA_WORK_SHARE_CUH

#include "cuda/point.cuh"

/*
 * Warps take equal shares of the work. Work is counted in points: the points of a tile, plus, for
 * each of its sub-problems, the cost of adding its layers to the grid. (Tiles at the end of the
 * grid are cut off and hold few points: with shares of points alone, 144^3 cells in tiles of 11
 * took twice as long as in tiles of 12.) That cost is 2500 instructions or so; a point takes 20.
 */
static const int WORK_OF_SUBPROBLEM = 128;

/** Work of the tiles before the tile with this start. */
__device__ __forceinline__ uint64_t work_of(uint64_t start)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    return (start & points) + (start >> ENUF_CUDA_POINT_BITS) * WORK_OF_SUBPROBLEM;
}

/** Work of the tiles before this one; for tile = tiles_of(), all work. */
__device__ __forceinline__ uint64_t work_before(const sorted_view &v, uint32_t tile)
{
    return work_of(v.start[tile]);
}

/*
 * First and later shares of a warp, as parts of an equal share of all work. Later shares go to the
 * warp that comes first. Shares cut tiles, some cut two, and multiprocessors are not equally fast:
 * with equal shares alone, warps wait a third of their time for the last one (a million points,
 * H100, November 2026). Shares of 0.75 and 0.15 take 7 us more than these, 0.88 and 0.06 18 us.
 */
static const uint64_t FIRST_TENTHS = 7, LATER_TENTHS = 1;
static const uint64_t LEAST_LATER_SHARE = 96;

/** The share of a ticket. Each block owns one of the first gridDim.x tickets. */
struct work_share {
    uint64_t from, until;
    bool later; /* there are later shares */

    /* Computed again for each ticket, because kernels have no registers to spare. False: no work is
     * left. */
    __device__ __forceinline__ bool take(const sorted_view &v, unsigned ticket)
    {
        const uint64_t work = work_before(v, tiles_of(v)), blocks = gridDim.x;
        const uint64_t equal = (work + blocks - 1) / blocks;
        const uint64_t own = FIRST_TENTHS * equal / 10;
        const uint64_t first = own < 2 * LEAST_LATER_SHARE ? equal : own;
        const uint64_t tenth = LATER_TENTHS * equal / 10;
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

/** The block's counter of tickets, one for each blockIdx.y and z. */
__device__ __forceinline__ unsigned *counter_of_tickets(unsigned *counters)
{
    return counters + blockIdx.z * gridDim.y + blockIdx.y;
}

/** A block is done. The last one sets the counters to 0: those of tickets, and that of blocks. */
__device__ __forceinline__ void leave_work(unsigned *counters)
{
    if (threadIdx.x != 0) return;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    if (atomicAdd(counters + ENUF_CUDA_TICKETS, 1u) != blocks - 1) return;
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

/** The point of a tile at which the work is cut at `work`. In the work of a tile its points come
 * first. */
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
