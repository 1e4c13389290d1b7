/* checks.h - what derivatives refuse. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_DERIVATIVE_CHECKS_H
#define ENUF_EWALD_DERIVATIVE_CHECKS_H

#include "object/ewald_object.h"

/** ENUF_UNSUPPORTED on a GPU and on ranks. */
enuf_status enuf_check_derivatives(const enuf_ewald *ewald);

/** ENUF_BAD_ARGUMENT. */
enuf_status enuf_all_charges_zero(void);

/** Chooses and verifies parameters as enuf_ewald_compute() does. */
enuf_status enuf_make_derivatives_ready(enuf_ewald *ewald, const double *positions, int64_t stride);

#endif
