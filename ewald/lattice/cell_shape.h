/*
 * cell_shape.h - refuses cells whose sum would take unbounded time or memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CELL_SHAPE_H
#define ENUF_CELL_SHAPE_H

#include "choose/parameters.h"

/**
 * Refuses needles and plates: cells that have many times more modes in the box around |k| <= k_c,
 * or more images within the cutoff, than a compact cell of the same volume. Errors:
 * ENUF_BAD_ARGUMENT.
 */
enuf_status enuf_check_shape(const enuf_choice_request *request, double cutoff, double k_c);

#endif
