/*
 * test_type3_vectors.c - type 3 of many vectors, and weights of points and targets:
 *
 *   values[b][k] = v_bk sum_j w_bj strengths[b][j] exp(sign i s_k . x_j), and the adjoint.
 *
 * 1D to 3D, both precisions, complex and real strengths, batches of 1, 3 and 7; no weights, one set
 * for all vectors, or a set for each, real and complex. The relative l2 error against direct sums
 * is at most the tolerance. A vector of a batch differs from the same vector alone
 * by 1e-12 at most, in float by 1e-5: sums may have another order. The same with a memory_limit
 * that leaves no room for the whole batch: the plan stays within it, and the bound is the same. The
 * two sides of <A x, y> = <x, A* y> differ by 1e-12 of the norms at most, in float by 1e-5. New
 * weights replace those before, NULL removes them, a new set of targets keeps them; weights of
 * another number of points are refused. SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60, M = 70, MOST_BATCH = 7 };

/* Weights of points or targets: sets 0 for none. */
typedef struct weighting {
    enuf_multiplier kind;
    int sets;
    void *numbers;
} weighting;

typedef struct problem {
    enuf_nufft_options options;
    double x[3 * N], s[3 * M]; /* [n][3] */
    void *strengths, *values;  /* input of type 3 and of its adjoint */
    void *sums, *back;         /* expected */
    weighting of_points, of_targets;
    int parts;
} problem;

static void weight_of(const problem *p, const weighting *w, int64_t n, int64_t b, int64_t j,
                      long double out[2])
{
    const enuf_precision precision = p->options.precision;
    const int64_t at = (w->sets > 1 ? b * n : 0) + j;
    out[0] = 1;
    out[1] = 0;
    if (w->sets == 0) return;
    out[0] = number_at(precision, w->numbers, w->kind == ENUF_COMPLEX ? 2 * at : at);
    if (w->kind == ENUF_COMPLEX) out[1] = number_at(precision, w->numbers, 2 * at + 1);
}

/* v w exp(sign i s . x). */
static void element(const problem *p, int64_t b, int64_t k, int64_t j, long double out[2])
{
    long double product = 0, v[2], w[2];
    for (int d = 0; d < p->options.dim; d++)
        product += (long double)p->s[3 * k + d] * p->x[3 * j + d];
    const long double c = cosl(product), s = p->options.sign * sinl(product);
    weight_of(p, &p->of_targets, M, b, k, v);
    weight_of(p, &p->of_points, N, b, j, w);
    const long double re = v[0] * w[0] - v[1] * w[1], im = v[0] * w[1] + v[1] * w[0];
    out[0] = re * c - im * s;
    out[1] = re * s + im * c;
}

static void sum_vector(problem *p, int64_t b)
{
    const enuf_precision precision = p->options.precision;
    long double back[N][2] = {{0}}, a[2];
    for (int64_t k = 0; k < M; k++) {
        const int64_t to = 2 * (b * M + k);
        const long double y[2] = {number_at(precision, p->values, to),
                                  number_at(precision, p->values, to + 1)};
        long double sum[2] = {0};
        for (int64_t j = 0; j < N; j++) {
            const int64_t at = p->parts * (b * N + j);
            const long double re = number_at(precision, p->strengths, at);
            const long double im = p->parts == 2 ? number_at(precision, p->strengths, at + 1) : 0;
            element(p, b, k, j, a);
            sum[0] += re * a[0] - im * a[1];
            sum[1] += re * a[1] + im * a[0];
            back[j][0] += y[0] * a[0] + y[1] * a[1];
            back[j][1] += y[1] * a[0] - y[0] * a[1];
        }
        number_set(precision, p->sums, to, (double)sum[0]);
        number_set(precision, p->sums, to + 1, (double)sum[1]);
    }
    for (int64_t j = 0; j < N; j++)
        for (int c = 0; c < p->parts; c++)
            number_set(precision, p->back, p->parts * (b * N + j) + c, (double)back[j][c]);
}

