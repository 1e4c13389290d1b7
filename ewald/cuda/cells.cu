/*
 * cells.cu - counting sort of atoms into small cells, and clusters of the atoms of a column.
 *
 * locate: a thread an atom; folds it and counts it into its cell, whose counter gives its rank.
 * CUB's scan makes first atoms of counts. order: a thread an atom; its index goes where the atom
 * belongs. place: a thread a place; folds its atom once more (cheaper than storing the folded
 * coordinates). cut: a warp a column. Cells hold one atom or two, so that counters are hardly
 * contended. Bound by memory: positions read twice (the second time from L2 up to some 10^6 atoms),
 * 20 bytes an atom written in float, 40 in double. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cells.h"
#include "chain.cuh"
#include "plain_float.cuh"
#include "real.cuh"

#include <cub/device/device_scan.cuh>

static const int threads = 256;

static __device__ bool fold(const enuf_cuda_grid &g, const double *x, int *cell, double local[3],
                            double *along)
{
    if (!(fabs(x[0]) <= g.farthest && fabs(x[1]) <= g.farthest && fabs(x[2]) <= g.farthest))
        return false;
    double edges[3];
    int index[3];
    for (int d = 0; d < 3; d++) {
        const double s = x[0] * g.inverse[d] + x[1] * g.inverse[3 + d] + x[2] * g.inverse[6 + d];
        const double turns = floor(s);
        /* rounding may put an atom behind a face of its cell; the distance is negligible */
        const int at = (int)floor((s - turns) * g.count[d]);
        index[d] = at < 0 ? 0 : at < g.count[d] ? at : g.count[d] - 1;
        edges[d] = turns * g.count[d] + index[d];
    }
    double left[3];
    for (int e = 0; e < 3; e++) {
        double high = (x[e] + g.to_steps) - g.to_steps, low = x[e] - high;
        for (int d = 0; d < 3; d++) {
            high -= edges[d] * g.edge_high[3 * d + e];
            low -= edges[d] * g.edge_low[3 * d + e];
        }
        left[e] = high + low;
    }
    for (int k = 0; k < 3; k++)
        local[k] = left[0] * g.to_frame[3 * k] + left[1] * g.to_frame[3 * k + 1] +
                   left[2] * g.to_frame[3 * k + 2];
    *cell = (index[2] * g.count[1] + index[1]) * g.count[0] + index[0];
    *along = index[0];
    return true;
}

/* The bits of a number's size that compare like it; any that is not finite is larger. */
static __device__ __forceinline__ unsigned size_bits(double x)
{
    return (unsigned)__double2hiint(x) & 0x7fffffffu;
}

/*
 * The same for places in float, where double is slow: fractions of the cell are integers, units of
 * 2^-64, so that nine instructions in double serve an atom. 2^-53 of the distance from the origin,
 * counted in cells of the caller's, is negligible beside 2^-24 of a small cell.
 */
static __device__ bool fold_plain(const enuf_cuda_grid &g, const double *x, int *cell,
                                  float local[3], float *along)
{
    const unsigned farthest = size_bits(g.farthest);
    if (size_bits(x[0]) >= farthest || size_bits(x[1]) >= farthest || size_bits(x[2]) >= farthest)
        return false;
    int index[3];
    float u[3]; /* from the corner of the small cell, in its edges */
    for (int d = 0; d < 3; d++) {
        const uint64_t count = (uint64_t)g.count[d];
        uint64_t fraction;
        enuf_fraction(fma(x[0], g.inverse[d], fma(x[1], g.inverse[3 + d], x[2] * g.inverse[6 + d])),
                      &fraction);
        index[d] = (int)__umul64hi(fraction, count);
        u[d] = 0x1p-32f * __uint2float_rn((unsigned)(fraction * count >> 32));
    }
    float e[6];
    for (int k = 0; k < 6; k++) e[k] = g.edge[k] + g.edge_rest[k];
    local[0] = fmaf(u[0], e[0], fmaf(u[1], e[1], u[2] * e[3]));
    local[1] = fmaf(u[1], e[2], u[2] * e[4]);
    local[2] = u[2] * e[5];
    *cell = (index[2] * g.count[1] + index[1]) * g.count[0] + index[0];
    *along = (float)index[0];
    return true;
}

