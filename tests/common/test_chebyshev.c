/*
 * test_chebyshev.c - polynomial fits and Gauss-Legendre quadrature are exact to their degree.
 *
 * A fit finds the coefficients of a polynomial of degree 0 to 11; its error for exp(3 x) stays
 * below the bound of interpolation plus rounding, and enuf_fit_error() finds that error. Quadrature
 * with n nodes (1 to 128) integrates t^0 to t^(2n-1) to 1e-15.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "chebyshev.h"

#include <math.h>
#include <stdio.h>

static double exponential(double x, const void *context)
{
    return exp(*(const double *)context * x);
}

/* sum_k (k + 1) t^k, degree *context, t of [1, 3] */
static double polynomial(double x, const void *context)
{
    double t = x - 2, sum = 0;
    for (int k = *(const int *)context; k >= 0; k--) sum = sum * t + (k + 1);
    return sum;
}

static void polynomials_are_found_again(void)
{
    for (int degree = 0; degree < 12; degree++) {
        double found[ENUF_MAX_COEFFICIENTS], worst = 0;
        enuf_fit_polynomial(polynomial, &degree, 1, 3, degree + 1, found);
        for (int k = 0; k <= degree; k++) worst = fmax(worst, fabs(found[k] - (k + 1)));
        /* values up to 78, rounded; coefficients of monomials enlarge an error by 2.4^degree/degree
         */
        CHECK_BELOW(worst, 2e-16 * 78 * pow(2.4, degree) / (degree + 1),
                    "coefficients of a polynomial");
    }
}

/* Interpolation of exp(b x) on [-1, 1] has the error b^n/(2^(n-1) n!) exp(b); Horner's scheme adds
 * four units in the last place. */
static void error_falls_to_rounding(void)
{
    double b = 3;
    for (int n = 1; n <= ENUF_MAX_COEFFICIENTS; n++) {
        double coefficients[ENUF_MAX_COEFFICIENTS], worst = 0;
        enuf_fit_polynomial(exponential, &b, -1, 1, n, coefficients);
        for (int i = 0; i <= 1000; i++) {
            double t = i / 500.0 - 1, sum = 0;
            for (int k = n - 1; k >= 0; k--) sum = sum * t + coefficients[k];
            worst = fmax(worst, fabs(sum - exp(b * t)));
        }
        double bound = exp(n * log(b) - (n - 1) * log(2) - lgamma(n + 1) + b);
        CHECK_BELOW(worst, bound + 8e-16 * exp(b), "error of n coefficients");
        /* the estimate tries few points, and is at least 0.7 of the largest error */
        double estimate = enuf_fit_error(exponential, &b, -1, 1, n, coefficients);
        CHECK(estimate >= 0.7 * worst - 4e-16 * exp(b) &&
              estimate <= 1.01 * worst + 4e-16 * exp(b));
    }
}

/* Exact up to degree 2n - 1. The sum for t^2n is too small by (n!)^4 2^(2n+1)/((2n+1)(2n)!^2). */
static void gauss_legendre_is_exact_to_its_degree(void)
{
    for (int n = 1; n <= 128; n = n < 8 ? n + 1 : 2 * n) {
        double node[128], weight[128], worst = 0;
        enuf_gauss_legendre(n, node, weight);
        for (int degree = 0; degree < 2 * n; degree++) {
            double sum = 0;
            for (int i = 0; i < n; i++) sum += weight[i] * pow(node[i], degree);
            worst = fmax(worst, fabs(sum - (degree % 2 ? 0 : 2.0 / (degree + 1))));
        }
        printf("%d nodes\n", n);
        CHECK_BELOW(worst, 1e-15, "integrals of t^0 ... t^(2n-1)");
        double sum = 0;
        for (int i = 0; i < n; i++) sum += weight[i] * pow(node[i], 2 * n);
        if (n < 8) CHECK(2.0 / (2 * n + 1) - sum > 1e-6);
        for (int i = 0; i + 1 < n; i++) CHECK(node[i] < node[i + 1]);
    }
}

int main(void)
{
    polynomials_are_found_again();
    error_falls_to_rounding();
    gauss_legendre_is_exact_to_its_degree();
    return check_result();
}
