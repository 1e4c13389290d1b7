/*
 * test_type3.c - type 3: values[k] = sum_j strengths[j] exp(sign i s_k . x_j), points and targets
 * anywhere.
 *
 * 1D to 3D, both precisions, complex and real strengths, both signs, a batch of 3; tolerances 1e-2
 * to 1e-11, points and targets centred or far from zero, all at one place, all in the corners of
 * their extent, on lattices, at edges, with outliers, 0 and 1 of them, apart or interleaved, in
 * double and in float; every window. The relative l2 error against direct sums is at most the
 * predicted one, which is at most the tolerance; on the GPU, whose order of sums varies, 1.5 times;
 * twice where points or targets are at one place, or most of them near one, or both at two places
 * an axis: the few sums that differ may cancel. The predicted error is at most 6 times the error,
 * in the geometric mean: grids are hardly larger than windows. The two sides of <A x, y> = <x, A*
 * y> differ by 1e-13 of the norms at most (4e-12 for tolerances above 1e-7), in float 1e-5.
 * Refusals leave a plan that works. SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 110, M = 130, MOST_BATCH = 3 };

typedef struct problem {
    enuf_nufft_options options;
    double x[3 * N], s[3 * M]; /* [n][3] */
    int64_t n, m;
    void *strengths, *values;  /* input of type 3 and of its adjoint */
    void *sums, *adjoint_sums; /* expected */
    int parts;
    double room; /* error over predicted error, at most */
} problem;

static double log_ratios;    /* of predicted errors over errors */
static double largest_ratio; /* of an error over the predicted one and its room */
static int n_ratios;

/* Points in centre[0] + half[0] [-1, 1), targets in centre[1] + half[1] [-1, 1). */
static problem problem_make(const enuf_nufft_options *options, const double centre[2],
                            const double half[2])
{
    problem p = {.options = *options, .n = N, .m = M};
    p.room = options->backend == ENUF_BACKEND_CUDA ? 1.5 : 1;
    const enuf_precision precision = options->precision;
    p.parts = options->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    random_numbers(17, 3 * N, centre[0] - half[0], centre[0] + half[0], p.x);
    random_numbers(18, 3 * M, centre[1] - half[1], centre[1] + half[1], p.s);
    p.strengths = numbers_random(precision, MOST_BATCH * N * 2, 19);
    p.values = numbers_random(precision, MOST_BATCH * M * 2, 20);
    p.sums = numbers_make(precision, MOST_BATCH * M * 2);
    p.adjoint_sums = numbers_make(precision, MOST_BATCH * N * 2);
    return p;
}

static void problem_free(problem *p)
{
    free(p->strengths);
    free(p->values);
    free(p->sums);
    free(p->adjoint_sums);
}

/* exp(i s . x), in long double: enuf_direct_sum() takes turns, and s/(2 pi) would round. */
static void phase(const problem *p, int64_t k, int64_t j, long double w[2])
{
    long double product = 0;
    for (int d = 0; d < p->options.dim; d++)
        product += (long double)p->s[3 * k + d] * p->x[3 * j + d];
    w[0] = cosl(product);
    w[1] = p->options.sign * sinl(product);
}

static void problem_sum(problem *p)
{
    const enuf_precision precision = p->options.precision;
    for (int64_t b = 0; b < p->options.batch; b++) {
        long double back[N][2] = {{0}};
        for (int64_t k = 0; k < p->m; k++) {
            const int64_t to = 2 * (b * p->m + k);
            const long double y[2] = {number_at(precision, p->values, to),
                                      number_at(precision, p->values, to + 1)};
            long double sum[2] = {0}, w[2];
            for (int64_t j = 0; j < p->n; j++) {
                const int64_t at = p->parts * (b * p->n + j);
                const long double re = number_at(precision, p->strengths, at);
                const long double im =
                    p->parts == 2 ? number_at(precision, p->strengths, at + 1) : 0;
                phase(p, k, j, w);
                sum[0] += re * w[0] - im * w[1];
                sum[1] += re * w[1] + im * w[0];
                back[j][0] += y[0] * w[0] + y[1] * w[1];
                back[j][1] += y[1] * w[0] - y[0] * w[1];
            }
            number_set(precision, p->sums, to, (double)sum[0]);
            number_set(precision, p->sums, to + 1, (double)sum[1]);
        }
        for (int64_t j = 0; j < p->n; j++)
            for (int c = 0; c < p->parts; c++)
                number_set(precision, p->adjoint_sums, p->parts * (b * p->n + j) + c,
                           (double)back[j][c]);
    }
}

