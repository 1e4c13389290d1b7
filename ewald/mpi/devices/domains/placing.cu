/*
 * placing.cu - one thread for each atom: finds its domain, and the domains within the cutoff,
 * images included.
 *
 * A block of atoms that are near each other has few domains around it. Each thread of the block
 * tests one target against the bounding box of the block. Then each atom tests only the targets
 * that meet the box. Memory is the limit: 32 bytes for an atom read twice, 40 written once, for any
 * number of ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "placing.h"

#include <algorithm>
#include <cub/device/device_scan.cuh>

namespace
{

enum { THREADS = ENUF_PLACING_THREADS, WARPS = THREADS / 32, BINS = ENUF_PLACING_BINS };

/* An atom in fractions. */
struct located {
    double s[3];     /* folded along the directions that are cut */
    double turns[3]; /* cell vectors subtracted along these directions */
    int bin[3];
    bool finite, near;
};

/* Counting and packing must have the same rounding: intrinsics leave the compiler no
 * contraction. */
__device__ located locate(const enuf_placing &p, int64_t i, double x[3])
{
    located a;
    a.finite = a.near = true;
    for (int e = 0; e < 3; e++) {
        x[e] = p.positions[i * p.stride + e];
        a.finite = a.finite && isfinite(x[e]);
    }
    for (int d = 0; d < 3; d++) {
        const double s = __fma_rn(x[2], p.inverse[6 + d],
                                  __fma_rn(x[1], p.inverse[3 + d], __dmul_rn(x[0], p.inverse[d])));
        const double whole = floor(s), part = __dadd_rn(s, -whole);
        const int bin = (int)__dmul_rn(part, (double)BINS);
        a.near = a.near && fabs(s) <= p.farthest;
        a.turns[d] = p.count[d] > 1 ? whole : 0;
        a.s[d] = part;
        a.bin[d] = bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
    }
    return a;
}

/* As enuf_domains_rank() with d = 3. */
__device__ int64_t place_before(const enuf_placing &p, const int bin[3], int d)
{
    int64_t place = 0;
    for (int e = 0; e < d; e++)
        if (p.count[e] > 1) place = place * p.count[e] + p.piece[e][place * BINS + bin[e]];
    return place;
}

__device__ bool is_inside(const enuf_device_target &t, const double s[3])
{
    return s[0] >= t.low[0] && s[0] <= t.high[0] && s[1] >= t.low[1] && s[1] <= t.high[1] &&
           s[2] >= t.low[2] && s[2] <= t.high[2];
}

/* ---- The atoms of a block and the targets around them ---- */

/* Bounds of the fractions of a block's atoms, in units of 2^-30, rounded outwards: a warp finds the
 * least integer in one instruction. */
const double BOUND_UNITS = 0x1p30;

struct block_room {
    unsigned low[3][WARPS], high[3][WARPS];
    double least[3], most[3];
    int listed[WARPS], list[THREADS];
};

__device__ void bound_block(const double s[3], bool valid, block_room &room)
{
    for (int d = 0; d < 3; d++) {
        const unsigned at = (unsigned)(valid ? s[d] * BOUND_UNITS : 0);
        const unsigned low = __reduce_min_sync(~0u, valid ? at : ~0u);
        const unsigned high = __reduce_max_sync(~0u, valid ? at + 1 : 0);
        if (threadIdx.x % 32 == 0) {
            room.low[d][threadIdx.x / 32] = low;
            room.high[d][threadIdx.x / 32] = high;
        }
    }
    __syncthreads();
    if (threadIdx.x < 3) {
        const int d = threadIdx.x;
        unsigned low = room.low[d][0], high = room.high[d][0];
        for (int warp = 1; warp < WARPS; warp++) {
            low = min(low, room.low[d][warp]);
            high = max(high, room.high[d][warp]);
        }
        room.least[d] = low / BOUND_UNITS;
        room.most[d] = high / BOUND_UNITS;
    }
    __syncthreads();
}

/* Lists the targets from `first` on that meet the block's box, one thread for each, in order;
 * returns their number. */
__device__ int list_targets(const enuf_placing &p, int first, block_room &room)
{
    const int t = first + (int)threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    bool near = t < p.n_targets;
    for (int d = 0; d < 3 && near; d++)
        near = p.targets[t].low[d] <= room.most[d] && p.targets[t].high[d] >= room.least[d];
    const unsigned kept = __ballot_sync(~0u, near);
    if (lane == 0) room.listed[warp] = __popc(kept);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w < warp) before += room.listed[w];
        all += room.listed[w];
    }
    if (near) room.list[before + __popc(kept & ((1u << lane) - 1))] = t;
    __syncthreads();
    return all;
}

