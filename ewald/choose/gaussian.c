/*
 * gaussian.c - the common splitting by erf(alpha r)/r.
 *
 * Error estimates: Kolafa and Perram, Mol. Simul. 9 (1992) 351, without their expansions for large
 * alpha r_c, whose integrals have closed forms.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "splitting_kind.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double two_over_sqrt_pi = 1.12837916709551257390;

enuf_status enuf_splitting_gaussian(double alpha, double cutoff, enuf_splitting *splitting)
{
    if (!(alpha > 0) || !isfinite(alpha))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "splitting parameter alpha = %g has to be positive and finite", alpha);
    if (!(cutoff > 0) || !isfinite(cutoff))
        return enuf_fail(ENUF_BAD_ARGUMENT, "cutoff = %g has to be positive and finite", cutoff);
    memset(splitting, 0, sizeof *splitting);
    splitting->kind = ENUF_SPLIT_GAUSSIAN;
    splitting->cutoff = cutoff;
    splitting->alpha = alpha;
    splitting->self = two_over_sqrt_pi * alpha;
    splitting->background = pi / (2 * alpha * alpha);
    return ENUF_SUCCESS;
}

static double band(const enuf_splitting *splitting)
{
    (void)splitting;
    return INFINITY;
}

static double inside(const enuf_splitting *splitting, double x, double *derivative)
{
    double a = splitting->alpha * splitting->cutoff;
    if (derivative) *derivative = two_over_sqrt_pi * a * exp(-a * a * x * x);
    return erf(a * x);
}

static void transform(const enuf_splitting *splitting, double k, double *chi, double *chi_d)
{
    double u = k / (2 * splitting->alpha);
    *chi = exp(-u * u);
    *chi_d = -2 * u * u * *chi;
}

static double transform_bend(const enuf_splitting *splitting, double k)
{
    double u = k / (2 * splitting->alpha), u2 = u * u;
    return 4 * u2 * (u2 - 1) * exp(-u2);
}

static double q(const enuf_splitting *splitting, double s)
{
    long double a = (long double)splitting->alpha * splitting->cutoff;
    long double u = a * sqrtl(s);
    return (double)(u > 0 ? a * erfl(u) / u : a * (2 / sqrtl(acosl(-1))));
}

/*
 * (erf u - 2u/sqrt(pi) exp(-u^2))/u^3 a^3 cancels for small u; there erf is taken from
 * erf u = 2/sqrt(pi) exp(-u^2) sum_n 2^n u^(2n+1)/(2n+1)!!, whose first term goes and whose others
 * are all positive (DLMF 7.6.2).
 */
static double r(const enuf_splitting *splitting, double s)
{
    const long double root = 2 / sqrtl(acosl(-1));
    long double a = (long double)splitting->alpha * splitting->cutoff;
    long double u2 = a * a * s;
    long double gaussian = root * expl(-u2);
    if (u2 > 2) {
        long double u = sqrtl(u2);
        return (double)(a * a * a * (erfl(u) - u * gaussian) / (u2 * u));
    }
    long double term = 2.0L / 3, sum = 0;
    for (int n = 1; term > 1e-20L * sum; n++) {
        sum += term;
        term *= 2 * u2 / (2 * n + 3);
    }
    return (double)(a * a * a * gaussian * sum);
}

/*
 * eps^2 = 4 pi r_c int_{r_c}^inf f^2/r^2 dr with f = erfc(alpha r) + 2 alpha r/sqrt(pi) exp(..).
 * Partial integration of erfc^2/r^2 gives an integral that the cross term cancels. Leading term for
 * large a = alpha r_c: 4 exp(-2 a^2).
 */
static double real_error_of(double a)
{
    double outside = erfc(a);
    return sqrt(4 * pi * (outside * outside + sqrt(2 / pi) * a * erfc(sqrt(2.0) * a)));
}

static double real_error(const enuf_splitting *splitting)
{
    return real_error_of(splitting->alpha * splitting->cutoff);
}

/*
 * eps^2 = 8 r_c int_{k_c}^inf chi_hat^2 dk, with v = k_c/(sqrt(2) alpha). Leading term for large v:
 * 8 alpha^2 r_c/k_c exp(-k_c^2/(2 alpha^2)).
 */
static double truncation_error_of(double a, double v)
{
    return sqrt(8 * a * sqrt(pi / 2) * erfc(v));
}

static double truncation_error(const enuf_splitting *splitting, double k_c)
{
    return truncation_error_of(splitting->alpha * splitting->cutoff,
                               k_c / (sqrt(2.0) * splitting->alpha));
}

const enuf_splitting_functions enuf_gaussian_functions = {
    band, inside, transform, transform_bend, q, r, real_error, truncation_error,
};

/* Both errors fall monotonically and are negligible at 30. */
static const double far = 30;

double enuf_gaussian_alpha_for(double eps, double cutoff)
{
    if (!(eps > 0)) return NAN;
    double low = 0, high = far;
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2;
        if (real_error_of(middle) <= eps) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high / cutoff;
}

double enuf_gaussian_band_for(double eps, double alpha, double cutoff)
{
    if (!(eps > 0)) return NAN;
    double low = 0, high = far;
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2;
        if (truncation_error_of(alpha * cutoff, middle) <= eps) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high * sqrt(2.0) * alpha;
}