static enuf_status set_all(const problem *p, enuf_nufft *plan)
{
    enuf_status status = enuf_nufft_set_points(plan, p->n, p->x, p->x + 1, p->x + 2, 3);
    if (status != ENUF_SUCCESS) return status;
    return enuf_nufft_set_targets(plan, p->m, p->s, p->s + 1, p->s + 2, 3);
}

static double dot(enuf_precision precision, int64_t n, const void *a, const void *b)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += number_at(precision, a, i) * number_at(precision, b, i);
    return sum;
}

static void check_error(const problem *p, double predicted, double error, const char *what)
{
    CHECK_BELOW(error, p->room * predicted, what);
    if (error == 0) return; /* no points, or no targets */
    log_ratios += log(predicted / error);
    largest_ratio = fmax(largest_ratio, error / (p->room * predicted));
    n_ratios++;
}

static void check_plan(const problem *p, enuf_nufft *plan)
{
    const enuf_precision precision = p->options.precision;
    const int64_t n_strengths = p->options.batch * p->n * p->parts;
    const int64_t n_values = p->options.batch * p->m * 2;
    const double tolerance = p->options.tolerance;
    enuf_nufft_report report = {.struct_size = sizeof report};
    void *values = numbers_make(precision, n_values);
    void *strengths = numbers_make(precision, n_strengths);
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    CHECK_BELOW(report.error, tolerance, "  predicted");
    CHECK_STATUS(enuf_nufft_type3(plan, p->strengths, values), ENUF_SUCCESS);
    check_error(p, report.error, relative_error(precision, n_values, values, p->sums), "  type 3");
    CHECK_STATUS(enuf_nufft_type3_adjoint(plan, p->values, strengths), ENUF_SUCCESS);
    check_error(p, report.error, relative_error(precision, n_strengths, strengths, p->adjoint_sums),
                "  its adjoint");
    if (n_values > 0 && n_strengths > 0) {
        /* a loose tolerance may take a window that amplifies rounding */
        const double rounding = tolerance < 1e-7 ? 1e-13 : 4e-12;
        const double norms = sqrt(dot(precision, n_values, values, values) *
                                  dot(precision, n_values, p->values, p->values));
        CHECK_BELOW((dot(precision, n_values, values, p->values) -
                     dot(precision, n_strengths, p->strengths, strengths)) /
                        norms,
                    precision == ENUF_FLOAT ? 1e-5 : rounding, "  <A x, y> - <x, A* y>");
    }
    free(values);
    free(strengths);
}

static void run(problem *p, const char *what)
{
    enuf_nufft *plan = NULL;
    problem_sum(p);
    printf("%dD %s %s, sign %d, batch %d, tolerance %g: %s\n", p->options.dim,
           p->options.precision == ENUF_FLOAT ? "float" : "double",
           p->parts == 1 ? "real" : "complex", p->options.sign, p->options.batch,
           p->options.tolerance, what);
    CHECK_STATUS(enuf_nufft_create(&p->options, &plan), ENUF_SUCCESS);
    if (plan && CHECK_STATUS(set_all(p, plan), ENUF_SUCCESS)) check_plan(p, plan);
    enuf_nufft_destroy(&plan);
}

static enuf_nufft_options options_of(int dim, enuf_precision precision, double tolerance)
{
    enuf_nufft_options options = conformance_options(dim, -1, -1, -1); /* modes do not count */
    options.type3 = 1;
    options.precision = precision;
    options.tolerance = tolerance;
    return options;
}

static void kinds(int dim)
{
    static const double centre[2] = {0.3, -0.2}, half[2] = {3, 2.5};
    for (int kind = 0; kind < 16; kind++) {
        enuf_nufft_options options =
            options_of(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE, kind & 1 ? 1e-3 : 1e-8);
        options.strengths = kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
        options.sign = kind & 4 ? 1 : -1;
        options.batch = kind & 8 ? MOST_BATCH : 1;
        problem p = problem_make(&options, centre, half);
        run(&p, "every kind");
        problem_free(&p);
    }
}

