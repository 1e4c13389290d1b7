/*
 * phases.h - unit phases exp(2 pi i t s), exact to rounding for any product t s.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_PHASES_H
#define ENUF_DIRECT_PHASES_H

/** exp(2 pi i m s) for |m s| < 2^50: both parts within one unit in the last place of 1. */
void enuf_unit_phase(double m, double s, double *re, double *im);

/** exp(2 pi i t . s), t and s of dim (1 to 3) components. */
void enuf_unit_phase_of_product(int dim, const double *t, const double *s, double *re, double *im);

#endif
