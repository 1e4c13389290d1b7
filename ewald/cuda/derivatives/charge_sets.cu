/*
 * charge_sets.cu - passes over the atoms before and after the sums of pairs and mesh: a thread an
 * atom in the caller's order, bound by memory. Of each charge 8 bytes are read twice and 8 written,
 * with 8 to 16 for the pairs and as many for the mesh on the way. Atoms that follow each other in
 * the caller's order may be far apart in the steady order; the charges of all sets of an atom stand
 * together there. SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "held_kernels.h"
#include "lane_charges.cuh"
#include "slope_totals.cuh"

namespace
{

/* Numbers of `row` of an array with LANES in each, to and from double. */
template <class Real, int LANES>
__device__ __forceinline__ void put_row(void *array, int64_t row, const double *from)
{
    lane_charges<Real, LANES> at;
#pragma unroll
    for (int v = 0; v < LANES; v++) at.of[v] = (Real)from[v];
    ((lane_charges<Real, LANES> *)array)[row] = at;
}

template <class Real, int LANES>
__device__ __forceinline__ void get_row(const void *array, int64_t row, double *to)
{
    const lane_charges<Real, LANES> at = ((const lane_charges<Real, LANES> *)array)[row];
#pragma unroll
    for (int v = 0; v < LANES; v++) to[v] = (double)at.of[v];
}

template <int LANES>
__device__ __forceinline__ void put_row(void *array, int single, int64_t row, const double *from)
{
    if (single)
        put_row<float, LANES>(array, row, from);
    else
        put_row<double, LANES>(array, row, from);
}

/* Arrays of the mesh: two sets stand side by side, pairs of sets one behind the other. */
template <int LANES>
__device__ __forceinline__ void put_strengths(const enuf_cuda_sets &s, int64_t atom,
                                              const double *from)
{
    constexpr int EACH = LANES < 2 ? 1 : 2;
#pragma unroll
    for (int v = 0; v < LANES; v += EACH)
        put_row<EACH>(s.strengths, s.mesh_single, v / EACH * s.sets.n + atom, from + v);
}

template <int LANES>
__device__ __forceinline__ void get_values(const enuf_cuda_sets &s, int64_t atom, double *to)
{
    constexpr int EACH = LANES < 2 ? 1 : 2;
#pragma unroll
    for (int v = 0; v < LANES; v += EACH)
        if (s.mesh_single)
            get_row<float, EACH>(s.values, v / EACH * s.sets.n + atom, to + v);
        else
            get_row<double, EACH>(s.values, v / EACH * s.sets.n + atom, to + v);
}

/* Of the strengths of a set and of the other one of its pair. */
__device__ __forceinline__ double scale_of(const enuf_cuda_sets &s, int v)
{
    double size = s.moments[v * s.each + SET_SIZE];
    if (s.sets.lanes > 1) size += s.moments[(v ^ 1) * s.each + SET_SIZE];
    return enuf_set_scale(s.bound, size);
}

/* Where a charge that is not finite is noted. */
__device__ __forceinline__ unsigned long long *place_of(enuf_cuda_sets_found *found, double q)
{
    return isnan(q) ? &found->nan : q > 0 ? &found->infinite : &found->minus_infinite;
}

/* EACH: the moments that are summed; not those that no closed form needs. */
template <int LANES, int EACH> __device__ __forceinline__ void take_atoms(const enuf_cuda_sets &s)
{
    const int64_t n = s.sets.n;
    double moments[LANES * EACH] = {};
    enuf_chain_wait();
    for (int64_t i = this_atom(); i < n; i += atom_step()) {
        const int64_t to = s.home[i];
        double q[LANES]; /* all loads come first: none waits for the one before */
#pragma unroll
        for (int v = 0; v < LANES; v++) q[v] = v < s.sets.used ? s.sets.charges[v * n + i] : 0;
        put_row<LANES>(s.charges, s.pairs_single, to, q);
        put_strengths<LANES>(s, to, q);
#pragma unroll
        for (int v = 0; v < LANES; v++) {
            if (!isfinite(q[v]))
                atomicMin(place_of(s.found, q[v]),
                          (unsigned long long)((s.sets.first + v) * n + i));
            if constexpr (EACH == SET_MOMENTS) {
                enuf_add_set_moments(&s.sets.forms, q[v], s.given + 3 * i, moments + v * EACH);
            } else {
                moments[v * EACH + SET_CHARGE] += q[v];
                moments[v * EACH + SET_SIZE] += fabs(q[v]);
            }
        }
    }
    sum_block(moments, s.partial);
}

template <int LANES>
__global__ void __launch_bounds__(atom_threads) take(const __grid_constant__ enuf_cuda_sets s)
{
    take_atoms<LANES, SET_DIPOLE>(s);
}

template <int LANES>
__global__ void __launch_bounds__(atom_threads)
    take_with_dipoles(const __grid_constant__ enuf_cuda_sets s)
{
    take_atoms<LANES, SET_MOMENTS>(s);
}

__global__ void scale(const __grid_constant__ enuf_cuda_sets s)
{
    const int64_t at = this_atom(), n = s.sets.n;
    if (at >= s.sets.lanes * n) return;
    const int v = s.sets.lanes == 1 ? 0 : (int)(at / (2 * n)) * 2;
    set_real(s.strengths, s.mesh_single, at,
             scale_of(s, v) * real_at(s.strengths, s.mesh_single, at));
}

