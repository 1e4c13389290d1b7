/* points.c - T of a Gram operator, by a type 1 of twice as many modes. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "object.h"

#include <math.h>

/* The plan of T: real strengths, so that T(-m) is the conjugate of T(m). Its rounding must not add
 * to that of a Gram operator in float: it is made in double. */
static enuf_status make_plan(const enuf_gram *gram, int64_t held, int64_t n, enuf_nufft **plan)
{
    const enuf_nufft_options *given = &gram->options;
    enuf_nufft_options o;
    enuf_nufft_options_init(&o);
    double modes = 1;
    o.dim = given->dim;
    for (int d = 0; d < o.dim; d++) {
        o.modes[d] = 2 * gram->axis[d].n;
        modes *= (double)o.modes[d];
    }
    o.strengths = ENUF_REAL_STRENGTHS;
    o.sign = given->type2_sign != 0 ? -given->type2_sign : given->sign;
    o.period = given->period;
    o.tolerance = given->tolerance;
    o.density = n > 0 ? (double)n / modes : 1;
    o.backend = given->backend;
    o.memory = given->memory;
    o.device = given->device;
    o.stream = given->stream;
    o.isa = gram->base->options.isa;
    o.fft = given->fft;
    o.threads = given->threads;
    o.deterministic = given->deterministic;
    o.fft_effort = given->fft_effort;
    if (given->memory_limit > 0) {
        o.memory_limit = given->memory_limit - held;
        if (o.memory_limit <= 0)
            return enuf_fail(ENUF_OUT_OF_MEMORY, "memory_limit leaves no room for the plan of T");
    }
    return enuf_nufft_create(&o, plan);
}

/* The engine, where points and weights are in device memory; else NULL. */
static const enuf_gram_engine *device_engine(const enuf_gram *gram)
{
    return gram->options.memory == ENUF_HOST ? NULL : gram->base->backend->gram;
}

static enuf_status allocate(enuf_gram *gram, double **array, int64_t n, const char *what)
{
    const enuf_gram_engine *engine = device_engine(gram);
    return engine ? engine->allocate(gram, array, n, what)
                  : enuf_allocate(array, n, sizeof **array, what);
}

static void release(enuf_gram *gram, double **array)
{
    const enuf_gram_engine *engine = device_engine(gram);
    if (engine)
        engine->release(gram, array);
    else
        enuf_release(array);
}

static enuf_status read_weights(enuf_gram *gram, int64_t n, const void *weights, double *strengths)
{
    const int single = gram->options.precision == ENUF_FLOAT;
    const enuf_gram_engine *engine = device_engine(gram);
    if (engine) return engine->read_weights(gram, n, weights, strengths);
    for (int64_t j = 0; j < n; j++) {
        strengths[j] = !weights ? 1
                       : single ? ((const float *)weights)[j]
                                : ((const double *)weights)[j];
        if (!isfinite(strengths[j]))
            return enuf_fail(ENUF_NOT_FINITE, "weights[%lld] is NaN or infinite", (long long)j);
    }
    return ENUF_SUCCESS;
}

static enuf_status transform(enuf_nufft *plan, const enuf_coordinates *points,
                             const double *strengths, double *kernel, double *error)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    ENUF_TRY(enuf_plan_set_points(plan, points));
    ENUF_TRY(enuf_nufft_type1(plan, strengths, kernel));
    ENUF_TRY(enuf_nufft_check(plan, NULL)); /* device memory: of bad points and weights */
    ENUF_TRY(enuf_nufft_get_report(plan, &report));
    *error = report.error;
    return ENUF_SUCCESS;
}

static enuf_status find_kernel(enuf_gram *gram, const enuf_coordinates *points, const void *weights,
                               double *strengths, double *kernel, int64_t n_kernel)
{
    enuf_nufft *plan;
    double error;
    enuf_gram_report report = {.struct_size = sizeof report};
    const enuf_gram_kernel found = {kernel, n_kernel};
    ENUF_TRY(enuf_gram_get_report(gram, &report));
    ENUF_TRY(read_weights(gram, points->n, weights, strengths));
    ENUF_TRY(make_plan(gram, report.bytes, points->n, &plan));
    const enuf_status status = transform(plan, points, strengths, kernel, &error);
    enuf_nufft_destroy(&plan);
    ENUF_TRY(status);
    gram->points_set = 0;
    ENUF_TRY(gram->base->backend->gram->fill(gram, &found));
    gram->error = error;
    return ENUF_SUCCESS;
}

static enuf_status set_points(enuf_gram *gram, const char *function, const enuf_coordinates *points,
                              const void *weights)
{
    double *strengths = NULL, *kernel = NULL;
    int64_t half = 2; /* numbers of T, of which m_1 >= 0 is stored */
    if (!gram) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: gram is NULL", function);
    ENUF_TRY(enuf_check_coordinates(gram->base, function, "xyz", points));
    for (int d = 0; d < gram->options.dim; d++) half *= (d == 0 ? 1 : 2) * gram->axis[d].n;
    enuf_status status = ENUF_SUCCESS;
    if (gram->n_modes > 0) {
        status = allocate(gram, &strengths, points->n, "weights");
        if (status == ENUF_SUCCESS) status = allocate(gram, &kernel, half, "T");
        if (status == ENUF_SUCCESS)
            status = find_kernel(gram, points, weights, strengths, kernel, half);
        release(gram, &strengths);
        release(gram, &kernel);
    }
    if (status != ENUF_SUCCESS) return enuf_fail_in(status, function);
    gram->points_set = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_gram_set_points(enuf_gram *gram, int64_t n, const double *x, const double *y,
                                 const double *z, int64_t stride, const void *weights)
{
    const enuf_coordinates points = {n, {x, y, z}, stride, ENUF_DOUBLE};
    return set_points(gram, __func__, &points, weights);
}

enuf_status enuf_gram_set_points_f32(enuf_gram *gram, int64_t n, const float *x, const float *y,
                                     const float *z, int64_t stride, const void *weights)
{
    const enuf_coordinates points = {n, {x, y, z}, stride, ENUF_FLOAT};
    return set_points(gram, __func__, &points, weights);
}
