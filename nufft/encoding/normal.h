/*
 * normal.h - whether A^H W A is applied by transforms or by Gram operators.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_NORMAL_H
#define ENUF_ENCODING_NORMAL_H

#include "input.h"

/** Before the transforms of a new field: plans the operators, if the options ask for them. If solve
 * is to choose, keeps the maps. */
enuf_status enuf_normal_begin(enuf_encoding *encoding, const enuf_field_input *input);

/** After them: fills what pixels have of the operators. */
enuf_status enuf_normal_finish(enuf_encoding *encoding, const enuf_field_input *input);

/** For a solution with so many applications: makes the operators of the caller's weights if the
 * options ask for them or if they pay; *by_spectra tells whether it did. */
enuf_status enuf_normal_for_solve(enuf_encoding *encoding, double applications, const void *weights,
                                  int *by_spectra);

#endif
