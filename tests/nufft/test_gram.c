/*
 * test_gram.c - the Gram operator A^H W A of points and weights, without the points:
 *
 * - it is type 2, weights, adjoint of type 2, by direct sums, to 4 times the tolerance: in 1D, 2D
 *   and 3D, even, odd, prime and unequal numbers of modes, both orders, both signs, a batch,
 *   weights of both signs or none, points outside of the period;
 * - it is Hermitian to rounding, and not negative to the tolerance if the weights are not;
 * - larger circulants give the same result to rounding and tolerance;
 * - points of a full Cartesian grid give the modes times the number of points, to the tolerance;
 * - deterministic: the same bits for 1 and 3 threads;
 * - in 3D it holds at most 6 arrays of the modes on a CPU, on a GPU, which has all parts of so few
 *   modes at work, at most 24, and never more than memory_limit;
 * - no modes and no points are legal; wrong input is refused with a reason.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/direct.h"
#include "enuf/gram.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct gram_case {
    int dim;
    int64_t modes[3];
    int64_t n; /* points */
    double tolerance;
    enuf_precision precision;
    enuf_mode_order order;
    int sign, type2_sign, batch;
    int weights; /* 0: none, 1: positive, -1: of both signs */
    double period;
} gram_case;

typedef struct gram_problem {
    enuf_nufft_options options;
    transform t;
    void *weights; /* [n] or NULL */
    void *expected, *found;
} gram_problem;

static enuf_gram *make(const gram_problem *p, const enuf_nufft_options *options)
{
    enuf_gram *gram = NULL;
    const double *x = p->t.points;
    CHECK_STATUS(enuf_gram_create(options, &gram), ENUF_SUCCESS);
    if (!gram) return NULL;
    CHECK_STATUS(enuf_gram_set_points(gram, p->t.n, x, x + 1, x + 2, 3, p->weights), ENUF_SUCCESS);
    return gram;
}

/* Type 2, weights and adjoint by direct sums: the adjoint is a type 1 of the opposite sign. */
static void sum_directly(gram_problem *p)
{
    const enuf_precision precision = p->options.precision;
    transform back = transform_make(&p->options, p->t.n, 1);
    memcpy(back.points, p->t.points, (size_t)p->t.n * 3 * sizeof(double));
    transform_sum(&p->t);
    for (int64_t i = 0; i < p->t.n_values; i++) {
        const int64_t j = i / 2 % p->t.n;
        const double weight = p->weights ? number_at(precision, p->weights, j) : 1;
        number_set(precision, back.strengths, i,
                   weight * number_at(precision, p->t.values_expected, i));
    }
    back.options.sign = p->options.type2_sign ? -p->options.type2_sign : p->options.sign;
    transform_sum(&back);
    memcpy(p->expected, back.modes_expected,
           (size_t)p->t.n_modes * (precision == ENUF_FLOAT ? 4 : 8));
    transform_free(&back);
}

static gram_problem problem_of(const gram_case *c)
{
    gram_problem p = {.options = conformance_options_of(c->dim, c->modes)};
    p.options.tolerance = c->tolerance;
    p.options.precision = c->precision;
    p.options.mode_order = c->order;
    p.options.sign = c->sign;
    p.options.type2_sign = c->type2_sign;
    p.options.batch = c->batch;
    p.options.period = c->period;
    p.t = transform_make(&p.options, c->n, 77);
    p.expected = numbers_make(c->precision, p.t.n_modes);
    p.found = numbers_make(c->precision, p.t.n_modes);
    if (c->weights == 0) return p;
    p.weights = numbers_make(c->precision, c->n);
    for (int64_t j = 0; j < c->n; j++)
        number_set(c->precision, p.weights, j,
                   c->weights > 0 ? 0.1 + (double)(j % 5) : (double)(j % 5) - 1.7);
    return p;
}

static void problem_free(gram_problem *p)
{
    transform_free(&p->t);
    free(p->weights);
    free(p->expected);
    free(p->found);
}

static double complex inner(const gram_problem *p, const void *a, const void *b)
{
    const enuf_precision precision = p->options.precision;
    double complex sum = 0;
    for (int64_t i = 0; i < p->t.n_modes; i += 2)
        sum += (number_at(precision, a, i) - I * number_at(precision, a, i + 1)) *
               (number_at(precision, b, i) + I * number_at(precision, b, i + 1));
    return sum;
}

