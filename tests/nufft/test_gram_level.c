/*
 * test_gram_level.c - A^H W A of a plan, enuf_nufft_gram():
 *
 * - at each level it is type 2, weights, adjoint of type 2, by direct sums, to 4 times the
 *   tolerance: in 1D to 3D, odd and even numbers of modes, both orders and signs, both precisions,
 *   batches, point sets, a frame, weights of points (none, real, a set for each vector, complex)
 *   and of modes;
 * - it is Hermitian to the tolerance, and not negative for weights that are not; at level gram to
 *   rounding;
 * - real strengths, at each level that has them: the bits of type 2, weights, adjoint;
 * - the spectrum of level gram is that of the points, frame and weights that are set: after other
 *   ones a plan gives the bits of a fresh plan, after refused ones and between types 1 and 2 those
 *   from before. Types 1 and 2 between the calls have the bits of level sorted;
 * - weights of modes do not make the spectrum anew: taken off, they leave it as it was;
 * - deterministic: the same bits for 1 and 3 threads, with a strength_bound of the strengths alone;
 * - a width without a tolerance serves.
 *
 * test_gram_level_limits.c has memory and wrong input. SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/gram.h"
#include "gram_levels.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE, REAL_SET, REAL_SETS, COMPLEX_SET };

typedef struct law_case {
    int dim;
    int64_t modes[3];
    enuf_precision precision;
    double tolerance;
    enuf_mode_order order;
    int sign, type2_sign, batch, point_sets, framed;
    int points, modes_weighted; /* kinds of weights; 1: weights of modes */
} law_case;

typedef struct problem {
    transform t;
    weight_set w, v;
    void *expected, *found;
} problem;

static weight_set ones(enuf_precision precision, int64_t n)
{
    weight_set set = {ENUF_REAL, 1, n, numbers_make(precision, n)};
    for (int64_t i = 0; i < n; i++) number_set(precision, set.numbers, i, 1);
    return set;
}

/* From 0.1 on. */
static weight_set positive(enuf_precision precision, int sets, int64_t n)
{
    weight_set set = {ENUF_REAL, sets, n, numbers_make(precision, sets * n)};
    for (int64_t i = 0; i < sets * n; i++)
        number_set(precision, set.numbers, i, 0.1 + (double)(i % 7));
    return set;
}

/* Conjugate of v. */
static weight_set conjugate(enuf_precision precision, const weight_set *v)
{
    weight_set set = *v;
    const int64_t numbers = v->sets * v->n * (v->kind == ENUF_COMPLEX ? 2 : 1);
    set.numbers = numbers_make(precision, numbers);
    for (int64_t i = 0; i < numbers; i++)
        number_set(precision, set.numbers, i,
                   number_at(precision, v->numbers, i) *
                       (v->kind == ENUF_COMPLEX && i % 2 ? -1 : 1));
    return set;
}

static weight_set weights_of_points(const law_case *c, int64_t n)
{
    if (c->points == COMPLEX_SET) return weight_set_make(c->precision, ENUF_COMPLEX, 1, n, 8);
    if (c->points == NONE) return ones(c->precision, n);
    return positive(c->precision, c->points == REAL_SETS ? c->batch : 1, n);
}

/* The adjoint of a type 2 without weights of points is a type 1 of the opposite sign, with the
 * conjugate weights of modes. */
static void sum_directly(problem *p)
{
    const enuf_nufft_options *o = &p->t.options;
    transform back = transform_make(o, p->t.n, 1);
    weight_set none = ones(o->precision, p->t.n), v = conjugate(o->precision, &p->v);
    memcpy(back.points, p->t.points, (size_t)p->t.n * 3 * sizeof(double));
    back.framed = p->t.framed;
    memcpy(back.T, p->t.T, sizeof back.T);
    memcpy(back.origin, p->t.origin, sizeof back.origin);
    transform_weighted_sum(&p->t, &p->w, &p->v);
    for (int64_t i = 0; i < p->t.n_values; i++)
        number_set(o->precision, back.strengths, i,
                   number_at(o->precision, p->t.values_expected, i));
    back.options.sign = o->type2_sign ? -o->type2_sign : o->sign;
    transform_weighted_sum(&back, &none, &v);
    for (int64_t i = 0; i < p->t.n_modes; i++)
        number_set(o->precision, p->expected, i, number_at(o->precision, back.modes_expected, i));
    free(none.numbers);
    free(v.numbers);
    transform_free(&back);
}