/* Calls found(target) for each ghost of the thread's atom. All threads of a block must call it. */
template <class Found>
__device__ void find_ghosts(const enuf_placing &p, const located &a, bool valid, int owner,
                            block_room &room, Found found)
{
    int last = owner; /* unshifted: last rank that got the atom; targets are sorted by rank */
    bound_block(a.s, valid, room);
    for (int first = 0; first < p.n_targets; first += THREADS) {
        const int n = list_targets(p, first, room);
        for (int k = 0; k < n && valid; k++) {
            const enuf_device_target &t = p.targets[room.list[k]];
            const bool has_it =
                p.unshifted ? t.rank == owner || t.rank == last
                            : t.rank == owner && (t.shift[0] | t.shift[1] | t.shift[2]) == 0;
            if (has_it || !is_inside(t, a.s)) continue;
            last = t.rank;
            found(t);
        }
        __syncthreads();
    }
}

/* x + sum_d vectors_d rows_d, with the rounding errors of products and sums added at the end. */
__device__ void move(const enuf_placing &p, const double vectors[3], double x[3])
{
    for (int e = 0; e < 3; e++) {
        double sum = x[e], rest = 0;
        for (int d = 0; d < 3; d++) {
            const double row = p.rows[3 * d + e], by = __dmul_rn(vectors[d], row);
            const double next = __dadd_rn(sum, by), b = __dadd_rn(next, -sum);
            rest =
                __dadd_rn(rest, __dadd_rn(__dadd_rn(sum, -__dadd_rn(next, -b)), __dadd_rn(by, -b)));
            rest = __dadd_rn(rest, __fma_rn(vectors[d], row, -by));
            sum = next;
        }
        x[e] = __dadd_rn(sum, rest);
    }
}

__device__ enuf_device_row row_of(const enuf_placing &p, const located &a, const double x[3],
                                  double q, const int *shift)
{
    enuf_device_row row = {{x[0], x[1], x[2]}, q};
    if (p.unshifted) return row;
    double vectors[3];
    for (int d = 0; d < 3; d++) vectors[d] = (shift ? shift[d] : 0) - a.turns[d];
    move(p, vectors, row.x);
    return row;
}

__device__ void write_row(enuf_device_row *to, const enuf_device_row &row)
{
    double2 *pair = (double2 *)to;
    pair[0] = make_double2(row.x[0], row.x[1]);
    pair[1] = make_double2(row.x[2], row.q);
}

/* ---- Kernels ---- */

/* Counts an atom. Sorted atoms fall into few bins: atoms of a warp in the first one's bin are
 * counted together. Some threads of a warp may be absent. */
__device__ __forceinline__ void count_one(unsigned *in_shared, unsigned long long *in_global,
                                          int64_t at)
{
    const unsigned here = __activemask();
    const int first = __ffs(here) - 1, lane = threadIdx.x % 32;
    const int64_t common = __shfl_sync(here, at, first);
    const unsigned together = __ballot_sync(here, at == common);
    if (at == common && lane != first) return;
    const unsigned n = at == common ? __popc(together) : 1;
    if (in_shared)
        atomicAdd(in_shared, n);
    else
        atomicAdd(in_global, (unsigned long long)n);
}

__global__ void count_bins(const __grid_constant__ enuf_placing p, int d, int in_shared,
                           unsigned long long *histogram)
{
    extern __shared__ unsigned bins[];
    for (int k = threadIdx.x; k < in_shared; k += blockDim.x) bins[k] = 0;
    __syncthreads();
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.n;
         i += (int64_t)gridDim.x * blockDim.x) {
        double x[3];
        const located a = locate(p, i, x);
        if (!a.finite || !a.near) continue;
        const int64_t at = place_before(p, a.bin, d) * BINS + a.bin[d];
        count_one(in_shared ? bins + at : nullptr, histogram + at, at);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < in_shared; k += blockDim.x)
        if (bins[k] > 0) atomicAdd(histogram + k, (unsigned long long)bins[k]);
}

/* The next place among a rank's rows. Most atoms stay: a warp takes their places together. */
__device__ int take_place(int *places, int owner, int me, bool valid)
{
    const int lane = threadIdx.x % 32;
    const unsigned mine = __ballot_sync(~0u, valid && owner == me);
    int first = 0;
    if (lane == 0 && mine) first = atomicAdd(places + me, __popc(mine));
    first = __shfl_sync(~0u, first, 0);
    if (valid && owner == me) return first + __popc(mine & ((1u << lane) - 1));
    return valid ? atomicAdd(places + owner, 1) : 0;
}

