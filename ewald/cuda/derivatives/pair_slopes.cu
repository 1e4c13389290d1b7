/*
 * pair_slopes.cu - the slopes of the pair sums, by the walk of pair_walk.cuh in double; each pair
 * is met from both of its atoms. Formulas as in ewald/cpu/pairs_slopes.h. Lengths are in cutoffs,
 * vectors in the grid's frame.
 *
 * With x the place of an atom from the corner of a cluster and m = v + x e, dd = m_i - m_j: strain
 * costs a pair nothing. Of a pair inside the cutoff: a root, 6 operations a coefficient, 40, and 30
 * more for the totals.
 *
 * The atoms of a cell are put into the caller's order first (steady_place.cuh).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/pair_walk.cuh"
#include "lattice/tensor.h"
#include "slope_kernels.h"
#include "steady_place.cuh"

namespace
{

enum { THREADS = 256 };

/* ---- The order of the atoms ---- */

/* A thread an atom. */
__global__ void steady_order(const __grid_constant__ enuf_cuda_pair_arguments a,
                             const __grid_constant__ enuf_cuda_moving_atoms atoms,
                             const __grid_constant__ enuf_cuda_steady_cells to)
{
    const int at = blockIdx.x * THREADS + threadIdx.x;
    if (at >= a.cells.first[a.grid.n_cells]) return;
    const int i = a.cells.original[at], place = steady_place(a, at);
    double v[3] = {0, 0, 0}, *direction = to.direction + 4 * (int64_t)place;
    if (atoms.motion.moves) enuf_motion_moved(&atoms.motion, i, v);
    for (int k = 0; k < 3; k++) {
        const double *axis = a.grid.to_frame + 3 * k;
        direction[k] = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
    }
    direction[3] = enuf_motion_charge(&atoms.motion, i);
    ((real4<double> *)to.place)[place] = ((const real4<double> *)a.cells.place)[at];
    to.charge[place] = ((const double *)a.cells.charge)[at];
    to.original[place] = i;
}

/* ---- The sums ---- */

/* Two charges closer than this (squared, in cutoffs) may be at the same place: they start a
 * search. */
const double SUSPICIOUS_SQUARE = 1e-24;

__device__ __forceinline__ const enuf_cuda_slope_functions &
functions_of(const enuf_cuda_pair_arguments &a)
{
    return *(const enuf_cuda_slope_functions *)a.slopes;
}

/* m of an atom. */
__device__ __forceinline__ void moved(const enuf_cuda_slope_functions &f, int index,
                                      const real4<double> &x, double m[3])
{
    const double *v = f.direction + 4 * (int64_t)index, *e = f.strain;
    for (int k = 0; k < 3; k++) m[k] = v[k] + x.x * e[k] + x.y * e[3 + k] + x.z * e[6 + k];
}

/* The row of a cluster's sums. The list of clusters is in any order; this number follows from the
 * atoms: clusters begin 8 atoms apart, but for the last one of each column. */
__device__ __forceinline__ int64_t row_of(const enuf_cuda_grid &g, const int4 &cluster)
{
    return cluster.x / ENUF_CUDA_CLUSTER + (int64_t)cluster.w * g.count[1] + cluster.z;
}