static problem problem_of(const law_case *c)
{
    enum { POINTS = 150 };
    const double T[9] = {0.9, 0.1, 0, 0, 1.1, 0.2, 0.1, 0, 0.8}, origin[3] = {0.2, -0.1, 0.3};
    enuf_nufft_options o = conformance_options_of(c->dim, c->modes);
    o.precision = c->precision;
    o.tolerance = c->tolerance;
    o.mode_order = c->order;
    o.sign = c->sign;
    o.type2_sign = c->type2_sign;
    o.batch = c->batch;
    problem p = {.t = transform_make(&o, POINTS, 41)};
    if (c->framed) transform_frame(&p.t, T, origin, 0.7, 42);
    p.w = weights_of_points(c, POINTS);
    p.v = c->modes_weighted ? weight_set_make(c->precision, ENUF_COMPLEX, 1, p.t.modes, 9)
                            : ones(c->precision, p.t.modes);
    p.expected = numbers_make(c->precision, p.t.n_modes);
    p.found = numbers_make(c->precision, p.t.n_modes);
    sum_directly(&p);
    return p;
}

static void problem_free(problem *p)
{
    transform_free(&p->t);
    free(p->w.numbers);
    free(p->v.numbers);
    free(p->expected);
    free(p->found);
}

/* Point sets are the same points for each vector. */
static enuf_status set_points(const problem *p, enuf_nufft *plan, int sets)
{
    const int dim = p->t.options.dim;
    const int64_t n = p->t.n;
    if (sets == 1) return transform_points(&p->t, plan);
    if (p->t.framed) CHECK_STATUS(enuf_nufft_set_frame(plan, p->t.T, p->t.origin), ENUF_SUCCESS);
    double *all = numbers_make(ENUF_DOUBLE, 3 * n * sets);
    for (int s = 0; s < sets; s++)
        memcpy(all + 3 * n * s, p->t.points, (size_t)(3 * n) * sizeof *all);
    const enuf_status status =
        enuf_nufft_set_points(plan, n, all, dim > 1 ? all + 1 : NULL, dim > 2 ? all + 2 : NULL, 3);
    free(all);
    return status;
}

static enuf_nufft *plan_of(const problem *p, const law_case *c, enuf_level level)
{
    enuf_nufft_options o = p->t.options;
    enuf_nufft *plan = NULL;
    o.level = level;
    o.point_sets = c->point_sets ? c->batch : 1;
    if (!CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS)) return NULL;
    CHECK_STATUS(set_points(p, plan, o.point_sets), ENUF_SUCCESS);
    if (c->points != NONE)
        CHECK_STATUS(enuf_nufft_set_point_weights(plan, p->w.kind, p->w.sets, p->w.numbers),
                     ENUF_SUCCESS);
    if (c->modes_weighted)
        CHECK_STATUS(enuf_nufft_set_mode_weights(plan, p->v.kind, p->v.sets, p->v.numbers),
                     ENUF_SUCCESS);
    return plan;
}

/* ---- Against direct sums ---- */

static double complex inner(const problem *p, const void *a, const void *b)
{
    const enuf_precision precision = p->t.options.precision;
    double complex sum = 0;
    for (int64_t i = 0; i < p->t.n_modes; i += 2)
        sum += (number_at(precision, a, i) - I * number_at(precision, a, i + 1)) *
               (number_at(precision, b, i) + I * number_at(precision, b, i + 1));
    return sum;
}

