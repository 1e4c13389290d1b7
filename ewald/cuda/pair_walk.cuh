/*
 * pair_walk.cuh - the walk over all pairs inside the cutoff.
 *
 * A warp owns a cluster of 8 atoms of one column. Its lanes find the runs of atoms in the columns
 * around (a lane a column: the columns' boxes against the cluster's box give an interval of small
 * cells), then take the atoms of all runs 32 at a time, move them to the cluster's corner, and keep
 * in a list in shared memory those within the cutoff of the cluster's box. When the list is full it
 * is summed. A class Sums (below) sums it in one of two ways. Either 8 atoms meet 4 entries at
 * once, and each pair is met from both of its atoms; then a warp writes the sums of its own cluster
 * only. Or each pair is met once (HALF), see pairs_half.cuh.
 *
 * H100, 21 November 2026, 1,000,000 ions at 0.1 per cubic Angstrom, cutoff 10, cells included (0.16
 * ms in float): met twice, float 10 coefficients, forces and potentials 2.0 ms, double 12
 * coefficients 3.9; met once see pairs_half.cuh. By the instructions counted the search is a third
 * of the sums where pairs are met twice.
 *
 * A Sums has
 *   Real, Entry, LIST           precision; what the list keeps of an atom; entries of a list
 *   HALF                        1: each pair is met once
 *   PLAIN                       1: in float without double, fp64_rate.h
 *   GHOSTS                      1: ghosts may be marked; entry() then has 1/2 for an own atom in
 *                               place.w and 0 for a ghost, and pairs of two ghosts may be left out
 *   BLOCKS                      that a multiprocessor is to hold at least
 *   Sums(arguments, real4 place, index)    for the lane's own atom
 *   Entry entry(arguments, real4 place, charge, index), Entry far()
 *   void finish(arguments, lane, valid, index)  all lanes together
 * and where pairs are met twice
 *   void pair(arguments, entry, allowed)
 *   void flush(arguments)       after every list
 * else
 *   int start(list, entry, lane, valid)     puts own atoms into the list: their number
 *   int take(arguments, list, n)            sums what fills all lanes: the number of those left
 *   void last(arguments, list, n)
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_PAIR_WALK_CUH
#define ENUF_EWALD_CUDA_PAIR_WALK_CUH

#include "chain.cuh"
#include "pair_sums.h"
#include "plain_float.cuh"
#include "real.cuh"

/* Warps of a block; windows of 32 atoms that a warp fetches together (2 gain 2 % on 1, 3 lose them
 * to registers: H100, cutoffs of 5 and 10, 0.1 atoms per unit of volume). */
enum { PAIR_WARPS = 4, PAIR_WINDOWS = 2 };

/* Coordinates of an entry that is none: no atom is so far from a cluster's corner, columns of few
 * atoms may be wide and clusters long. */
static constexpr double nowhere = 1e9;

/** Atoms of one column and one image that follow each other in sorted order. */
template <class Real> struct alignas(16) pair_run {
    int from;   /* first atom, less the number of atoms in the runs before */
    int own;    /* 1: the cluster's own column and image */
    Real cells; /* x cells from the cluster's corner to the image's first */
    Real x, y, z;
};

template <class Sums> struct pair_shared {
    typename Sums::Entry list[Sums::LIST + (Sums::HALF ? 0 : 32)];
    pair_run<typename Sums::Real> run[32];
    int start[32];
};

static __device__ __forceinline__ const enuf_cuda_shape_float &
shape_of(const enuf_cuda_pair_arguments &a, float)
{
    return a.shape_single;
}
static __device__ __forceinline__ const enuf_cuda_shape_double &
shape_of(const enuf_cuda_pair_arguments &a, double)
{
    return a.shape_full;
}

/** A small cell's x index as it was before it was marked. */
template <class Real> static __device__ __forceinline__ Real unmarked(Real along)
{
    return along < 0 ? -1 - along : along;
}

