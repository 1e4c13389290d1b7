/*
 * test_sweep.c - accuracy as FINUFFT measures it: the relative l2 error against direct sums is at
 * most max(rounding floor, 4 tolerance).
 *
 * Every row of: tolerance 1e-1 to 1e-14, in float to 1e-8; 1D to 3D; type 1, 2 and 3; complex and
 * real strengths; a batch of 1 and of 3; with weights of points and modes and without (type 3 has
 * none). A tolerance is refused only below the floor of its precision. The error then names a
 * floor, which is larger than the tolerance, not above the bound, and served when asked for.
 *
 * Argument: the precision; or tenth: every tenth tolerance of both.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include "enuf/direct.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 120, M = 110, TARGET_PARTS = 3 * M };

/* One transform, with what is expected of each type. */
typedef struct problem {
    transform plain, weighted;
    weight_set of_points, of_modes;
    double targets[TARGET_PARTS];
    void *values; /* of type 3 */
} problem;

static int tenths, rows, refusals; /* tenths: count of tolerances if only every tenth is wanted */

/* ---- Expected results ---- */

/* Type 3 by enuf_direct_sum(), which takes turns: its phases of up to 36 round to 4e-15. */
static void sum_type3(problem *p)
{
    const enuf_nufft_options *o = &p->plain.options;
    const int parts = o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    double x[3 * N], s[TARGET_PARTS], strengths[2 * N], values[2 * M];
    random_numbers(41, TARGET_PARTS, -3, 5, p->targets);
    for (int64_t j = 0; j < N; j++)
        for (int d = 0; d < o->dim; d++) x[j * o->dim + d] = p->plain.points[3 * j + d];
    for (int64_t k = 0; k < M; k++)
        for (int d = 0; d < o->dim; d++) s[k * o->dim + d] = p->targets[3 * k + d] / (2 * M_PI);
    p->values = numbers_make(o->precision, 2 * M * o->batch);
    for (int64_t b = 0; b < o->batch; b++) {
        for (int64_t i = 0; i < 2 * N; i++)
            strengths[i] = parts == 2 ? number_at(o->precision, p->plain.strengths, 2 * b * N + i)
                           : i % 2    ? 0
                                      : number_at(o->precision, p->plain.strengths, b * N + i / 2);
        CHECK_STATUS(enuf_direct_sum(o->dim, o->sign, 1, N, x, strengths, M, s, values, NULL),
                     ENUF_SUCCESS);
        for (int64_t i = 0; i < 2 * M; i++)
            number_set(o->precision, p->values, 2 * b * M + i, values[i]);
    }
}

static problem problem_make(const enuf_nufft_options *options)
{
    problem p = {.plain = transform_make(options, N, 61)};
    const enuf_multiplier kind =
        options->strengths == ENUF_REAL_STRENGTHS ? ENUF_REAL : ENUF_COMPLEX;
    p.weighted = transform_make(options, N, 61);
    p.of_points = weight_set_make(options->precision, kind, 1, N, 62);
    p.of_modes =
        weight_set_make(options->precision, ENUF_COMPLEX, options->batch, p.plain.modes, 63);
    transform_sum(&p.plain);
    transform_weighted_sum(&p.weighted, &p.of_points, &p.of_modes);
    sum_type3(&p);
    return p;
}

static void problem_free(problem *p)
{
    transform_free(&p->plain);
    transform_free(&p->weighted);
    free(p->of_points.numbers);
    free(p->of_modes.numbers);
    free(p->values);
}

/* ---- A row ---- */

static enuf_status set_targets(const problem *p, enuf_nufft *plan)
{
    return enuf_nufft_set_targets(plan, M, p->targets, p->targets + 1, p->targets + 2, 3);
}

/* A plan with everything set; NULL where the tolerance is refused. */
static enuf_nufft *plan_of(const problem *p, const enuf_nufft_options *options)
{
    enuf_nufft *plan = NULL;
    const double *x = p->plain.points;
    enuf_status status = enuf_nufft_create(options, &plan);
    if (status == ENUF_SUCCESS) status = enuf_nufft_set_points(plan, N, x, x + 1, x + 2, 3);
    if (status == ENUF_SUCCESS && options->type3) status = set_targets(p, plan);
    if (status != ENUF_SUCCESS) {
        CHECK_STATUS(status, ENUF_UNREACHABLE_ACCURACY);
        enuf_nufft_destroy(&plan);
    }
    return plan;
}

/* The floor that the text of a refusal names; 0: none. */
static double named_floor(const char *text)
{
    static const char *const before[] = {"leaves ", "reaches ", "reach ", "an error of ",
                                         "serves 1e-1 to "};
    for (int k = 0; k < 5; k++) {
        const char *at = strstr(text, before[k]);
        if (at && strtod(at + strlen(before[k]), NULL) > 0)
            return strtod(at + strlen(before[k]), NULL);
    }
    return 0;
}