static double norm(const problem *p, const void *a)
{
    return sqrt(creal(inner(p, a, a)));
}

/* p->found is G of the spectrum. */
static void hermitian(const problem *p, enuf_nufft *plan, int by_spectrum)
{
    const enuf_precision precision = p->t.options.precision;
    const double rounding = precision == ENUF_FLOAT ? 1e-6 : 1e-14;
    const double bound = by_spectrum ? rounding : fmax(p->t.options.tolerance, rounding);
    void *a = numbers_random(precision, p->t.n_modes, 5);
    void *of_a = numbers_make(precision, p->t.n_modes);
    CHECK_STATUS(enuf_nufft_gram(plan, a, of_a), ENUF_SUCCESS);
    const double complex left = inner(p, a, p->found), right = inner(p, of_a, p->t.spectrum);
    CHECK_BELOW(cabs(left - right) / (norm(p, a) * norm(p, p->found)), bound,
                "    <a, G m> - <G a, m>");
    CHECK_BELOW(fmax(0, -creal(inner(p, a, of_a))) / (norm(p, a) * norm(p, of_a)),
                p->t.options.tolerance, "    -<a, G a>");
    free(a);
    free(of_a);
}

static void check_case(const law_case *c)
{
    problem p = problem_of(c);
    printf("%lld x %lld x %lld modes, %s, tolerance %g, batch %d%s%s, weights %d%s\n",
           (long long)c->modes[0], (long long)(c->dim > 1 ? c->modes[1] : 1),
           (long long)(c->dim > 2 ? c->modes[2] : 1),
           c->precision == ENUF_FLOAT ? "float" : "double", c->tolerance, c->batch,
           c->point_sets ? ", point sets" : "", c->framed ? ", a frame" : "", c->points,
           c->modes_weighted ? ", of modes too" : "");
    for (int l = 0; enuf_level_name((enuf_level)l); l++) {
        if (!gram_level_serves(&p.t.options, (enuf_level)l)) continue;
        enuf_nufft *plan = plan_of(&p, c, (enuf_level)l);
        if (!plan) continue;
        printf("  %s\n", enuf_level_name((enuf_level)l));
        CHECK_STATUS(enuf_nufft_gram(plan, p.t.spectrum, p.found), ENUF_SUCCESS);
        CHECK_BELOW(relative_error(c->precision, p.t.n_modes, p.found, p.expected),
                    4 * c->tolerance, "    against direct sums, 4 tolerances");
        if (c->points != COMPLEX_SET)
            hermitian(&p, plan, l == ENUF_LEVEL_GRAM && !c->modes_weighted);
        enuf_nufft_destroy(&plan);
    }
    problem_free(&p);
}

