/*
 * window_kind.h - a kind of window as its own file provides it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_WINDOW_KIND_H
#define ENUF_NUFFT_WINDOW_KIND_H

#include "enuf/nufft.h"
#include "prolate_function.h"

/** Input of a value function. */
typedef struct enuf_window_parameters {
    int width;
    double shape;
    enuf_prolate psi; /* prolate only */
} enuf_window_parameters;

/** A kind of window, one small file each in windows/. */
typedef struct enuf_window_kind {
    /* the shape parameter that suits equally important modes */
    double (*default_shape)(int width, double upsampling);
    /* shapes outside (lowest, highest] are refused */
    double lowest_shape, highest_shape;
    /* phi at z = 2 x/width in [-1, 1], to more digits than a double: slopes are taken of it */
    long double (*value)(const enuf_window_parameters *parameters, long double z);
} enuf_window_kind;

extern const enuf_window_kind enuf_window_prolate, enuf_window_es, enuf_window_kaiser_bessel,
    enuf_window_gaussian, enuf_window_bspline, enuf_window_sinc_power;

#endif
