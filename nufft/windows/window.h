/*
 * window.h - a window of a given width and shape, fitted by a polynomial on each of its cells.
 *
 * A window phi(x) lives on |x| <= width/2, x in fine grid cells, phi(0) = 1. A point at u cells
 * meets cells i0 ... i0 + width - 1, i0 = ceil(u - width/2). With t = 2 (i0 - u + width/2) - 1 in
 * [-1, 1) the weight of cell i0 + p is sum_k coefficients[k][p] t^k for every window: all windows
 * cost the same to evaluate.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_WINDOW_H
#define ENUF_NUFFT_WINDOW_H

#include "chebyshev.h"
#include "enuf/window.h"
#include "window_form.h"
#include "window_kind.h"

const enuf_window_kind *enuf_window_kind_of(enuf_window window);

/** Makes the form of a window. shape 0: the default for `upsampling`. */
enuf_status enuf_window_form_make(enuf_window window, int width, double shape, double upsampling,
                                  enuf_window_form *form);

/**
 * Fits a window. error: allowed error of the polynomials, relative to phi(0) = 1. Takes the
 * smallest number of coefficients that meets it, or comes as near as double precision allows, and
 * stores the error in the form.
 */
enuf_status enuf_window_fit_make(enuf_window_form *form, double error, enuf_window_fit *fit);

/** 1/transform, Fourier's, at theta = 2 pi m/grid for m = 0 ... n - 1. */
enuf_status enuf_window_inverse_transform(const enuf_window_form *form, int64_t grid, int64_t n,
                                          int threads, double *inverse);

/** The transform at theta. */
double enuf_window_transform(const enuf_window_form *form, double theta);

/** The aliasing at theta; see enuf_aliasing in enuf/window.h for the meaning. */
typedef struct enuf_aliasing_at {
    double alias, gradient_alias, gradient_bias, noise;
    double alias_most; /* the most that aliases add up to at any place: alias sums their squares */
} enuf_aliasing_at;

enuf_aliasing_at enuf_window_aliasing_at(const enuf_window_form *form, double theta);

#endif
