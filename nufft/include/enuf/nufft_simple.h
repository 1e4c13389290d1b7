/*
 * enuf/nufft_simple.h - a transform in one call, with the arguments of FINUFFT's simple calls.
 *
 *   type 1   modes[m]  = sum_j strengths[j] exp(sign i m . x_j)       points -> modes
 *   type 2   values[j] = sum_m modes[m]     exp(sign i m . x_j)       modes  -> points
 *   type 3   values[k] = sum_j strengths[j] exp(sign i s_k . x_j)     points -> targets
 *
 *     enuf_nufft2d1(n, x, y, strengths, -1, 1e-9, 128, 96, modes, NULL);
 *
 * A name has the dimension and the type: enuf_nufft2d1 is 2D, type 1. Arrays of enuf_nufft... are
 * double, those of enuf_nufftf... float. Transforms of the same points, or more than one call with
 * them, are faster with a plan (enuf/nufft.h).
 *
 *   n                  number of points, >= 0
 *   x, y, z            [n] coordinates in radians, period 2 pi. Any finite number is legal; it is
 *                      folded in double. Type 3 does not fold
 *   s, t, u            [n_targets] targets of type 3
 *   strengths, values  [n] complex: real part, imaginary part
 *   sign               of the exponent: >= 0 is +1, < 0 is -1
 *   tolerance          relative l2 error, 1e-1 ... 1e-14, in float 1e-1 ... 1e-6
 *   n1, n2, n3         modes along x, y, z, >= 0
 *   modes              [n3][n2][n1] complex, that of x is fastest; m = -n/2 ... (n-1)/2 ascending
 *   options            NULL: defaults; else from enuf_nufft_options_init(). The arguments replace
 *                      dim, modes, precision, sign, type2_sign, type3, period, tolerance, density.
 * The others count: threads, batch, mode_order, strengths, backend, memory, ... Arrays then have
 * the shapes of enuf_nufft_type1() and enuf_nufft_type2().
 *
 * Nothing is normalised. Differences from FINUFFT: a tolerance that cannot be reached is an error,
 * no warning; docs/migration.md has the others.
 *
 * Errors, whose texts begin with the function's name: those of enuf_nufft_create();
 * ENUF_NOT_FINITE names the first point with a NaN or infinite coordinate, or says that a strength,
 * a mode or a result is not finite. A call returns when its results are complete, in device memory
 * too.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_SIMPLE_H
#define ENUF_NUFFT_SIMPLE_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Type 1: `strengths` is read, `modes` is written ---- */

ENUF_API enuf_status enuf_nufft1d1(int64_t n, const double *x, const void *strengths, int sign,
                                   double tolerance, int64_t n1, void *modes,
                                   const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufft2d1(int64_t n, const double *x, const double *y,
                                   const void *strengths, int sign, double tolerance, int64_t n1,
                                   int64_t n2, void *modes, const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufft3d1(int64_t n, const double *x, const double *y, const double *z,
                                   const void *strengths, int sign, double tolerance, int64_t n1,
                                   int64_t n2, int64_t n3, void *modes,
                                   const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf1d1(int64_t n, const float *x, const void *strengths, int sign,
                                    double tolerance, int64_t n1, void *modes,
                                    const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf2d1(int64_t n, const float *x, const float *y,
                                    const void *strengths, int sign, double tolerance, int64_t n1,
                                    int64_t n2, void *modes, const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf3d1(int64_t n, const float *x, const float *y, const float *z,
                                    const void *strengths, int sign, double tolerance, int64_t n1,
                                    int64_t n2, int64_t n3, void *modes,
                                    const enuf_nufft_options *options);

/* ---- Type 2: `modes` is read, `values` is written ---- */

ENUF_API enuf_status enuf_nufft1d2(int64_t n, const double *x, void *values, int sign,
                                   double tolerance, int64_t n1, const void *modes,
                                   const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufft2d2(int64_t n, const double *x, const double *y, void *values,
                                   int sign, double tolerance, int64_t n1, int64_t n2,
                                   const void *modes, const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufft3d2(int64_t n, const double *x, const double *y, const double *z,
                                   void *values, int sign, double tolerance, int64_t n1, int64_t n2,
                                   int64_t n3, const void *modes,
                                   const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf1d2(int64_t n, const float *x, void *values, int sign,
                                    double tolerance, int64_t n1, const void *modes,
                                    const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf2d2(int64_t n, const float *x, const float *y, void *values,
                                    int sign, double tolerance, int64_t n1, int64_t n2,
                                    const void *modes, const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf3d2(int64_t n, const float *x, const float *y, const float *z,
                                    void *values, int sign, double tolerance, int64_t n1,
                                    int64_t n2, int64_t n3, const void *modes,
                                    const enuf_nufft_options *options);

/* ---- Type 3: `strengths` is read, `values` [n_targets] is written ---- */

ENUF_API enuf_status enuf_nufft1d3(int64_t n, const double *x, const void *strengths, int sign,
                                   double tolerance, int64_t n_targets, const double *s,
                                   void *values, const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufft2d3(int64_t n, const double *x, const double *y,
                                   const void *strengths, int sign, double tolerance,
                                   int64_t n_targets, const double *s, const double *t,
                                   void *values, const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufft3d3(int64_t n, const double *x, const double *y, const double *z,
                                   const void *strengths, int sign, double tolerance,
                                   int64_t n_targets, const double *s, const double *t,
                                   const double *u, void *values,
                                   const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf1d3(int64_t n, const float *x, const void *strengths, int sign,
                                    double tolerance, int64_t n_targets, const float *s,
                                    void *values, const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf2d3(int64_t n, const float *x, const float *y,
                                    const void *strengths, int sign, double tolerance,
                                    int64_t n_targets, const float *s, const float *t, void *values,
                                    const enuf_nufft_options *options);
ENUF_API enuf_status enuf_nufftf3d3(int64_t n, const float *x, const float *y, const float *z,
                                    const void *strengths, int sign, double tolerance,
                                    int64_t n_targets, const float *s, const float *t,
                                    const float *u, void *values,
                                    const enuf_nufft_options *options);

#ifdef __cplusplus
}
#endif
#endif
