/*
 * pair_slopes.cuh - the slopes of the pair sums, by the walk of pair_walk.cuh, once for float and
 * once for double; each pair is met from both of its atoms. Formulas as in
 * ewald/cpu/pairs_slopes.h. Lengths are in cutoffs, vectors in the grid's frame.
 *
 * With x the place of an atom from the corner of a cluster and m = v + x e, dd = m_i - m_j: strain
 * costs a pair nothing. In float v is counted from that of the cluster's first atom, so that the
 * differences of large displacements keep their digits: v = u - x e grows with the cell.
 *
 * Of a pair: a root, 3 operations a coefficient (one polynomial for Q, R and B each, as for
 * evaluations), 48, and 21 more for the totals. In float the sums of one list run in float, those
 * of an atom and totals in double.
 *
 * Errors in float, u = 2^-24: a place errs by u of a cutoff or so, a root by 2 u of itself, so a
 * pair's force by (2/r + 6) u of itself, its slope by (3/r + 10) u. Rounding is 5/3 of that of
 * forces, which the choice of parameters keeps below the accuracy asked for, beside slopes of the
 * nearest pairs. B errs by four times the table's error (pair_fit.h), and slopes are larger than
 * forces by 3/r.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_PAIR_SLOPES_CUH
#define ENUF_EWALD_CUDA_PAIR_SLOPES_CUH

#include "cuda/pair_kernel.cuh"
#include "slope_kernels.h"

static __device__ __forceinline__ const enuf_cuda_slope_functions &
functions_of(const enuf_cuda_pair_arguments &a)
{
    return *(const enuf_cuda_slope_functions *)a.slopes;
}

static __device__ __forceinline__ const float *strain_of(const enuf_cuda_slope_functions &f, float)
{
    return f.strain_single;
}
static __device__ __forceinline__ const double *strain_of(const enuf_cuda_slope_functions &f,
                                                          double)
{
    return f.strain;
}

static __device__ __forceinline__ const float *bend_of(const enuf_cuda_pair_arguments &a, float)
{
    return a.fit.single.bend;
}
static __device__ __forceinline__ const double *bend_of(const enuf_cuda_pair_arguments &a, double)
{
    return a.fit.full.bend;
}

/** l = 1/r - Q, g = 1/r^3 - R, k = 3/r^5 - B of a pair at s = r^2 <= 1. */
template <class Real> struct pair_slope {
    Real l, g, k;
};

template <int N, bool MOVES, class Real>
static __device__ __forceinline__ pair_slope<Real> slope_of(const enuf_cuda_pair_arguments &a,
                                                            Real s)
{
    const Real v = (Real)ENUF_PAIR_FIT_CENTRE - s, zero = 0;
    const Real root = inverse_root(s), root2 = root * root, root3 = root2 * root;
    pair_slope<Real> p;
    p.l = less_polynomial<N>(root, v, energy_fit(a, zero), a.n_fit);
    p.g = less_polynomial<N>(root3, v, force_fit(a, zero), a.n_fit);
    p.k = MOVES ? less_polynomial<N>(3 * root3 * root2, v, bend_of(a, zero), a.n_fit) : 0;
    return p;
}

/** The row of a cluster's sums. The list of clusters is in any order; this number follows from the
 * atoms: clusters begin 8 atoms apart, but for the last one of each column. */
static __device__ __forceinline__ int64_t row_of(const enuf_cuda_grid &g, const int4 &cluster)
{
    return cluster.x / ENUF_CUDA_CLUSTER + (int64_t)cluster.w * g.count[1] + cluster.z;
}

/** A sum over pairs. In float it is that of a list, and beyond it in double or, PLAIN, in pairs of
 * floats. */
template <class Real, bool PLAIN> struct sum_of_pairs {
    typedef typename wide_sum<PLAIN>::type Wide;
    Real list = 0;
    Wide all = {};
    __device__ __forceinline__ void flush()
    {
        all = enuf_added(all, list);
        list = 0;
    }
    __device__ __forceinline__ Wide total() const
    {
        return all;
    }
};
template <bool PLAIN> struct sum_of_pairs<double, PLAIN> {
    typedef double Wide;
    double list = 0;
    __device__ __forceinline__ void flush()
    {
    }
    __device__ __forceinline__ Wide total() const
    {
        return list;
    }
};

