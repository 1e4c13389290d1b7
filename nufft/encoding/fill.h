/*
 * fill.h - the plan of an encoding, and the terms that it sums. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_ENCODING_FILL_H
#define ENUF_ENCODING_FILL_H

#include "input.h"

/** Sets how many of the report's transforms go at once, and the calls that this takes, so that all
 * fits into memory_limit. */
enuf_status enuf_encoding_set_at_once(enuf_encoding *encoding);

/** Options of the plan for so many transforms. */
enuf_nufft_options enuf_encoding_plan_options(const enuf_encoding *encoding, int at_once);

/** Makes the plan for so many transforms, with the samples set. */
enuf_status enuf_encoding_make_plan(enuf_encoding *encoding);

/** Fills the interpolators of samples and pixels. */
enuf_status enuf_encoding_fill_terms(enuf_encoding *encoding, enuf_field_input *input,
                                     const enuf_field_choice *choice);

/** After a lack of memory: ENUF_OUT_OF_MEMORY with the number of interpolators, their bytes, this
 * thread's error text, and a way out. */
enuf_status enuf_encoding_too_many(const enuf_encoding *encoding);

#endif
