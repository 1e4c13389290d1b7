/* execute.c - forward, adjoint and normal operator. SPDX-License-Identifier: BSD-3-Clause */
#include "spectra.h"

#include <math.h>

/* ---- One vector ---- */

/* The terms of a call. */
static enuf_terms terms_of(const enuf_encoding *encoding, int call)
{
    const int64_t first = (int64_t)call * encoding->report.at_once;
    return (enuf_terms){(const char *)encoding->of_samples + first * enuf_data_bytes(encoding),
                        (const char *)encoding->of_pixels + first * enuf_image_bytes(encoding)};
}

static enuf_status encode(enuf_encoding *encoding, const void *image, void *data)
{
    if (encoding->plain) return enuf_nufft_type2(encoding->transform, image, data, NULL);
    ENUF_TRY(enuf_passes_of(encoding)->clear(encoding->base, enuf_data_bytes(encoding), data));
    for (int call = 0; call < encoding->calls; call++) {
        const enuf_terms terms = terms_of(encoding, call);
        ENUF_TRY(enuf_plan_sum_to_points(encoding->transform, &terms, image, data));
    }
    return ENUF_SUCCESS;
}

static enuf_status decode(enuf_encoding *encoding, const void *data, void *image)
{
    if (encoding->plain) return enuf_nufft_type2_adjoint(encoding->transform, data, image);
    ENUF_TRY(enuf_passes_of(encoding)->clear(encoding->base, enuf_image_bytes(encoding), image));
    for (int call = 0; call < encoding->calls; call++) {
        const enuf_terms terms = terms_of(encoding, call);
        ENUF_TRY(enuf_plan_sum_to_modes(encoding->transform, &terms, data, image));
    }
    return ENUF_SUCCESS;
}

/* ---- One image and its coils ---- */

enuf_status enuf_encode_coil(enuf_encoding *encoding, int coil, const void *image, void *data)
{
    if (!encoding->sensitivities) return encode(encoding, image, data);
    const enuf_complex_product product = {.n = encoding->n_pixels,
                                          .factors = enuf_sensitivity_of(encoding, coil),
                                          .from = image,
                                          .to = encoding->image};
    ENUF_TRY(enuf_passes_of(encoding)->multiply(encoding->base, &product));
    return encode(encoding, encoding->image, data);
}

enuf_status enuf_decode_coil(enuf_encoding *encoding, int coil, const void *data, void *image)
{
    if (!encoding->sensitivities) return decode(encoding, data, image);
    ENUF_TRY(decode(encoding, data, encoding->image));
    const enuf_complex_product product = {.n = encoding->n_pixels,
                                          .factors = enuf_sensitivity_of(encoding, coil),
                                          .from = encoding->image,
                                          .conjugate = 1,
                                          .add = coil > 0,
                                          .to = image};
    return enuf_passes_of(encoding)->multiply(encoding->base, &product);
}

enuf_status enuf_weigh_data(enuf_encoding *encoding, const void *weights, const void *data,
                            const void **weighted)
{
    *weighted = weights ? encoding->data : data;
    if (!weights) return ENUF_SUCCESS;
    return enuf_passes_of(encoding)->weigh(encoding->base, encoding->n_samples, weights, data,
                                           encoding->data);
}

enuf_status enuf_encode_and_decode(enuf_encoding *encoding, const void *weights, const void *image,
                                   void *to)
{
    for (int coil = 0; coil < enuf_coils_of(encoding); coil++) {
        const void *weighted;
        ENUF_TRY(enuf_encode_coil(encoding, coil, image, encoding->data));
        ENUF_TRY(enuf_weigh_data(encoding, weights, encoding->data, &weighted));
        ENUF_TRY(enuf_decode_coil(encoding, coil, weighted, to));
    }
    return ENUF_SUCCESS;
}

/* ---- Arrays of the caller's ---- */

enuf_status enuf_encoding_need_array(const void *array, int64_t n, const char *function,
                                     const char *name)
{
    if (array || n == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL", function, name);
}

/* Vector v of an array. */
static void *vector_of(const void *array, int v, int64_t bytes)
{
    return (char *)(uintptr_t)array + v * bytes;
}

static enuf_status forward(enuf_encoding *encoding, const void *image, void *data)
{
    const int64_t image_bytes = enuf_image_bytes(encoding), data_bytes = enuf_data_bytes(encoding);
    const int coils = enuf_coils_of(encoding);
    for (int v = 0; v < enuf_images_of(encoding); v++) {
        const void *from;
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_IN, "image",
                                    vector_of(image, v, image_bytes), image_bytes, &from));
        for (int coil = 0; coil < coils; coil++) {
            void *there, *here = vector_of(data, v * coils + coil, data_bytes);
            ENUF_TRY(enuf_encoding_place(encoding, ENUF_ROOM_OUT, "data", here, &there));
            ENUF_TRY(enuf_encode_coil(encoding, coil, from, there));
            ENUF_TRY(enuf_encoding_give(encoding, here, data_bytes, there));
        }
    }
    return ENUF_SUCCESS;
}

static enuf_status adjoint(enuf_encoding *encoding, const void *data, void *image)
{
    const int64_t image_bytes = enuf_image_bytes(encoding), data_bytes = enuf_data_bytes(encoding);
    const int coils = enuf_coils_of(encoding);
    for (int v = 0; v < enuf_images_of(encoding); v++) {
        void *there, *here = vector_of(image, v, image_bytes);
        ENUF_TRY(enuf_encoding_place(encoding, ENUF_ROOM_OUT, "image", here, &there));
        for (int coil = 0; coil < coils; coil++) {
            const void *from;
            ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_IN, "data",
                                        vector_of(data, v * coils + coil, data_bytes), data_bytes,
                                        &from));
            ENUF_TRY(enuf_decode_coil(encoding, coil, from, there));
        }
        ENUF_TRY(enuf_encoding_give(encoding, here, image_bytes, there));
    }
    return ENUF_SUCCESS;
}

