/* transform.c - the plan of an encoding: how many transforms go at once. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "fill.h"

#include <stdio.h>
#include <string.h>

/* Of the tolerance: see choose.c. */
static const double TRANSFORM_SHARE = 0.5;

/* Transforms that go at once, at most, and the bytes of their grids. */
enum { MOST_AT_ONCE_CPU = 4, MOST_AT_ONCE_GPU = 16 };
static const double MOST_BYTES = 2e9;

enuf_nufft_options enuf_encoding_plan_options(const enuf_encoding *encoding, int at_once)
{
    const enuf_encoding_options *o = &encoding->options;
    const double least = o->precision == ENUF_FLOAT ? 1e-6 : 1e-14; /* of a plan: options.c */
    const double pixels = encoding->n_pixels > 0 ? (double)encoding->n_pixels : 1;
    enuf_nufft_options plan;
    enuf_nufft_options_init(&plan);
    plan.dim = o->dim;
    memcpy(plan.modes, o->pixels, sizeof plan.modes);
    plan.precision = o->precision;
    plan.sign = -o->sign;
    plan.type2_sign = o->sign;
    plan.batch = at_once;
    plan.mode_order = o->mode_order;
    plan.tolerance = fmax(TRANSFORM_SHARE * o->tolerance, least);
    plan.density = fmax((double)encoding->n_samples, 1) / pixels;
    plan.backend = encoding->base->backend->kind;
    plan.isa = o->isa;
    plan.fft = o->fft;
    plan.memory = enuf_on_gpu(encoding) ? ENUF_DEVICE : ENUF_HOST;
    plan.device = o->device;
    plan.stream = o->stream;
    plan.threads = o->threads;
    return plan;
}

/* A plan with the samples, in what memory_limit leaves besides `more` bytes. */
static enuf_status make_plan(enuf_encoding *encoding, double more)
{
    enuf_nufft_options options = enuf_encoding_plan_options(encoding, encoding->report.at_once);
    enuf_coordinates points = {.n = encoding->n_samples, .stride = 1, .precision = ENUF_DOUBLE};
    double T[9] = {0}; /* s = k / pixels */
    if (encoding->options.memory_limit > 0) {
        const double left =
            (double)encoding->options.memory_limit - (double)enuf_encoding_bytes(encoding) - more;
        options.memory_limit = left > 1 ? (int64_t)left : 1;
    }
    for (int d = 0; d < options.dim; d++) {
        T[4 * d] = options.modes[d] > 0 ? 1 / (double)options.modes[d] : 1;
        points.axis[d] = encoding->places + d * encoding->n_samples;
    }
    ENUF_TRY(enuf_nufft_create(&options, &encoding->transform));
    ENUF_TRY(enuf_plan_set_frame(encoding->transform, T, NULL));
    ENUF_TRY(enuf_plan_set_points(encoding->transform, &points));
    return encoding->plain ? ENUF_SUCCESS : enuf_plan_make_terms(encoding->transform);
}

enuf_status enuf_encoding_make_plan(enuf_encoding *encoding)
{
    return make_plan(encoding, encoding->spectra.bytes);
}

/* Bytes that one more transform adds to a plan, at most: grid with padding, spectrum; on a GPU also
 * the work of the FFT, and terms at the samples. */
static enuf_status bytes_of_transform(const enuf_encoding *encoding, double *bytes)
{
    const int gpu = enuf_on_gpu(encoding);
    const enuf_nufft_options options = enuf_encoding_plan_options(encoding, 1);
    enuf_method method;
    double cells = gpu ? 2.2 : 1.25;
    ENUF_TRY(enuf_choose_method(&options, &method));
    for (int d = 0; d < 3; d++) cells *= (double)method.grid[d];
    cells += (double)encoding->n_pixels + (gpu ? (double)encoding->n_samples : 0);
    *bytes = 2 * (double)enuf_number_size(encoding->base) * cells + 4096;
    return ENUF_SUCCESS;
}

/* As many as leave few of the last call idle. */
static int at_once_of(int transforms, int most)
{
    int best = 1;
    for (int at_once = 2; at_once <= most && at_once <= transforms; at_once++) {
        const int calls = (transforms + at_once - 1) / at_once;
        if (16 * (calls * at_once - transforms) <= transforms) best = at_once;
    }
    return best;
}

static void set_calls(enuf_encoding *encoding, int at_once)
{
    encoding->report.at_once = at_once;
    encoding->calls = (encoding->report.interpolators + at_once - 1) / at_once;
}

/* Of all calls. */
static double bytes_of_terms(const enuf_encoding *encoding)
{
    const double each = (double)(enuf_data_bytes(encoding) + enuf_image_bytes(encoding));
    return encoding->plain ? 0 : each * encoding->calls * encoding->report.at_once;
}

enuf_status enuf_encoding_too_many(const enuf_encoding *encoding)
{
    char reason[300];
    snprintf(reason, sizeof reason, "%.290s", enuf_last_error());
    return enuf_fail(
        ENUF_OUT_OF_MEMORY,
        "%d interpolators of %lld samples and %lld pixels take %.3g GB of memory "
        "(%s): ask for a larger tolerance, or use the sums of enuf/direct.h, which need "
        "none",
        encoding->report.interpolators, (long long)encoding->n_samples,
        (long long)encoding->n_pixels, bytes_of_terms(encoding) / 1e9, reason);
}

/* A plan for one transform at a time, and all terms: if they do not fit, nothing does. */
static enuf_status probe(enuf_encoding *encoding, double *bytes)
{
    set_calls(encoding, 1);
    const double more = bytes_of_terms(encoding) + encoding->spectra.bytes;
    ENUF_TRY(enuf_encoding_check_limit(encoding, more, "they"));
    const enuf_status status = make_plan(encoding, more);
    if (status == ENUF_SUCCESS) *bytes = (double)enuf_nufft_bytes(encoding->transform);
    enuf_nufft_destroy(&encoding->transform);
    return status;
}

enuf_status enuf_encoding_set_at_once(enuf_encoding *encoding)
{
    const double limit = (double)encoding->options.memory_limit;
    const double held = (double)enuf_encoding_bytes(encoding) + encoding->spectra.bytes;
    int most = enuf_on_gpu(encoding) ? MOST_AT_ONCE_GPU : MOST_AT_ONCE_CPU;
    double each, first = 0;
    ENUF_TRY(bytes_of_transform(encoding, &each));
    if (most * each > MOST_BYTES) most = (int)(MOST_BYTES / each);
    if (limit > 0) ENUF_TRY(probe(encoding, &first));
    for (;; most = encoding->report.at_once - 1) {
        set_calls(encoding, at_once_of(encoding->report.interpolators, most));
        const int at_once = encoding->report.at_once;
        const double bytes = held + bytes_of_terms(encoding) + first + (at_once - 1) * each;
        if (at_once == 1 || limit == 0 || bytes <= limit) return ENUF_SUCCESS;
    }
}
