/* points.c - T of a Gram operator, by a type 1 of twice as many modes. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "finding.h"

#include <math.h>

/* The engine, where points and weights are in device memory; else NULL. */
static const enuf_gram_engine *device_engine(const enuf_gram *gram)
{
    return gram->options.memory == ENUF_HOST ? NULL : gram->base->backend->gram;
}

/* Real strengths, so that T(-m) is the conjugate of T(m). Its rounding must not add to that of a
 * Gram operator in float: it is made in double. */
enuf_nufft_options enuf_gram_plan_options(const enuf_nufft_options *given, int64_t n)
{
    enuf_nufft_options o;
    double modes = 1;
    enuf_nufft_options_init(&o);
    o.dim = given->dim;
    for (int d = 0; d < o.dim; d++) {
        o.modes[d] = 2 * given->modes[d];
        modes *= (double)o.modes[d];
    }
    o.strengths = ENUF_REAL_STRENGTHS;
    o.sign = given->type2_sign != 0 ? -given->type2_sign : given->sign;
    o.period = given->period;
    o.tolerance = given->tolerance;
    o.density = n > 0 && modes > 0 ? (double)n / modes : 1;
    o.backend = given->backend;
    o.memory = given->memory;
    o.device = given->device;
    o.stream = given->stream;
    o.isa = given->isa;
    o.fft = given->fft;
    o.threads = given->threads;
    o.deterministic = given->deterministic;
    o.fft_effort = given->fft_effort;
    return o;
}

enuf_status enuf_gram_make_plan(const enuf_gram *gram, int64_t n, enuf_nufft **plan)
{
    const int64_t limit = gram->options.memory_limit;
    enuf_nufft_options o = enuf_gram_plan_options(&gram->options, n);
    o.isa = gram->base->options.isa;
    if (limit > 0) {
        const double held = device_engine(gram) ? 0 : enuf_gram_host_bytes(gram, n);
        o.memory_limit = limit - enuf_gram_bytes(gram) - (int64_t)held;
        if (o.memory_limit <= 0)
            return enuf_fail(ENUF_OUT_OF_MEMORY, "memory_limit leaves no room for the plan of T");
    }
    return enuf_nufft_create(&o, plan);
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

static enuf_status transform(enuf_nufft *plan, const enuf_gram_points *points,
                             const double *strengths, double *kernel, double *error)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    if (points->frame) ENUF_TRY(enuf_plan_set_frame(plan, points->frame, points->origin));
    ENUF_TRY(enuf_plan_set_points(plan, &points->coordinates));
    ENUF_TRY(enuf_nufft_type1(plan, strengths, kernel));
    ENUF_TRY(enuf_nufft_check(plan, NULL)); /* device memory: of bad points and weights */
    ENUF_TRY(enuf_nufft_get_report(plan, &report));
    *error = report.error;
    return ENUF_SUCCESS;
}

/* The limit holds while T is found, too. */
static enuf_status check_limit(const enuf_gram *gram, double more)
{
    const double limit = (double)gram->options.memory_limit;
    const double bytes = (double)enuf_gram_bytes(gram) + more;
    if (limit == 0 || bytes <= limit) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "while T is found, %.3g GB are held; memory_limit leaves %.3g GB", bytes / 1e9,
                     limit / 1e9);
}

/* Arrays that finding T takes for a time. */
typedef struct kernel_arrays {
    double *strengths, *kernel;
    int64_t n_kernel; /* numbers */
} kernel_arrays;

static enuf_status allocate_all(enuf_gram *gram, int64_t n, kernel_arrays *a)
{
    if (!device_engine(gram)) ENUF_TRY(check_limit(gram, enuf_gram_host_bytes(gram, n)));
    ENUF_TRY(allocate(gram, &a->strengths, n, "weights"));
    return allocate(gram, &a->kernel, a->n_kernel, "T");
}

static enuf_status find_kernel(enuf_gram *gram, const enuf_gram_points *points, kernel_arrays *a)
{
    enuf_nufft *plan;
    double error = 0;
    const int64_t n = points->coordinates.n;
    ENUF_TRY(allocate_all(gram, n, a));
    ENUF_TRY(read_weights(gram, n, points->weights, a->strengths));
    ENUF_TRY(enuf_gram_make_plan(gram, n, &plan));
    const enuf_status status = transform(plan, points, a->strengths, a->kernel, &error);
    enuf_nufft_destroy(&plan);
    release(gram, &a->strengths);
    ENUF_TRY(status);
    ENUF_TRY(check_limit(gram, enuf_gram_part_bytes(gram)));
    const enuf_gram_kernel found = {a->kernel, a->n_kernel};
    gram->points_set = 0;
    ENUF_TRY(gram->base->backend->gram->fill(gram, &found));
    gram->error = error;
    return ENUF_SUCCESS;
}

enuf_status enuf_gram_find(enuf_gram *gram, const enuf_gram_points *points)
{
    kernel_arrays a = {.n_kernel = enuf_gram_kernel_numbers(gram)};
    if (gram->n_modes > 0) {
        const enuf_status status = find_kernel(gram, points, &a);
        release(gram, &a.strengths);
        release(gram, &a.kernel);
        ENUF_TRY(status);
    }
    gram->points_set = 1;
    return ENUF_SUCCESS;
}

static enuf_status set_points(enuf_gram *gram, const char *function,
                              const enuf_coordinates *coordinates, const void *weights)
{
    const enuf_gram_points points = {.coordinates = *coordinates, .weights = weights};
    if (!gram) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: gram is NULL", function);
    ENUF_TRY(enuf_check_coordinates(gram->base, function, "xyz", coordinates));
    const enuf_status status = enuf_gram_find(gram, &points);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, function);
}

enuf_status enuf_gram_set_points(enuf_gram *gram, int64_t n, const double *x, const double *y,
                                 const double *z, int64_t stride, const void *weights)
{
    const enuf_coordinates points = {
        .n = n, .axis = {x, y, z}, .stride = stride, .precision = ENUF_DOUBLE};
    return set_points(gram, __func__, &points, weights);
}

enuf_status enuf_gram_set_points_f32(enuf_gram *gram, int64_t n, const float *x, const float *y,
                                     const float *z, int64_t stride, const void *weights)
{
    const enuf_coordinates points = {
        .n = n, .axis = {x, y, z}, .stride = stride, .precision = ENUF_FLOAT};
    return set_points(gram, __func__, &points, weights);
}