/* Of the operator that is in p->found for the spectrum. */
static void hermitian(const gram_problem *p, enuf_gram *gram, int positive)
{
    const enuf_precision precision = p->options.precision;
    const double rounding = precision == ENUF_FLOAT ? 1e-6 : 1e-14;
    void *a = numbers_random(precision, p->t.n_modes, 5);
    void *of_a = numbers_make(precision, p->t.n_modes);
    CHECK_STATUS(enuf_gram_apply(gram, a, of_a), ENUF_SUCCESS);
    const double complex left = inner(p, a, p->found), right = inner(p, of_a, p->t.spectrum);
    const double size = sqrt(creal(inner(p, a, a)) * creal(inner(p, p->found, p->found)));
    CHECK_BELOW(cabs(left - right) / size, rounding, "  <a, G m> - <G a, m>, rounding");
    const double norm = sqrt(creal(inner(p, a, a)) * creal(inner(p, of_a, of_a)));
    CHECK_BELOW(fabs(cimag(inner(p, a, of_a))) / norm, rounding, "  imaginary part of <a, G a>");
    if (positive)
        CHECK_BELOW(fmax(0, -creal(inner(p, a, of_a)) / norm), p->options.tolerance, "  -<a, G a>");
    free(a);
    free(of_a);
}

static void larger(const gram_problem *p)
{
    enuf_nufft_options options = p->options;
    void *other = numbers_make(options.precision, p->t.n_modes);
    enuf_gram_report report = {.struct_size = sizeof report};
    for (int d = 0; d < options.dim; d++) options.fine_grid[d] = 2 * (options.modes[d] + 3 + d);
    enuf_gram *gram = make(p, &options);
    CHECK_STATUS(enuf_gram_get_report(gram, &report), ENUF_SUCCESS);
    for (int d = 0; d < options.dim; d++) CHECK(2 * report.length[d] == options.fine_grid[d]);
    CHECK_STATUS(enuf_gram_apply(gram, p->t.spectrum, other), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(options.precision, p->t.n_modes, other, p->found),
                options.precision == ENUF_FLOAT ? 2e-6 : 1e-13, "  a larger circulant");
    enuf_gram_destroy(&gram);
    free(other);
}

static void check_case(const gram_case *c)
{
    gram_problem p = problem_of(c);
    enuf_gram_report report = {.struct_size = sizeof report};
    printf("%lld x %lld x %lld modes, %lld points, %s, tolerance %g%s\n", (long long)c->modes[0],
           (long long)(c->dim > 1 ? c->modes[1] : 1), (long long)(c->dim > 2 ? c->modes[2] : 1),
           (long long)c->n, c->precision == ENUF_FLOAT ? "float" : "double", c->tolerance,
           c->order == ENUF_FFT_ORDER ? ", FFT order" : "");
    enuf_gram *gram = make(&p, &p.options);
    if (gram) {
        sum_directly(&p);
        CHECK_STATUS(enuf_gram_apply(gram, p.t.spectrum, p.found), ENUF_SUCCESS);
        CHECK_STATUS(enuf_gram_get_report(gram, &report), ENUF_SUCCESS);
        CHECK_BELOW(report.error, c->tolerance, "  predicted error");
        CHECK_BELOW(relative_error(c->precision, p.t.n_modes, p.found, p.expected),
                    4 * c->tolerance, "  against direct sums");
        hermitian(&p, gram, c->weights >= 0);
        larger(&p);
    }
    enuf_gram_destroy(&gram);
    problem_free(&p);
}

