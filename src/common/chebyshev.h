/*
 * chebyshev.h - polynomials that approximate smooth functions. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CHEBYSHEV_H
#define ENUF_CHEBYSHEV_H

typedef double (*enuf_function)(double x, const void *context);
typedef long double (*enuf_long_function)(long double x, const void *context);

enum { ENUF_MAX_COEFFICIENTS = 40 };

/**
 * Chebyshev interpolation of f on [a, b] at n points, n <= ENUF_MAX_COEFFICIENTS.
 * coefficients [n]: monomials of t in [-1, 1], x = (a + b)/2 + t (b - a)/2, lowest first.
 */
void enuf_fit_polynomial(enuf_function f, const void *context, double a, double b, int n,
                         double *coefficients);

/**
 * enuf_fit_polynomial() of a function in long double. The slopes of the polynomial are more
 * accurate: interpolation at n points amplifies the rounding of the values by n^1.5.
 */
void enuf_fit_polynomial_long(enuf_long_function f, const void *context, double a, double b, int n,
                              double *coefficients);

/** Largest error of the polynomial at points between the nodes. */
double enuf_fit_error(enuf_function f, const void *context, double a, double b, int n,
                      const double *coefficients);

/** Nodes and weights of Gauss-Legendre quadrature on [-1, 1]. */
void enuf_gauss_legendre(int n, double *nodes, double *weights);

#endif
