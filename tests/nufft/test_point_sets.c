/*
 * test_point_sets.c - options.point_sets = batch: each vector of a batch has points of its own.
 *
 * Types 1 and 2, gradients and both adjoints of 3 vectors in 1D to 3D, with weights of one set and
 * of a set for each vector, are bit by bit those of 3 plans of one vector. A bad point is named
 * with its vector, and the plan then has no points. Single steps and stages are refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/nufft_stages.h"

#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 70, BATCH = 3 };

typedef struct results {
    void *modes, *values, *gradients, *adjoint1, *adjoint2;
} results;

static results results_make(const transform *t)
{
    const enuf_precision p = t->options.precision;
    return (results){numbers_make(p, t->n_modes), numbers_make(p, t->n_values),
                     numbers_make(p, t->n_gradients), numbers_make(p, t->n_values),
                     numbers_make(p, t->n_modes)};
}

static void results_free(results *r)
{
    free(r->modes);
    free(r->values);
    free(r->gradients);
    free(r->adjoint1);
    free(r->adjoint2);
}

static void run(enuf_nufft *plan, const void *strengths, const void *spectrum, const results *r)
{
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, r->modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, spectrum, r->values, r->gradients), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1_adjoint(plan, spectrum, r->adjoint1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2_adjoint(plan, strengths, r->adjoint2), ENUF_SUCCESS);
}

/* Vector b of results of BATCH, each n numbers, is that of one. */
static void same(const transform *one, const results *all, const results *of_one, int b)
{
    const enuf_precision p = one->options.precision;
    const int64_t f = one->n_modes, c = one->n_values, g = one->n_gradients;
    /* sums of one thread come in one order */
    CHECK(numbers_equal(p, f, numbers_from(p, all->modes, b * f), of_one->modes));
    CHECK(numbers_equal(p, c, numbers_from(p, all->values, b * c), of_one->values));
    CHECK(numbers_equal(p, g, numbers_from(p, all->gradients, b * g), of_one->gradients));
    CHECK(numbers_equal(p, c, numbers_from(p, all->adjoint1, b * c), of_one->adjoint1));
    CHECK(numbers_equal(p, f, numbers_from(p, all->adjoint2, b * f), of_one->adjoint2));
}

static void set_weights(enuf_nufft *plan, enuf_multiplier kind, int sets, const void *w,
                        const void *v)
{
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, sets, w), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, kind, sets, v), ENUF_SUCCESS);
}

/* Each vector alone, in a plan of its own. */
static void against_plans_of_one(const enuf_nufft_options *options, const transform *t,
                                 const double *points, const results *all, int sets, const void *w,
                                 const void *v)
{
    const enuf_precision p = options->precision;
    enuf_nufft_options single = *options;
    single.batch = single.point_sets = 1;
    for (int b = 0; b < BATCH; b++) {
        transform one = transform_make(&single, N, 1);
        results r = results_make(&one);
        for (int i = 0; i < 3 * N; i++) one.points[i] = points[3 * N * b + i];
        enuf_nufft *plan = transform_plan(&one, NULL);
        const int set = sets > 1 ? b : 0;
        if (plan && w)
            set_weights(plan, ENUF_COMPLEX, 1, numbers_from(p, w, set * N),
                        numbers_from(p, v, set * 2 * one.modes));
        if (plan) {
            run(plan, numbers_from(p, t->strengths, b * one.n_strengths),
                numbers_from(p, t->spectrum, b * one.n_modes), &r);
            same(&one, all, &r, b);
        }
        enuf_nufft_destroy(&plan);
        results_free(&r);
        transform_free(&one);
    }
}

