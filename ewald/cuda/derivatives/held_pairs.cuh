/*
 * held_pairs.cuh - potentials of sets of charges by the pairs inside the cutoff, by the walk of
 * pair_walk.cuh: each pair is met from both of its atoms, its function is found once, and
 * multiplied by the charges of all sets. Once for float and once for double, as for evaluations.
 * They serve where held_matrix.cu does not.
 *
 * Instructions of 32 pairs, n coefficients, V sets: a load, 3 differences, 3 for s, the root, n +
 * 1, V and V/4 to V/2 loads. An entry keeps its charges, so that the pairs wait for shared memory
 * alone. Lists are as long as leaves room for four warps of a block in 48 kB.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_HELD_PAIRS_CUH
#define ENUF_EWALD_CUDA_HELD_PAIRS_CUH

#include "cuda/pair_kernel.cuh"
#include "held_kernels.h"
#include "lane_charges.cuh"

/* Four charges in double have a place too many: entries 80 bytes apart, the four that a warp reads
 * at once, are in different banks. */
template <class Real, int LANES> struct alignas(16) held_entry {
    Real x, y, z;
    Real q[LANES == 4 && sizeof(Real) == 8 ? 6 : LANES];
};

template <class Real> constexpr int held_list(int lanes)
{
    return sizeof(Real) == 4 ? (lanes == 1  ? 256
                                : lanes < 8 ? 128
                                            : 96)
                             : (lanes == 1   ? 160
                                : lanes == 2 ? 128
                                : lanes == 4 ? 96
                                             : 72);
}

template <class Real_, int LANES, int N> struct held_sums {
    typedef Real_ Real;
    typedef held_entry<Real, LANES> Entry;
    typedef lane_charges<Real, LANES> Charges;
    enum { HALF = 0, GHOSTS = 0, PLAIN = 0, BLOCKS = 1, LIST = held_list<Real>(LANES) };
    static constexpr double SLACK = sizeof(Real) == 4 ? 4e-6 : 1e-12;
    static constexpr double BEYOND = 1 + 2 * SLACK;
    static constexpr bool WIDENS = sizeof(Real) == 4; /* sums of a list are float */

    Real x, y, z;
    Real sum[LANES] = {};
    double total[LANES] = {};

    __device__ held_sums(const enuf_cuda_pair_arguments &, const real4<Real> &at, int)
        : x(at.x), y(at.y), z(at.z)
    {
    }

    static __device__ __forceinline__ Entry entry(const enuf_cuda_pair_arguments &a,
                                                  const real4<Real> &place, Real, int index)
    {
        const Charges charges = ((const Charges *)a.cells.charge)[index];
        Entry e;
        e.x = place.x;
        e.y = place.y;
        e.z = place.z;
#pragma unroll
        for (int v = 0; v < LANES; v++) e.q[v] = charges.of[v];
        return e;
    }

    static __device__ __forceinline__ Entry far()
    {
        Entry e = {};
        e.x = e.y = e.z = (Real)nowhere;
        return e;
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const Real dx = x - j.x, dy = y - j.y, dz = z - j.z;
        const Real s = multiply_add(dz, dz, multiply_add(dy, dy, dx * dx));
        const Real l = less_polynomial<N>(inverse_root(s), (Real)ENUF_PAIR_FIT_CENTRE - s,
                                          energy_fit(a, (Real)0), a.n_fit);
        const Real value = s <= 1 && allowed ? l : 0;
#pragma unroll
        for (int v = 0; v < LANES; v++) sum[v] = multiply_add(value, j.q[v], sum[v]);
    }

    __device__ __forceinline__ void flush(const enuf_cuda_pair_arguments &)
    {
        if constexpr (WIDENS) {
#pragma unroll
            for (int v = 0; v < LANES; v++) {
                total[v] += (double)sum[v];
                sum[v] = 0;
            }
        }
    }

    __device__ __forceinline__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool valid,
                                           int index)
    {
        double *to = a.out.potential + LANES * (int64_t)index;
#pragma unroll
        for (int v = 0; v < LANES; v++) {
            double all = WIDENS ? total[v] : (double)sum[v];
            for (int by = ENUF_CUDA_CLUSTER; by < 32; by *= 2) all += __shfl_xor_sync(~0u, all, by);
            if (valid && lane < ENUF_CUDA_CLUSTER) to[v] = a.per_cutoff * all;
        }
    }
};

template <class Real, int LANES, int N>
static void launch_lanes(const enuf_cuda_pair_arguments *a, int64_t most, cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    walk_pairs<held_sums<Real, LANES, N>><<<blocks, PAIR_WARPS * 32, 0, stream>>>(*a);
}

template <class Real, int N>
static enuf_status launch_held(const enuf_cuda_pair_arguments *a, int lanes, int64_t most,
                               cudaStream_t stream)
{
    switch (lanes) {
    case 1:
        launch_lanes<Real, 1, N>(a, most, stream);
        break;
    case 2:
        launch_lanes<Real, 2, N>(a, most, stream);
        break;
    case 4:
        launch_lanes<Real, 4, N>(a, most, stream);
        break;
    default:
        launch_lanes<Real, 8, N>(a, most, stream);
    }
    return enuf_cuda_launched("pairs of sets of charges");
}

#endif
