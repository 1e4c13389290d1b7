/* phases.c - see phases.h. SPDX-License-Identifier: BSD-3-Clause */
#include "phases.h"

#include <math.h>

static const double HALF_PI = 1.57079632679489661923;

/* Turns (cos, sin) of the remainder, |angle| <= pi/4, by `quarters` quarter turns. */
static void phase_of_quarters(double quarters, double remainder, double *re, double *im)
{
    double angle = HALF_PI * remainder;
    double c = cos(angle);
    double s = sin(angle);
    switch ((int)(quarters - 4.0 * rint(0.25 * quarters)) & 3) {
    case 0:
        *re = c;
        *im = s;
        break;
    case 1:
        *re = -s;
        *im = c;
        break;
    case 2:
        *re = -c;
        *im = -s;
        break;
    default:
        *re = s;
        *im = -c;
    }
}

void enuf_unit_phase(double m, double s, double *re, double *im)
{
    /* In quarter turns: the fused product leaves one rounding of a number below 1/2. */
    double quarters = rint(4.0 * m * s);
    phase_of_quarters(quarters, fma(4.0 * m, s, -quarters), re, im);
}

void enuf_unit_phase_of_product(int dim, const double *t, const double *s, double *re, double *im)
{
    double quarters = 0.0;
    double remainder = 0.0;
    double lost = 0.0; /* roundings of the remainder's sum */
    for (int d = 0; d < dim; ++d) {
        double whole = rint(4.0 * t[d] * s[d]);
        double part = fma(4.0 * t[d], s[d], -whole);
        double sum = remainder + part;
        double back = sum - remainder;
        lost += (remainder - (sum - back)) + (part - back);
        remainder = sum;
        quarters += whole - 4.0 * rint(0.25 * whole);
    }
    double whole = rint(remainder);
    phase_of_quarters(quarters + whole, (remainder - whole) + lost, re, im);
}
