/*
 * kaiser_bessel.c - the Kaiser-Bessel window I0(beta sqrt(1 - z^2))/I0(beta).
 * Source of the shape: Beatty, Nishimura, Pauly, IEEE Trans. Med. Imaging 24 (2005) 799, eq. 5.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "window.h"

#include <math.h>

static double default_shape(int width, double upsampling)
{
    double reach = width / upsampling * (upsampling - 0.5);
    return M_PI * sqrt(fmax(reach * reach - 0.8, 0.04));
}

/* The power series: every term is positive, so it is accurate to rounding at any argument. */
static double bessel_i0(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; term > 1e-18 * sum; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

static double value(const enuf_window_parameters *parameters, double z)
{
    double beta = parameters->shape;
    return bessel_i0(beta * sqrt(fmax(1 - z * z, 0))) / bessel_i0(beta);
}

const enuf_window_kind enuf_window_kaiser_bessel = {default_shape, 0, 150, value};
