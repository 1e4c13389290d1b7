/* conformance.c - see conformance.h. SPDX-License-Identifier: BSD-3-Clause */
#include "conformance.h"

#include "enuf/direct.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enuf_backend backend = ENUF_BACKEND_CPU;
static enuf_point_storage point_storage = ENUF_POINTS_PACKED;
static enuf_level level = ENUF_LEVEL_SORTED;
static int arguments;
static char **argument;

int conformance_main(int argc, char **argv, void (*law)(void))
{
    const char *reason = "";
    if (argc > 1 && strcmp(argv[1], "cuda_indexed") == 0) {
        backend = ENUF_BACKEND_CUDA;
        point_storage = ENUF_POINTS_INDEXED;
    } else if (argc > 1 &&
               (strncmp(argv[1], "cpu_", 4) == 0 || strncmp(argv[1], "cuda_", 5) == 0)) {
        if (strncmp(argv[1], "cuda_", 5) == 0) backend = ENUF_BACKEND_CUDA;
        if (enuf_level_parse(strchr(argv[1], '_') + 1, &level) != ENUF_SUCCESS) {
            printf("%s\n", enuf_last_error());
            return CHECK_FAILED;
        }
    } else if (argc > 1 && enuf_backend_parse(argv[1], &backend) != ENUF_SUCCESS) {
        printf("%s\n", enuf_last_error());
        return CHECK_FAILED;
    }
    arguments = argc > 2 ? argc - 2 : 0;
    argument = argv + 2;
    if (!enuf_backend_usable(backend, &reason)) return check_skip(reason);
    printf("backend %s: %s; level %s\n", enuf_backend_name(backend), reason,
           enuf_level_name(level));
    law();
    return check_result();
}

const char *conformance_argument(int i)
{
    return i < arguments ? argument[i] : "";
}

enuf_nufft_options conformance_options_of(int dim, const int64_t n[3])
{
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.backend = backend;
    options.point_storage = point_storage;
    options.level = level;
    options.dim = dim;
    for (int d = 0; d < 3; ++d) options.modes[d] = n[d];
    return options;
}

enuf_nufft_options conformance_options(int dim, int64_t n1, int64_t n2, int64_t n3)
{
    return conformance_options_of(dim, (int64_t[3]){n1, n2, n3});
}

static size_t size_of(enuf_precision precision)
{
    return precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
}

static void *allocate_zeros(int64_t n, size_t size)
{
    void *numbers = calloc(n > 0 ? (size_t)n : 1, size);
    if (!numbers) abort();
    return numbers;
}

void *numbers_make(enuf_precision precision, int64_t n)
{
    return allocate_zeros(n, size_of(precision));
}

void *numbers_random(enuf_precision precision, int64_t n, uint64_t seed)
{
    double *drawn = allocate_zeros(n, sizeof(double));
    random_numbers(seed, n, -1.0, 1.0, drawn);
    if (precision == ENUF_DOUBLE) return drawn;
    void *numbers = numbers_make(precision, n);
    for (int64_t i = 0; i < n; ++i) number_set(precision, numbers, i, drawn[i]);
    free(drawn);
    return numbers;
}

double number_at(enuf_precision precision, const void *numbers, int64_t at)
{
    return precision == ENUF_FLOAT ? (double)((const float *)numbers)[at]
                                   : ((const double *)numbers)[at];
}

void number_set(enuf_precision precision, void *numbers, int64_t at, double value)
{
    if (precision == ENUF_FLOAT)
        ((float *)numbers)[at] = (float)value;
    else
        ((double *)numbers)[at] = value;
}

const void *numbers_from(enuf_precision precision, const void *numbers, int64_t at)
{
    return (const char *)numbers + (size_t)at * size_of(precision);
}

double relative_error(enuf_precision precision, int64_t n, const void *a, const void *b)
{
    double difference = 0.0;
    double size = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        double expected = number_at(precision, b, i);
        double missed = number_at(precision, a, i) - expected;
        difference += missed * missed;
        size += expected * expected;
    }
    return size > 0.0 ? sqrt(difference / size) : sqrt(difference);
}

int numbers_equal(enuf_precision precision, int64_t n, const void *a, const void *b)
{
    return memcmp(a, b, (size_t)n * size_of(precision)) == 0;
}

