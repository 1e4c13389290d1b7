/*
 * es.c - the exponential of semicircle exp(beta (sqrt(1 - z^2) - 1)).
 * Source: Barnett, Magland, af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479, eq. 1.8.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "window_kind.h"

#include <math.h>

static double default_shape(int width, double upsampling)
{
    return 0.97 * M_PI * width * (1 - 0.5 / upsampling);
}

static long double value(const enuf_window_parameters *parameters, long double z)
{
    /* sqrt(1 - z^2) - 1 without its cancellation near z = 0 */
    long double inside = 1 - z * z;
    return expl(-parameters->shape * z * z / (1 + sqrtl(inside > 0 ? inside : 0)));
}

const enuf_window_kind enuf_window_es = {default_shape, 0, ENUF_MAX_SHAPE, value};
