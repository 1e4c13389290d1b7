/* chebyshev.c - see chebyshev.h. SPDX-License-Identifier: BSD-3-Clause */
#include "chebyshev.h"

#include <math.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/*
 * Computes a Chebyshev series, which is well conditioned, then converts it to monomials in long
 * double. The conversion amplifies rounding by about 2.4^n. The coefficients of a smooth function
 * fall at least as fast.
 */
void enuf_fit_polynomial_long(enuf_long_function f, const void *context, double a, double b, int n,
                              double *coefficients)
{
    long double value[ENUF_MAX_COEFFICIENTS], series[ENUF_MAX_COEFFICIENTS];
    long double cosine[4 * ENUF_MAX_COEFFICIENTS]; /* of pi j / (2 n): a period */
    long double middle = ((long double)a + b) / 2, half = ((long double)b - a) / 2;
    for (int j = 0; j < 4 * n; j++) cosine[j] = cosl(pi * j / (2.0L * n));
    for (int i = 0; i < n; i++) value[i] = f(middle + half * cosine[2 * i + 1], context);
    for (int k = 0; k < n; k++) {
        long double sum = 0;
        for (int i = 0; i < n; i++) sum += value[i] * cosine[k * (2 * i + 1) % (4 * n)];
        series[k] = (k == 0 ? 1 : 2) * sum / n;
    }

    /* T_k, T_k-1 as monomials: T_k+1 = 2 t T_k - T_k-1 */
    long double now[ENUF_MAX_COEFFICIENTS] = {1}, before[ENUF_MAX_COEFFICIENTS] = {0};
    long double sum[ENUF_MAX_COEFFICIENTS] = {0};
    for (int k = 0; k < n; k++) {
        for (int i = 0; i <= k; i++) sum[i] += series[k] * now[i];
        if (k + 1 == n) break;
        for (int i = k + 1; i >= 0; i--) {
            long double shifted = i > 0 ? now[i - 1] : 0;
            long double next = (k == 0 ? 1 : 2) * shifted - before[i];
            before[i] = i <= k ? now[i] : 0;
            now[i] = next;
        }
    }
    for (int i = 0; i < n; i++) coefficients[i] = (double)sum[i];
}

/* Makes an enuf_long_function of a function in double precision. */
typedef struct rounded_function {
    enuf_function f;
    const void *context;
} rounded_function;

static long double evaluate_rounded(long double x, const void *context)
{
    const rounded_function *rounded = context;
    return rounded->f((double)x, rounded->context);
}

void enuf_fit_polynomial(enuf_function f, const void *context, double a, double b, int n,
                         double *coefficients)
{
    rounded_function rounded = {f, context};
    enuf_fit_polynomial_long(evaluate_rounded, &rounded, a, b, n, coefficients);
}

double enuf_fit_error(enuf_function f, const void *context, double a, double b, int n,
                      const double *coefficients)
{
    /* the ends, the extrema of T_n, and two points on either side of each */
    enum { PER_NODE = 3 };
    double worst = 0;
    for (int i = 0; i <= PER_NODE * n; i++) {
        double t = (double)cosl(pi * i / (PER_NODE * n));
        double sum = 0;
        for (int k = n - 1; k >= 0; k--) sum = sum * t + coefficients[k];
        double x = (a + b) / 2 + t * ((b - a) / 2);
        double error = fabs(sum - f(x, context));
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

/* Newton's method on P_n from Tricomi's estimate of its zeros. */
void enuf_gauss_legendre(int n, double *nodes, double *weights)
{
    for (int i = 0; i < n; i++) {
        long double x = -cosl(pi * (i + 0.75L) / (n + 0.5L)), slope = 1;
        for (int step = 0; step < 8; step++) {
            long double now = x, before = 1;
            for (int k = 1; k < n; k++) {
                long double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
                before = now;
                now = next;
            }
            slope = n * (before - x * now) / (1 - x * x);
            if (step == 7) break;
            x -= now / slope;
        }
        nodes[i] = (double)x;
        weights[i] = (double)(2 / ((1 - x * x) * slope * slope));
    }
}
