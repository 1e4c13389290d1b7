/*
 * prolate.c - the splitting by a prolate spheroidal wave function: the density of compact support
 * whose transform is most concentrated (Liang, Lu, Jiang, Barnett and others, "ESP", 2025).
 *
 * chi(x) = psi(x)/(2 c_0) on [-1, 1], whose transform is psi(t/c)/psi(0) at every t. Only
 * |t| <= c is kept; the part beyond is the splitting's only error.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "splitting_kind.h"
#include "chebyshev.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enuf_status enuf_splitting_prolate(double c, double cutoff, enuf_splitting *splitting)
{
    enuf_splitting made = {.kind = ENUF_SPLIT_PROLATE, .cutoff = cutoff, .c = c};
    if (!(cutoff > 0) || !isfinite(cutoff))
        return enuf_fail(ENUF_BAD_ARGUMENT, "cutoff = %g has to be positive and finite", cutoff);
    ENUF_TRY(enuf_prolate_make(c, &made.psi));
    made.self = made.psi.at_0 / (made.psi.half_integral * cutoff);
    made.background = pi * cutoff * cutoff * made.psi.second_moment;
    *splitting = made;
    return ENUF_SUCCESS;
}

static double band(const enuf_splitting *splitting)
{
    return splitting->c / splitting->cutoff;
}

static double inside(const enuf_splitting *splitting, double x, double *derivative)
{
    const enuf_prolate *psi = &splitting->psi;
    if (x > 1) {
        if (derivative) *derivative = 0;
        return 1;
    }
    if (derivative) *derivative = enuf_prolate_value(psi, x, NULL) / psi->half_integral;
    return enuf_prolate_integral(psi, x) / psi->half_integral;
}

static void transform(const enuf_splitting *splitting, double k, double *chi, double *chi_d)
{
    const enuf_prolate *psi = &splitting->psi;
    double u = k * splitting->cutoff / splitting->c, slope;
    *chi = *chi_d = 0;
    if (u > 1) return;
    *chi = enuf_prolate_value(psi, u, &slope) / psi->at_0;
    *chi_d = u * slope / psi->at_0;
}

static double transform_bend(const enuf_splitting *splitting, double k)
{
    const enuf_prolate *psi = &splitting->psi;
    double u = k * splitting->cutoff / splitting->c, slope;
    if (u > 1) return 0;
    enuf_prolate_value(psi, u, &slope);
    return u * (slope + u * enuf_prolate_second(psi, u)) / psi->at_0;
}

static double q(const enuf_splitting *splitting, double s)
{
    return enuf_prolate_mean(&splitting->psi, sqrt(s)) / splitting->psi.half_integral;
}

static double r(const enuf_splitting *splitting, double s)
{
    return enuf_prolate_bend(&splitting->psi, sqrt(s)) / splitting->psi.half_integral;
}

static double real_error(const enuf_splitting *splitting)
{
    (void)splitting;
    return 0;
}

/*
 * Square of the error of the modes beyond t = c: 8 int_c^inf chi_hat^2 dt. By Parseval it is
 * (2 pi/c_0^2)(1 - mu), mu = 2 c c_0^2/(pi psi(0)^2) the share of psi inside the band. 1 - mu
 * loses its digits to the subtraction as c grows; from 12 on the better one is the expansion
 * 4 sqrt(pi c) exp(-2c) (1 - 7/(16 c) - ...) (leading term: Fuchs, J. Math. Anal. Appl. 9 (1964)
 * 317; the others fitted to 60-digit values at c = 14 ... 50; good to 1e-5 at c = 12).
 */
static double square_beyond_band(const enuf_prolate *psi)
{
    double c = psi->c, c0 = psi->half_integral, outside;
    if (c < 12) {
        outside = 1 - 2 * c * c0 * c0 / (pi * psi->at_0 * psi->at_0);
    } else {
        double series = 1 - (7.0 / 16 + (0.1777 + (0.3206 + 0.8 / c) / c) / c) / c;
        outside = 4 * sqrt(pi * c) * exp(-2 * c) * series;
    }
    return 2 * pi * outside / (c0 * c0);
}

/* The same integral over the part of the band that is cut off when the sum ends early, at u = t/c.
 */
static double square_inside_band(const enuf_prolate *psi, double from)
{
    enum { NODES = 32 };
    double node[NODES], weight[NODES], sum = 0;
    enuf_gauss_legendre(NODES, node, weight);
    double half = (1 - from) / 2;
    for (int i = 0; i < NODES; i++) {
        double chi = enuf_prolate_value(psi, from + half * (1 + node[i]), NULL) / psi->at_0;
        sum += weight[i] * half * chi * chi;
    }
    return 8 * psi->c * sum;
}

static double truncation_error(const enuf_splitting *splitting, double k_c)
{
    const enuf_prolate *psi = &splitting->psi;
    double square = square_beyond_band(psi);
    double u = k_c * splitting->cutoff / splitting->c;
    if (u < 1) square += square_inside_band(psi, u > 0 ? u : 0);
    return sqrt(square);
}

const enuf_splitting_functions enuf_prolate_functions = {
    band, inside, transform, transform_bend, q, r, real_error, truncation_error,
};

/*
 * ln eps falls with a slope near -1 in c, so the iteration c + ln(eps(c)/eps) converges to the
 * root. A small addition at the end covers the rounding of 1 - mu.
 */
double enuf_prolate_c_for(double eps)
{
    if (!(eps > 0)) return NAN;
    const double smallest = 1e-3, largest = 300;
    enuf_prolate psi;
    double c =
        fmin(fmax(1, 2.5 - log(eps)), largest / 2); /* near the root for eps = 1e-2 ... 1e-14 */
    for (int step = 0; step < 40; step++) {
        if (enuf_prolate_make(c, &psi) != ENUF_SUCCESS) return NAN;
        double correction = log(sqrt(square_beyond_band(&psi)) / eps);
        c += correction;
        if (c < smallest) return smallest;
        if (c > largest) return largest;
        if (fabs(correction) < 1e-7) break;
    }
    return c + 1e-6;
}
