/*
 * pairs_fixed.cu - pair sums whose bits do not depend on the order of atoms or the device's
 * scheduling: as ewald/cpu/pairs_deterministic.c, with the same scales. Coordinates are 64-bit
 * fractions of the lattice, whose differences wrap to the nearest image exactly; which image is
 * meant is read off the approximate difference. Every contribution is rounded to an integer; a pair
 * met from its other atom goes through the same instructions with the signs turned.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pair_kernel.cuh"

namespace
{

enum {
    FIXED_FORCE = 0,
    FIXED_ENERGY = 3,
    FIXED_VIRIAL = 4,
    FIXED_POTENTIAL = 10,
    FIXED_FIELD = 11,
    FIXED_SUMS = 14,
    FIXED_LIST = 96, /* of which a lane meets FIXED_LIST/4 < 2^62/2^57: no sum of one list wraps */
};

struct fixed_entry {
    double x, y, z, q;
    int64_t turn[3];
};

/* Products that the compiler must not merge with the sums they go into: it unrolls the pairs, and
 * would do so in one copy and not in another. */
__device__ __forceinline__ double product(double a, double b)
{
    return __dmul_rn(a, b);
}

__device__ __forceinline__ double dot(double a, double b, double c, double d, double e, double f)
{
    return fma(e, f, fma(c, d, product(a, b)));
}

