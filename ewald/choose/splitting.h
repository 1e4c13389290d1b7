/*
 * splitting.h - the two ways to share 1/r between mesh and pairs, one formulation.
 *
 * chi is an even probability density on the line (unit: the cutoff r_c), Phi(x) = 2 int_0^x chi the
 * fraction inside x = r/r_c, chi_hat its cosine transform, chi_hat(0) = 1:
 *   mesh   Phi(r/r_c)/r,  transform 4 pi chi_hat(k r_c)/k^2
 *   pairs  [1 - Phi(r/r_c)]/r
 * Gaussian: Phi = erf(alpha r). Prolate: chi_hat(t) = psi(t/c)/psi(0) for t <= c, 0 beyond.
 * Source: docs/theory.md, sections 1 and 3. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SPLITTING_H
#define ENUF_SPLITTING_H

#include "splitting_kind.h"

/** Largest k of which the transform is not zero: infinity for Gaussian, c/r_c for prolate. */
double enuf_splitting_band(const enuf_splitting *splitting);

/** Phi(x) and, where not NULL, Phi'(x), x = r/r_c in [0, 1] (beyond 1: Gaussian continues, prolate
 * 1). */
double enuf_splitting_inside(const enuf_splitting *splitting, double x, double *derivative);

/** chi_hat at wavenumber k, and chi_hat * D, D = d ln chi_hat / d ln k. No division by chi_hat. */
void enuf_splitting_transform(const enuf_splitting *splitting, double k, double *chi,
                              double *chi_d);

/** (k d/dk)^2 chi_hat at wavenumber k: the slope of chi_hat D by ln k. */
double enuf_splitting_transform_bend(const enuf_splitting *splitting, double k);

/*
 * The pair sums as entire functions of s = (r/r_c)^2:
 *   energy   1/r - Q(s)/r_c            Q = Phi(x)/x
 *   force/r  1/r^3 - R(s)/r_c^3        R = (Phi - x Phi')/x^3
 * accurate to rounding for every s in [0, 1], s = 0 included (series near 0).
 */
double enuf_splitting_q(double s, const void *splitting);
double enuf_splitting_r(double s, const void *splitting);

/*
 * Error estimates for random charges, as eps_F = dF_rms sqrt(N V r_c)/(C sum q^2). `k_c` is where
 * the reciprocal sum ends; for prolate the real part has none.
 */
double enuf_splitting_real_error(const enuf_splitting *splitting);
double enuf_splitting_truncation_error(const enuf_splitting *splitting, double k_c);

#endif