static void check_refusal(const problem *p, const enuf_nufft_options *options, double floor)
{
    enuf_nufft_options reachable = *options;
    double named;
    enuf_nufft *plan = NULL;
    refusals++;
    /* the precision's floor is named first, then that of these points */
    for (int tries = 0; tries < 2 && !plan; tries++) {
        named = named_floor(enuf_last_error());
        CHECK_BELOW(reachable.tolerance, floor, "  a refused tolerance");
        CHECK(strstr(enuf_last_error(), "tolerance") != NULL);
        if (!CHECK(named > reachable.tolerance)) printf("  %s\n", enuf_last_error());
        CHECK_BELOW(named, floor, "  the floor that is named");
        reachable.tolerance = 1.1 * named; /* two digits are named */
        plan = plan_of(p, &reachable);
    }
    if (!CHECK(plan != NULL)) printf("  named %g: %s\n", named, enuf_last_error());
    enuf_nufft_destroy(&plan);
}

static void check_row(const problem *p, const enuf_nufft_options *options, double error,
                      const char *what, double bound)
{
    rows++;
    if (CHECK(error <= bound)) return;
    printf("  %dD %s %s, batch %d, tolerance %g, %s: error %.3g, bound %.3g\n", options->dim,
           options->precision == ENUF_FLOAT ? "float" : "double",
           p->plain.options.strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", options->batch,
           options->tolerance, what, error, bound);
}

static void types_1_and_2(const problem *p, const enuf_nufft_options *options)
{
    const double floor = rounding_floor(options, 2), bound = fmax(floor, 4 * options->tolerance);
    const weight_set *w = &p->of_points, *v = &p->of_modes;
    enuf_nufft *plan = plan_of(p, options);
    if (!plan) {
        check_refusal(p, options, floor);
        return;
    }
    check_row(p, options, type1_error(&p->plain, plan), "type 1", bound);
    check_row(p, options, type2_error(&p->plain, plan), "type 2", bound);
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, w->kind, w->sets, w->numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, v->kind, v->sets, v->numbers), ENUF_SUCCESS);
    check_row(p, options, type1_error(&p->weighted, plan), "type 1, weights", bound);
    check_row(p, options, type2_error(&p->weighted, plan), "type 2, weights", bound);
    enuf_nufft_destroy(&plan);
}

static void type_3(const problem *p, const enuf_nufft_options *types12)
{
    enuf_nufft_options options = *types12;
    const enuf_precision precision = options.precision;
    const int64_t n = 2 * M * options.batch;
    const double floor = 10 * rounding_floor(&options, 2); /* two grids, and s.x rounds */
    options.type3 = 1;
    options.level = ENUF_LEVEL_SORTED; /* types 1 and 2 alone have others */
    enuf_nufft *plan = plan_of(p, &options);
    if (!plan) {
        check_refusal(p, &options, floor);
        return;
    }
    void *values = numbers_make(precision, n);
    CHECK_STATUS(enuf_nufft_type3(plan, p->plain.strengths, values), ENUF_SUCCESS);
    check_row(p, &options, relative_error(precision, n, values, p->values), "type 3",
              4 * options.tolerance);
    free(values);
    enuf_nufft_destroy(&plan);
}

/* ---- The table ---- */

static void sweep(int dim, enuf_precision precision, enuf_strengths strengths, int batch)
{
    static const int64_t modes[3][3] = {{61, 1, 1}, {11, 8, 1}, {7, 6, 5}};
    enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
    options.precision = precision;
    options.strengths = strengths;
    options.batch = batch;
    problem p = problem_make(&options);
    for (int digits = 1; digits <= (precision == ENUF_FLOAT ? 8 : 14); digits++) {
        if (tenths && tenths++ % 10) continue;
        options.tolerance = pow(10, -digits);
        types_1_and_2(&p, &options);
        type_3(&p, &options);
    }
    problem_free(&p);
}

static void law(void)
{
    const char *which = conformance_argument(0);
    tenths = strcmp(which, "tenth") == 0;
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 8; kind++) {
            const enuf_precision precision = kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE;
            if (!tenths && strcmp(which, precision == ENUF_FLOAT ? "float" : "double")) continue;
            sweep(dim, precision, kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS,
                  kind & 4 ? 3 : 1);
        }
    printf("%d rows, %d refusals\n", rows, refusals);
    CHECK(rows > (tenths ? 100 : 300));
    /* 1e-8 in float is below its floor; 1e-14 in double may be served */
    CHECK(strcmp(which, "float") || refusals > 0);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
