/*
 * held_order.cu - what held positions need once: the steady order, values of the exclusions,
 * weights of all modes. A thread an atom or a mode. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/nearest_image.cuh"
#include "cuda/real.cuh"
#include "cuda/terms.cuh"
#include "held_kernels.h"
#include "steady_place.cuh"

template <class Real>
static __global__ void steady_order(const __grid_constant__ enuf_cuda_pair_arguments a,
                                    const double *given, real4<Real> *place, double *positions)
{
    const int at = (int)this_atom();
    if (at >= a.cells.first[a.grid.n_cells]) return;
    const int i = a.cells.original[at], to = steady_place(a, at);
    a.cells.home[i] = to;
    place[to] = ((const real4<Real> *)a.cells.place)[at];
    for (int d = 0; d < 3; d++) positions[3 * (int64_t)to + d] = given[3 * (int64_t)i + d];
}

extern "C" enuf_status enuf_cuda_hold_order(const enuf_cuda_pair_arguments *a, int single,
                                            const double *given, void *place, double *positions,
                                            cudaStream_t stream)
{
    const unsigned blocks = atom_blocks(a->n_own);
    if (single)
        steady_order<<<blocks, atom_threads, 0, stream>>>(*a, given, (real4<float> *)place,
                                                          positions);
    else
        steady_order<<<blocks, atom_threads, 0, stream>>>(*a, given, (real4<double> *)place,
                                                          positions);
    return enuf_cuda_launched("order of the atoms of cells");
}

static __global__ void exclude(int64_t n, const double *given,
                               const __grid_constant__ enuf_cuda_exclusions x, double *values)
{
    const int64_t i = this_atom();
    if (i >= n) return;
    for (int64_t p = x.first[i]; p < x.first[i + 1]; p++) {
        double d[3];
        nearest_image(x, given + 3 * i, given + 3 * x.partner[p], d);
        const double r2 = norm2(d);
        values[p] = r2 > 0 ? -x.removed[p] / sqrt(r2) : 0;
    }
}

extern "C" enuf_status enuf_cuda_hold_exclusions(int64_t n, const double *given,
                                                 const enuf_cuda_exclusions *x, double *values,
                                                 cudaStream_t stream)
{
    exclude<<<atom_blocks(n), atom_threads, 0, stream>>>(n, given, *x, values);
    return enuf_cuda_launched("values of exclusions");
}

/* The numbers of modes are odd. */
template <class Real>
static __global__ void expand(int64_t n1, int64_t n2, int64_t n3, const Real *half, Real *weights)
{
    const int64_t at = this_atom(), h1 = (n1 + 1) / 2;
    if (at >= n1 * n2 * n3) return;
    const int64_t m1 = at % n1 - n1 / 2, m2 = at / n1 % n2 - n2 / 2, m3 = at / n1 / n2 - n3 / 2;
    const int64_t sign = m1 < 0 ? -1 : 1;
    const int64_t row = (sign * m3 + n3 / 2) * n2 + sign * m2 + n2 / 2;
    weights[at] = 2 * half[row * h1 + sign * m1];
}

extern "C" enuf_status enuf_cuda_hold_weights(const int64_t modes[3], int single, const void *half,
                                              void *weights, cudaStream_t stream)
{
    const unsigned blocks = atom_blocks(modes[0] * modes[1] * modes[2]);
    if (blocks == 0) return ENUF_SUCCESS;
    if (single)
        expand<<<blocks, atom_threads, 0, stream>>>(modes[0], modes[1], modes[2],
                                                    (const float *)half, (float *)weights);
    else
        expand<<<blocks, atom_threads, 0, stream>>>(modes[0], modes[1], modes[2],
                                                    (const double *)half, (double *)weights);
    return enuf_cuda_launched("weights of all modes");
}
