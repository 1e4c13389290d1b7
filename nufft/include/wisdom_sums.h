/*
 * wisdom_sums.h - parameters of Ewald sums in wisdom: entries of the kind "ewald", for
 * ewald/tuning. Not installed. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_WISDOM_SUMS_H
#define ENUF_WISDOM_SUMS_H

#include "enuf/nufft_tuning.h"

/** Longest description of a problem, with the 0 at its end. */
enum { ENUF_WISDOM_PROBLEM = 600, ENUF_WISDOM_SPLIT = 16 };

/** What is known of the sums of one problem. Lengths in the caller's unit. */
typedef struct enuf_wisdom_sums {
    char split[ENUF_WISDOM_SPLIT]; /* name of the splitting */
    double parameter;              /* its alpha or c */
    double cutoff;
    double band;            /* the largest |k| */
    enuf_nufft_method mesh; /* window, width, shape, fine_grid */
    enuf_tune_effort effort;
    double error, seconds;
    int64_t bytes;
} enuf_wisdom_sums;

/** Finds an entry for the machine of these plan options. *found: whether there is one. */
enuf_status enuf_wisdom_find_sums(const enuf_wisdom *wisdom, const enuf_nufft_options *plan,
                                  const char *problem, enuf_wisdom_sums *sums, int *found);

/** Adds an entry; of two for one problem the one of more effort stays, then the faster one. */
enuf_status enuf_wisdom_add_sums(enuf_wisdom *wisdom, const enuf_nufft_options *plan,
                                 const char *problem, const enuf_wisdom_sums *sums);

/** Name of the machine of these plan options, for texts of errors. [ENUF_WISDOM_PROBLEM] */
enuf_status enuf_wisdom_name_machine(const enuf_nufft_options *plan, char *name);

#endif
