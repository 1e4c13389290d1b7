/*
 * separate_pairs.h - how many times serve the pairs of pixels of a field. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_ENCODING_SEPARATE_PAIRS_H
#define ENUF_ENCODING_SEPARATE_PAIRS_H

#include "pairs.h"

/** The fewest times whose sum serves the problem's tolerance. At least one sample and one pixel,
 * no gradients; all arrays are on the host. Free with enuf_pairs_free(), after an error too. */
enuf_status enuf_pairs_separate(const enuf_field_problem *problem, enuf_pairs *made);

#endif