static void against_direct_sums(void)
{
    const law_case cases[] = {
        {1, {21}, ENUF_DOUBLE, 1e-9, ENUF_CENTRED, -1, 0, 1, 0, 0, NONE, 0},
        {1, {32}, ENUF_FLOAT, 1e-4, ENUF_FFT_ORDER, 1, 0, 3, 0, 0, REAL_SETS, 0},
        {1, {17}, ENUF_DOUBLE, 1e-12, ENUF_CENTRED, -1, -1, 2, 1, 0, REAL_SET, 0},
        {2, {12, 9}, ENUF_DOUBLE, 1e-6, ENUF_FFT_ORDER, 1, 1, 2, 0, 1, REAL_SET, 0},
        {2, {7, 13}, ENUF_DOUBLE, 1e-12, ENUF_CENTRED, 1, 0, 2, 1, 0, REAL_SETS, 0},
        {2, {10, 8}, ENUF_FLOAT, 1e-3, ENUF_CENTRED, -1, 0, 1, 0, 1, NONE, 0},
        {2, {11, 6}, ENUF_DOUBLE, 1e-9, ENUF_CENTRED, -1, 0, 2, 0, 0, COMPLEX_SET, 1},
        {3, {7, 5, 6}, ENUF_DOUBLE, 1e-9, ENUF_CENTRED, -1, 0, 1, 0, 1, REAL_SET, 0},
        {3, {6, 4, 9}, ENUF_FLOAT, 1e-4, ENUF_FFT_ORDER, 1, 0, 2, 0, 0, REAL_SETS, 0},
        {3, {5, 8, 4}, ENUF_DOUBLE, 1e-6, ENUF_CENTRED, 1, -1, 2, 1, 1, REAL_SETS, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) check_case(&cases[k]);
}

/* Adding on a GPU goes in any order, elsewhere results have the same bits. */
static void same_numbers(enuf_precision precision, int64_t n, const void *found,
                         const void *expected, const char *what)
{
    const double rounding = precision == ENUF_FLOAT ? 1e-5 : 1e-13;
    if (gram_levels_on_gpu())
        CHECK_BELOW(relative_error(precision, n, found, expected), rounding, what);
    else if (!CHECK(numbers_equal(precision, n, found, expected)))
        printf("  %s\n", what);
}

static void real_strengths(enuf_level level)
{
    enuf_nufft_options o = conformance_options(2, 12, 9, 0);
    o.strengths = ENUF_REAL_STRENGTHS;
    o.batch = 2;
    o.level = level;
    o.threads = 1;
    if (!gram_level_serves(&o, level)) return;
    printf("real strengths, %s\n", enuf_level_name(level));
    transform t = transform_make(&o, 200, 6);
    double *values = numbers_make(ENUF_DOUBLE, t.n_values),
           *expected = numbers_make(ENUF_DOUBLE, t.n_modes),
           *found = numbers_make(ENUF_DOUBLE, t.n_modes);
    weight_set w = positive(ENUF_DOUBLE, 1, t.n);
    enuf_nufft *plan = transform_plan(&t, NULL);
    CHECK_STATUS(enuf_nufft_type2(plan, t.spectrum, values, NULL), ENUF_SUCCESS);
    for (int64_t i = 0; i < t.n_values; i++) values[i] *= ((double *)w.numbers)[i % t.n];
    CHECK_STATUS(enuf_nufft_type2_adjoint(plan, values, expected), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, w.numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, found), ENUF_SUCCESS);
    same_numbers(ENUF_DOUBLE, t.n_modes, found, expected, "type 2, weights, adjoint");
    enuf_nufft_destroy(&plan);
    free(w.numbers);
    free(values);
    free(expected);
    free(found);
    transform_free(&t);
}

/* ---- Other points, frames and weights ---- */

/* What a fresh plan of level gram gives for the first n points. */
static void fresh(const transform *t, int64_t n, const void *weights, int sets, void *out)
{
    transform some = *t;
    some.n = n;
    enuf_nufft *plan = transform_plan(&some, NULL);
    if (weights)
        CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, sets, weights), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, t->spectrum, out), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void same(const transform *t, enuf_nufft *plan, const void *expected, const char *what)
{
    void *found = numbers_make(t->options.precision, t->n_modes);
    CHECK_STATUS(enuf_nufft_gram(plan, t->spectrum, found), ENUF_SUCCESS);
    same_numbers(t->options.precision, t->n_modes, found, expected, what);
    free(found);
}

/* Types 1 and 2 of a plan are those of level sorted. */
static void types_as_sorted(const transform *t, enuf_nufft *plan)
{
    enuf_nufft_options o = t->options;
    double *modes[2], *values[2];
    o.level = ENUF_LEVEL_SORTED;
    enuf_nufft *sorted = transform_plan(t, &o);
    for (int k = 0; k < 2; k++) {
        enuf_nufft *each = k == 0 ? plan : sorted;
        modes[k] = numbers_make(ENUF_DOUBLE, t->n_modes);
        values[k] = numbers_make(ENUF_DOUBLE, t->n_values);
        CHECK_STATUS(enuf_nufft_type1(each, t->strengths, modes[k]), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(each, t->spectrum, values[k], NULL), ENUF_SUCCESS);
    }
    same_numbers(ENUF_DOUBLE, t->n_modes, modes[0], modes[1], "type 1 of level sorted");
    same_numbers(ENUF_DOUBLE, t->n_values, values[0], values[1], "type 2 of level sorted");
    enuf_nufft_destroy(&sorted);
    for (int k = 0; k < 2; k++) {
        free(modes[k]);
        free(values[k]);
    }
}