static void tolerances(int dim)
{
    static const double centre[2] = {1, 2}, half[2] = {2, 3};
    for (int digits = 1; digits <= 11; digits++) {
        enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, pow(10, -digits));
        problem p = problem_make(&options, centre, half);
        run(&p, "every tolerance");
        problem_free(&p);
        options.precision = ENUF_FLOAT;
        if (digits > 3) continue;
        p = problem_make(&options, centre, half);
        run(&p, "every tolerance");
        problem_free(&p);
    }
}

/* Extents from none to many wavelengths, centres up to 1e6 extents away. */
static void extents(int dim)
{
    static const double centre[][2] = {{0, 0}, {1e6, 0}, {0, -1e6}, {1e5, 3e4}};
    static const double half[][2] = {{0, 0}, {0, 5}, {5, 0}, {1e-9, 1e3}, {20, 0.01}, {7, 7}};
    for (int k = 0; k < 24; k++) {
        const enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, 1e-6);
        if (dim == 3 && k % 6 == 5 && k > 5) continue; /* one of the large ones is enough */
        problem p = problem_make(&options, centre[k / 6], half[k % 6]);
        if (half[k % 6][0] == 0 || half[k % 6][1] == 0) p.room *= 2;
        char what[100];
        snprintf(what, sizeof what, "centres %g %g, halves %g %g", centre[k / 6][0],
                 centre[k / 6][1], half[k % 6][0], half[k % 6][1]);
        run(&p, what);
        problem_free(&p);
    }
}

/* Targets, and points, in the corners of their extent: where the prediction has to hold. */
static void corners(int dim)
{
    static const double centre[2] = {0, 0}, half[2] = {4, 4};
    for (int k = 0; k < 2; k++) {
        const enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, k ? 1e-10 : 1e-3);
        problem p = problem_make(&options, centre, half);
        for (int i = 0; i < 3 * M; i++) p.s[i] = copysign(4, p.s[i]);
        run(&p, "targets in the corners");
        for (int i = 0; i < 3 * N; i++) p.x[i] = copysign(4, p.x[i]);
        p.room *= 2;
        run(&p, "both in the corners");
        problem_free(&p);
    }
}

/* Coordinates in half [-1, 1): on a lattice, at both edges, at one edge and a single other, in the
 * middle and outliers at both edges. */
static void crowd(int kind, int64_t n, double half, double *x)
{
    for (int64_t i = 0; i < 3 * n; i++) {
        const double u = x[i] / half, near_edge = 1 - 0.02 * fabs(u);
        const double places[] = {rint(4 * u) / 4, copysign(near_edge, u), i < 3 ? -1 : near_edge,
                                 i < 3   ? -1
                                 : i < 6 ? 1
                                         : 0.05 * u};
        x[i] = half * places[kind];
    }
}

/* Crowds of points, and of targets: few places hold most of them, and the error. */
static void crowds(int dim)
{
    static const double centre[2] = {0, 0};
    for (int k = 0; k < 16; k++) {
        const double half[2] = {dim == 3 ? 2 : 5, dim == 1 ? 20 : 3};
        const enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, pow(10, -2 - k % 7));
        problem p = problem_make(&options, centre, half);
        char what[100];
        if (k / 4 >= 2 || k % 4 >= 2) p.room *= 2;
        crowd(k / 4, p.n, half[0], p.x);
        crowd(k % 4, p.m, half[1], p.s);
        snprintf(what, sizeof what, "crowd %d of points, %d of targets", k / 4, k % 4);
        run(&p, what);
        problem_free(&p);
    }
}

static void windows(int dim)
{
    static const double centre[2] = {0.3, -0.2};
    for (int w = ENUF_WINDOW_PROLATE; w <= ENUF_WINDOW_SINC_POWER; ++w)
        for (int k = 0; k < 4; k++) {
            const double half[2] = {k & 1 ? 0.5 : 3, dim == 3 ? 2 : k & 2 ? 4 : 20};
            enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, pow(10, -2 - 1.5 * k));
            options.window = (enuf_window)w;
            problem p = problem_make(&options, centre, half);
            run(&p, enuf_window_name(options.window));
            problem_free(&p);
        }
}