/* What fold() leaves of an atom; PLAIN: by fold_plain(). */
template <bool PLAIN> struct folded_atom {
    int cell;
    double local[3], along;
    __device__ __forceinline__ bool fold_from(const enuf_cuda_grid &g, const double *x)
    {
        return fold(g, x, &cell, local, &along);
    }
};
template <> struct folded_atom<true> {
    int cell;
    float local[3], along;
    __device__ __forceinline__ bool fold_from(const enuf_cuda_grid &g, const double *x)
    {
        return fold_plain(g, x, &cell, local, &along);
    }
};

/*
 * Fractions of the lattice in units of 2^-64, modulo 1: a function of the position and the lattice
 * alone. The dot product runs in pairs of doubles, so that the caller's digits all count.
 */
static __device__ int64_t fraction_of(const enuf_cuda_grid &g, const double *x, int d)
{
    double high = 0, low = 0;
    for (int e = 0; e < 3; e++) {
        const double h = g.inverse_high[3 * e + d];
        const double p = __dmul_rn(x[e], h), rest = __fma_rn(x[e], h, -p);
        const double s = __dadd_rn(high, p), b = __dadd_rn(s, -high);
        const double error = __dadd_rn(__dadd_rn(high, -__dadd_rn(s, -b)), __dadd_rn(p, -b));
        low = __dadd_rn(low, __dadd_rn(__fma_rn(x[e], g.inverse_low[3 * e + d], rest), error));
        high = s;
    }
    /* in [0, 1]. The subtraction may round a small negative number; its rounding error goes to the
     * low part, which is far below 1. The sum wraps. */
    const double turns = floor(high);
    double within = __dadd_rn(high, -turns);
    low = __dadd_rn(low, __dadd_rn(high, -__dadd_rn(within, turns)));
    if (within >= 1) within = 0;
    return (int64_t)((uint64_t)__dmul_rn(within, 0x1p64) +
                     (uint64_t)__double2ll_rn(__dmul_rn(low, 0x1p64)));
}

static __device__ __forceinline__ void position_of(const enuf_cuda_cell_atoms &atoms, int i,
                                                   double x[3])
{
    const double *__restrict__ positions = atoms.positions;
    for (int d = 0; d < 3; d++) x[d] = positions[i * atoms.stride + d];
}

static __device__ __forceinline__ double charge_of(const enuf_cuda_cell_atoms &atoms, int i)
{
    const double *__restrict__ charges = atoms.charges;
    return charges[i * atoms.charge_stride];
}

template <bool PLAIN> static __device__ __forceinline__ bool is_zero(double x)
{
    return PLAIN ? __double_as_longlong(x) << 1 == 0 : x == 0;
}

template <bool PLAIN>
static __global__ void locate(const __grid_constant__ enuf_cuda_grid grid,
                              const __grid_constant__ enuf_cuda_cell_atoms atoms, int skip,
                              int *count, int *home, int *rank, enuf_cuda_pair_record *record)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= atoms.n) return;
    double x[3];
    position_of(atoms, i, x);
    folded_atom<PLAIN> atom;
    int cell = -1;
    if (atom.fold_from(grid, x)) {
        cell = atom.cell;
    } else {
        const bool finite = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
        atomicMin(finite ? &record->far_atom : &record->bad_atom, (unsigned long long)i);
    }
    if (skip && is_zero<PLAIN>(charge_of(atoms, i))) cell = -1;
    home[i] = cell;
    if (cell >= 0) rank[i] = atomicAdd(count + cell, 1);
}

/* Sorts indices only: scattered writes of whole atoms take three times as long as scattered
 * reads. */
static __global__ void order(int n, const int *__restrict__ first, int *home,
                             const int *__restrict__ rank, int *original)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    enuf_chain_wait();
    if (i >= n || home[i] < 0) return;
    const int to = first[home[i]] + rank[i];
    original[to] = i;
    home[i] = to;
}

