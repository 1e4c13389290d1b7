/*
 * enuf/direct.h - the sums of nufft.h without an FFT: exact, O(points * modes), threaded.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_H
#define ENUF_DIRECT_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Type 1 and type 2, summed directly in double. options->precision is the precision of the arrays.
 * These options count: dim, modes, precision, strengths, sign, type2_sign, batch, mode_order,
 * period, threads. T and origin are those of enuf_nufft_set_frame() (NULL: s = x / period).
 */
ENUF_API enuf_status enuf_direct_type1(const enuf_nufft_options *options, const double T[9],
                                       const double origin[3], int64_t n, const double *x,
                                       const double *y, const double *z, int64_t stride,
                                       const void *strengths, void *modes);
ENUF_API enuf_status enuf_direct_type2(const enuf_nufft_options *options, const double T[9],
                                       const double origin[3], int64_t n, const double *x,
                                       const double *y, const double *z, int64_t stride,
                                       const void *modes, void *values, void *gradients);

/**
 * The direct sum at any sources and targets:
 * values[t] = sum_s strengths[s] exp(sign 2 pi i targets[t] . sources[s]).
 *
 * sources [n_sources][dim], targets [n_targets][dim] double; strengths [n_sources], values
 * [n_targets] complex double; gradients [n_targets][dim] complex, d/d(target), may be NULL.
 */
ENUF_API enuf_status enuf_direct_sum(int dim, int sign, int threads, int64_t n_sources,
                                     const double *sources, const double *strengths,
                                     int64_t n_targets, const double *targets, double *values,
                                     double *gradients);

#ifdef __cplusplus
}
#endif
#endif
