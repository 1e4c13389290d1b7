/*
 * test_runs.c - enuf_nufft_set_runs() makes the plan that set_points makes of the coordinates
 * fma(i, step, start), rounded to the plan's precision.
 *
 * Types 1 and 2 with gradients agree bit by bit: on spokes, pieces of a spiral and lines, with
 * empty runs among them, 1D to 3D, both precisions; deterministic sums by three threads, and on the
 * CPU other sums by one; with points for each vector of a batch; and with no runs at all. Level
 * GRAM gives the same Gram operator, to 1e-12 of its size. Wrong arguments are named, and the plan
 * keeps its points, of runs or not. memory_limit counts copies and coordinates.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/gram.h"
#include "sample_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647693;

static enuf_nufft_options options_of(int dim, enuf_precision precision)
{
    enuf_nufft_options options = conformance_options(dim, 18, 15, 12);
    options.precision = precision;
    options.tolerance = precision == ENUF_FLOAT ? 1e-4 : 1e-9;
    options.period = TWO_PI;
    options.gradients = 1;
    options.deterministic = 1;
    options.threads = 3;
    return options;
}

/* Type 1, and type 2 with gradients, one array behind the other. */
typedef struct results {
    int64_t n;
    void *numbers;
} results;

static results transforms(const enuf_nufft_options *options, enuf_nufft *plan, int64_t n)
{
    const enuf_precision p = options->precision;
    const int64_t batch = options->batch, modes = 2 * batch * modes_stored(options);
    const int64_t values = 2 * batch * n, gradients = values * options->dim;
    const results r = {modes + values + gradients, numbers_make(p, modes + values + gradients)};
    void *strengths = numbers_random(p, values, 7), *spectrum = numbers_random(p, modes, 8);
    char *at = r.numbers;
    const int64_t size = p == ENUF_FLOAT ? 4 : 8;
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, at), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, spectrum, at + modes * size, at + (modes + values) * size),
                 ENUF_SUCCESS);
    free(strengths);
    free(spectrum);
    return r;
}

static void same_results(const enuf_nufft_options *options, enuf_nufft *plan, int64_t n,
                         const results *expected)
{
    const results found = transforms(options, plan, n);
    CHECK(found.n == expected->n);
    CHECK(numbers_equal(options->precision, found.n, found.numbers, expected->numbers));
    free(found.numbers);
}

static enuf_status set_runs(enuf_nufft *plan, const sample_runs *s)
{
    return enuf_nufft_set_runs(plan, s->runs, s->lengths, s->start, s->step);
}

/* What a plan gives whose points are set one by one. */
static results by_coordinates(const enuf_nufft_options *options, const sample_runs *s)
{
    results r = {0, NULL};
    enuf_nufft *plan;
    void *x = sample_runs_coordinates(s, options->precision);
    if (CHECK_STATUS(enuf_nufft_create(options, &plan), ENUF_SUCCESS)) {
        CHECK_STATUS(sample_runs_set_coordinates(plan, s->dim, s->n, options->precision, x),
                     ENUF_SUCCESS);
        r = transforms(options, plan, s->n);
    }
    enuf_nufft_destroy(&plan);
    free(x);
    return r;
}

static void same_as_coordinates(const enuf_nufft_options *options, const sample_runs *s)
{
    const results expected = by_coordinates(options, s);
    enuf_nufft *plan;
    if (CHECK_STATUS(enuf_nufft_create(options, &plan), ENUF_SUCCESS)) {
        CHECK_STATUS(set_runs(plan, s), ENUF_SUCCESS);
        same_results(options, plan, s->n, &expected);
        CHECK_STATUS(set_runs(plan, s), ENUF_SUCCESS); /* in the place of as many */
        same_results(options, plan, s->n, &expected);
    }
    enuf_nufft_destroy(&plan);
    free(expected.numbers);
}

static void runs_are_their_coordinates(void)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int shape = 0; shape < RUN_SHAPES; shape++)
            for (int single = 0; single < 2; single++) {
                sample_runs s = sample_runs_make((run_shape)shape, dim, 61);
                enuf_nufft_options options = options_of(dim, single ? ENUF_FLOAT : ENUF_DOUBLE);
                printf("%dD, %s, %s\n", dim, run_shape_name((run_shape)shape),
                       single ? "float" : "double");
                same_as_coordinates(&options, &s);
                options.deterministic = 0;
                options.threads = 1;
                if (options.backend == ENUF_BACKEND_CPU) same_as_coordinates(&options, &s);
                sample_runs_free(&s);
            }
}