static void against_direct_sums(void)
{
    const gram_case cases[] = {
        {1, {1}, 3, 1e-6, ENUF_DOUBLE, ENUF_CENTRED, -1, 0, 1, 1, 1},
        {1, {2}, 9, 1e-9, ENUF_DOUBLE, ENUF_FFT_ORDER, 1, 0, 2, 1, 1},
        {1, {97}, 300, 1e-12, ENUF_DOUBLE, ENUF_CENTRED, -1, 0, 1, 0, 2.5},
        {1, {128}, 100, 1e-4, ENUF_FLOAT, ENUF_FFT_ORDER, -1, 1, 3, -1, 1},
        {1, {121}, 500, 1e-9, ENUF_DOUBLE, ENUF_FFT_ORDER, -1, -1, 1, -1, 1},
        {2, {16, 16}, 700, 1e-6, ENUF_DOUBLE, ENUF_CENTRED, 1, 0, 1, 1, 1},
        {2, {23, 12}, 400, 1e-12, ENUF_DOUBLE, ENUF_CENTRED, -1, 1, 2, -1, 3},
        {2, {9, 41}, 800, 1e-5, ENUF_FLOAT, ENUF_FFT_ORDER, 1, 0, 1, 1, 1},
        {2, {1, 7}, 60, 1e-9, ENUF_DOUBLE, ENUF_FFT_ORDER, -1, 0, 1, 0, 1},
        {3, {8, 8, 8}, 900, 1e-9, ENUF_DOUBLE, ENUF_CENTRED, -1, 0, 1, 1, 1},
        {3, {5, 9, 14}, 700, 1e-12, ENUF_DOUBLE, ENUF_CENTRED, 1, -1, 2, -1, 1},
        {3, {13, 4, 6}, 600, 1e-6, ENUF_DOUBLE, ENUF_FFT_ORDER, -1, 0, 1, 0, 7},
        {3, {20, 3, 11}, 500, 1e-3, ENUF_FLOAT, ENUF_FFT_ORDER, 1, 1, 1, 1, 1},
        {3, {1, 1, 19}, 100, 1e-6, ENUF_FLOAT, ENUF_CENTRED, 1, 0, 1, 1, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) check_case(&cases[k]);
}

/* All points of a grid as fine as the modes. */
static void cartesian(void)
{
    enum { N1 = 12, N2 = 10, N = N1 * N2 };
    enuf_nufft_options options = conformance_options(2, N1, N2, 0);
    double x[N], y[N];
    enuf_gram *gram;
    printf("a Cartesian grid\n");
    options.tolerance = 1e-12;
    for (int k = 0; k < N; k++) {
        x[k] = (double)(k % N1) / N1;
        y[k] = (double)(k / N1) / N2;
    }
    double *modes = numbers_random(ENUF_DOUBLE, 2 * N, 3),
           *found = numbers_make(ENUF_DOUBLE, 2 * N);
    CHECK_STATUS(enuf_gram_create(&options, &gram), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_set_points(gram, N, x, y, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, modes, found), ENUF_SUCCESS);
    for (int k = 0; k < 2 * N; k++) modes[k] *= N;
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 2 * N, found, modes), 1e-12, "  N times the modes");
    enuf_gram_destroy(&gram);
    free(modes);
    free(found);
}

static void deterministic(void)
{
    const gram_case c = {3, {21, 18, 10}, 3000, 1e-6, ENUF_DOUBLE, ENUF_CENTRED, -1, 0, 1, 1, 1};
    gram_problem p = problem_of(&c);
    p.options.deterministic = 1;
    printf("deterministic\n");
    for (int threads = 1; threads <= 3; threads += 2) {
        p.options.threads = threads;
        enuf_gram *gram = make(&p, &p.options);
        CHECK_STATUS(enuf_gram_apply(gram, p.t.spectrum, threads == 1 ? p.expected : p.found),
                     ENUF_SUCCESS);
        enuf_gram_destroy(&gram);
    }
    CHECK(numbers_equal(c.precision, p.t.n_modes, p.expected, p.found));
    problem_free(&p);
}

