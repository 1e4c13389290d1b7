/*
 * pair_kernel.cuh - floating-point sums of pairs, once for float and once for double.
 *
 * Instructions of 32 pairs, n coefficients, forces alone: a load, 3 differences, 3 for s, the root,
 * n + 4 for g = 1/r^3 - R, 5 for the mask and the sums: 17 + n; the potential costs n + 1 more, the
 * virial 6. Sums of one list (a few hundred neighbours) run in Real, those of an atom in double.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_PAIR_KERNEL_CUH
#define ENUF_EWALD_CUDA_PAIR_KERNEL_CUH

#include "lattice/tensor.h"
#include "pair_walk.cuh"

static __device__ __forceinline__ const float *force_fit(const enuf_cuda_pair_arguments &a, float)
{
    return a.fit.single.force;
}
static __device__ __forceinline__ const double *force_fit(const enuf_cuda_pair_arguments &a, double)
{
    return a.fit.full.force;
}
static __device__ __forceinline__ const float *energy_fit(const enuf_cuda_pair_arguments &a, float)
{
    return a.fit.single.energy;
}
static __device__ __forceinline__ const double *energy_fit(const enuf_cuda_pair_arguments &a,
                                                           double)
{
    return a.fit.full.energy;
}

/** start - sum_k c_k v^k; N coefficients, or n where N is 0. */
template <int N, class Real>
static __device__ __forceinline__ Real less_polynomial(Real start, Real v, const Real *c, int n)
{
    Real sum;
    if (N > 0) {
        sum = c[N - 1];
#pragma unroll
        for (int k = N - 2; k > 0; k--) sum = multiply_add(sum, v, c[k]);
    } else {
        sum = c[n - 1];
        for (int k = n - 2; k > 0; k--) sum = multiply_add(sum, v, c[k]);
    }
    return multiply_add(sum, -v, start - c[0]);
}

/** Place of a total. Neighbouring warps add to different copies. */
static __device__ __forceinline__ double *total_of(const enuf_cuda_pair_arguments &a)
{
    const int warp = blockIdx.x * PAIR_WARPS + threadIdx.x / 32;
    return (double *)a.out.totals + warp % ENUF_CUDA_TOTAL_COPIES * ENUF_CUDA_TOTALS;
}

/* xx, yy, zz, xy, xz, yz */
static __device__ __constant__ const int tensor_row[6] = ENUF_TENSOR_ROWS;
static __device__ __constant__ const int tensor_column[6] = ENUF_TENSOR_COLUMNS;

template <class Real_, int N, bool POTENTIAL, bool FIELD, bool TENSOR, bool WITHOUT_FP64>
struct floating_sums {
    typedef Real_ Real;
    typedef real4<Real> Entry;
    typedef typename wide_sum<WITHOUT_FP64>::type Wide;
    enum {
        HALF = 0,
        GHOSTS = 0,
        PLAIN = WITHOUT_FP64,
        BLOCKS = 1,
        LIST = sizeof(Real) == 4 ? 256 : 160
    };
    static constexpr double SLACK = sizeof(Real) == 4 ? 4e-6 : 1e-12;
    static constexpr double BEYOND = 1 + 2 * SLACK;

    Real x, y, z;
    float largest_root = 0; /* in double: of all pairs met */
    Real field[3] = {0, 0, 0}, potential = 0, tensor[6] = {0, 0, 0, 0, 0, 0};
    Wide fields[3] = {}, potentials = {}, tensors[6] = {};

    __device__ floating_sums(const enuf_cuda_pair_arguments &, const real4<Real> &at, int)
        : x(at.x), y(at.y), z(at.z)
    {
    }

    static __device__ Entry entry(const enuf_cuda_pair_arguments &, const real4<Real> &place,
                                  Real q, int)
    {
        return {place.x, place.y, place.z, q};
    }

    static __device__ Entry far()
    {
        return {(Real)nowhere, (Real)nowhere, (Real)nowhere, (Real)0};
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const Real dx = x - j.x, dy = y - j.y, dz = z - j.z;
        const Real s = multiply_add(dz, dz, multiply_add(dy, dy, dx * dx));
        const bool hit = s <= 1 && allowed;
        const Real v = (Real)ENUF_PAIR_FIT_CENTRE - s,
                   root = bounded_root(s, a.most_root, allowed, largest_root);
        if (POTENTIAL) {
            const Real l = less_polynomial<N>(root, v, energy_fit(a, (Real)0), a.n_fit);
            if (hit) potential = multiply_add(l, j.w, potential);
        }
        if (FIELD) {
            const Real g =
                less_polynomial<N>(root * root * root, v, force_fit(a, (Real)0), a.n_fit);
            const Real gq = hit ? g * j.w : 0;
            field[0] = multiply_add(gq, dx, field[0]);
            field[1] = multiply_add(gq, dy, field[1]);
            field[2] = multiply_add(gq, dz, field[2]);
            if (TENSOR) {
                const Real fx = gq * dx, fy = gq * dy, fz = gq * dz;
                tensor[0] = multiply_add(fx, dx, tensor[0]);
                tensor[1] = multiply_add(fy, dy, tensor[1]);
                tensor[2] = multiply_add(fz, dz, tensor[2]);
                tensor[3] = multiply_add(fx, dy, tensor[3]);
                tensor[4] = multiply_add(fx, dz, tensor[4]);
                tensor[5] = multiply_add(fy, dz, tensor[5]);
            }
        }
    }

