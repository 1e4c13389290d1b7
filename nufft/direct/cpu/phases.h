/*
 * phases.h - unit phases, exact to rounding for any product. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_PHASES_H
#define ENUF_DIRECT_PHASES_H

#include <stdint.h>

/** exp(2 pi i a[k] b) for |a b| < 2^40: both parts within two units in the last place of 1. */
void enuf_unit_phases(int64_t n, const double *a, double b, double *re, double *im);

#endif