/* Runs without samples, and no runs, are no points. */
static void no_samples(void)
{
    const enuf_nufft_options options = options_of(2, ENUF_DOUBLE);
    const int64_t none[2] = {0, 0};
    const double unused[4] = {NAN, INFINITY, NAN, 0};
    void *modes = numbers_random(ENUF_DOUBLE, 2 * modes_stored(&options), 3);
    void *zeros = numbers_make(ENUF_DOUBLE, 2 * modes_stored(&options));
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_runs(plan, 0, NULL, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, NULL, modes), ENUF_SUCCESS);
    CHECK(numbers_equal(ENUF_DOUBLE, 2 * modes_stored(&options), modes, zeros));
    CHECK_STATUS(enuf_nufft_set_runs(plan, 2, none, unused, unused), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, NULL, modes), ENUF_SUCCESS);
    CHECK(numbers_equal(ENUF_DOUBLE, 2 * modes_stored(&options), modes, zeros));
    enuf_nufft_destroy(&plan);
    free(modes);
    free(zeros);
}

/* Starts and steps of the second vector differ from those of the first; lengths are the same. */
static void runs_of_each_vector(void)
{
    enum { RUNS = 20 };
    enuf_nufft_options options = options_of(2, ENUF_DOUBLE);
    double start[4 * RUNS], step[4 * RUNS];
    sample_runs s = sample_runs_make(SPOKES, 2, RUNS), other = sample_runs_make(LINES, 2, RUNS);
    const size_t bytes = 2 * RUNS * sizeof *start;
    memcpy(start, s.start, bytes), memcpy(start + 2 * RUNS, other.start, bytes);
    memcpy(step, s.step, bytes), memcpy(step + 2 * RUNS, other.step, bytes);
    double *x = sample_runs_coordinates(&s, ENUF_DOUBLE);
    double *y = sample_runs_coordinates(&other, ENUF_DOUBLE);
    double *both = numbers_make(ENUF_DOUBLE, 4 * s.n);
    for (int d = 0; d < 2; d++) {
        memcpy(both + 2 * d * s.n, x + d * s.n, (size_t)s.n * sizeof *x);
        memcpy(both + (2 * d + 1) * s.n, y + d * s.n, (size_t)s.n * sizeof *x);
    }
    options.batch = options.point_sets = 2;
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, s.n, both, both + 2 * s.n, NULL, 1), ENUF_SUCCESS);
    const results expected = transforms(&options, plan, s.n);
    CHECK_STATUS(enuf_nufft_set_points(plan, 0, NULL, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_runs(plan, RUNS, s.lengths, start, step), ENUF_SUCCESS);
    same_results(&options, plan, s.n, &expected);
    start[2 * RUNS + 2 * 6 + 1] = NAN;
    CHECK_STATUS(enuf_nufft_set_runs(plan, RUNS, s.lengths, start, step), ENUF_NOT_FINITE);
    CHECK_TEXT("vector 1");
    CHECK_TEXT("start of run 6 along y");
    enuf_nufft_destroy(&plan);
    free(expected.numbers);
    free(x);
    free(y);
    free(both);
    sample_runs_free(&s);
    sample_runs_free(&other);
}

static void gram_of_runs(void)
{
    enuf_nufft_options options = options_of(2, ENUF_DOUBLE);
    sample_runs s = sample_runs_make(SPOKES, 2, 30);
    const int64_t n = 2 * modes_stored(&options);
    double *x = sample_runs_coordinates(&s, ENUF_DOUBLE);
    void *modes = numbers_random(ENUF_DOUBLE, n, 4);
    void *found = numbers_make(ENUF_DOUBLE, n), *expected = numbers_make(ENUF_DOUBLE, n);
    options.level = ENUF_LEVEL_GRAM;
    options.point_storage = ENUF_POINTS_PACKED;
    options.deterministic = 0;
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, s.n, x, x + s.n, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, expected), ENUF_SUCCESS);
    CHECK_STATUS(set_runs(plan, &s), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, found), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, n, found, expected), 1e-12, "Gram operator of runs");
    enuf_nufft_destroy(&plan);
    free(x);
    free(modes);
    free(found);
    free(expected);
    sample_runs_free(&s);
}

