/*
 * tabulate.h - terms that are functions of a time, or of a frequency and a decay.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_TABULATE_H
#define ENUF_ENCODING_TABULATE_H

#include "choice.h"

/** Refuses decays and frequencies that no tables serve. */
enuf_status enuf_field_check_extents(const enuf_field_problem *problem);

/** The fewest terms whose error is at most the tolerance. */
enuf_status enuf_field_tabulate(const enuf_field_problem *problem, double tolerance,
                                enuf_field_choice *choice);
void enuf_field_free_tables(enuf_field_choice *choice);

/** Interpolators on the cells of a histogram, but for the arrays of their tables. */
enuf_interpolators enuf_interpolators_of(const enuf_histogram *h, int count);

/** Terms but for the arrays of their tables, which are to be set. */
enuf_sample_terms enuf_sample_terms_of(const enuf_field_problem *problem,
                                       const enuf_field_choice *choice);
enuf_pixel_terms enuf_pixel_terms_of(const enuf_field_problem *problem,
                                     const enuf_field_choice *choice);

#endif