template <class Real> struct alignas(16) slope_entry {
    Real x, y, z, q, m[3], w;
};

/* MOVES: positions or the cell change; TOTALS: U and the virial are summed. */
template <class Real_, int N, bool MOVES, bool TOTALS, bool WITHOUT_FP64> struct slope_sums {
    typedef Real_ Real;
    typedef slope_entry<Real> Entry;
    typedef sum_of_pairs<Real, WITHOUT_FP64> Sum;
    typedef typename Sum::Wide Wide;
    enum { /* BLOCKS: as many as leave registers for a pair's numbers */
           HALF = 0,
           GHOSTS = 0,
           PLAIN = WITHOUT_FP64,
           BLOCKS = sizeof(Real) == 8 ? (TOTALS ? 2 : 3)
                    : TOTALS          ? 4
                                      : 5,
           LIST = sizeof(Real) == 4 ? 160 : 96
    };
    static constexpr double SLACK = sizeof(Real) == 4 ? 4e-6 : 1e-12;
    static constexpr double BEYOND = 1 + 2 * SLACK;
    static constexpr bool BRANCHES = sizeof(Real) == 8; /* around pairs beyond the cutoff */
    /* Two charges closer than this (squared, in cutoffs) may be at the same place: they start a
     * search. */
    static constexpr double SUSPICIOUS = sizeof(Real) == 4 ? 1e-12 : 1e-24;

    Real x, y, z, q, m[3], w, closest = 1;
    int first; /* the atom whose v others are counted from, in float */
    Sum force[3], potential, energy;
    Sum product[9], stretch[6]; /* sums of df_a d_b, f_a dd_b */

    __device__ slope_sums(const enuf_cuda_pair_arguments &a, const real4<Real> &at, int index)
        : x(at.x), y(at.y), z(at.z), q(((const Real *)a.cells.charge)[index]),
          first(__shfl_sync(~0u, index, 0))
    {
        const Entry own = entry(a, at, q, index);
        for (int k = 0; k < 3; k++) m[k] = own.m[k];
        w = own.w;
    }

    __device__ __forceinline__ Entry entry(const enuf_cuda_pair_arguments &a, const real4<Real> &at,
                                           Real charge, int index) const
    {
        const enuf_cuda_slope_functions &f = functions_of(a);
        const double *v = f.direction + 4 * (int64_t)index;
        Entry e = {at.x, at.y, at.z, charge, {0, 0, 0}, (Real)v[3]};
        if (!MOVES) return e;
        const double *origin = f.direction + 4 * (int64_t)first;
        for (int k = 0; k < 3; k++) e.m[k] = (Real)(sizeof(Real) == 4 ? v[k] - origin[k] : v[k]);
        if (!f.strains) return e;
        const Real *t = strain_of(f, (Real)0);
        for (int k = 0; k < 3; k++) e.m[k] += at.x * t[k] + at.y * t[3 + k] + at.z * t[6 + k];
        return e;
    }

    static __device__ __forceinline__ Entry far()
    {
        return {(Real)nowhere, (Real)nowhere, (Real)nowhere, 0, {0, 0, 0}, 0};
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const Real d[3] = {x - j.x, y - j.y, z - j.z};
        const Real r2 = multiply_add(d[2], d[2], multiply_add(d[1], d[1], d[0] * d[0]));
        const bool hit = r2 <= 1 && allowed;
        if (BRANCHES && !hit) return;
        /* a pair beyond the cutoff is one of no charges at the cutoff: its terms are 0 */
        const Real s = hit ? r2 : 1, q_j = hit ? j.q : 0, w_j = hit ? j.w : 0;
        closest = min(closest, s);
        const pair_slope<Real> p = slope_of<N, MOVES>(a, s);
        const Real both = q * q_j, both_g = both * p.g, changed = w * q_j + q * w_j;
        Real along = changed * p.g, delta[3] = {0, 0, 0}, l_slope = 0;
        if (MOVES) {
            for (int k = 0; k < 3; k++) delta[k] = m[k] - j.m[k];
            const Real projected = d[0] * delta[0] + d[1] * delta[1] + d[2] * delta[2];
            along -= both * p.k * projected;
            l_slope = -p.g * projected;
        }
        potential.list += w_j * p.l + q_j * l_slope;
        energy.list += changed * p.l + both * l_slope;
        for (int k = 0; k < 3; k++) {
            const Real slope = along * d[k] + both_g * delta[k];
            force[k].list += slope;
            for (int n = 0; n < 3 && TOTALS; n++)
                product[3 * k + n].list = multiply_add(slope, d[n], product[3 * k + n].list);
        }
        if (!TOTALS) return;
        const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
        for (int c = 0; c < 6; c++)
            stretch[c].list = multiply_add(both_g * d[row[c]], delta[column[c]], stretch[c].list);
    }

    __device__ __forceinline__ void flush(const enuf_cuda_pair_arguments &)
    {
        potential.flush();
        energy.flush();
        for (int k = 0; k < 3; k++) force[k].flush();
        for (int k = 0; k < 9 && TOTALS; k++) product[k].flush();
        for (int c = 0; c < 6 && TOTALS; c++) stretch[c].flush();
    }

    static __device__ __forceinline__ Wide over_lanes(Wide sum, int from, int behind)
    {
        for (int by = from; by < behind; by *= 2) sum = enuf_added(sum, of_lane(sum, by));
        return sum;
    }

    /* The sum of an atom. */
    static __device__ __forceinline__ double over_entries(const Sum &sum)
    {
        return enuf_total(over_lanes(sum.total(), ENUF_CUDA_CLUSTER, 32));
    }

    /* Half of the cluster's sum: each pair is met twice. */
    static __device__ __forceinline__ double over_cluster(const Sum &sum, bool valid)
    {
        const Wide own = valid ? sum.total() : Wide{};
        return 0.5 *
               enuf_total(over_lanes(over_lanes(own, ENUF_CUDA_CLUSTER, 32), 1, ENUF_CUDA_CLUSTER));
    }

    __device__ __forceinline__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool valid,
                                           int index)
    {
        const enuf_cuda_slope_functions &f = functions_of(a);
        const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
        /* lanes without an atom of their own repeat the last one, which met itself */
        if (valid && !(closest > (Real)SUSPICIOUS)) a.record->suspicious = 1;
        double *totals =
            f.partial +
            SLOPE_TOTALS *
                row_of(a.grid, a.cells.cluster[blockIdx.x * PAIR_WARPS + threadIdx.x / 32]);
        const double of_energy = over_cluster(energy, valid);
        if (lane == 0) totals[SLOPE_ENERGY] = of_energy;
        if (TOTALS) {
            double sums[9];
            for (int k = 0; k < 9; k++) sums[k] = over_cluster(product[k], valid);
            for (int k = 0; k < 9; k++)
                if (lane == 0) totals[SLOPE_PRODUCT + k] = sums[k];
            for (int c = 0; c < 6; c++) {
                const double sum = over_cluster(stretch[c], valid);
                if (lane == 0) totals[SLOPE_VIRIAL + c] = sums[3 * row[c] + column[c]] + sum;
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

template <class Real, int N, bool PLAIN = false>
static enuf_status launch_slopes(const enuf_cuda_pair_arguments *a,
                                 const enuf_cuda_wanted_slopes *wanted, int64_t most,
                                 cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    if (wanted->totals)
        launch_walk<slope_sums<Real, N, true, true, PLAIN>>(a, blocks, stream);
    else if (wanted->moves)
        launch_walk<slope_sums<Real, N, true, false, PLAIN>>(a, blocks, stream);
    else
        launch_walk<slope_sums<Real, N, false, false, PLAIN>>(a, blocks, stream);
    return enuf_cuda_launched("slopes of pairs");
}

#endif
