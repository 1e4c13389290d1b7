/*
 * gram_arrays.h - what tests of Gram operators in device memory share. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_GRAM_ARRAYS_H
#define ENUF_GRAM_ARRAYS_H

#include "device_arrays.h"

#include "enuf/gram.h"

enum { GRAM_POINTS = 700 };

/** Points, weights and modes of a problem. */
typedef struct gram_arrays {
    transform t;
    void *weights; /* [GRAM_POINTS], on the host */
    /* on the GPU */
    double *points;
    void *weights_there, *in, *out;
} gram_arrays;

gram_arrays gram_arrays_make(const enuf_nufft_options *options);
void gram_arrays_free(gram_arrays *a);

/** An operator of these points, with their weights or without. */
enuf_gram *gram_there(const enuf_nufft_options *options, const gram_arrays *a, int weighted);

#endif
