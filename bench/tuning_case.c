/* tuning_case.c - see tuning_case.h. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning_case.h"

#include "arguments.h"
#include "direct_device.h"
#include "nufft_sample.h"

#include <stdlib.h>

void tuning_check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die("tuning", "%s", enuf_last_error());
}

/* n complex numbers in [-1/2, 1/2)^2. */
static void *numbers(enuf_precision precision, int64_t n, uint64_t *seed)
{
    const size_t size = precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    void *array = malloc(2 * (size_t)n * size);
    if (!array) bench_die("tuning", "not enough memory");
    for (int64_t i = 0; i < 2 * n; i++) {
        const double value = bench_uniform(seed) - 0.5;
        if (precision == ENUF_FLOAT)
            ((float *)array)[i] = (float)value;
        else
            ((double *)array)[i] = value;
    }
    return array;
}

/* An array of the host's where the case has its arrays. */
static void *placed(const tuning_case *c, void *array, size_t bytes)
{
    if (c->options.memory == ENUF_HOST) return array;
    void *there = bench_device_array(bytes, array);
    if (!there) bench_die("tuning", "the GPU has no memory for %zu bytes", bytes);
    free(array);
    return there;
}

static void release(const tuning_case *c, void *array)
{
    if (c->options.memory == ENUF_HOST)
        free(array);
    else
        bench_device_free(array);
}

void tuning_case_fill(tuning_case *c)
{
    const size_t number = c->options.precision == ENUF_FLOAT ? 8 : 16;
    const enuf_precision precision = c->options.precision;
    enuf_trajectory_options o;
    uint64_t seed = 5;
    enuf_trajectory_options_init(&o);
    o.kind = c->kind;
    o.dim = c->options.dim = 3;
    o.reduction = c->reduction;
    for (int d = 0; d < 3; d++) o.modes[d] = c->options.modes[d] = c->side;
    c->modes = c->side * c->side * c->side;
    tuning_check(enuf_trajectory_count(&o, &c->n, NULL));
    c->options.density = (double)c->n / (double)c->modes;
    c->points = malloc(3 * (size_t)c->n * sizeof(double));
    if (!c->points) bench_die("tuning", "not enough memory");
    tuning_check(enuf_trajectory_fill(&o, c->n, c->points, c->points + 1, c->points + 2, 3));
    c->points = placed(c, c->points, 3 * (size_t)c->n * sizeof(double));
    c->strengths = placed(c, numbers(precision, c->n, &seed), (size_t)c->n * number);
    c->values = placed(c, numbers(precision, c->n, &seed), (size_t)c->n * number);
    c->in = placed(c, numbers(precision, c->modes, &seed), (size_t)c->modes * number);
    c->out = placed(c, numbers(precision, c->modes, &seed), (size_t)c->modes * number);
}

void tuning_case_free(tuning_case *c)
{
    release(c, c->points);
    release(c, c->strengths);
    release(c, c->values);
    release(c, c->in);
    release(c, c->out);
}
