/*
 * bspline.c - the cardinal B-spline of order `width`, normalised to 1 at 0. It has no shape to
 * choose. Source: Beylkin, Appl. Comput. Harmon. Anal. 2 (1995) 363. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "window_kind.h"

#include <math.h>

static double default_shape(int width, double upsampling)
{
    (void)width;
    (void)upsampling;
    return 1;
}

/* Order `width` at x in [0, width], by the Cox-de Boor recurrence over the cells of its support. */
static long double cardinal(int width, long double x)
{
    long double b[ENUF_MAX_WIDTH + 1] = {0};
    int cell = (int)fminl(fmaxl(floorl(x), 0), width - 1);
    b[cell] = 1;
    for (int order = 2; order <= width; order++)
        for (int j = 0; j <= width - order; j++)
            b[j] = ((x - j) * b[j] + (j + order - x) * b[j + 1]) / (order - 1);
    return b[0];
}

static long double value(const enuf_window_parameters *parameters, long double z)
{
    int width = parameters->width;
    return cardinal(width, 0.5L * width * (1 + z)) / cardinal(width, 0.5L * width);
}

const enuf_window_kind enuf_window_bspline = {default_shape, 0, 1, value};