/* MOVES: positions or the cell change; TOTALS: U and the virial are summed. */
template <bool MOVES, bool TOTALS> struct slope_sums {
    typedef double Real;
    struct alignas(16) Entry {
        double x, y, z, q, m[3], w;
    };
    enum { HALF = 0, GHOSTS = 0, PLAIN = 0, BLOCKS = 1, LIST = 96 };
    static constexpr double SLACK = 1e-12;
    static constexpr double BEYOND = 1 + 2 * SLACK;

    double x, y, z, q, m[3], w;
    double closest = 1;
    double force[3] = {0, 0, 0}, potential = 0, energy = 0;
    double product[9] = {}, stretch[6] = {}; /* sums of df_a d_b, f_a dd_b */

    __device__ slope_sums(const enuf_cuda_pair_arguments &a, const real4<double> &at, int index)
        : x(at.x), y(at.y), z(at.z), q(((const double *)a.cells.charge)[index]),
          w(functions_of(a).direction[4 * (int64_t)index + 3])
    {
        moved(functions_of(a), index, at, m);
    }

    static __device__ Entry entry(const enuf_cuda_pair_arguments &a, const real4<double> &place,
                                  double charge, int index)
    {
        const enuf_cuda_slope_functions &f = functions_of(a);
        Entry e;
        e.x = place.x;
        e.y = place.y;
        e.z = place.z;
        e.q = charge;
        moved(f, index, place, e.m);
        e.w = f.direction[4 * (int64_t)index + 3];
        return e;
    }

    static __device__ Entry far()
    {
        return {nowhere, nowhere, nowhere, 0, {0, 0, 0}, 0};
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const double d[3] = {x - j.x, y - j.y, z - j.z};
        const double s = fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
        if (!(s <= 1 && allowed)) return;
        closest = fmin(closest, s);
        const enuf_cuda_slope_functions &f = functions_of(a);
        const int piece = min((int)(s * ENUF_PAIR_PIECES), ENUF_PAIR_PIECES - 1);
        const double t = 2 * (s * ENUF_PAIR_PIECES - piece) - 1;
        double big_q = 0, r = 0, b = 0;
        for (int c = f.n - 1; c >= 0; c--) {
            const double2 *at = (const double2 *)f.at[c][piece];
            const double2 of_both = __ldg(at);
            big_q = fma(big_q, t, of_both.x);
            r = fma(r, t, of_both.y);
            if (MOVES) b = fma(b, t, __ldg(at + 1).x);
        }
        const double root = inverse_root(s), root2 = root * root, root3 = root2 * root;
        const double l = root - big_q, g = root3 - r;
        const double both_g = q * j.q * g, changed = w * j.q + q * j.w;
        double along = changed * g, delta[3] = {0, 0, 0}, l_slope = 0;
        if (MOVES) {
            for (int k = 0; k < 3; k++) delta[k] = m[k] - j.m[k];
            const double projected = d[0] * delta[0] + d[1] * delta[1] + d[2] * delta[2];
            along -= q * j.q * (3 * root3 * root2 - b) * projected;
            l_slope = -g * projected;
        }
        potential += j.w * l + j.q * l_slope;
        energy += changed * l + q * j.q * l_slope;
        for (int k = 0; k < 3; k++) {
            const double slope = along * d[k] + both_g * delta[k];
            force[k] += slope;
            for (int n = 0; n < 3 && TOTALS; n++)
                product[3 * k + n] = fma(slope, d[n], product[3 * k + n]);
        }
        if (!TOTALS) return;
        const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
        for (int c = 0; c < 6; c++)
            stretch[c] = fma(both_g * d[row[c]], delta[column[c]], stretch[c]);
    }

    __device__ __forceinline__ void flush(const enuf_cuda_pair_arguments &)
    {
    }

    static __device__ __forceinline__ double over_entries(double sum)
    {
        for (int by = ENUF_CUDA_CLUSTER; by < 32; by *= 2) sum += __shfl_xor_sync(~0u, sum, by);
        return sum;
    }

    /* The cluster's sum of halves: each pair is met twice. */
    static __device__ __forceinline__ double over_cluster(double sum, bool valid)
    {
        sum = over_entries(valid ? 0.5 * sum : 0);
        for (int by = 1; by < ENUF_CUDA_CLUSTER; by *= 2) sum += __shfl_xor_sync(~0u, sum, by);
        return sum;
    }

    __device__ __forceinline__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool valid,
                                           int index)
    {
        const enuf_cuda_slope_functions &f = functions_of(a);
        const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
        /* lanes without an atom of their own repeat the last one, which met itself */
        if (valid && !(closest > SUSPICIOUS_SQUARE)) a.record->suspicious = 1;
        double *totals =
            f.partial +
            SLOPE_TOTALS *
                row_of(a.grid, a.cells.cluster[blockIdx.x * PAIR_WARPS + threadIdx.x / 32]);
        const double of_energy = over_cluster(energy, valid);
        if (lane == 0) totals[SLOPE_ENERGY] = of_energy;
        if (TOTALS) {
            for (int k = 0; k < 9; k++) {
                const double sum = over_cluster(product[k], valid);
                if (lane == 0) totals[SLOPE_PRODUCT + k] = sum;
            }
            for (int c = 0; c < 6; c++) {
                const double sum =
                    over_cluster(product[3 * row[c] + column[c]] + stretch[c], valid);
                if (lane == 0) totals[SLOPE_VIRIAL + c] = sum;
            }
        }
        const double potential_sum = over_entries(potential);
        double force_sum[3];
        for (int k = 0; k < 3; k++) force_sum[k] = over_entries(force[k]);
        if (!valid || lane >= ENUF_CUDA_CLUSTER) return;
        const int64_t i = a.cells.original[index];
        const double unit = a.per_cutoff, *frame = a.grid.frame;
        f.potential[i] = unit * potential_sum;
        for (int e = 0; e < 3; e++)
            f.forces[3 * i + e] = unit * unit *
                                  (force_sum[0] * frame[e] + force_sum[1] * frame[3 + e] +
                                   force_sum[2] * frame[6 + e]);
    }
};

} // namespace

extern "C" enuf_status enuf_cuda_steady_order(const enuf_cuda_pair_arguments *a,
                                              const enuf_cuda_moving_atoms *atoms,
                                              const enuf_cuda_steady_cells *to, cudaStream_t stream)
{
    const int blocks = (int)((atoms->n + THREADS - 1) / THREADS);
    steady_order<<<blocks, THREADS, 0, stream>>>(*a, *atoms, *to);
    return enuf_cuda_launched("order of the atoms of cells");
}

extern "C" int64_t enuf_cuda_pair_rows(int64_t n, int64_t n_columns)
{
    return n / ENUF_CUDA_CLUSTER + n_columns + 1;
}

extern "C" enuf_status enuf_cuda_pair_slopes(const enuf_cuda_pair_arguments *a, int moves,
                                             int totals, int64_t most, cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    if (totals)
        launch_walk<slope_sums<true, true>>(a, blocks, stream);
    else if (moves)
        launch_walk<slope_sums<true, false>>(a, blocks, stream);
    else
        launch_walk<slope_sums<false, false>>(a, blocks, stream);
    return enuf_cuda_launched("slopes of pairs");
}
