/*
 * choose.h - which terms serve the tolerance, and their error. All arrays are on the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_CHOOSE_H
#define ENUF_ENCODING_CHOOSE_H

#include "drawn.h"
#include "separate.h"
#include "terms.h"

/** Terms of a field. */
typedef struct enuf_field_choice {
    int count;
    int is_drawn; /* 1: combinations of drawn elements, else tables */
    enuf_centre centre;
    enuf_histogram times, field;
    enuf_separated separated;
    enuf_drawn drawn;
    double error; /* relative l2, at some of the samples and pixels */
} enuf_field_choice;

/** Chooses. At least one sample and one pixel. Free with enuf_field_choice_free(), after an error
 * too. */
enuf_status enuf_field_choose(const enuf_field_problem *problem, enuf_field_choice *choice);
void enuf_field_choice_free(enuf_field_choice *choice);

/** Sets the error, found at samples and pixels drawn anew. measure.c */
enuf_status enuf_field_measure(const enuf_field_problem *problem, enuf_field_choice *choice);

/** Tabulated terms but for the arrays of their tables, which are to be set. */
enuf_sample_terms enuf_sample_terms_of(const enuf_field_problem *problem,
                                       const enuf_field_choice *choice);
enuf_pixel_terms enuf_pixel_terms_of(const enuf_field_problem *problem,
                                     const enuf_field_choice *choice);

#endif
