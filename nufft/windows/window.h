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
#include "window_kind.h"

const enuf_window_kind *enuf_window_kind_of(enuf_window window);

enum { ENUF_WINDOW_NODES_PER_CELL = 24 };
enum { ENUF_WINDOW_NODES = ENUF_MAX_WIDTH * ENUF_WINDOW_NODES_PER_CELL / 2 };

/** A window of a width and shape, as a quadrature: enough for its Fourier transform. */
typedef struct enuf_window_form {
    enuf_window window;
    int width;
    double shape;
    double edge;   /* phi at its edge */
    double square; /* integral of phi^2 */
    /* quadrature over x > 0, cell by cell: transform = sum weight cos(theta node) */
    int n_nodes;
    double node[ENUF_WINDOW_NODES], weight[ENUF_WINDOW_NODES];
    /* places of the nodes in their cell, -1 to 1, and the weights of these; cos and sin of 2 pi
     * node
     */
    double place[ENUF_WINDOW_NODES_PER_CELL], place_weight[ENUF_WINDOW_NODES_PER_CELL];
    double turn_cos[ENUF_WINDOW_NODES_PER_CELL], turn_sin[ENUF_WINDOW_NODES_PER_CELL];
    double edge_slope;   /* aliases of the slope at the edge, squared and summed */
    double missed;       /* integral of the square of the fit's error, 0 without a fit */
    double missed_slope; /* the same of its slope */
} enuf_window_form;

/** Its polynomials. */
typedef struct enuf_window_fit {
    int width;
    int n_coefficients;
    double coefficients[ENUF_MAX_COEFFICIENTS][ENUF_MAX_WIDTH]; /* [power][cell] */
} enuf_window_fit;

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
