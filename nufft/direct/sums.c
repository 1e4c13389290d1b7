/* sums.c - forward, adjoint, check. SPDX-License-Identifier: BSD-3-Clause */
#include "engine.h"
#include "error.h"

#include <math.h>

static double number_at(const enuf_direct *sums, const void *array, int64_t at)
{
    return sums->options.precision == ENUF_FLOAT ? (double)((const float *)array)[at]
                                                 : ((const double *)array)[at];
}

/* The first complex number of [batch][n][parts] in host memory that is not finite, or -1. */
static int64_t first_bad_of(const enuf_direct *sums, int64_t n, int parts, const void *array)
{
    const int64_t numbers = 2 * sums->options.batch * n * parts;
    for (int64_t at = 0; at < numbers; ++at)
        if (!isfinite(number_at(sums, array, at))) return at / (2 * parts);
    return -1;
}

static enuf_status check_call(const char *function, const enuf_direct *sums)
{
    if (!sums) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: sums is NULL", function);
    if (sums->n_samples < 0)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "%s: set the samples first, by enuf_direct_set_samples()", function);
    if (sums->n_pixels < 0)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "%s: set the pixels first, by enuf_direct_set_pixels() or _pixel_grid()",
                         function);
    return ENUF_SUCCESS;
}

static enuf_status check_input(const char *function, const char *name, const enuf_direct *sums,
                               int64_t n, const void *input)
{
    if (n == 0) return ENUF_SUCCESS;
    if (!input) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL", function, name);
    if (sums->options.memory != ENUF_HOST) return ENUF_SUCCESS;
    const int64_t bad = first_bad_of(sums, n, 1, input);
    if (bad < 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE, "%s: %s[%lld] is NaN or infinite", function, name,
                     (long long)bad);
}

/* A result of finite data is not finite where a decay grows without bound, or they are too large.
 */
static enuf_status check_result(const char *function, const char *name, const enuf_direct *sums,
                                int64_t n, int parts, const void *result)
{
    if (sums->options.memory != ENUF_HOST || !result) return ENUF_SUCCESS;
    const int64_t bad = first_bad_of(sums, n, parts, result);
    if (bad < 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE,
                     "%s: %s[%lld] is NaN or infinite: the data are too large, or exp(-R t) is, "
                     "for a decay R and a time t of opposite signs",
                     function, name, (long long)bad);
}

enuf_status enuf_direct_forward(enuf_direct *sums, const void *image, void *values, void *gradients)
{
    static const char function[] = "enuf_direct_forward";
    ENUF_TRY(check_call(function, sums));
    ENUF_TRY(check_input(function, "image", sums, sums->n_pixels, image));
    if (sums->n_samples == 0 || (!values && !gradients)) return ENUF_SUCCESS;
    ENUF_TRY(sums->engine->forward(sums, image, values, gradients));
    ENUF_TRY(check_result(function, "values", sums, sums->n_samples, 1, values));
    return check_result(function, "gradients", sums, sums->n_samples, sums->options.dim, gradients);
}

enuf_status enuf_direct_adjoint(enuf_direct *sums, const void *values, void *image)
{
    static const char function[] = "enuf_direct_adjoint";
    ENUF_TRY(check_call(function, sums));
    ENUF_TRY(check_input(function, "values", sums, sums->n_samples, values));
    if (sums->n_pixels == 0) return ENUF_SUCCESS;
    if (!image) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: image is NULL", function);
    ENUF_TRY(sums->engine->adjoint(sums, values, image));
    return check_result(function, "image", sums, sums->n_pixels, 1, image);
}

enuf_status enuf_direct_check(enuf_direct *sums, int64_t *first_bad)
{
    if (first_bad) *first_bad = -1;
    if (!sums) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_check: sums is NULL");
    return sums->engine->check(sums, first_bad);
}
