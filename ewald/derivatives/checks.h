/* checks.h - what derivatives refuse. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_DERIVATIVE_CHECKS_H
#define ENUF_EWALD_DERIVATIVE_CHECKS_H

#include "object/ewald_object.h"

/** ENUF_UNSUPPORTED on ranks. */
enuf_status enuf_check_alone(const enuf_ewald *ewald);

/** ENUF_BAD_ARGUMENT. */
enuf_status enuf_all_charges_zero(void);

/** ENUF_NOT_FINITE, for number k of an array of the direction. */
enuf_status enuf_direction_not_finite(const char *name, int64_t k, double number);

/** ENUF_NOT_FINITE, for number k of sets of n charges. */
enuf_status enuf_set_not_finite(int64_t n, int64_t k, double charge);

/** Chooses and verifies parameters as enuf_ewald_compute() does. */
enuf_status enuf_make_derivatives_ready(enuf_ewald *ewald, const double *positions, int64_t stride);

#endif