static problem problem_make(int dim, enuf_precision precision, enuf_strengths strengths, int batch)
{
    problem p = {.options = conformance_options(dim, -1, -1, -1)};
    p.options.type3 = 1;
    p.options.precision = precision;
    p.options.strengths = strengths;
    p.options.batch = batch;
    p.options.sign = dim == 2 ? 1 : -1;
    p.options.tolerance = precision == ENUF_FLOAT ? 1e-3 : 1e-8;
    p.parts = strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    random_numbers(31, 3 * N, -2, 3, p.x);
    random_numbers(32, 3 * M, -4, 3, p.s);
    p.strengths = numbers_random(precision, MOST_BATCH * N * 2, 33);
    p.values = numbers_random(precision, MOST_BATCH * M * 2, 34);
    p.of_points.numbers = numbers_random(precision, MOST_BATCH * N * 2, 35);
    p.of_targets.numbers = numbers_random(precision, MOST_BATCH * M * 2, 36);
    p.sums = numbers_make(precision, MOST_BATCH * M * 2);
    p.back = numbers_make(precision, MOST_BATCH * N * 2);
    return p;
}

static void problem_free(problem *p)
{
    free(p->strengths);
    free(p->values);
    free(p->of_points.numbers);
    free(p->of_targets.numbers);
    free(p->sums);
    free(p->back);
}

static enuf_status set_weights(const problem *p, enuf_nufft *plan)
{
    const weighting *w = &p->of_points, *v = &p->of_targets;
    const enuf_status status = enuf_nufft_set_point_weights(plan, w->kind, w->sets ? w->sets : 1,
                                                            w->sets ? w->numbers : NULL);
    if (status != ENUF_SUCCESS) return status;
    return enuf_nufft_set_mode_weights(plan, v->kind, v->sets ? v->sets : 1,
                                       v->sets ? v->numbers : NULL);
}

static enuf_nufft *make_plan(const problem *p, const enuf_nufft_options *options)
{
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(options, &plan), ENUF_SUCCESS);
    if (!plan) return NULL;
    CHECK_STATUS(enuf_nufft_set_points(plan, N, p->x, p->x + 1, p->x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_targets(plan, M, p->s, p->s + 1, p->s + 2, 3), ENUF_SUCCESS);
    return plan;
}

static double dot(enuf_precision precision, int64_t n, const void *a, const void *b)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += number_at(precision, a, i) * number_at(precision, b, i);
    return sum;
}

/* Both sums against the expected ones, and their adjointness. */
static void check_sums(problem *p, enuf_nufft *plan)
{
    const enuf_precision precision = p->options.precision;
    const int64_t n_values = 2 * p->options.batch * M,
                  n_strengths = p->parts * p->options.batch * N;
    const double tolerance = precision == ENUF_FLOAT ? 1e-3 : 1e-8;
    void *values = numbers_make(precision, n_values);
    void *strengths = numbers_make(precision, n_strengths);
    for (int b = 0; b < p->options.batch; b++) sum_vector(p, b);
    CHECK_STATUS(enuf_nufft_type3(plan, p->strengths, values), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(precision, n_values, values, p->sums), tolerance, "  type 3");
    CHECK_STATUS(enuf_nufft_type3_adjoint(plan, p->values, strengths), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(precision, n_strengths, strengths, p->back), tolerance,
                "  its adjoint");
    const double norms = sqrt(dot(precision, n_values, values, values) *
                              dot(precision, n_values, p->values, p->values));
    CHECK_BELOW((dot(precision, n_values, values, p->values) -
                 dot(precision, n_strengths, p->strengths, strengths)) /
                    norms,
                precision == ENUF_FLOAT ? 1e-5 : 1e-12, "  <A x, y> - <x, A* y>");
    free(values);
    free(strengths);
}

