/* gram_arrays.c - see gram_arrays.h. SPDX-License-Identifier: BSD-3-Clause */
#include "gram_arrays.h"

#include <stdlib.h>

gram_arrays gram_arrays_make(const enuf_nufft_options *options)
{
    const enuf_precision p = options->precision;
    gram_arrays a = {.t = transform_make(options, GRAM_POINTS, 23)};
    a.weights = numbers_random(p, GRAM_POINTS, 9);
    a.points = device_make(ENUF_DOUBLE, 3 * GRAM_POINTS, a.t.points);
    a.weights_there = device_make(p, GRAM_POINTS, a.weights);
    a.in = device_make(p, a.t.n_modes, a.t.spectrum);
    a.out = device_make(p, a.t.n_modes, NULL);
    return a;
}

void gram_arrays_free(gram_arrays *a)
{
    transform_free(&a->t);
    free(a->weights);
    device_free(a->points);
    device_free(a->weights_there);
    device_free(a->in);
    device_free(a->out);
}

enuf_gram *gram_there(const enuf_nufft_options *options, const gram_arrays *a, int weighted)
{
    enuf_gram *gram = NULL;
    const double *x = a->points;
    CHECK_STATUS(enuf_gram_create(options, &gram), ENUF_SUCCESS);
    if (gram)
        CHECK_STATUS(enuf_gram_set_points(gram, GRAM_POINTS, x, x + 1, x + 2, 3,
                                          weighted ? a->weights_there : NULL),
                     ENUF_SUCCESS);
    return gram;
}
