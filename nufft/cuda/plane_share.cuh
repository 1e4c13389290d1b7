/*
 * plane_share.cuh - equal shares of the points for the warps of a kernel in 1D and 2D. A share is a
 * run of sub-problems, of which the first and the last may be cut. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_PLANE_SHARE_CUH
#define ENUF_NUFFT_CUDA_PLANE_SHARE_CUH

#include "cuda/point.cuh"

/*
 * Work is counted in points: those of a sub-problem, then its cost, which is that of its tile's
 * cells. Where warps take sub-problems in turns, many of them wait for the last round: 2116
 * sub-problems of a cluster took two rounds of 2112 warps, 9375 of evenly spread points five rounds
 * in place of 4.4.
 */
struct plane_share {
    enum { COST = 64 };
    uint64_t until;            /* work */
    uint32_t at, n;            /* the next sub-problem; how many there are */
    enuf_cuda_subproblem next; /* asked for ahead; the first one is cut */

    /* Work before sub-problem k. */
    static __device__ __forceinline__ uint64_t work_before(const enuf_cuda_subproblem &s,
                                                           uint32_t k)
    {
        return s.first + (uint64_t)k * COST;
    }

    /* The last sub-problem that begins at or before `work`, by all lanes. */
    static __device__ __forceinline__ uint32_t last_before(const sorted_view &v, uint32_t n,
                                                           uint64_t work)
    {
        uint32_t low = 0, high = n;
        while (high - low > 1) {
            const uint32_t step = (high - low + 31) / 32, k = low + step * (threadIdx.x % 32 + 1);
            const bool here = k < high && work_before(v.list[k], k) <= work;
            low += step * (uint32_t)__popc(__ballot_sync(~0u, here));
            high = min(high, low + step);
        }
        return low;
    }

    /** By all lanes: the block's share. As few sub-problems as blocks are not cut. */
    __device__ __forceinline__ explicit plane_share(const sorted_view &v)
    {
        const uint64_t blocks = gridDim.x, block = blockIdx.x;
        n = subproblems_of(v);
        if (n <= blocks) {
            at = (uint32_t)block;
            until = ~(uint64_t)0;
            if (at < n) next = v.list[at];
            n = min(n, at + 1);
            return;
        }
        const uint64_t work = points_of(v) + (uint64_t)n * COST, from = work * block / blocks;
        until = work * (block + 1) / blocks;
        at = last_before(v, n, from);
        next = v.list[at];
        const uint32_t cut = (uint32_t)min(from - work_before(next, at), (uint64_t)next.count);
        next.first += cut;
        next.count -= cut;
    }

    /** The next part of the share in `part`, which may have no points; false: there is none. */
    __device__ __forceinline__ bool take(const sorted_view &v, enuf_cuda_subproblem *part)
    {
        if (at >= n) return false;
        const uint64_t before = work_before(next, at);
        if (before >= until) return false;
        *part = next;
        part->count = (uint32_t)min(until - before, (uint64_t)next.count);
        at++;
        if (at < n) next = v.list[at];
        return true;
    }
};

#endif
