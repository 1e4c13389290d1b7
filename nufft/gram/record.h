/* record.h - what a plan has of its Gram operator. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_GRAM_RECORD_H
#define ENUF_GRAM_RECORD_H

#include "object.h"

/** Options of the Gram operator of a plan. level.c */
enuf_nufft_options enuf_gram_options_of(const enuf_nufft *plan);

/** What a plan has of this room: made at the first enuf_nufft_gram(). */
typedef struct enuf_gram_record {
    enuf_plan_gram calls;
    /* level GRAM: an operator for each set of weights, with the same spectrum for all vectors if
     * there is one */
    enuf_gram **grams;
    int n_grams;
    int64_t sets, weight_sets; /* of the plan when the spectra were made; -1: they were not */
    /* other levels: values at the points */
    void *values;
    int64_t room;   /* bytes */
    void **weights; /* [1 + n_others] for a time, those that are taken off the plans */
} enuf_gram_record;

/** By type 2, weights, and the adjoint of type 2. passes.c */
enuf_status enuf_gram_by_passes(enuf_nufft *plan, const void *in, void *out);
/** Frees the values. passes.c */
void enuf_gram_free_values(enuf_nufft *plan);

#endif