template <int LANES>
__global__ void exclude(const __grid_constant__ enuf_cuda_sets s,
                        const __grid_constant__ enuf_cuda_exclusions x, const double *values)
{
    const int64_t i = this_atom(), n = s.sets.n;
    if (i >= n || x.first[i] == x.first[i + 1]) return;
    double sum[LANES] = {}, *sums = s.sums + LANES * (int64_t)s.home[i];
    for (int64_t p = x.first[i]; p < x.first[i + 1]; p++) {
        const double *charge = s.sets.charges + x.partner[p];
#pragma unroll
        for (int v = 0; v < LANES; v++)
            if (v < s.sets.used) sum[v] = fma(values[p], charge[v * n], sum[v]);
    }
#pragma unroll
    for (int v = 0; v < LANES; v++) sums[v] += sum[v];
}

template <int LANES> __global__ void deliver(const __grid_constant__ enuf_cuda_sets s)
{
    const int64_t i = this_atom(), n = s.sets.n;
    enuf_chain_lead();
    if (i >= n) return;
    /* no kernel of the chain writes these */
    const int64_t from = s.home[i];
    const double x[3] = {s.given[3 * i], s.given[3 * i + 1], s.given[3 * i + 2]};
    double q[LANES];
#pragma unroll
    for (int v = 0; v < LANES; v++) q[v] = v < s.sets.used ? s.sets.charges[v * n + i] : 0;
    enuf_chain_follow();
    double sums[LANES], values[LANES];
    get_row<double, LANES>(s.sums, from, sums);
    get_values<LANES>(s, from, values);
#pragma unroll
    for (int v = 0; v < LANES; v++) {
        if (v >= s.sets.used) break;
        /* the weights of the half space give half of the potential */
        const double mesh = (LANES == 1 ? 2 : 1) / scale_of(s, v) * values[v];
        const double closed = enuf_set_potential(&s.sets.forms, q[v], x, s.moments + v * s.each);
        const double potential = s.coulomb * (sums[v] + mesh + closed);
        if (!isfinite(potential))
            atomicMin(&s.found->potential, (unsigned long long)((s.sets.first + v) * n + i));
        s.sets.potentials[v * n + i] = potential;
    }
}

/* Launches a kernel for the lanes of s. */
#define FOR_LANES(launch, kernel, lanes)                                                           \
    do {                                                                                           \
        switch (lanes) {                                                                           \
        case 1:                                                                                    \
            launch(kernel<1>);                                                                     \
            break;                                                                                 \
        case 2:                                                                                    \
            launch(kernel<2>);                                                                     \
            break;                                                                                 \
        case 4:                                                                                    \
            launch(kernel<4>);                                                                     \
            break;                                                                                 \
        default:                                                                                   \
            launch(kernel<8>);                                                                     \
        }                                                                                          \
    } while (0)

} // namespace

extern "C" enuf_status enuf_cuda_take_sets(const enuf_cuda_sets *s, cudaStream_t stream)
{
    const auto launch = [&](void (*kernel)(enuf_cuda_sets)) {
        enuf_chain(stream, kernel, dim3(summing_blocks(s->sets.n)), atom_threads, 0, *s);
    };
    if (s->each == SET_MOMENTS)
        FOR_LANES(launch, take_with_dipoles, s->sets.lanes);
    else
        FOR_LANES(launch, take, s->sets.lanes);
    return enuf_cuda_launched("taking sets of charges");
}

extern "C" enuf_status enuf_cuda_sum_set_moments(const enuf_cuda_sets *s, cudaStream_t stream)
{
    const int width = s->sets.lanes * (int)s->each;
    return enuf_cuda_sum_partial(s->partial, summing_blocks(s->sets.n), width, width, s->moments,
                                 stream);
}

extern "C" enuf_status enuf_cuda_scale_sets(const enuf_cuda_sets *s, cudaStream_t stream)
{
    scale<<<atom_blocks(s->sets.lanes * s->sets.n), atom_threads, 0, stream>>>(*s);
    return enuf_cuda_launched("scaling sets of charges");
}

extern "C" enuf_status enuf_cuda_exclude_sets(const enuf_cuda_sets *s,
                                              const enuf_cuda_exclusions *x, const double *values,
                                              cudaStream_t stream)
{
    const auto launch = [&](void (*kernel)(enuf_cuda_sets, enuf_cuda_exclusions, const double *)) {
        kernel<<<atom_blocks(s->sets.n), atom_threads, 0, stream>>>(*s, *x, values);
    };
    FOR_LANES(launch, exclude, s->sets.lanes);
    return enuf_cuda_launched("exclusions of sets of charges");
}

extern "C" enuf_status enuf_cuda_deliver_sets(const enuf_cuda_sets *s, cudaStream_t stream)
{
    const auto launch = [&](void (*kernel)(enuf_cuda_sets)) {
        enuf_chain(stream, kernel, dim3(atom_blocks(s->sets.n)), atom_threads, 0, *s);
    };
    FOR_LANES(launch, deliver, s->sets.lanes);
    return enuf_cuda_launched("delivery of sets of potentials");
}
