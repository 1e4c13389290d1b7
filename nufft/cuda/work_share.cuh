/*
 * work_share.cuh - equal shares of the sorted points for warps that pay for every tile besides.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_WORK_SHARE_CUH
#define ENUF_NUFFT_CUDA_WORK_SHARE_CUH

#include "point.cuh"

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
