/*
 * influence.cu - what each mode is multiplied by, as ewald/influence.c: a thread a mode. A cell
 * that changes in every step costs one pass over the modes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "terms.cuh"

/* psi(u) and psi'(u), up the Legendre recurrence as in src/common/prolate_function.c; in double:
 * what it rounds, 1e-15 of psi(0), is nothing beside the modes around k = 0. */
static __device__ void prolate(const enuf_cuda_influence &f, double u, double *value, double *slope)
{
    double even = 1, odd = u, even_slope = 0, sum = 0, slopes = 0;
    for (int j = 0; j < f.n_beta; j++) {
        const double k = 2 * j;
        sum = fma(f.beta[j], even, sum);
        slopes = fma(f.beta[j], even_slope, slopes);
        even_slope = fma(2 * k + 3, odd, even_slope);
        even = ((2 * k + 3) * u * odd - (k + 1) * even) / (k + 2);
        odd = ((2 * k + 5) * u * even - (k + 2) * odd) / (k + 3);
    }
    *value = sum;
    *slope = slopes;
}

/* chi_hat(k) and chi_hat D: splitting.h */
static __device__ void transform(const enuf_cuda_influence &f, double k2, double *chi,
                                 double *chi_d)
{
    *chi = *chi_d = 0;
    if (f.n_beta == 0) {
        *chi = exp(-k2 * f.per_4_alpha2);
        *chi_d = -2 * k2 * f.per_4_alpha2 * *chi;
        return;
    }
    const double u = sqrt(k2) * f.per_band;
    if (u > 1) return;
    double value, slope;
    prolate(f, u, &value, &slope);
    *chi = value * f.per_psi_0;
    *chi_d = u * slope * f.per_psi_0;
}

template <class Real>
static __global__ void fill(const __grid_constant__ enuf_cuda_influence f, Real *weights)
{
    const double two_pi = 6.283185307179586476925;
    const int64_t at = this_atom(), count = f.h1 * f.n2 * f.n3;
    if (at >= count) return;
    const double m[3] = {(double)(at % f.h1), (double)(at / f.h1 % f.n2 - f.n2 / 2),
                         (double)(at / f.h1 / f.n2 - f.n3 / 2)};
    double k2 = 0, chi, chi_d, energy = 0, virial = 0;
    for (int e = 0; e < 3; e++) {
        const double k = two_pi * (f.inverse[3 * e] * m[0] + f.inverse[3 * e + 1] * m[1] +
                                   f.inverse[3 * e + 2] * m[2]);
        k2 += k * k;
    }
    if (k2 > 0 && k2 <= f.most_k2) {
        transform(f, k2, &chi, &chi_d);
        energy = f.scale * chi / k2;
        virial = f.scale * (chi_d - 2 * chi) / (k2 * k2);
    }
    weights[at] = (Real)energy;
    weights[count + at] = (Real)virial;
}

extern "C" enuf_status enuf_cuda_fill_influence(const enuf_cuda_influence *f, int single,
                                                void *weights, cudaStream_t stream)
{
    const unsigned blocks = atom_blocks(f->h1 * f->n2 * f->n3);
    if (blocks == 0) return ENUF_SUCCESS;
    if (single)
        fill<<<blocks, atom_threads, 0, stream>>>(*f, (float *)weights);
    else
        fill<<<blocks, atom_threads, 0, stream>>>(*f, (double *)weights);
    return enuf_cuda_launched("influence of the modes");
}