/* Each wrong call is named, and the plan gives what it gave before. */
static void wrong_calls(enuf_nufft *plan, const enuf_nufft_options *options, int64_t n,
                        const results *before)
{
    int64_t lengths[3] = {2, 0, 3};
    const double ends[6] = {0, 1, 2, 3, 4, 5};
    double start[6] = {0, 1, NAN, 3, 4, 5}, step[6] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
#define WRONG(call, status, text)                                                                  \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT("enuf_nufft_set_runs");                                                         \
        CHECK_TEXT(text);                                                                          \
        same_results(options, plan, n, before);                                                    \
    } while (0)
    WRONG(enuf_nufft_set_runs(plan, -1, lengths, ends, step), ENUF_BAD_ARGUMENT, "-1 runs");
    WRONG(enuf_nufft_set_runs(plan, INT64_MAX / 8, lengths, ends, step), ENUF_BAD_ARGUMENT,
          "memory");
    WRONG(enuf_nufft_set_runs(plan, 3, NULL, ends, step), ENUF_BAD_ARGUMENT, "lengths is NULL");
    WRONG(enuf_nufft_set_runs(plan, 3, lengths, NULL, step), ENUF_BAD_ARGUMENT, "start is NULL");
    WRONG(enuf_nufft_set_runs(plan, 3, lengths, ends, NULL), ENUF_BAD_ARGUMENT, "step is NULL");
    start[4] = -INFINITY; /* the NaN is of an empty run */
    WRONG(enuf_nufft_set_runs(plan, 3, lengths, start, step), ENUF_NOT_FINITE,
          "start of run 2 along x");
    step[1] = NAN;
    WRONG(enuf_nufft_set_runs(plan, 3, lengths, ends, step), ENUF_NOT_FINITE,
          "step of run 0 along y");
    lengths[1] = -4;
    WRONG(enuf_nufft_set_runs(plan, 3, lengths, ends, ends), ENUF_BAD_ARGUMENT, "lengths[1] is -4");
    lengths[1] = lengths[2] = INT64_MAX;
    WRONG(enuf_nufft_set_runs(plan, 3, lengths, ends, ends), ENUF_BAD_ARGUMENT, "lengths[1] sum");
    lengths[1] = INT64_MAX / 16;
    WRONG(enuf_nufft_set_runs(plan, 3, lengths, ends, ends), ENUF_BAD_ARGUMENT, "lengths[1] sum");
#undef WRONG
    /* a sample that leaves the range is a bad point, as in set_points */
    const int64_t two = 2;
    const double huge[2] = {1.5e308, 0};
    CHECK_STATUS(enuf_nufft_set_runs(plan, 1, &two, huge, huge), ENUF_NOT_FINITE);
    CHECK_TEXT("point 1");
    same_results(options, plan, n, before);
}

static void errors_keep_the_points(void)
{
    const enuf_nufft_options options = options_of(2, ENUF_DOUBLE);
    sample_runs s = sample_runs_make(SPIRAL, 2, 50);
    const results before = by_coordinates(&options, &s);
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(set_runs(plan, &s), ENUF_SUCCESS);
    wrong_calls(plan, &options, s.n, &before);
    double *x = sample_runs_coordinates(&s, ENUF_DOUBLE);
    CHECK_STATUS(enuf_nufft_set_points(plan, s.n, x, x + s.n, NULL, 1), ENUF_SUCCESS);
    wrong_calls(plan, &options, s.n, &before);
    CHECK_STATUS(enuf_nufft_set_runs(NULL, s.runs, s.lengths, s.start, s.step), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("plan is NULL");
    enuf_nufft_destroy(&plan);
    free(x);
    free(before.numbers);
    sample_runs_free(&s);
}

static void type3_refuses(void)
{
    enuf_nufft_options options = conformance_options(1, 8, 0, 0);
    const int64_t length = 4;
    const double start = -1, step = 0.5;
    enuf_nufft *plan;
    options.type3 = 1;
    options.level = ENUF_LEVEL_SORTED;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_runs(plan, 1, &length, &start, &step), ENUF_UNSUPPORTED);
    CHECK_TEXT("enuf_nufft_set_runs");
    CHECK_TEXT("type 3");
    enuf_nufft_destroy(&plan);
}

/* A plan with points set, within a limit. */
static enuf_nufft *limited_plan(enuf_nufft_options options, int64_t limit, const sample_runs *s,
                                const double *x)
{
    enuf_nufft *plan = NULL;
    options.memory_limit = limit;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, s->n, x, x + s->n, NULL, 1), ENUF_SUCCESS);
    return plan;
}

static void the_limit_counts_runs(void)
{
    const enuf_nufft_options options = options_of(2, ENUF_DOUBLE);
    sample_runs s = sample_runs_make(LINES, 2, 200);
    double *x = sample_runs_coordinates(&s, ENUF_DOUBLE);
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan = limited_plan(options, (int64_t)1 << 40, &s, x);
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    const results before = transforms(&options, plan, s.n);
    enuf_nufft_destroy(&plan);
    plan = limited_plan(options, report.bytes, &s, x);
    CHECK_STATUS(set_runs(plan, &s), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("memory_limit");
    same_results(&options, plan, s.n, &before);
    enuf_nufft_destroy(&plan);
    /* two copies of the runs, the coordinates, and what arrays are rounded up by */
    const int64_t copies = 2 * 8 * (5 * s.runs + 1), coordinates = 8 * 2 * s.n;
    plan = limited_plan(options, report.bytes + copies + coordinates + 4096, &s, x);
    CHECK_STATUS(set_runs(plan, &s), ENUF_SUCCESS);
    CHECK_STATUS(set_runs(plan, &s), ENUF_SUCCESS); /* the first call has given its bytes back */
    same_results(&options, plan, s.n, &before);
    enuf_nufft_destroy(&plan);
    free(x);
    free(before.numbers);
    sample_runs_free(&s);
}

static void law(void)
{
    runs_are_their_coordinates();
    no_samples();
    runs_of_each_vector();
    gram_of_runs();
    errors_keep_the_points();
    type3_refuses();
    the_limit_counts_runs();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
