/*
 * choice.h - the terms of a field, on the host. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_CHOICE_H
#define ENUF_ENCODING_CHOICE_H

#include "drawn.h"
#include "separate.h"
#include "terms.h"

typedef struct enuf_field_choice {
    int count;
    int is_drawn; /* 1: combinations of drawn elements, else tables */
    enuf_centre centre;
    enuf_histogram times, field;
    enuf_separated separated;
    enuf_drawn drawn;
    double error; /* relative l2, at some of the samples and pixels */
} enuf_field_choice;

#endif
