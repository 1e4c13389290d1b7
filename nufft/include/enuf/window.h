/*
 * enuf/window.h - the windows of nufft.h: best shapes, and the error that a window makes, mode by
 * mode.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_WINDOW_H
#define ENUF_WINDOW_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The best shape parameter if all modes are equally important (docs/theory.md). */
ENUF_API double enuf_window_shape(enuf_window window, int width, double upsampling);

/** Legendre functions in enuf_aliasing.own_slope; their coefficients fall faster than any power. */
#define ENUF_OWN_SLOPES 8

/** The error a window makes on one axis, mode by mode: see enuf_window_aliasing(). */
typedef struct enuf_aliasing {
    double *alias; /* sum_{n != 0} w^2(theta + 2 pi n) / w^2(theta), theta = 2 pi m / grid */
    double *gradient_alias; /* sum_{n != 0} kappa^2 w^2 (theta + 2 pi n) / w^2(theta), per cell^2 */
    double *gradient_bias;  /* kappa(theta) - theta, per cell: edge jump of the window */
    double *noise; /* integral w(x)^2 dx / w^2(theta): amplification of white rounding noise */
    /* [n][ENUF_OWN_SLOPES] self-force of a point of unit strength by this mode, as a slope per
     * cell; m and -m have the same. Coefficients of sqrt(4r+3) P_{2r+1}(t), where t = -1 ... 1 is
     * the place of the point between two cells (even width) or between two middles (odd) */
    double *own_slope;
} enuf_aliasing;

/**
 * The aliasing of a window for each mode m[k] of an axis with `grid` fine cells, exact up to
 * rounding (1e-16 of the window). w is the Fourier transform of the window as the plan evaluates
 * it; kappa is the transform of its piecewise derivative, over w. Shape 0 is the shape for
 * upsampling 2. Each output has n entries and may be NULL. Source: docs/theory.md, "Error of a
 * transform".
 */
ENUF_API enuf_status enuf_window_aliasing(enuf_window window, int width, double shape, int64_t grid,
                                          int64_t n, const int64_t *m, const enuf_aliasing *out);

#ifdef __cplusplus
}
#endif
#endif