/* Each vector against a plan of one vector. */
static void check_vectors(const problem *p, enuf_nufft *plan)
{
    const enuf_precision precision = p->options.precision;
    const double bound = precision == ENUF_FLOAT ? 3e-5 : 1e-12;
    enuf_nufft_options one = p->options;
    void *values = numbers_make(precision, 2 * p->options.batch * M);
    void *strengths = numbers_make(precision, p->parts * p->options.batch * N);
    void *alone = numbers_make(precision, 2 * (M + N));
    one.batch = 1;
    one.memory_limit = 0;
    enuf_nufft *single = make_plan(p, &one);
    CHECK_STATUS(enuf_nufft_type3(plan, p->strengths, values), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type3_adjoint(plan, p->values, strengths), ENUF_SUCCESS);
    for (int64_t b = 0; single && b < p->options.batch; b++) {
        CHECK_STATUS(enuf_nufft_type3(
                         single, numbers_from(precision, p->strengths, b * N * p->parts), alone),
                     ENUF_SUCCESS);
        CHECK_BELOW(
            relative_error(precision, 2 * M, numbers_from(precision, values, 2 * b * M), alone),
            bound, "  a vector and the same alone");
        CHECK_STATUS(
            enuf_nufft_type3_adjoint(single, numbers_from(precision, p->values, 2 * b * M), alone),
            ENUF_SUCCESS);
        CHECK_BELOW(relative_error(precision, p->parts * N,
                                   numbers_from(precision, strengths, b * N * p->parts), alone),
                    bound, "  the same of the adjoint");
    }
    enuf_nufft_destroy(&single);
    free(values);
    free(strengths);
    free(alone);
}

static void say(const problem *p, const char *what)
{
    printf("%dD %s %s, batch %d: %s\n", p->options.dim,
           p->options.precision == ENUF_FLOAT ? "float" : "double",
           p->parts == 1 ? "real" : "complex", p->options.batch, what);
}

static void batches(int dim)
{
    static const int batch[] = {1, 3, 7};
    for (int kind = 0; kind < 12; kind++) {
        problem p =
            problem_make(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                         kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS, batch[kind / 4]);
        enuf_nufft *plan = make_plan(&p, &p.options);
        say(&p, "vectors");
        if (plan) check_sums(&p, plan);
        if (plan) check_vectors(&p, plan);
        enuf_nufft_destroy(&plan);
        problem_free(&p);
    }
}

/* One plan, and weights of every kind one after the other. */
static void weights(int dim)
{
    for (int kind = 0; kind < 4; kind++) {
        problem p = problem_make(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                                 kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS, 3);
        enuf_nufft *plan = make_plan(&p, &p.options);
        for (int w = 0; plan && w < 25; w++) {
            static const int sets[5] = {0, 1, 1, 3, 3};
            p.of_points.sets = sets[w % 5];
            p.of_targets.sets = sets[w / 5];
            p.of_points.kind = w % 5 % 2 || p.parts == 1 ? ENUF_REAL : ENUF_COMPLEX;
            p.of_targets.kind = w / 5 % 2 ? ENUF_REAL : ENUF_COMPLEX;
            say(&p, "weights");
            printf("  sets %d of the points, %d of the targets\n", p.of_points.sets,
                   p.of_targets.sets);
            if (CHECK_STATUS(set_weights(&p, plan), ENUF_SUCCESS)) check_sums(&p, plan);
        }
        CHECK_STATUS(plan ? enuf_nufft_set_targets(plan, M, p.s, p.s + 1, p.s + 2, 3)
                          : ENUF_INTERNAL,
                     ENUF_SUCCESS);
        say(&p, "weights and targets set again");
        if (plan) check_sums(&p, plan);
        enuf_nufft_destroy(&plan);
        problem_free(&p);
    }
}

static int64_t bytes_of(const enuf_nufft *plan)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    return report.bytes;
}

/* Passes of some vectors: the limit is below the bytes of a plan of three. What it leaves beside
 * two holds weights, but in 1D. */
