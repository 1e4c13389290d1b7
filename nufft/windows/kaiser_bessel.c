/*
 * kaiser_bessel.c - the Kaiser-Bessel window I0(beta sqrt(1 - z^2))/I0(beta).
 * Source of the shape: Beatty, Nishimura, Pauly, IEEE Trans. Med. Imaging 24 (2005) 799, eq. 5.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "window_kind.h"

#include <math.h>

static double default_shape(int width, double upsampling)
{
    double reach = width / upsampling * (upsampling - 0.5);
    return M_PI * sqrt(fmax(reach * reach - 0.8, 0.04));
}

/*
 * The power series: every term is positive, so it is accurate to rounding at any argument; a
 * relative error of the argument comes out beta times larger.
 */
static long double bessel_i0(long double x)
{
    long double term = 1, sum = 1;
    for (int k = 1; term > 1e-20L * sum; k++) {
        term *= x * x / (4.0L * k * k);
        sum += term;
    }
    return sum;
}

static long double value(const enuf_window_parameters *parameters, long double z)
{
    long double beta = parameters->shape, inside = 1 - z * z;
    return bessel_i0(beta * sqrtl(inside > 0 ? inside : 0)) / bessel_i0(beta);
}

const enuf_window_kind enuf_window_kaiser_bessel = {default_shape, 0, ENUF_MAX_SHAPE, value};