static enuf_status normal(enuf_encoding *encoding, const void *weights, const void *image, void *to)
{
    const int64_t image_bytes = enuf_image_bytes(encoding);
    const void *there_weights = NULL, *from;
    void *there;
    const int by_spectra = encoding->options.normal == ENUF_NORMAL_GRAM;
    if (by_spectra)
        ENUF_TRY(enuf_spectra_make(encoding, weights));
    else if (weights)
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_WEIGHTS, "weights", weights,
                                    enuf_data_bytes(encoding) / 2, &there_weights));
    for (int v = 0; v < enuf_images_of(encoding); v++) {
        void *here = vector_of(to, v, image_bytes);
        ENUF_TRY(enuf_encoding_take(encoding, ENUF_ROOM_IN, "image",
                                    vector_of(image, v, image_bytes), image_bytes, &from));
        ENUF_TRY(enuf_encoding_place(encoding, ENUF_ROOM_OUT, "to", here, &there));
        ENUF_TRY(by_spectra ? enuf_spectra_apply(encoding, from, there)
                            : enuf_encode_and_decode(encoding, there_weights, from, there));
        ENUF_TRY(enuf_encoding_give(encoding, here, image_bytes, there));
    }
    return ENUF_SUCCESS;
}

/* Device memory: nothing waits. */
static enuf_status end(enuf_encoding *encoding, enuf_status status, const char *function)
{
    if (enuf_encoding_copies(encoding)) status = enuf_encoding_finish(encoding, status);
    return enuf_encoding_failed(status, function);
}

enuf_status enuf_encoding_forward(enuf_encoding *encoding, const void *image, void *data)
{
    static const char function[] = "enuf_encoding_forward";
    ENUF_TRY(enuf_encoding_need(encoding, function, 1));
    ENUF_TRY(enuf_encoding_need_array(image, encoding->n_pixels, function, "image"));
    ENUF_TRY(enuf_encoding_need_array(data, encoding->n_samples, function, "data"));
    return end(encoding, forward(encoding, image, data), function);
}

enuf_status enuf_encoding_adjoint(enuf_encoding *encoding, const void *data, void *image)
{
    static const char function[] = "enuf_encoding_adjoint";
    ENUF_TRY(enuf_encoding_need(encoding, function, 1));
    ENUF_TRY(enuf_encoding_need_array(data, encoding->n_samples, function, "data"));
    ENUF_TRY(enuf_encoding_need_array(image, encoding->n_pixels, function, "image"));
    return end(encoding, adjoint(encoding, data, image), function);
}

enuf_status enuf_encoding_normal(enuf_encoding *encoding, const void *weights, const void *image,
                                 void *to)
{
    static const char function[] = "enuf_encoding_normal";
    ENUF_TRY(enuf_encoding_need(encoding, function, 1));
    ENUF_TRY(enuf_encoding_need_array(image, encoding->n_pixels, function, "image"));
    ENUF_TRY(enuf_encoding_need_array(to, encoding->n_pixels, function, "to"));
    return end(encoding, normal(encoding, weights, image, to), function);
}

/* ---- Sensitivities ---- */

static enuf_status copy_sensitivities(enuf_encoding *encoding, const void *from, void *to)
{
    const int64_t bytes = encoding->options.batch * enuf_image_bytes(encoding);
    const void *taken = to;
    ENUF_TRY(encoding->base->backend->type3->take(encoding->base, "sensitivities", from, bytes, to,
                                                  &taken));
    return enuf_encoding_copies(encoding)
               ? ENUF_SUCCESS
               : enuf_passes_of(encoding)->copy(encoding->base, bytes, from, to);
}

/* The first number on the host that is not finite; -1: none. */
static int64_t first_not_finite(const enuf_encoding *encoding, const void *numbers, int64_t n)
{
    const float *f32 = numbers;
    const double *f64 = numbers;
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(encoding->options.precision == ENUF_FLOAT ? (double)f32[i] : f64[i]))
            return i;
    return -1;
}

enuf_status enuf_encoding_set_sensitivities(enuf_encoding *encoding, const void *sensitivities)
{
    static const char function[] = "enuf_encoding_set_sensitivities";
    void *kept = NULL;
    if (!encoding) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: encoding is NULL", function);
    const int64_t numbers = 2 * encoding->n_pixels * encoding->options.batch;
    if (sensitivities && encoding->options.memory == ENUF_HOST) {
        const int64_t bad = first_not_finite(encoding, sensitivities, numbers);
        if (bad >= 0)
            return enuf_fail(ENUF_NOT_FINITE, "%s: sensitivities[%lld] is NaN or infinite",
                             function, (long long)(bad / 2));
    }
    if (sensitivities) {
        enuf_status status = enuf_encoding_allocate(
            encoding, &kept, numbers, enuf_number_size(encoding->base), "sensitivities of coils");
        if (status == ENUF_SUCCESS) status = copy_sensitivities(encoding, sensitivities, kept);
        if (status != ENUF_SUCCESS) {
            enuf_encoding_release(encoding, &kept);
            return enuf_encoding_failed(status, function);
        }
    }
    enuf_encoding_release(encoding, &encoding->sensitivities);
    encoding->sensitivities = kept;
    return ENUF_SUCCESS;
}