/* B-splines of up to 32 cells, the widest windows: their rows reach over the end of a grid. */
static void widest_windows(void)
{
    static const double centre[2] = {0, 0}, half[][2] = {{8, 14}, {11, 13}, {13, 13}, {16, 22}};
    for (int k = 0; k < 4; k++) {
        enuf_nufft_options options = options_of(1, ENUF_DOUBLE, 7e-12);
        options.window = ENUF_WINDOW_BSPLINE;
        problem p = problem_make(&options, centre, half[k]);
        run(&p, "the widest windows");
        problem_free(&p);
    }
}

static void numbers_of_points(int dim)
{
    static const double centre[2] = {0.1, 0}, half[2] = {3, 3};
    for (int k = 0; k < 4; k++) {
        const enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, 1e-7);
        problem p = problem_make(&options, centre, half);
        p.n = k & 1 ? 1 : k == 0 ? 0 : N;
        p.m = k & 2 ? 1 : k == 0 ? M : 0;
        run(&p, k == 0 ? "no points" : k == 1 ? "a point, no targets" : "few of both");
        problem_free(&p);
    }
}

#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)

/* As many points and targets once more, a little nearer to each other: plans and arrays stay. A bad
 * point leaves the earlier ones. */
static void move_a_little(int dim)
{
    static const double centre[2] = {0.5, -1}, half[2] = {3, 2};
    const enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, 1e-9);
    problem p = problem_make(&options, centre, half);
    enuf_nufft_report first = {.struct_size = sizeof first}, then = first;
    enuf_nufft *plan = NULL;
    printf("%dD: points that move a little\n", dim);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    if (!plan) return;
    CHECK_STATUS(set_all(&p, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_report(plan, &first), ENUF_SUCCESS);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 3 * N; i++) p.x[i] = 0.9999 * p.x[i] + 1e-3;
        for (int i = 0; i < 3 * M; i++) p.s[i] = 0.9999 * p.s[i] - 1e-3;
        problem_sum(&p);
        CHECK_STATUS(set_all(&p, plan), ENUF_SUCCESS);
        check_plan(&p, plan);
        CHECK_STATUS(enuf_nufft_get_report(plan, &then), ENUF_SUCCESS);
        CHECK(then.bytes == first.bytes);
        CHECK(then.fine_grid[0] == first.fine_grid[0]);
    }
    const double right = p.x[3 * 7];
    p.x[3 * 7] = (double)NAN;
    REFUSED(enuf_nufft_set_points(plan, N, p.x, p.x + 1, p.x + 2, 3), ENUF_NOT_FINITE, "point 7");
    check_plan(&p, plan);
    p.x[3 * 7] = right;
    CHECK_STATUS(enuf_nufft_set_targets(plan, M, p.s, p.s + 1, p.s + 2, 3), ENUF_SUCCESS);
    check_plan(&p, plan);
    enuf_nufft_destroy(&plan);
    problem_free(&p);
}

/* Strides, float coordinates, new targets and new points. */
static void set_again(int dim)
{
    static const double centre[2] = {0.5, -1}, half[2] = {3, 2};
    const enuf_nufft_options options = options_of(dim, ENUF_DOUBLE, 1e-9);
    problem p = problem_make(&options, centre, half);
    static double x[3][N], s[3][M];
    static float x_f32[3 * N], s_f32[3 * M];
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    if (!plan) return;
    for (int i = 0; i < 3 * N; i++) x[i % 3][i / 3] = p.x[i];
    for (int i = 0; i < 3 * M; i++) s[i % 3][i / 3] = p.s[i];
    problem_sum(&p);
    printf("%dD: separate arrays\n", dim);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x[0], x[1], x[2], 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_targets(plan, M, s[0], s[1], s[2], 1), ENUF_SUCCESS);
    check_plan(&p, plan);
    for (int i = 0; i < 3 * M; i++) p.s[i] = 1.5 * p.s[i] + 1;
    problem_sum(&p);
    printf("%dD: new targets\n", dim);
    CHECK_STATUS(enuf_nufft_set_targets(plan, M, p.s, p.s + 1, p.s + 2, 3), ENUF_SUCCESS);
    check_plan(&p, plan);
    /* through functions of another file: gcc 12.2 -O3 leaves out the rounding of (double)(float)x
     * in the last elements of a vectorized loop */
    for (int i = 0; i < 3 * N; i++) number_set(ENUF_FLOAT, x_f32, i, 2 - p.x[i]);
    for (int i = 0; i < 3 * M; i++) number_set(ENUF_FLOAT, s_f32, i, p.s[i]);
    for (int i = 0; i < 3 * N; i++) p.x[i] = number_at(ENUF_FLOAT, x_f32, i);
    for (int i = 0; i < 3 * M; i++) p.s[i] = number_at(ENUF_FLOAT, s_f32, i);
    problem_sum(&p);
    printf("%dD: new points and targets, in float\n", dim);
    CHECK_STATUS(enuf_nufft_set_points_f32(plan, N, x_f32, x_f32 + 1, x_f32 + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type3(plan, p.strengths, p.sums), ENUF_NO_POINTS_SET);
    CHECK_TEXT("set_targets");
    CHECK_STATUS(enuf_nufft_set_targets_f32(plan, M, s_f32, s_f32 + 1, s_f32 + 2, 3), ENUF_SUCCESS);
    check_plan(&p, plan);
    enuf_nufft_destroy(&plan);
    problem_free(&p);
}

