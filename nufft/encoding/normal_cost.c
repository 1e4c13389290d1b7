/* normal_cost.c - see normal_cost.h. SPDX-License-Identifier: BSD-3-Clause */
#include "normal_cost.h"
#include "gram/finding.h"
#include "spectra.h"
#include "tuning/tuning.h"

/* Nanoseconds of one core, of a pixel: two products with D_l. */
static const double PRODUCTS = 4;

/* Bytes of one operator with its spectrum. */
static enuf_status bytes_of_gram(const enuf_nufft_options *o, double *bytes)
{
    enuf_gram *gram;
    ENUF_TRY(enuf_gram_create(o, &gram));
    *bytes = (double)enuf_gram_bytes(gram);
    enuf_gram_destroy(&gram);
    return ENUF_SUCCESS;
}

/* All operators, the last one while it is made. */
static enuf_status find_bytes(enuf_encoding *encoding, const enuf_nufft_options *o, double peak)
{
    enuf_spectra *spectra = &encoding->spectra;
    const double image = (double)enuf_image_bytes(encoding), limit = (double)o->memory_limit;
    const double weights = (double)enuf_data_bytes(encoding) / 2;
    double each = peak;
    if (limit == 0 || peak <= limit) ENUF_TRY(bytes_of_gram(o, &each));
    spectra->bytes = (spectra->count - 1) * each + peak + 2 * image + 2 * weights +
                     (double)spectra->count * sizeof(void *);
    if (spectra->has_maps) spectra->bytes += spectra->count * image;
    return ENUF_SUCCESS;
}

double enuf_normal_by_transforms(const enuf_encoding *encoding)
{
    const enuf_nufft_options plan = enuf_encoding_plan_options(encoding, 1);
    return 2 * encoding->report.interpolators * enuf_expected_cost(&plan);
}

enuf_status enuf_normal_find_costs(enuf_encoding *encoding)
{
    enuf_spectra *spectra = &encoding->spectra;
    enuf_nufft_options o = enuf_spectra_options(encoding);
    const double limit = (double)encoding->options.memory_limit, count = spectra->count;
    enuf_gram_needs needs = {0};
    o.level = ENUF_LEVEL_GRAM;
    if (limit > 0) o.memory_limit = (int64_t)fmax(1, limit - (double)enuf_encoding_bytes(encoding));
    ENUF_TRY(enuf_gram_find_needs(&o, encoding->n_samples, &needs));
    o.level = ENUF_LEVEL_SORTED;
    ENUF_TRY(find_bytes(encoding, &o, (double)needs.bytes));
    const double products = spectra->has_maps ? PRODUCTS * (double)encoding->n_pixels : 0;
    spectra->saved = enuf_normal_by_transforms(encoding) - count * (needs.apply + products);
    spectra->making = count * needs.spectrum;
    return ENUF_SUCCESS;
}