static void memory(void)
{
    const gram_case c = {3, {32, 32, 32}, 1000, 1e-3, ENUF_DOUBLE, ENUF_CENTRED, -1, 0, 1, 0, 1};
    gram_problem p = problem_of(&c);
    enuf_gram_report report = {.struct_size = sizeof report};
    printf("memory\n");
    p.options.threads = 1;
    enuf_gram *gram = make(&p, &p.options);
    CHECK_STATUS(enuf_gram_get_report(gram, &report), ENUF_SUCCESS);
    CHECK_BELOW((double)report.bytes / (16 * 32 * 32 * 32),
                p.options.backend == ENUF_BACKEND_CUDA ? 24 : 6, "  bytes, in arrays of the modes");
    enuf_gram_destroy(&gram);
    p.options.memory_limit = report.bytes / 2;
    CHECK_STATUS(enuf_gram_create(&p.options, &gram), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("memory_limit");
    CHECK(!gram);
    p.options.memory_limit = report.bytes + 4096; /* too little for the plan of T */
    CHECK_STATUS(enuf_gram_create(&p.options, &gram), ENUF_SUCCESS);
    const double *x = p.t.points;
    CHECK_STATUS(enuf_gram_set_points(gram, p.t.n, x, x + 1, x + 2, 3, NULL), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("enuf_gram_set_points");
    CHECK_STATUS(enuf_gram_apply(gram, p.t.spectrum, p.found), ENUF_NO_POINTS_SET);
    enuf_gram_destroy(&gram);
    problem_free(&p);
}

static void refused(enuf_nufft_options options, enuf_status status, const char *text)
{
    enuf_gram *gram = (enuf_gram *)&options;
    CHECK_STATUS(enuf_gram_create(&options, &gram), status);
    CHECK_TEXT(text);
    CHECK(!gram);
}

static void wrong_options(void)
{
    const enuf_nufft_options right = conformance_options(2, 8, 8, 0);
    enuf_nufft_options o = right;
    o.strengths = ENUF_REAL_STRENGTHS;
    refused(o, ENUF_UNSUPPORTED, "ENUF_COMPLEX_STRENGTHS");
    o = right;
    o.type3 = 1;
    refused(o, ENUF_UNSUPPORTED, "type 3");
    o = right;
    o.batch = o.point_sets = 2;
    refused(o, ENUF_UNSUPPORTED, "point_sets is 2");
    o = right;
    o.fine_grid[1] = 14;
    refused(o, ENUF_BAD_ARGUMENT, "fine_grid[1] is 14: use 0, or an even number of at least 16");
    o.fine_grid[1] = 17;
    refused(o, ENUF_BAD_ARGUMENT, "fine_grid[1] is 17");
    o = right;
    o.modes[1] = -1;
    refused(o, ENUF_BAD_ARGUMENT, "modes[1] is -1");
    o = right;
    o.dim = 4;
    refused(o, ENUF_BAD_ARGUMENT, "dim is 4");
    o = right;
    o.modes[0] = o.modes[1] = INT64_C(1) << 30;
    refused(o, ENUF_OUT_OF_MEMORY, "GB");
    o = right;
    o.struct_size = 3;
    refused(o, ENUF_BAD_ARGUMENT, "struct_size");
    CHECK_STATUS(enuf_gram_create(NULL, NULL), ENUF_BAD_ARGUMENT);
}

static void wrong_calls(void)
{
    enuf_nufft_options options = conformance_options(1, 8, 0, 0);
    const double x[3] = {0.1, 0.5, 0.7}, bad_x[3] = {0.1, NAN, 0.7}, bad_w[3] = {1, 2, INFINITY};
    double modes[16] = {1}, out[16], before[16];
    enuf_gram *gram;
    CHECK_STATUS(enuf_gram_create(&options, &gram), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, modes, out), ENUF_NO_POINTS_SET);
    CHECK_STATUS(enuf_gram_set_points(gram, 3, x, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, modes, before), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_set_points(gram, 3, NULL, NULL, NULL, 1, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("x is NULL");
    CHECK_STATUS(enuf_gram_set_points(gram, 3, bad_x, NULL, NULL, 1, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("point 1");
    CHECK_STATUS(enuf_gram_set_points(gram, 3, x, NULL, NULL, 1, bad_w), ENUF_NOT_FINITE);
    CHECK_TEXT("weights[2]");
    CHECK_STATUS(enuf_gram_apply(gram, modes, out), ENUF_SUCCESS); /* the earlier points */
    CHECK(memcmp(out, before, sizeof out) == 0);
    CHECK_STATUS(enuf_gram_apply(gram, modes, modes), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_gram_apply(gram, NULL, out), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_gram_apply(NULL, modes, out), ENUF_BAD_ARGUMENT);
    modes[5] = NAN;
    CHECK_STATUS(enuf_gram_apply(gram, modes, out), ENUF_NOT_FINITE);
    CHECK_TEXT("enuf_gram_apply");
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS); /* host memory: nothing is left */
    CHECK_STATUS(enuf_gram_check(NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_gram_get_report(gram, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_gram_set_points(gram, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    modes[5] = 0;
    CHECK_STATUS(enuf_gram_apply(gram, modes, out), ENUF_SUCCESS);
    for (int k = 0; k < 16; k++) CHECK(out[k] == 0);
    enuf_gram_destroy(&gram);
    enuf_gram_destroy(&gram);
    options.modes[0] = 0;
    CHECK_STATUS(enuf_gram_create(&options, &gram), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_set_points(gram, 3, x, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, NULL, NULL), ENUF_SUCCESS);
    enuf_gram_destroy(&gram);
}

/* Coordinates in float are those in double. */
static void float_points(void)
{
    enum { N = 50 };
    enuf_nufft_options options = conformance_options(1, 16, 0, 0);
    float x[N];
    double same[N], modes[32] = {1, 2, 3}, out[32], expected[32];
    enuf_gram *gram;
    for (int k = 0; k < N; k++) same[k] = x[k] = (float)k * 0.137f;
    CHECK_STATUS(enuf_gram_create(&options, &gram), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_set_points(gram, N, same, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, modes, expected), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_set_points_f32(gram, N, x, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, modes, out), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 32, out, expected), 1e-15, "float coordinates");
    enuf_gram_destroy(&gram);
}

static void law(void)
{
    against_direct_sums();
    cartesian();
    deterministic();
    memory();
    float_points();
    wrong_options();
    wrong_calls();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
