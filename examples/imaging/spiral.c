/* spiral.c - see spiral.h. SPDX-License-Identifier: BSD-3-Clause */
#include "spiral.h"

#include <math.h>

/* integral_0^u sqrt(1 + (a v)^2) dv, a = 2 pi turns: the path in units of the largest radius */
static double path(double a, double u)
{
    return 0.5 * (u * sqrt(1 + a * u * a * u) + asinh(a * u) / a);
}

int64_t spiral_count(int even_path, int64_t side, double turns)
{
    const double a = 2 * M_PI * turns, radius = 0.5 * (double)side;
    return (int64_t)ceil(radius * (even_path ? path(a, 1) : sqrt(1 + a * a)));
}

double spiral_radius(int even_path, double turns, double t)
{
    if (!even_path) return t;
    const double a = 2 * M_PI * turns, length = t * path(a, 1);
    /* the path is convex in u: Newton's steps from above do not pass the root */
    double u = fmin(length, sqrt(2 * length / a));
    for (int i = 0; i < 60; i++) {
        const double step = (path(a, u) - length) / sqrt(1 + a * u * a * u);
        u -= step;
        if (fabs(step) < 1e-15) break;
    }
    return u;
}

double spiral_slope(int even_path, double turns, double u)
{
    const double a = 2 * M_PI * turns;
    return even_path ? path(a, 1) / sqrt(1 + a * u * a * u) : 1;
}