static void law_of(int dim, int kind)
{
    enuf_nufft_options options = conformance_options(dim, 12, 11, 8);
    options.precision = kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE;
    options.strengths = kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.type2_sign = kind & 4 ? -1 : 1;
    options.deterministic = 1; /* bits do not depend on the order of sums, on a GPU too */
    options.tolerance = 1e-4;
    options.batch = options.point_sets = BATCH;
    transform t = transform_make(&options, N, 40); /* its points are not used */
    double *points = numbers_random(ENUF_DOUBLE, 3 * N * BATCH, 41);
    void *w = numbers_random(options.precision, BATCH * N, 42);
    void *v = numbers_random(options.precision, BATCH * 2 * t.modes, 43);
    results r = results_make(&t);
    enuf_nufft *plan = NULL;
    printf("%dD %s %s, type2_sign %d\n", dim, kind & 1 ? "float" : "double",
           kind & 2 ? "real" : "complex", options.type2_sign);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    if (plan) {
        CHECK_STATUS(enuf_nufft_set_points(plan, N, points, points + 1, points + 2, 3),
                     ENUF_SUCCESS);
        run(plan, t.strengths, t.spectrum, &r);
        against_plans_of_one(&options, &t, points, &r, 1, NULL, NULL);
        for (int sets = 1; sets <= BATCH; sets += BATCH - 1) {
            set_weights(plan, ENUF_COMPLEX, sets, w, v);
            run(plan, t.strengths, t.spectrum, &r);
            against_plans_of_one(&options, &t, points, &r, sets, w, v);
        }
    }
    enuf_nufft_destroy(&plan);
    results_free(&r);
    free(w);
    free(v);
    free(points);
    transform_free(&t);
}

static void refusals(void)
{
    enuf_nufft_options options = conformance_options(2, 12, 11, 1);
    options.batch = BATCH;
    options.point_sets = 2;
    enuf_nufft *plan = NULL;
    enuf_nufft_report report = {.struct_size = sizeof report};
    double *points = numbers_random(ENUF_DOUBLE, 2 * N * BATCH, 44), seconds[ENUF_STAGE_COUNT];
    double *strengths = numbers_random(ENUF_DOUBLE, 2 * N * BATCH, 45), cells[2 * 24 * 24] = {0};
    double *modes = numbers_make(ENUF_DOUBLE, 2 * 12 * 11 * BATCH);
    int64_t first_bad;
#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)
    REFUSED(enuf_nufft_create(&options, &plan), ENUF_BAD_ARGUMENT, "point_sets");
    options.point_sets = BATCH;
    options.no_grid = 1;
    REFUSED(enuf_nufft_create(&options, &plan), ENUF_UNSUPPORTED, "no_grid");
    options.no_grid = 0;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    CHECK(report.bytes >= BATCH * 16 * report.fine_grid[0] * report.fine_grid[1]);
    CHECK_STATUS(enuf_nufft_reserve(plan, N), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_frame(plan, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, points, points + N * BATCH, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, seconds), ENUF_SUCCESS);
    CHECK(seconds[ENUF_STAGE_SORT] > 0 && seconds[ENUF_STAGE_FFT] > 0);
    REFUSED(enuf_nufft_spread(plan, strengths), ENUF_UNSUPPORTED, "point_sets");
    REFUSED(enuf_nufft_put_spectrum(plan, 0, NULL, modes), ENUF_UNSUPPORTED, "point_sets");
    const enuf_brick brick = {.global = {1, 1, 1}, .n = {1, 1, 1}, .stride = {1, 1, 1}};
    REFUSED(enuf_stage_spread(plan, strengths, NULL, &brick, cells, 0), ENUF_UNSUPPORTED,
            "point_sets");
    strengths[2 * (N + 5)] = (double)NAN;
    REFUSED(enuf_nufft_type1(plan, strengths, modes), ENUF_NOT_FINITE, "vector 1 of the batch");
    strengths[2 * (N + 5)] = 0;
    points[2 * N + 9] = (double)NAN;
    REFUSED(enuf_nufft_set_points(plan, N, points, points + N * BATCH, NULL, 1), ENUF_NOT_FINITE,
            "vector 2 of the batch: point 9");
    CHECK_STATUS(enuf_nufft_check(plan, &first_bad), ENUF_NOT_FINITE);
    CHECK(first_bad == 2 * N + 9);
    REFUSED(enuf_nufft_type1(plan, strengths, modes), ENUF_NO_POINTS_SET, "set_points");
    points[2 * N + 9] = 0.5;
    CHECK_STATUS(enuf_nufft_set_points(plan, N, points, points + N * BATCH, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, modes), ENUF_SUCCESS);
#undef REFUSED
    enuf_nufft_destroy(&plan);
    free(points);
    free(strengths);
    free(modes);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 8; kind++) law_of(dim, kind);
    refusals();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