template <bool PACK>
__global__ void __launch_bounds__(THREADS) place(const __grid_constant__ enuf_placing p)
{
    extern __shared__ int places[]; /* [2][ranks]: counts of this block, or its next places */
    __shared__ block_room room;
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    for (int c = threadIdx.x; c < 2 * p.ranks; c += THREADS)
        places[c] = PACK ? p.counts[(int64_t)c * p.blocks + blockIdx.x] : 0;
    __syncthreads();
    double x[3] = {0, 0, 0};
    located a = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false, false};
    if (i < p.n) a = locate(p, i, x);
    const bool valid = i < p.n && a.finite && a.near;
    const int owner = valid ? (int)place_before(p, a.bin, 3) : -1;
    if (!PACK && i < p.n && !valid)
        atomicMin(a.finite ? &p.record->far_atom : &p.record->bad_atom, (unsigned long long)i);
    const double q = PACK && valid ? p.q[i] : 0;
    const int at = take_place(places, owner, p.me, valid);
    if (valid) {
        if (PACK && owner == p.me) {
            write_row(p.here + (at - p.kept_first), row_of(p, a, x, q, nullptr));
            p.slot[i] = at - p.kept_first;
        } else if (PACK) {
            const int to = at < p.kept_first ? at : at - p.kept;
            write_row(p.sent + to, row_of(p, a, x, q, nullptr));
            p.slot[i] = -1 - to;
            p.source[to] = (int)i;
        }
    }
    find_ghosts(p, a, valid, owner, room, [&](const enuf_device_target &t) {
        const int at = atomicAdd(places + p.ranks + t.rank, 1);
        if (!PACK) return;
        /* places of ghosts are behind all other rows */
        write_row(p.sent + (at - p.kept), row_of(p, a, x, q, t.shift));
        p.source[at - p.kept] = (int)i;
    });
    if (PACK) return;
    __syncthreads();
    for (int c = threadIdx.x; c < 2 * p.ranks; c += THREADS)
        p.counts[(int64_t)c * p.blocks + blockIdx.x] = places[c];
}

unsigned blocks_for(int64_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* Allows more shared memory than the default, for many ranks. */
template <class Kernel> cudaError_t allow_shared(Kernel kernel, size_t bytes)
{
    if (bytes <= 40 << 10) return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

} // namespace

extern "C" enuf_status enuf_placing_count_bins(const enuf_placing *p, int d, int64_t pieces_before,
                                               unsigned long long *histogram, cudaStream_t stream)
{
    if (p->n == 0) return ENUF_SUCCESS;
    const int64_t bins = pieces_before * BINS;
    const int in_shared = bins * (int64_t)sizeof(unsigned) <= 48 << 10 ? (int)bins : 0;
    const unsigned blocks = std::min(528u, blocks_for(p->n));
    count_bins<<<blocks, THREADS, (size_t)in_shared * sizeof(unsigned), stream>>>(*p, d, in_shared,
                                                                                  histogram);
    return enuf_cuda_launched("count atoms in bins");
}

extern "C" enuf_status enuf_placing_count(const enuf_placing *p, cudaStream_t stream)
{
    const size_t bytes = 2 * (size_t)p->ranks * sizeof(int);
    if (p->n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(allow_shared(place<false>, bytes), "counters of ranks");
    place<false><<<(unsigned)p->blocks, THREADS, bytes, stream>>>(*p);
    return enuf_cuda_launched("count atoms for domains");
}

extern "C" enuf_status enuf_placing_scan_bytes(int64_t n_counts, size_t *bytes)
{
    int *none = nullptr;
    *bytes = 0;
    ENUF_CUDA_TRY(cub::DeviceScan::ExclusiveSum(nullptr, *bytes, none, none, n_counts),
                  "sizing the scan of domains");
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_placing_scan(int *counts, int64_t n_counts, void *scan, size_t bytes,
                                         cudaStream_t stream)
{
    ENUF_CUDA_TRY(cub::DeviceScan::ExclusiveSum(scan, bytes, counts, counts, n_counts, stream),
                  "scan of domains");
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_placing_pack(const enuf_placing *p, cudaStream_t stream)
{
    const size_t bytes = 2 * (size_t)p->ranks * sizeof(int);
    if (p->n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(allow_shared(place<true>, bytes), "counters of ranks");
    place<true><<<(unsigned)p->blocks, THREADS, bytes, stream>>>(*p);
    return enuf_cuda_launched("pack atoms for domains");
}