static void renewed(void)
{
    const double T[9] = {1.2, 0, 0, 0.1, 0.9, 0, 0, 0, 1}, origin[3] = {0.1, 0.2, 0};
    enuf_nufft_options o = conformance_options(2, 9, 14, 0);
    o.level = ENUF_LEVEL_GRAM;
    o.batch = 2;
    o.threads = 1;
    printf("points, frames and weights set again\n");
    transform t = transform_make(&o, 300, 51), some = t, framed = t;
    double *bad = numbers_make(ENUF_DOUBLE, 3 * t.n),
           *expected = numbers_make(ENUF_DOUBLE, t.n_modes);
    double *numbers = numbers_make(ENUF_DOUBLE, t.n_values);
    weight_set w = positive(ENUF_DOUBLE, 2, t.n);
    memcpy(bad, t.points, (size_t)(3 * t.n) * sizeof *bad);
    bad[3 * 120 + 1] = (double)NAN;
    enuf_nufft *plan = transform_plan(&t, NULL);
    fresh(&t, t.n, NULL, 1, expected);
    same(&t, plan, expected, "the points");
    for (int64_t n = 100; n <= 300; n += 200) { /* fewer, then as many again */
        some.n = n;
        CHECK_STATUS(transform_points(&some, plan), ENUF_SUCCESS);
        fresh(&t, n, NULL, 1, expected);
        same(&t, plan, expected, "other points");
    }
    CHECK_STATUS(enuf_nufft_set_points(plan, t.n, bad, bad + 1, NULL, 3), ENUF_NOT_FINITE);
    same(&t, plan, expected, "after refused points");
    types_as_sorted(&t, plan);
    same(&t, plan, expected, "after types 1 and 2");
    for (int sets = 1; sets <= 2; sets++) {
        CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, sets, w.numbers), ENUF_SUCCESS);
        fresh(&t, t.n, w.numbers, sets, expected);
        same(&t, plan, expected, "other weights");
    }
    bad[7] = (double)INFINITY;
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, bad), ENUF_NOT_FINITE);
    same(&t, plan, expected, "after refused weights");
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, NULL), ENUF_SUCCESS);
    fresh(&t, t.n, NULL, 1, expected);
    same(&t, plan, expected, "without weights");
    /* a new reserve and a new frame take the points away */
    CHECK_STATUS(enuf_nufft_reserve(plan, 2 * t.n), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, numbers), ENUF_NO_POINTS_SET);
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    same(&t, plan, expected, "after a reserve");
    framed.framed = 1;
    memcpy(framed.T, T, sizeof T);
    memcpy(framed.origin, origin, sizeof origin);
    CHECK_STATUS(enuf_nufft_set_frame(plan, T, origin), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, numbers), ENUF_NO_POINTS_SET);
    CHECK_STATUS(transform_points(&framed, plan), ENUF_SUCCESS);
    fresh(&framed, t.n, NULL, 1, expected);
    same(&t, plan, expected, "another frame");
    enuf_nufft_destroy(&plan);
    free(bad);
    free(expected);
    free(numbers);
    free(w.numbers);
    transform_free(&t);
}

/* Spectra that level.c has asked for. */
static int spectra;
enuf_status __real_enuf_gram_find(void *gram, const void *points);
enuf_status __wrap_enuf_gram_find(void *gram, const void *points);

enuf_status __wrap_enuf_gram_find(void *gram, const void *points)
{
    spectra++;
    return __real_enuf_gram_find(gram, points);
}

