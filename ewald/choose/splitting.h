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

#include "enuf/ewald.h"
#include "prolate_function.h"

typedef struct enuf_splitting {
    enuf_split kind;   /* GAUSSIAN or PROLATE */
    double cutoff;     /* r_c */
    double alpha;      /* Gaussian: 1/length */
    double c;          /* prolate */
    double self;       /* lim_{r->0} Phi/r: 2 alpha/sqrt(pi), psi(0)/(c_0 r_c) */
    double background; /* b: E_bg = -b Qt^2/V */
    enuf_prolate psi;  /* prolate */
} enuf_splitting;

enuf_status enuf_splitting_gaussian(double alpha, double cutoff, enuf_splitting *splitting);
enuf_status enuf_splitting_prolate(double c, double cutoff, enuf_splitting *splitting);

/** Largest k of which the transform is not zero: infinity for Gaussian, c/r_c for prolate. */
double enuf_splitting_band(const enuf_splitting *splitting);

/** Phi(x) and, where not NULL, Phi'(x), x = r/r_c in [0, 1] (beyond 1: Gaussian continues, prolate
 * 1). */
double enuf_splitting_inside(const enuf_splitting *splitting, double x, double *derivative);

/** chi_hat at wavenumber k, and chi_hat * D, D = d ln chi_hat / d ln k. No division by chi_hat. */
void enuf_splitting_transform(const enuf_splitting *splitting, double k, double *chi,
                              double *chi_d);

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

/** Smallest alpha whose real error is <= eps at this cutoff; k_c whose truncation error is <= eps.
 */
double enuf_gaussian_alpha_for(double eps, double cutoff);
double enuf_gaussian_band_for(double eps, double alpha, double cutoff);
/** Smallest c whose truncation error is <= eps. */
double enuf_prolate_c_for(double eps);

#endif