/* TENSOR, FIELD: whether virials, and potentials and fields, are among the sums */
template <bool TENSOR, bool FIELD> struct fixed_sums {
    typedef double Real;
    typedef fixed_entry Entry;
    enum { HALF = 0, GHOSTS = 0, BLOCKS = 1, LIST = FIXED_LIST };
    static constexpr double SLACK = 1e-12, BEYOND = 1 + 2 * SLACK;

    real4<double> at;
    double q, closest = 2;
    int64_t turn[3], list_sum[FIXED_SUMS], sum[FIXED_SUMS];
    bool overflowed = false;

    static __device__ __forceinline__ bool has(int c)
    {
        return c < FIXED_VIRIAL || (c < FIXED_POTENTIAL ? TENSOR : FIELD);
    }

    __device__ fixed_sums(const enuf_cuda_pair_arguments &a, const real4<double> &place, int index)
        : at(place)
    {
        q = ((const double *)a.cells.charge)[index];
#pragma unroll
        for (int d = 0; d < 3; d++) turn[d] = a.cells.turn[4 * (int64_t)index + d];
#pragma unroll
        for (int c = 0; c < FIXED_SUMS; c++) list_sum[c] = sum[c] = 0;
    }

    static __device__ Entry entry(const enuf_cuda_pair_arguments &a, const real4<double> &place,
                                  double q, int index)
    {
        const int64_t *t = a.cells.turn + 4 * (int64_t)index;
        return {place.x, place.y, place.z, q, {t[0], t[1], t[2]}};
    }

    static __device__ Entry far()
    {
        return {nowhere, nowhere, nowhere, 0, {0, 0, 0}};
    }

    __device__ __forceinline__ void contribute(int c, double x, double scale)
    {
        list_sum[c] += __double2ll_rn(product(x, scale));
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const enuf_cuda_grid &g = a.grid;
        const double about[3] = {at.x - j.x, at.y - j.y, at.z - j.z};
        /* far from the cutoff there is nothing to be exact about */
        const double near = about[0] * about[0] + about[1] * about[1] + about[2] * about[2];
        if (!(near <= 1 + 1e-9) || !allowed) return;
        double fraction[3], d[3];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            const double nearest =
                (double)(int64_t)((uint64_t)turn[k] - (uint64_t)j.turn[k]) * 0x1p-64;
            const double guess = about[0] * g.to_fraction[k] + about[1] * g.to_fraction[3 + k] +
                                 about[2] * g.to_fraction[6 + k];
            fraction[k] = __dadd_rn(nearest, rint(guess - nearest));
        }
#pragma unroll
        for (int e = 0; e < 3; e++)
            d[e] = dot(fraction[0], g.lattice[e], fraction[1], g.lattice[3 + e], fraction[2],
                       g.lattice[6 + e]);
        const double s = dot(d[0], d[0], d[1], d[1], d[2], d[2]);
        if (!(s <= 1)) return;
        closest = fmin(closest, s);
        if (!(s >= a.scales.closest)) return;
        const double v = ENUF_PAIR_FIT_CENTRE - s, root = inverse_root(s);
        const double l = less_polynomial<0>(root, v, a.fit.full.energy, a.n_fit);
        const double f =
            less_polynomial<0>(product(product(root, root), root), v, a.fit.full.force, a.n_fit);
        const double qq = product(q, j.q), qqf = product(qq, f), qf = product(j.q, f);
        const enuf_cuda_fixed_scales &scale = a.scales;
#pragma unroll
        for (int e = 0; e < 3; e++) contribute(FIXED_FORCE + e, product(qqf, d[e]), scale.force);
        contribute(FIXED_ENERGY, product(qq, l), scale.energy);
        if (TENSOR)
#pragma unroll
            for (int c = 0; c < 6; c++)
                contribute(FIXED_VIRIAL + c,
                           product(qqf, product(d[tensor_row[c]], d[tensor_column[c]])),
                           scale.energy);
        if (!FIELD) return;
        contribute(FIXED_POTENTIAL, product(j.q, l), scale.potential);
#pragma unroll
        for (int e = 0; e < 3; e++) contribute(FIXED_FIELD + e, product(qf, d[e]), scale.field);
    }

    /* a + b, both at most 2^62 in size; notes a sum beyond that */
    __device__ __forceinline__ int64_t add(int64_t a, int64_t b)
    {
        const int64_t both = (int64_t)((uint64_t)a + (uint64_t)b);
        overflowed = overflowed || both >= (1LL << 62) || both <= -(1LL << 62);
        return both;
    }

    __device__ __forceinline__ void flush(const enuf_cuda_pair_arguments &)
    {
#pragma unroll
        for (int c = 0; c < FIXED_SUMS; c++) {
            if (!has(c)) continue;
            sum[c] = add(sum[c], list_sum[c]);
            list_sum[c] = 0;
        }
    }

    /* a sum over atoms, exact: its upper and lower 32 bits add up apart */
    static __device__ __forceinline__ void add_total(const enuf_cuda_pair_arguments &a, int which,
                                                     bool mine, int64_t x)
    {
        enum { ALL = ENUF_CUDA_TOTALS * ENUF_CUDA_TOTAL_COPIES };
        long long upper = mine ? x >> 32 : 0, lower = mine ? x & 0xffffffffLL : 0;
        for (int by = 1; by < ENUF_CUDA_CLUSTER; by *= 2) {
            upper += __shfl_xor_sync(~0u, upper, by);
            lower += __shfl_xor_sync(~0u, lower, by);
        }
        if (threadIdx.x % 32 != 0) return;
        unsigned long long *to = (unsigned long long *)total_of(a) + which;
        atomicAdd(to, (unsigned long long)upper);
        atomicAdd(to + ALL, (unsigned long long)lower);
    }

    __device__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool valid, int index)
    {
        const enuf_cuda_pair_outputs &out = a.out;
        if (a.has_ghosts) valid = valid && a.cells.original[index] < a.n_own;
#pragma unroll
        for (int c = 0; c < FIXED_SUMS; c++)
            for (int by = ENUF_CUDA_CLUSTER; by < 32 && has(c); by *= 2)
                sum[c] = add(sum[c], __shfl_xor_sync(~0u, (long long)sum[c], by));
        if (overflowed && valid) a.record->overflowed = 1;
        if (closest < a.scales.closest && valid)
            atomicMin(&a.record->closest, (unsigned long long)__double_as_longlong(closest));
        const bool writes = valid && lane < ENUF_CUDA_CLUSTER;
        if (out.want_energy) add_total(a, 0, writes, sum[FIXED_ENERGY]);
        for (int c = 0; c < 6 && TENSOR && out.want_virial; c++)
            add_total(a, 1 + c, writes, sum[FIXED_VIRIAL + c]);
        if (!writes) return;
        const int64_t i = a.cells.original[index];
        const double per_cutoff = 1 / a.grid.cutoff;
        const double force = per_cutoff * per_cutoff / a.scales.force,
                     field = per_cutoff * per_cutoff / a.scales.field,
                     energy = per_cutoff / a.scales.energy,
                     potential = per_cutoff / a.scales.potential;
        for (int e = 0; e < 3; e++) {
            if (out.forces) out.forces[3 * i + e] += force * (double)sum[FIXED_FORCE + e];
            if (FIELD && out.field) out.field[3 * i + e] += field * (double)sum[FIXED_FIELD + e];
        }
        if (out.atom_energy) out.atom_energy[i] += 0.5 * energy * (double)sum[FIXED_ENERGY];
        if (FIELD && out.potential) out.potential[i] += potential * (double)sum[FIXED_POTENTIAL];
        for (int c = 0; c < 6 && TENSOR && out.atom_virial; c++)
            out.atom_virial[6 * i + c] += 0.5 * energy * (double)sum[FIXED_VIRIAL + c];
    }
};

} // namespace

extern "C" enuf_status enuf_cuda_pairs_fixed(const enuf_cuda_pair_arguments *a, int64_t most,
                                             cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS), threads = PAIR_WARPS * 32;
    const bool tensor = a->out.want_virial || a->out.atom_virial;
    const bool field = a->out.potential || a->out.field;
    if (tensor && field)
        walk_pairs<fixed_sums<true, true>><<<blocks, threads, 0, stream>>>(*a);
    else if (tensor)
        walk_pairs<fixed_sums<true, false>><<<blocks, threads, 0, stream>>>(*a);
    else if (field)
        walk_pairs<fixed_sums<false, true>><<<blocks, threads, 0, stream>>>(*a);
    else
        walk_pairs<fixed_sums<false, false>><<<blocks, threads, 0, stream>>>(*a);
    return enuf_cuda_launched("deterministic pair sums");
}