int64_t modes_stored(const enuf_nufft_options *options)
{
    int64_t modes = 1;
    for (int d = 0; d < options->dim; ++d) {
        int halved = d == 0 && options->strengths == ENUF_REAL_STRENGTHS;
        modes *= halved ? (options->modes[0] + 1) / 2 : options->modes[d];
    }
    return modes;
}

void mode_numbers(const enuf_nufft_options *options, int64_t mode, int64_t m[3])
{
    m[0] = m[1] = m[2] = 0;
    for (int d = 0; d < options->dim; ++d) {
        int64_t full = options->modes[d];
        int halved = d == 0 && options->strengths == ENUF_REAL_STRENGTHS;
        int64_t stored = halved ? (full + 1) / 2 : full;
        int64_t i = mode % stored;
        mode /= stored;
        if (halved)
            m[d] = i;
        else if (options->mode_order == ENUF_CENTRED)
            m[d] = i - full / 2;
        else
            m[d] = i < (full + 1) / 2 ? i : i - full;
    }
}

int mode_is_unpaired(const enuf_nufft_options *options, int64_t mode)
{
    int64_t m[3];
    if (options->strengths != ENUF_REAL_STRENGTHS) return 0;
    mode_numbers(options, mode, m);
    for (int d = 0; d < options->dim; ++d)
        if (options->modes[d] % 2 == 0 && 2 * m[d] == -options->modes[d]) return 1;
    return 0;
}

static void draw_points(transform *t, double lo, double hi, uint64_t seed)
{
    random_numbers(seed, 3 * t->n, lo, hi, t->points);
    for (int64_t j = 0; j < t->n; ++j)
        for (int d = t->options.dim; d < 3; ++d) t->points[3 * j + d] = NAN; /* must not be read */
}

transform transform_make(const enuf_nufft_options *options, int64_t n, uint64_t seed)
{
    transform t = {.options = *options, .n = n};
    int64_t batch = options->batch;
    int parts = options->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    enuf_precision precision = options->precision;
    t.modes = modes_stored(options);
    t.n_strengths = t.n_values = batch * n * parts;
    t.n_gradients = t.n_values * options->dim;
    t.n_modes = batch * t.modes * 2;
    t.points = allocate_zeros(3 * n, sizeof(double));
    draw_points(&t, -0.5 * options->period, 1.5 * options->period, seed);
    t.strengths = numbers_random(precision, t.n_strengths, seed + 1);
    t.spectrum = numbers_random(precision, t.n_modes, seed + 2);
    t.modes_expected = numbers_make(precision, t.n_modes);
    t.values_expected = numbers_make(precision, t.n_values);
    t.gradients_expected = numbers_make(precision, t.n_gradients);
    return t;
}

void transform_frame(transform *t, const double T[9], const double origin[3], double edge,
                     uint64_t seed)
{
    t->framed = 1;
    memcpy(t->T, T, sizeof t->T);
    memcpy(t->origin, origin, sizeof t->origin);
    draw_points(t, -edge, edge, seed);
}

void transform_sum(transform *t)
{
    const double *T = t->framed ? t->T : NULL;
    const double *origin = t->framed ? t->origin : NULL;
    const double *p = t->points;
    CHECK_STATUS(enuf_direct_type1(&t->options, T, origin, t->n, p, p + 1, p + 2, 3, t->strengths,
                                   t->modes_expected),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_type2(&t->options, T, origin, t->n, p, p + 1, p + 2, 3, t->spectrum,
                                   t->values_expected, t->gradients_expected),
                 ENUF_SUCCESS);
}

weight_set weight_set_make(enuf_precision precision, enuf_multiplier kind, int sets, int64_t n,
                           uint64_t seed)
{
    const int64_t parts = kind == ENUF_COMPLEX ? 2 : 1;
    return (weight_set){kind, sets, n, numbers_random(precision, sets * n * parts, seed)};
}