static void refused_options(void)
{
    const enuf_nufft_options good = options_of(2, ENUF_DOUBLE, 1e-6);
    enuf_nufft *plan;
    enuf_nufft_options o = good;
    o.type3 = 2;
    REFUSED(enuf_nufft_create(&o, &plan), ENUF_BAD_ARGUMENT, "type3 is 2");
    o = good;
    o.deterministic = 1;
    REFUSED(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED, "deterministic");
    o = good;
    o.gradients = 1;
    REFUSED(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED, "gradients");
    o = good;
    o.no_grid = 1;
    REFUSED(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED, "no_grid");
    o = good;
    o.width = 6;
    REFUSED(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED, "width");
    o = good;
    o.tolerance = 1e-17;
    REFUSED(enuf_nufft_create(&o, &plan), ENUF_UNREACHABLE_ACCURACY, "tolerance");
}

static void refused_calls(void)
{
    static const double centre[2] = {0, 0}, half[2] = {3, 3};
    const enuf_nufft_options options = options_of(2, ENUF_DOUBLE, 1e-9);
    enuf_nufft_options other = conformance_options(2, 8, 8, 1);
    problem p = problem_make(&options, centre, half);
    problem_sum(&p);
    enuf_nufft *plan = NULL, *type12 = NULL;
    double out[2 * MOST_BATCH * M], *q = p.strengths, right;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_create(&other, &type12), ENUF_SUCCESS);
    if (!plan || !type12) return;
    REFUSED(enuf_nufft_set_targets(type12, M, p.s, p.s + 1, NULL, 3), ENUF_BAD_ARGUMENT, "type3");
    REFUSED(enuf_nufft_type3(type12, q, out), ENUF_BAD_ARGUMENT, "type3");
    REFUSED(enuf_nufft_type3_adjoint(type12, q, out), ENUF_BAD_ARGUMENT, "type3");
    enuf_nufft_destroy(&type12);
    REFUSED(enuf_nufft_set_targets(NULL, M, p.s, p.s + 1, NULL, 3), ENUF_BAD_ARGUMENT, "plan");
    REFUSED(enuf_nufft_type3(NULL, q, out), ENUF_BAD_ARGUMENT, "plan");
    REFUSED(enuf_nufft_type3_adjoint(NULL, q, out), ENUF_BAD_ARGUMENT, "plan");
    REFUSED(enuf_nufft_set_targets(plan, M, p.s, p.s + 1, NULL, 3), ENUF_NO_POINTS_SET,
            "set_points");
    CHECK_STATUS(enuf_nufft_set_points(plan, N, p.x, p.x + 1, NULL, 3), ENUF_SUCCESS);
    REFUSED(enuf_nufft_type3(plan, q, out), ENUF_NO_POINTS_SET, "set_targets");
    REFUSED(enuf_nufft_set_targets(plan, -3, p.s, p.s + 1, NULL, 3), ENUF_BAD_ARGUMENT, "-3");
    REFUSED(enuf_nufft_set_targets(plan, M, p.s, p.s + 1, NULL, 0), ENUF_BAD_ARGUMENT, "stride");
    REFUSED(enuf_nufft_set_targets(plan, M, p.s, NULL, NULL, 3), ENUF_BAD_ARGUMENT, "t is NULL");
    CHECK_STATUS(set_all(&p, plan), ENUF_SUCCESS);
    REFUSED(enuf_nufft_type1(plan, q, out), ENUF_BAD_ARGUMENT, "type 3");
    REFUSED(enuf_nufft_type2(plan, q, out, NULL), ENUF_BAD_ARGUMENT, "type 3");
    REFUSED(enuf_nufft_type1_adjoint(plan, q, out), ENUF_BAD_ARGUMENT, "type 3");
    REFUSED(enuf_nufft_spread(plan, q), ENUF_BAD_ARGUMENT, "type 3");
    REFUSED(enuf_nufft_transform(plan), ENUF_BAD_ARGUMENT, "type 3");
    REFUSED(enuf_nufft_set_frame(plan, NULL, NULL), ENUF_UNSUPPORTED, "type 3");
    REFUSED(enuf_nufft_reserve(plan, 5), ENUF_UNSUPPORTED, "type 3");
    REFUSED(enuf_nufft_type3(plan, NULL, out), ENUF_BAD_ARGUMENT, "strengths");
    REFUSED(enuf_nufft_type3(plan, q, NULL), ENUF_BAD_ARGUMENT, "values");
    REFUSED(enuf_nufft_type3_adjoint(plan, NULL, out), ENUF_BAD_ARGUMENT, "values");
    REFUSED(enuf_nufft_type3_adjoint(plan, q, NULL), ENUF_BAD_ARGUMENT, "strengths");
    right = q[31];
    q[31] = (double)NAN;
    CHECK_STATUS(enuf_nufft_type3(plan, q, out), ENUF_NOT_FINITE);
    q[31] = right;
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    check_plan(&p, plan);
    right = p.s[3 * 41 + 1];
    p.s[3 * 41 + 1] = p.s[3 * 55] = (double)INFINITY;
    REFUSED(set_all(&p, plan), ENUF_NOT_FINITE, "target 41");
    REFUSED(enuf_nufft_type3(plan, q, out), ENUF_NO_POINTS_SET, "set_targets");
    p.s[3 * 41 + 1] = p.s[3 * 55] = right;
    problem_sum(&p);
    right = p.x[3 * 77];
    p.x[3 * 77] = (double)NAN;
    REFUSED(set_all(&p, plan), ENUF_NOT_FINITE, "point 77");
    p.x[3 * 77] = right;
    CHECK_STATUS(set_all(&p, plan), ENUF_SUCCESS);
    check_plan(&p, plan);
    enuf_nufft_destroy(&plan);
    problem_free(&p);
}

