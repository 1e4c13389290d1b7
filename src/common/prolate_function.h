/*
 * prolate_function.h - the prolate spheroidal wave function psi = psi_0^c of order zero, normalised
 * to unit L2 norm on [-1, 1].
 * Source: docs/theory.md, "Prolate functions" (Xiao, Rokhlin, Yarvin, Inverse Problems 17 (2001)
 * 805). SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PROLATE_FUNCTION_H
#define ENUF_PROLATE_FUNCTION_H

#include "error.h"

enum { ENUF_PROLATE_TERMS = 200 };

typedef struct enuf_prolate {
    double c;
    int n;                           /* Legendre terms of even degree: 0, 2, ..., 2(n-1) */
    double beta[ENUF_PROLATE_TERMS]; /* psi = sum beta_j P_2j (the factor sqrt(2j+1/2) is in) */
    double at_0, at_1;               /* psi(0), psi(1) */
    double half_integral;            /* c_0 = integral of psi over [0, 1] */
    double second_moment;            /* integral of x^2 psi over [0, 1], over c_0 */
} enuf_prolate;

/** 0 < c <= 300. */
enuf_status enuf_prolate_make(double c, enuf_prolate *psi);

/** psi(x), |x| <= 1, and psi'(x) where derivative is not NULL. */
double enuf_prolate_value(const enuf_prolate *psi, double x, double *derivative);

/** psi''(x), |x| <= 1. */
double enuf_prolate_second(const enuf_prolate *psi, double x);

/** psi(x) in long double. */
long double enuf_prolate_value_long(const enuf_prolate *psi, long double x);

/** Integral of psi from 0 to x. */
double enuf_prolate_integral(const enuf_prolate *psi, double x);

/*
 * I(x) being that integral, the two entire functions of x^2 that a splitting by psi needs, to
 * rounding of their size for every x in [0, 1], x = 0 included:
 */

/** I(x)/x. */
double enuf_prolate_mean(const enuf_prolate *psi, double x);

/** (I(x) - x psi(x))/x^3. */
double enuf_prolate_bend(const enuf_prolate *psi, double x);

#endif