static void parts(int dim)
{
    problem p = problem_make(dim, ENUF_DOUBLE, ENUF_COMPLEX_STRENGTHS, 2);
    enuf_nufft *plan = make_plan(&p, &p.options);
    const int64_t of_two = bytes_of(plan);
    enuf_nufft_destroy(&plan);
    p.options.batch = MOST_BATCH;
    plan = make_plan(&p, &p.options);
    const int64_t of_all = bytes_of(plan), limit = of_two + 9 * (of_all - of_two) / 50;
    say(&p, "passes of some vectors");
    printf("  %lld bytes for all, limit %lld\n", (long long)of_all, (long long)limit);
    CHECK(of_all > limit); /* or the limit would do nothing */
    enuf_nufft_destroy(&plan);
    p.options.memory_limit = limit;
    plan = make_plan(&p, &p.options);
    CHECK(bytes_of(plan) <= limit);
    check_sums(&p, plan);
    check_vectors(&p, plan);
    p.of_points.sets = p.of_targets.sets = MOST_BATCH;
    p.of_points.kind = p.of_targets.kind = ENUF_COMPLEX;
    if (dim > 1 && CHECK_STATUS(set_weights(&p, plan), ENUF_SUCCESS)) check_sums(&p, plan);
    enuf_nufft_destroy(&plan);
    problem_free(&p);
}

#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)

static void refusals(void)
{
    problem p = problem_make(2, ENUF_DOUBLE, ENUF_COMPLEX_STRENGTHS, 3);
    enuf_nufft *plan = NULL;
    double *w = p.of_points.numbers, *v = p.of_targets.numbers, right;
    double *out = calloc(2 * MOST_BATCH * M, sizeof *out);
    CHECK_STATUS(enuf_nufft_create(&p.options, &plan), ENUF_SUCCESS);
    REFUSED(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, w), ENUF_NO_POINTS_SET, "set_points");
    CHECK_STATUS(enuf_nufft_set_points(plan, N, p.x, p.x + 1, NULL, 3), ENUF_SUCCESS);
    REFUSED(enuf_nufft_set_mode_weights(plan, ENUF_REAL, 1, v), ENUF_NO_POINTS_SET, "set_targets");
    p.of_points = (weighting){ENUF_COMPLEX, 1, w}; /* before the targets */
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 1, w), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_targets(plan, M, p.s, p.s + 1, NULL, 3), ENUF_SUCCESS);
    check_sums(&p, plan);
    REFUSED(enuf_nufft_set_point_weights(plan, ENUF_REAL, 2, w), ENUF_BAD_ARGUMENT, "sets is 2");
    REFUSED(enuf_nufft_set_mode_weights(plan, ENUF_REAL, 7, v), ENUF_BAD_ARGUMENT, "sets is 7");
    REFUSED(enuf_nufft_set_mode_weights(plan, (enuf_multiplier)4, 1, v), ENUF_BAD_ARGUMENT,
            "kind 4");
    right = v[2 * 11];
    v[2 * 11] = (double)NAN;
    if (p.options.memory == ENUF_HOST)
        REFUSED(enuf_nufft_set_mode_weights(plan, ENUF_COMPLEX, 1, v), ENUF_NOT_FINITE,
                "weights[11]");
    v[2 * 11] = right;
    check_sums(&p, plan); /* an error leaves the weights as they were */
    CHECK_STATUS(enuf_nufft_set_targets(plan, M - 1, p.s, p.s + 1, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, ENUF_REAL, 1, v), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_targets(plan, M, p.s, p.s + 1, NULL, 3), ENUF_SUCCESS);
    REFUSED(enuf_nufft_type3(plan, p.strengths, out), ENUF_BAD_ARGUMENT, "69 targets");
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, ENUF_REAL, 1, NULL), ENUF_SUCCESS);
    check_sums(&p, plan);
    CHECK_STATUS(enuf_nufft_set_points(plan, N - 1, p.x, p.x + 1, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_targets(plan, M, p.s, p.s + 1, NULL, 3), ENUF_SUCCESS);
    REFUSED(enuf_nufft_type3_adjoint(plan, p.values, out), ENUF_BAD_ARGUMENT, "60 points");
    enuf_nufft_destroy(&plan);
    p.options.strengths = ENUF_REAL_STRENGTHS;
    plan = make_plan(&p, &p.options);
    REFUSED(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 1, w), ENUF_BAD_ARGUMENT,
            "real strengths");
    enuf_nufft_destroy(&plan);
    free(out);
    problem_free(&p);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++) {
        batches(dim);
        weights(dim);
        parts(dim);
    }
    refusals();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
