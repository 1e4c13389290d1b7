/* encoding_passes.c - the CPU's passes over samples and pixels. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "encoding_kernels.h"

#include <string.h>

/* Calls the function of the plan's precision. */
#define BY_PRECISION(plan, function, ...)                                                          \
    ((plan)->options.precision == ENUF_FLOAT ? function##_f32(__VA_ARGS__)                         \
                                             : function##_f64(__VA_ARGS__))

static enuf_status copy(enuf_nufft *plan, int64_t bytes, const void *from, void *to)
{
    (void)plan;
    if (bytes > 0) memcpy(to, from, (size_t)bytes);
    return ENUF_SUCCESS;
}

static enuf_status load(enuf_nufft *plan, void *to, const void *from, int64_t bytes)
{
    return copy(plan, bytes, from, to);
}

static enuf_status clear(enuf_nufft *plan, int64_t bytes, void *to)
{
    (void)plan;
    if (bytes > 0) memset(to, 0, (size_t)bytes);
    return ENUF_SUCCESS;
}

static enuf_status sample_terms(enuf_nufft *plan, const enuf_sample_terms *terms, void *to)
{
    BY_PRECISION(plan, enuf_cpu_sample_terms, plan, terms, to);
    return ENUF_SUCCESS;
}

static enuf_status pixel_terms(enuf_nufft *plan, const enuf_pixel_terms *terms, void *to)
{
    BY_PRECISION(plan, enuf_cpu_pixel_terms, plan, terms, to);
    return ENUF_SUCCESS;
}

static enuf_status drawn_sample_terms(enuf_nufft *plan, const enuf_drawn_sample_terms *terms,
                                      void *to)
{
    BY_PRECISION(plan, enuf_cpu_drawn_sample_terms, plan, terms, to);
    return ENUF_SUCCESS;
}

static enuf_status drawn_pixel_terms(enuf_nufft *plan, const enuf_drawn_pixel_terms *terms,
                                     void *to)
{
    BY_PRECISION(plan, enuf_cpu_drawn_pixel_terms, plan, terms, to);
    return ENUF_SUCCESS;
}

static enuf_status multiply(enuf_nufft *plan, const enuf_complex_product *product)
{
    BY_PRECISION(plan, enuf_cpu_multiply, plan, product);
    return ENUF_SUCCESS;
}

static enuf_status weigh(enuf_nufft *plan, int64_t n, const void *weights, const void *from,
                         void *to)
{
    BY_PRECISION(plan, enuf_cpu_weigh, plan, n, weights, from, to);
    return ENUF_SUCCESS;
}

static enuf_status combine(enuf_nufft *plan, int64_t n, double a, const void *x, double b,
                           const void *y, void *to)
{
    BY_PRECISION(plan, enuf_cpu_combine, plan, n, a, x, b, y, to);
    return ENUF_SUCCESS;
}

static enuf_status dot(enuf_nufft *plan, int64_t n, const void *x, const void *y, double *sum)
{
    *sum = BY_PRECISION(plan, enuf_cpu_dot, plan, n, x, y);
    return ENUF_SUCCESS;
}

const enuf_encoding_passes enuf_cpu_encoding = {
    .upload = load,
    .download = load,
    .copy = copy,
    .sample_terms = sample_terms,
    .pixel_terms = pixel_terms,
    .drawn_sample_terms = drawn_sample_terms,
    .drawn_pixel_terms = drawn_pixel_terms,
    .clear = clear,
    .multiply = multiply,
    .weigh = weigh,
    .combine = combine,
    .dot = dot,
};