    static __device__ __forceinline__ void move(Real &from, Wide &to)
    {
        to = enuf_added(to, from);
        from = 0;
    }

    __device__ __forceinline__ void flush(const enuf_cuda_pair_arguments &)
    {
        if (POTENTIAL) move(potential, potentials);
        for (int d = 0; d < 3 && FIELD; d++) move(field[d], fields[d]);
        for (int c = 0; c < 6 && TENSOR; c++) move(tensor[c], tensors[c]);
    }

    static __device__ __forceinline__ double over_entries(Wide sum)
    {
        for (int by = ENUF_CUDA_CLUSTER; by < 32; by *= 2) sum = enuf_added(sum, of_lane(sum, by));
        return enuf_total(sum);
    }

    static __device__ __forceinline__ double over_atoms(double sum)
    {
        for (int by = 1; by < ENUF_CUDA_CLUSTER; by *= 2) sum += __shfl_xor_sync(~0u, sum, by);
        return sum;
    }

    __device__ __forceinline__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool valid,
                                           int index)
    {
        const enuf_cuda_pair_outputs &out = a.out;
        if (a.has_ghosts) valid = valid && a.cells.original[index] < a.n_own;
        double field_sum[3] = {0, 0, 0}, potential_sum = 0, tensor_sum[6] = {0, 0, 0, 0, 0, 0};
        if (POTENTIAL) potential_sum = over_entries(potentials);
        for (int d = 0; d < 3 && FIELD; d++) field_sum[d] = over_entries(fields[d]);
        for (int c = 0; c < 6 && TENSOR; c++) tensor_sum[c] = over_entries(tensors[c]);
        /* lanes without an atom of their own repeat the last one, which met itself */
        const double q = (double)((const Real *)a.cells.charge)[index];
        const double size =
            fabs(potential_sum) + fabs(field_sum[0]) + fabs(field_sum[1]) + fabs(field_sum[2]);
        if (valid && !(size < a.suspicious)) a.record->suspicious = 1;
        if (valid && largest_root > a.most_root) a.record->close = 1;

        const double per_cutoff = a.per_cutoff;
        if (out.want_energy && POTENTIAL) {
            const double energy = over_atoms(valid ? 0.5 * per_cutoff * q * potential_sum : 0);
            if (lane == 0) atomicAdd(total_of(a), energy);
        }
        if (out.want_virial && TENSOR)
            for (int c = 0; c < 6; c++) {
                const double w = over_atoms(valid ? 0.5 * per_cutoff * q * tensor_sum[c] : 0);
                if (lane == 0) atomicAdd(total_of(a) + 1 + c, w);
            }
        if (!valid || lane >= ENUF_CUDA_CLUSTER) return;
        const int64_t i = a.cells.original[index];
        const double phi = per_cutoff * potential_sum;
        if (POTENTIAL && out.potential) out.potential[i] += phi;
        if (POTENTIAL && out.atom_energy) out.atom_energy[i] += 0.5 * q * phi;
        for (int e = 0; e < 3 && FIELD; e++) {
            const double f = per_cutoff * per_cutoff *
                             (field_sum[0] * a.grid.frame[e] + field_sum[1] * a.grid.frame[3 + e] +
                              field_sum[2] * a.grid.frame[6 + e]);
            if (out.forces) out.forces[3 * i + e] += q * f;
            if (out.field) out.field[3 * i + e] += f;
        }
        if (!TENSOR || !out.atom_virial) return;
        const double t[9] = {tensor_sum[0], tensor_sum[3], tensor_sum[4],
                             tensor_sum[3], tensor_sum[1], tensor_sum[5],
                             tensor_sum[4], tensor_sum[5], tensor_sum[2]};
        for (int c = 0; c < 6; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += a.grid.frame[3 * k + tensor_row[c]] * t[3 * k + l] *
                           a.grid.frame[3 * l + tensor_column[c]];
            out.atom_virial[6 * i + c] += 0.5 * q * per_cutoff * sum;
        }
    }
};

template <class Real, int N, bool PLAIN = false>
static enuf_status launch_sums(const enuf_cuda_pair_arguments *a, int64_t most, cudaStream_t stream)
{
    const enuf_cuda_pair_outputs *out = &a->out;
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    const bool tensor = out->want_virial || out->atom_virial;
    const bool field = tensor || out->forces || out->field;
    if (tensor)
        launch_walk<floating_sums<Real, N, true, true, true, PLAIN>>(a, blocks, stream);
    else if (field) /* for forces and totals alone pairs_half.cuh sums each pair once */
        launch_walk<floating_sums<Real, N, true, true, false, PLAIN>>(a, blocks, stream);
    else
        launch_walk<floating_sums<Real, N, true, false, false, PLAIN>>(a, blocks, stream);
    return enuf_cuda_launched("pair sums");
}

#endif