/* Numbers [batch][n] of `parts` parts, each a group of `per`, times weights. */
static void multiply(const transform *t, const weight_set *w, int parts, int per, void *numbers)
{
    const enuf_precision p = t->options.precision;
    for (int64_t i = 0; i < t->options.batch * w->n * per; i++) {
        const int64_t b = i / (w->n * per), j = i / per % w->n + (w->sets > 1 ? b * w->n : 0);
        if (w->kind == ENUF_REAL) {
            for (int64_t c = i * parts; c < (i + 1) * parts; c++)
                number_set(p, numbers, c, number_at(p, numbers, c) * number_at(p, w->numbers, j));
            continue;
        }
        const double a = number_at(p, numbers, 2 * i), c = number_at(p, numbers, 2 * i + 1);
        const double re = number_at(p, w->numbers, 2 * j), im = number_at(p, w->numbers, 2 * j + 1);
        number_set(p, numbers, 2 * i, a * re - c * im);
        number_set(p, numbers, 2 * i + 1, a * im + c * re);
    }
}

static void *copy(enuf_precision p, int64_t n, const void *from)
{
    void *to = numbers_make(p, n);
    for (int64_t i = 0; i < n; i++) number_set(p, to, i, number_at(p, from, i));
    return to;
}

void transform_weighted_sum(transform *t, const weight_set *w, const weight_set *v)
{
    const int parts = t->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    void *strengths = t->strengths, *spectrum = t->spectrum;
    t->strengths = copy(t->options.precision, t->n_strengths, strengths);
    t->spectrum = copy(t->options.precision, t->n_modes, spectrum);
    multiply(t, w, parts, 1, t->strengths);
    multiply(t, v, 2, 1, t->spectrum);
    transform_sum(t);
    multiply(t, v, 2, 1, t->modes_expected);
    multiply(t, w, parts, 1, t->values_expected);
    multiply(t, w, parts, t->options.dim, t->gradients_expected);
    free(t->strengths);
    free(t->spectrum);
    t->strengths = strengths;
    t->spectrum = spectrum;
}

void transform_free(transform *t)
{
    free(t->points);
    free(t->strengths);
    free(t->spectrum);
    free(t->modes_expected);
    free(t->values_expected);
    free(t->gradients_expected);
}

enuf_status transform_points(const transform *t, enuf_nufft *plan)
{
    const double *p = t->points;
    enuf_status status =
        enuf_nufft_set_frame(plan, t->framed ? t->T : NULL, t->framed ? t->origin : NULL);
    if (status != ENUF_SUCCESS) return status;
    return enuf_nufft_set_points(plan, t->n, p, t->options.dim > 1 ? p + 1 : NULL,
                                 t->options.dim > 2 ? p + 2 : NULL, 3);
}

enuf_nufft *transform_plan(const transform *t, const enuf_nufft_options *options)
{
    enuf_nufft *plan = NULL;
    if (!CHECK_STATUS(enuf_nufft_create(options ? options : &t->options, &plan), ENUF_SUCCESS))
        return NULL;
    if (!CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS)) enuf_nufft_destroy(&plan);
    return plan;
}

double type1_error(const transform *t, enuf_nufft *plan)
{
    void *modes = numbers_make(t->options.precision, t->n_modes);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, modes), ENUF_SUCCESS);
    double error = relative_error(t->options.precision, t->n_modes, modes, t->modes_expected);
    free(modes);
    return error;
}

double type2_error(const transform *t, enuf_nufft *plan)
{
    void *values = numbers_make(t->options.precision, t->n_values);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, values, NULL), ENUF_SUCCESS);
    double error = relative_error(t->options.precision, t->n_values, values, t->values_expected);
    free(values);
    return error;
}

double gradient_error(const transform *t, enuf_nufft *plan)
{
    void *gradients = numbers_make(t->options.precision, t->n_gradients);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, NULL, gradients), ENUF_SUCCESS);
    double error =
        relative_error(t->options.precision, t->n_gradients, gradients, t->gradients_expected);
    free(gradients);
    return error;
}

double rounding_floor(const enuf_nufft_options *options, double upsampling)
{
    static const double tight_double[3] = {1e-11, 5e-10, 1e-8};
    static const double tight_float[3] = {5e-5, 2e-4, 2e-4};
    int in_float = options->precision == ENUF_FLOAT;
    if (upsampling < 2.0)
        return in_float ? tight_float[options->dim - 1] : tight_double[options->dim - 1];
    int64_t largest = 0;
    for (int d = 0; d < options->dim; ++d)
        if (options->modes[d] / 2 > largest) largest = options->modes[d] / 2;
    return in_float ? 1e-5 : fmax(3e-14, 3e-16 * (double)largest);
}
