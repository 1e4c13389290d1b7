/*
 * gaussian.c - the truncated Gaussian exp(-b z^2).
 * Source of the shape: Dutt, Rokhlin, SIAM J. Sci. Comput. 14 (1993) 1368; Steidl, Adv. Comput.
 * Math. 9 (1998) 337: spatial and spectral truncation errors are equal. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "window_kind.h"

#include <math.h>

static double default_shape(int width, double upsampling)
{
    return 0.5 * M_PI * width * (1 - 0.5 / upsampling);
}

static long double value(const enuf_window_parameters *parameters, long double z)
{
    return expl(-parameters->shape * z * z);
}

const enuf_window_kind enuf_window_gaussian = {default_shape, 0, ENUF_MAX_SHAPE, value};
