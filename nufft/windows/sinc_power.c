/*
 * sinc_power.c - (sin(pi b x)/(pi b x))^width, truncated; shape b per cell. Its transform is a
 * B-spline. Source: Potts, Steidl, SIAM J. Sci. Comput. 24 (2003) 2013. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "window_kind.h"

#include <math.h>

static double default_shape(int width, double upsampling)
{
    return (2 * upsampling - 1) / (upsampling * width);
}

static long double value(const enuf_window_parameters *parameters, long double z)
{
    long double x = 3.14159265358979323846264L * parameters->shape * parameters->width / 2 * z;
    long double sinc = fabsl(x) < 1e-5L ? 1 - x * x / 6 : sinl(x) / x;
    return powl(fabsl(sinc), parameters->width);
}

const enuf_window_kind enuf_window_sinc_power = {default_shape, 0, 1, value};