/** floor(a/b) */
static __device__ __forceinline__ int images(int a, int b)
{
    if (a >= 0 && a < b) return 0;
    if (a >= -b && a < 0) return -1;
    if (a >= b && a < 2 * b) return 1;
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

template <class Real> static __device__ __forceinline__ Real outside(Real x, Real low, Real high)
{
    return max(max(low - x, x - high), (Real)0);
}

template <class Sums>
static __device__ __forceinline__ void sum_list(const enuf_cuda_pair_arguments &a, Sums &sums,
                                                typename Sums::Entry *list, int n)
{
    const int lane = threadIdx.x % 32;
    list[n + lane] = Sums::far();
    __syncwarp();
    /* all lanes run to the same end: entries behind n are far away */
#pragma unroll 2
    for (int first = 0; first < n; first += ENUF_CUDA_LANES_J)
        sums.pair(a, list[first + lane / ENUF_CUDA_CLUSTER], true);
    sums.flush(a);
    __syncwarp();
}

/** Starts with the cluster's own pairs. Returns the number of entries in the list. */
template <class Sums>
static __device__ __forceinline__ int start_list(const enuf_cuda_pair_arguments &a, Sums &sums,
                                                 typename Sums::Entry *list,
                                                 const typename Sums::Entry &own, int n_own)
{
    const int lane = threadIdx.x % 32, mine = lane % ENUF_CUDA_CLUSTER;
    if constexpr (Sums::HALF) {
        return sums.start(list, own, lane, mine < n_own);
    } else {
        if (lane < ENUF_CUDA_CLUSTER) list[lane] = own;
        __syncwarp();
        for (int j = lane / ENUF_CUDA_CLUSTER; j < ENUF_CUDA_CLUSTER; j += ENUF_CUDA_LANES_J)
            sums.pair(a, list[j], j < n_own && j != mine);
        __syncwarp();
        return 0;
    }
}

/** Sums a full list. Returns the number of entries that are left. */
template <class Sums>
static __device__ __forceinline__ int take_list(const enuf_cuda_pair_arguments &a, Sums &sums,
                                                typename Sums::Entry *list, int n)
{
    __syncwarp();
    if constexpr (Sums::HALF) {
        n = sums.take(a, list, n);
        __syncwarp();
        return n;
    } else {
        sum_list(a, sums, list, n);
        return 0;
    }
}

template <class Sums>
static __global__ void __launch_bounds__(PAIR_WARPS * 32, Sums::BLOCKS)
    walk_pairs(const __grid_constant__ enuf_cuda_pair_arguments a)
{
    typedef typename Sums::Real Real;
    __shared__ pair_shared<Sums> all_shared[PAIR_WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    pair_shared<Sums> &shared = all_shared[warp];
    const int which = blockIdx.x * PAIR_WARPS + warp;
    enuf_chain_wait();
    if (which >= *a.cells.n_clusters) return;
    const enuf_cuda_grid &g = a.grid;
    const real4<Real> *__restrict__ places = (const real4<Real> *)a.cells.place;
    const Real *__restrict__ charges = (const Real *)a.cells.charge;
    const int4 cluster = a.cells.cluster[which];
    const int cy = cluster.z, cz = cluster.w;
    const auto &shape = shape_of(a, (Real)0);
    const int mine = lane % ENUF_CUDA_CLUSTER;
    const int index = cluster.x + min(mine, cluster.y - 1);
    const Real e1 = shape.e1;

    /* own atoms, from the corner of the first one's cell */
    real4<Real> at = places[index];
    bool any_own = true;
    Real half = (Real)0.5;
    if (!Sums::HALF && a.has_ghosts && !__any_sync(~0u, a.cells.original[index] < a.n_own)) return;
    if constexpr (Sums::GHOSTS) {
        any_own = __any_sync(~0u, at.w >= 0);
        if (at.w < 0) half = 0;
        at.w = unmarked(at.w);
    }
    const Real corner = __shfl_sync(~0u, at.w, 0);
    at.x += multiply_add(at.w - corner, e1, (Real)0);
    Real low[3] = {at.x, at.y, at.z}, high[3] = {at.x, at.y, at.z};
    for (int by = 1; by < ENUF_CUDA_CLUSTER; by *= 2)
        for (int d = 0; d < 3; d++) {
            low[d] = min(low[d], __shfl_xor_sync(~0u, low[d], by));
            high[d] = max(high[d], __shfl_xor_sync(~0u, high[d], by));
        }
    if constexpr (Sums::GHOSTS) at.w = half;
    Sums sums(a, at, index);

    int n = start_list(a, sums, shared.list, sums.entry(a, at, charges[index], index), cluster.y);

    const int wide = 2 * g.reach[0] + 1, n_rows = wide * (2 * g.reach[1] + 1);
    const Real beyond = (Real)Sums::BEYOND;
    /* HALF: the own column behind the cluster, and the columns after it, images included; atoms
     * before the cluster meet it from their side */
    const int begin_row = Sums::HALF ? n_rows / 2 : 0;
    for (int first_row = begin_row; first_row < n_rows; first_row += 32) {
        const int row = first_row + lane;
        const int row_z = (int)(((float)row + 0.5f) * a.per_wide);
        const int dz = row_z - g.reach[1], dy = row - row_z * wide - g.reach[0];
        Real x, y, z;
        if constexpr (Sums::PLAIN) {
            const float n_y = (float)dy, n_z = (float)dz;
            x = n_y * g.edge[1] + n_z * g.edge[3] + (n_y * g.edge_rest[1] + n_z * g.edge_rest[3]);
            y = n_y * g.edge[2] + n_z * g.edge[4] + (n_y * g.edge_rest[2] + n_z * g.edge_rest[4]);
            z = n_z * g.edge[5] + n_z * g.edge_rest[5];
        } else {
            x = (Real)(dy * g.e2x + dz * g.e3x);
            y = (Real)(dy * g.e2y + dz * g.e3y);
            z = (Real)(dz * g.e3z);
        }
        /* the column's box against the cluster's; below 0 where none of its atoms is near */
        const Real gap_y = max(max(y + shape.y_low - high[1], low[1] - y - shape.y_high), (Real)0);
        const Real gap_z = max(max(z - high[2], low[2] - z - shape.z_high), (Real)0);
        const Real left = beyond - gap_y * gap_y - gap_z * gap_z;
        int from = 0, to = -1, image = 0, base = 0;
        if (row < n_rows && left >= 0) {
            const Real reach = root_above((float)left);
            from = (int)corner + (int)floor((low[0] - reach - x - shape.x_high) * shape.per_e1 -
                                            (Real)Sums::SLACK);
            to = (int)corner +
                 (int)floor((high[0] + reach - x - shape.x_low) * shape.per_e1 + (Real)Sums::SLACK);
            const int image_y = images(cy + dy, g.count[1]), image_z = images(cz + dz, g.count[2]);
            base =
                ((cz + dz - image_z * g.count[2]) * g.count[1] + cy + dy - image_y * g.count[1]) *
                g.count[0];
            if (Sums::HALF && row == begin_row) from = max(from, (int)corner);
            image = images(from, g.count[0]);
        }
        /* runs end where an image of the cell ends */
        while (__any_sync(~0u, from <= to)) {
            int length = 0, begin = 0;
            pair_run<Real> run;
            if (from <= to) {
                const int zero = image * g.count[0];
                const int last = min(to, zero + g.count[0] - 1);
                begin = a.cells.first[base + from - zero];
                const int behind = a.cells.first[base + last - zero + 1];
                run.own = dy == 0 && dz == 0 && image == 0;
                if (Sums::HALF && run.own) begin = max(begin, cluster.x + cluster.y);
                length = max(behind - begin, 0);
                run.cells = (Real)(zero - (int)corner);
                run.x = x;
                run.y = y;
                run.z = z;
                from = last + 1;
                image++;
            }
            /* runs with atoms, and how many atoms are before each */
            const unsigned filled = __ballot_sync(~0u, length > 0);
            int end = length;
            for (int by = 1; by < 32; by *= 2) {
                const int before = __shfl_up_sync(~0u, end, by);
                if (lane >= by) end += before;
            }
            const int total = __shfl_sync(~0u, end, 31);
            if (length > 0) {
                const int k = __popc(filled & ((1u << lane) - 1));
                run.from = begin - (end - length);
                shared.run[k] = run;
                shared.start[k] = end - length;
            }
            __syncwarp();
            const int start = lane < __popc(filled) ? shared.start[lane] : INT_MAX;
            int before = -1; /* index of the last run that began before the next 32 atoms */
            for (int atom = 0; atom < total; atom += 32 * PAIR_WINDOWS) {
                /* all loads come first, the next step waits for them together */
                real4<Real> p[PAIR_WINDOWS];
                Real q[PAIR_WINDOWS];
                int j[PAIR_WINDOWS], of[PAIR_WINDOWS];
#pragma unroll
                for (int w = 0; w < PAIR_WINDOWS; w++) {
                    const int at_w = atom + 32 * w;
                    const unsigned begins =
                        start >= at_w && start < at_w + 32 ? 1u << (start - at_w) : 0;
                    const unsigned heads = __reduce_or_sync(~0u, begins);
                    of[w] = before + __popc(heads & (0xffffffffu >> (31 - lane)));
                    before += __popc(heads);
                    j[w] = at_w + lane < total ? shared.run[of[w]].from + at_w + lane : -1;
                    if (j[w] < 0) continue;
                    p[w] = places[j[w]];
                    q[w] = charges[j[w]]; /* for far atoms too: selecting the near ones first would
                                             take longer */
                }
#pragma unroll
                for (int w = 0; w < PAIR_WINDOWS; w++) {
                    bool near = false;
                    if (j[w] >= 0) {
                        const pair_run<Real> &r = shared.run[of[w]];
                        bool own = true;
                        if constexpr (Sums::GHOSTS) {
                            own = p[w].w >= 0;
                            p[w].w = unmarked(p[w].w);
                        }
                        p[w].x += multiply_add(p[w].w + r.cells, e1, r.x);
                        p[w].y += r.y;
                        p[w].z += r.z;
                        const Real gx = outside(p[w].x, low[0], high[0]),
                                   gy = outside(p[w].y, low[1], high[1]),
                                   gz = outside(p[w].z, low[2], high[2]);
                        if constexpr (Sums::GHOSTS) p[w].w = own ? (Real)0.5 : (Real)0;
                        near = gx * gx + gy * gy + gz * gz <= beyond && (any_own || own) &&
                               (Sums::HALF ||
                                !(r.own && (unsigned)(j[w] - cluster.x) < (unsigned)cluster.y));
                    }
                    const unsigned kept = __ballot_sync(~0u, near);
                    if (near)
                        shared.list[n + __popc(kept & ((1u << lane) - 1))] =
                            sums.entry(a, p[w], q[w], j[w]);
                    n += __popc(kept);
                }
                if (n > Sums::LIST - 32 * PAIR_WINDOWS) n = take_list(a, sums, shared.list, n);
            }
            __syncwarp();
        }
    }
    if constexpr (Sums::HALF)
        sums.last(a, shared.list, n);
    else
        sum_list(a, sums, shared.list, n);
    sums.finish(a, lane, mine < cluster.y, index);
}

template <class Sums>
static void launch_walk(const enuf_cuda_pair_arguments *a, int blocks, cudaStream_t stream)
{
    enuf_chain(stream, walk_pairs<Sums>, dim3(blocks), PAIR_WARPS * 32, 0, *a);
}

#endif
