/*
 * normal_cost.h - time and bytes of A^H W A by Gram operators. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_ENCODING_NORMAL_COST_H
#define ENUF_ENCODING_NORMAL_COST_H

#include "fill.h"

/** Nanoseconds of one core of A^H W A by transforms, of one image of a coil. */
double enuf_normal_by_transforms(const enuf_encoding *encoding);

/** Sets bytes, saved and making of the spectra, whose count is known. */
enuf_status enuf_normal_find_costs(enuf_encoding *encoding);

#endif
