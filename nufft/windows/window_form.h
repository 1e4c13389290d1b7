/*
 * window_form.h - a window of a width and shape as numbers: a quadrature, and polynomials. window.h
 * makes them. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_WINDOW_FORM_H
#define ENUF_NUFFT_WINDOW_FORM_H

#include "chebyshev.h"
#include "enuf/nufft.h"

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

#endif
