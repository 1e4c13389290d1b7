/*
 * plane_share.cuh - the work of each warp of a kernel in 1D and 2D: sub-problems in turns, then an
 * equal share of those that are left, of which the first and the last may be cut.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_PLANE_SHARE_CUH
#define ENUF_NUFFT_CUDA_PLANE_SHARE_CUH

#include "cuda/point.cuh"

/*
 * Warps take sub-problems in turns, so that those at work lie near each other and share cells in
 * the second cache. What would be the last, incomplete turn is cut into equal shares with the turn
 * before it: 2116 sub-problems of a cluster took two turns of 2112 warps, 9375 of evenly spread
 * points five. Shares alone, without turns, cost 2 to 10 % at 94,000 sub-problems (H100, November
 * 2026).
 *
 * Work is counted in points: those of a sub-problem, then its cost, which is that of its tile's
 * cells. A share takes the sub-problems of one tile together, as one part: it adds the tile to the
 * grid once.
 *
 * A CROWD: many sub-problems of few tiles. Their warps add to the same cells, one atomic after the
 * other. With N points in S shares these take A S, and a share's own points C N / S, so S is best
 * near sqrt(N C / A): 3 N under the root for complex double strengths. A cluster of 262,144 points
 * in 256^2 modes, width 8: type 1 with its points in 95 us in place of 118. Cells of real and of
 * float strengths are smaller: fewer shares would take them 5 % longer (H200, November 2026).
 */
template <bool FEW> struct plane_share {
    enum { COST = 64, CROWD = 8 /* sub-problems a tile */ };
    uint64_t until;            /* work; all while there are turns */
    uint32_t at, n, turns;     /* the next sub-problem, how many there are, turns left */
    uint32_t shares;           /* blocks that have one, n at most */
    enuf_cuda_subproblem next; /* asked for ahead; the first one of a share is cut */

    /* Work before sub-problem k. */
    static __device__ __forceinline__ uint64_t work_before(const enuf_cuda_subproblem &s,
                                                           uint32_t k)
    {
        return s.first + (uint64_t)k * COST;
    }

    /* The last sub-problem from `low` on that begins at or before `work`, by all lanes. */
    __device__ __forceinline__ uint32_t last_before(const sorted_view &v, uint32_t low,
                                                    uint64_t work) const
    {
        uint32_t high = n;
        while (high - low > 1) {
            const uint32_t step = (high - low + 31) / 32, k = low + step * (threadIdx.x % 32 + 1);
            const bool here = k < high && work_before(v.list[k], k) <= work;
            low += step * (uint32_t)__popc(__ballot_sync(~0u, here));
            high = min(high, low + step);
        }
        return low;
    }

    /* The block's share of the sub-problems from `first` on. */
    __device__ __forceinline__ void begin_share(const sorted_view &v, uint32_t first)
    {
        const uint64_t before = work_before(v.list[first], first);
        const uint64_t work = points_of(v) + (uint64_t)n * COST - before;
        const uint64_t from = before + work * blockIdx.x / shares;
        until = before + work * (blockIdx.x + 1) / shares;
        at = last_before(v, first, from);
        next = v.list[at];
        const uint32_t cut = (uint32_t)min(from - work_before(next, at), (uint64_t)next.count);
        next.first += cut;
        next.count -= cut;
    }

    __device__ __forceinline__ bool crowded(const sorted_view &v) const
    {
        return v.list[n - 1].tile - v.list[0].tile < n / CROWD;
    }

    /** By all lanes. As few sub-problems as blocks are not cut: they take one turn. */
    __device__ __forceinline__ explicit plane_share(const sorted_view &v)
    {
        n = subproblems_of(v);
        at = blockIdx.x;
        until = ~(uint64_t)0;
        turns = n > gridDim.x ? n / gridDim.x - 1 : 1;
        shares = gridDim.x;
        if (FEW && crowded(v)) {
            turns = 0;
            shares = min(min(shares, n), (uint32_t)sqrtf(3 * (float)points_of(v)) + 1);
        }
        if (turns == 0 && at < shares)
            begin_share(v, 0);
        else if (at < n && turns > 0)
            next = v.list[at];
        else
            at = n;
    }

    /* Sub-problems of a part's tile that follow in the share. */
    __device__ __forceinline__ void take_more(const sorted_view &v, enuf_cuda_subproblem *part)
    {
        while (++at < n) {
            next = v.list[at];
            const uint64_t before = work_before(next, at);
            if (next.tile != part->tile || before >= until) break;
            part->count += (uint32_t)min(until - before, (uint64_t)next.count);
        }
    }

    /** The next part of the block's work in `part`, which may have no points; false: there is none.
     */
    __device__ __forceinline__ bool take(const sorted_view &v, enuf_cuda_subproblem *part)
    {
        if (at >= n) return false;
        const uint64_t before = work_before(next, at);
        if (before >= until) return false;
        *part = next;
        part->count = (uint32_t)min(until - before, (uint64_t)next.count);
        if (turns == 0) {
            take_more(v, part);
            return true;
        }
        if (--turns > 0)
            at += gridDim.x;
        else if (n <= gridDim.x)
            at = n;
        else {
            begin_share(v, (n / gridDim.x - 1) * gridDim.x);
            return true;
        }
        if (at < n) next = v.list[at];
        return true;
    }
};

#endif