/* The weights of modes are no part of the spectrum: it is made once. */
static void weights_of_modes(void)
{
    enuf_nufft_options o = conformance_options(1, 4096, 0, 0);
    o.level = ENUF_LEVEL_GRAM;
    o.threads = 1;
    transform t = transform_make(&o, 50, 8);
    double *expected = numbers_make(ENUF_DOUBLE, t.n_modes);
    weight_set v = positive(ENUF_DOUBLE, 1, t.modes);
    spectra = 0;
    enuf_nufft *plan = transform_plan(&t, NULL);
    CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, expected), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, ENUF_REAL, 1, v.numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, ENUF_REAL, 1, NULL), ENUF_SUCCESS);
    same(&t, plan, expected, "weights of modes, set and taken off");
    CHECK(spectra == 1);
    enuf_nufft_destroy(&plan);
    free(expected);
    free(v.numbers);
    transform_free(&t);
}

/* Coordinates in float are those in double. */
static void float_points(void)
{
    enum { N = 40 };
    enuf_nufft_options o = conformance_options(1, 15, 0, 0);
    float x[N];
    double twice[N], modes[30] = {1, 2, 3}, out[30], expected[30];
    enuf_nufft *plan = NULL;
    o.level = ENUF_LEVEL_GRAM;
    for (int k = 0; k < N; k++) twice[k] = x[k] = (float)k * 0.137f;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, twice, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, expected), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points_f32(plan, N, x, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, out), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 30, out, expected), 1e-14, "float coordinates");
    enuf_nufft_destroy(&plan);
}

/* A bound that holds for the strengths does not hold for values of type 2. */
static void deterministic(enuf_level level)
{
    enuf_nufft_options o = conformance_options(3, 9, 8, 7);
    void *out[2];
    o.deterministic = 1;
    o.level = level;
    if (!gram_level_serves(&o, level)) return;
    transform t = transform_make(&o, 2000, 3);
    printf("deterministic, %s\n", enuf_level_name(level));
    for (int k = 0; k < 2; k++) {
        o.threads = 1 + 2 * k;
        o.strength_bound = 1e-3;
        enuf_nufft *plan = transform_plan(&t, &o);
        out[k] = numbers_make(ENUF_DOUBLE, t.n_modes);
        CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, out[k]), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, out[k]), ENUF_OVERFLOWED);
        CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, out[k]), ENUF_SUCCESS);
        enuf_nufft_destroy(&plan);
    }
    CHECK(numbers_equal(ENUF_DOUBLE, t.n_modes, out[0], out[1]));
    free(out[0]);
    free(out[1]);
    transform_free(&t);
}

/* A method of the caller's, without a tolerance: T has the plan's error. */
static void without_tolerance(void)
{
    enuf_nufft_options o = conformance_options(1, 20, 0, 0);
    enuf_nufft_report report = {.struct_size = sizeof report};
    o.level = ENUF_LEVEL_GRAM;
    o.tolerance = 0;
    o.width = 7;
    o.upsampling = 2;
    transform t = transform_make(&o, 100, 7);
    double *found[2];
    for (int k = 0; k < 2; k++) {
        if (k == 1) o.level = ENUF_LEVEL_SORTED;
        enuf_nufft *plan = transform_plan(&t, &o);
        found[k] = numbers_make(ENUF_DOUBLE, t.n_modes);
        CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, found[k]), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
        enuf_nufft_destroy(&plan);
    }
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_modes, found[0], found[1]), 8 * report.error,
                "a width without a tolerance: two levels, 8 predicted errors");
    free(found[0]);
    free(found[1]);
    transform_free(&t);
}

static void law(void)
{
    against_direct_sums();
    renewed();
    weights_of_modes();
    float_points();
    without_tolerance();
    for (int l = 0; enuf_level_name((enuf_level)l); l++) {
        real_strengths((enuf_level)l);
        deterministic((enuf_level)l);
    }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