template <class Real, bool PLAIN>
static __global__ void place(const __grid_constant__ enuf_cuda_grid grid,
                             const __grid_constant__ enuf_cuda_cell_atoms atoms, int mark,
                             const int *__restrict__ n_placed, const int *__restrict__ original,
                             real4<Real> *place, Real *charge, int64_t *turn, double *sorted)
{
    const int n = (int)atoms.n;
    const int to = blockIdx.x * blockDim.x + threadIdx.x;
    enuf_chain_wait();
    if (to >= n) return;
    for (int d = 0; d < 3 && sorted; d++) sorted[d * (int64_t)n + to] = 0;
    if (to >= *n_placed) return;
    const int i = original[to];
    double x[3];
    folded_atom<PLAIN> atom;
    position_of(atoms, i, x);
    atom.fold_from(grid, x);
    if (mark && i >= atoms.n_own) atom.along = -1 - atom.along;
    place[to] = {(Real)atom.local[0], (Real)atom.local[1], (Real)atom.local[2], (Real)atom.along};
    charge[to] = (Real)charge_of(atoms, i);
    if (!PLAIN && turn)
        for (int d = 0; d < 3; d++) turn[4 * (int64_t)to + d] = fraction_of(grid, x, d);
}

static __global__ void cut(const __grid_constant__ enuf_cuda_grid grid,
                           const int *__restrict__ first, int4 *cluster, int *n_clusters)
{
    const int column = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    enuf_chain_wait();
    if (column >= grid.n_columns) return;
    const int begin = first[column * grid.count[0]], end = first[(column + 1) * grid.count[0]];
    const int n = (end - begin + ENUF_CUDA_CLUSTER - 1) / ENUF_CUDA_CLUSTER;
    if (n == 0) return;
    int to = 0;
    if (lane == 0) to = atomicAdd(n_clusters, n);
    to = __shfl_sync(~0u, to, 0);
    for (int k = lane; k < n; k += 32) {
        const int from = begin + k * ENUF_CUDA_CLUSTER;
        cluster[to + k] = make_int4(from, min(ENUF_CUDA_CLUSTER, end - from),
                                    column % grid.count[1], column / grid.count[1]);
    }
}

extern "C" enuf_status enuf_cuda_cells_scan_bytes(int n_cells, size_t *bytes)
{
    int *none = nullptr;
    *bytes = 0;
    ENUF_CUDA_TRY(cub::DeviceScan::ExclusiveSum(nullptr, *bytes, none, none, n_cells + 1),
                  "sizing the scan of cells");
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_cuda_cells_build(const enuf_cuda_cells *cells,
                                             const enuf_cuda_grid *grid,
                                             const enuf_cuda_cell_atoms *atoms, int single,
                                             int avoids_fp64, int skip, int turns, int mark,
                                             enuf_cuda_pair_record *record, cudaStream_t stream)
{
    const int n = (int)atoms->n, blocks = (n + threads - 1) / threads;
    int64_t *turn = turns ? cells->turn : nullptr;
    ENUF_CUDA_TRY(
        cudaMemsetAsync(cells->count, 0, ((size_t)grid->n_cells + 1) * sizeof(int), stream),
        "clearing the cells");
    ENUF_CUDA_TRY(cudaMemsetAsync(cells->n_clusters, 0, sizeof(int), stream),
                  "clearing the clusters");
    (avoids_fp64 ? locate<true> : locate<false>)<<<blocks, threads, 0, stream>>>(
        *grid, *atoms, skip, cells->count, cells->home, cells->rank, record);
    ENUF_TRY(enuf_cuda_launched("locate atoms"));
    size_t bytes = cells->scan_bytes;
    ENUF_CUDA_TRY(cub::DeviceScan::ExclusiveSum(cells->scan, bytes, cells->count, cells->first,
                                                grid->n_cells + 1, stream),
                  "scan of cells");
    enuf_chain(stream, order, dim3(blocks), threads, 0, n, cells->first, cells->home, cells->rank,
               cells->original);
    ENUF_TRY(enuf_cuda_launched("order atoms"));
    const int *n_placed = cells->first + grid->n_cells;
    if (single)
        enuf_chain(stream, avoids_fp64 ? place<float, true> : place<float, false>, dim3(blocks),
                   threads, 0, *grid, *atoms, mark, n_placed, cells->original,
                   (real4<float> *)cells->place, (float *)cells->charge, turn, cells->sorted);
    else
        enuf_chain(stream, place<double, false>, dim3(blocks), threads, 0, *grid, *atoms, mark,
                   n_placed, cells->original, (real4<double> *)cells->place,
                   (double *)cells->charge, turn, cells->sorted);
    ENUF_TRY(enuf_cuda_launched("place atoms"));
    enuf_chain(stream, cut, dim3((grid->n_columns + threads / 32 - 1) / (threads / 32)), threads, 0,
               *grid, cells->first, cells->cluster, cells->n_clusters);
    return enuf_cuda_launched("cut columns into clusters");
}
