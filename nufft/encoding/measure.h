/*
 * measure.h - the error of a field's terms. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_MEASURE_H
#define ENUF_ENCODING_MEASURE_H

#include "choice.h"

/** Sets the error, found at samples and pixels drawn anew. */
enuf_status enuf_field_measure(const enuf_field_problem *problem, enuf_field_choice *choice);

#endif
