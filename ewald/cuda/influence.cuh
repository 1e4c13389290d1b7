/*
 * influence.cuh - the weight of a mode, as ewald/evaluate/influence.c, on the device.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_INFLUENCE_CUH
#define ENUF_EWALD_CUDA_INFLUENCE_CUH

#include "evaluation.h"

/* psi(u) and psi'(u), up the Legendre recurrence as in src/common/prolate_function.c; in double:
 * the rounding error, 1e-15 of psi(0), is negligible beside the modes around k = 0. */
static __device__ void influence_prolate(const enuf_cuda_influence &f, double u, double *value,
                                         double *slope)
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
static __device__ void influence_transform(const enuf_cuda_influence &f, double k2, double *chi,
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
    influence_prolate(f, u, &value, &slope);
    *chi = value * f.per_psi_0;
    *chi_d = u * slope * f.per_psi_0;
}

/* psi''(u) as well: the same sums of the second derivatives of the Legendre polynomials. */
static __device__ double influence_prolate_bend(const enuf_cuda_influence &f, double u)
{
    double even = 1, odd = u, odd_slope = 1, even_bend = 0, sum = 0;
    for (int j = 0; j < f.n_beta; j++) {
        const double k = 2 * j;
        sum = fma(f.beta[j], even_bend, sum);
        even_bend = fma(2 * k + 3, odd_slope, even_bend);
        even = ((2 * k + 3) * u * odd - (k + 1) * even) / (k + 2);
        odd_slope = fma(2 * k + 5, even, odd_slope);
        odd = ((2 * k + 5) * u * even - (k + 2) * odd) / (k + 3);
    }
    return sum;
}

/** (k d/dk)^2 chi_hat, with the values of influence_transform(). */
static __device__ double influence_bend(const enuf_cuda_influence &f, double k2, double *chi,
                                        double *chi_d)
{
    influence_transform(f, k2, chi, chi_d);
    if (f.n_beta == 0) {
        const double u2 = k2 * f.per_4_alpha2;
        return 4 * u2 * (u2 - 1) * *chi;
    }
    const double u = sqrt(k2) * f.per_band;
    if (u > 1) return 0;
    return *chi_d + u * u * influence_prolate_bend(f, u) * f.per_psi_0;
}

/** k = 2 pi inverse m. */
static __device__ void wave_of_mode(const double inverse[9], const double m[3], double k[3])
{
    const double two_pi = 6.283185307179586476925;
    for (int e = 0; e < 3; e++)
        k[e] = two_pi *
               (inverse[3 * e] * m[0] + inverse[3 * e + 1] * m[1] + inverse[3 * e + 2] * m[2]);
}

/** Weights of mode m. */
static __device__ void influence_of_mode(const enuf_cuda_influence &f, const double m[3],
                                         double weight[2])
{
    double k[3], k2 = 0, chi, chi_d;
    wave_of_mode(f.inverse, m, k);
    for (int e = 0; e < 3; e++) k2 += k[e] * k[e];
    weight[0] = weight[1] = 0;
    if (!(k2 > 0 && k2 <= f.most_k2)) return;
    influence_transform(f, k2, &chi, &chi_d);
    weight[0] = f.scale * chi / k2;
    weight[1] = f.scale * (chi_d - 2 * chi) / (k2 * k2);
}

#endif