/* Extents that need too large a grid, and a tolerance that rounding forbids. */
static void out_of_reach(void)
{
    static const double centre[2] = {0, 0}, wide[2] = {1e9, 1e9}, half[2] = {40, 40};
    enuf_nufft_options options = options_of(3, ENUF_DOUBLE, 1e-9);
    enuf_nufft *plan = NULL;
    problem p = problem_make(&options, centre, wide);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    REFUSED(set_all(&p, plan), ENUF_OUT_OF_MEMORY, "1e15 cells");
    enuf_nufft_destroy(&plan);
    problem_free(&p);
    p = problem_make(&options, centre, half);
    options.memory_limit = 300000000;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    REFUSED(set_all(&p, plan), ENUF_OUT_OF_MEMORY, "memory_limit is 0.3 GB");
    CHECK_TEXT("fine grid of");
    enuf_nufft_destroy(&plan);
    options.memory_limit = 0;
    options.tolerance = 1e-14;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    REFUSED(set_all(&p, plan), ENUF_UNREACHABLE_ACCURACY, "ask for that");
    enuf_nufft_destroy(&plan);
    problem_free(&p);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++) {
        kinds(dim);
        tolerances(dim);
        extents(dim);
        corners(dim);
        crowds(dim);
        windows(dim);
        numbers_of_points(dim);
        move_a_little(dim);
        set_again(dim);
    }
    widest_windows();
    refused_options();
    refused_calls();
    out_of_reach();
    CHECK(n_ratios > 500);
    CHECK_BELOW(largest_ratio, 1, "delivered error over the most allowed, the largest");
    CHECK_BELOW(exp(log_ratios / n_ratios), 6, "predicted over delivered error, geometric mean");
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
