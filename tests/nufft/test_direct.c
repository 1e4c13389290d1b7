/*
 * test_direct.c - the direct sums, which are the reference of the other tests, equal plain sums in
 * long double. Types 1 and 2 and gradients in 1D to 3D, with all combinations of strengths, signs,
 * mode order, batch and frame, some in float; many terms and high modes; and enuf_direct_sum(). The
 * relative l2 error is at most 4e-16, in float 1.2e-7. The bits do not depend on the number of
 * threads.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include "enuf/direct.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct complex_long {
    long double re, im;
} complex_long;

static const long double TWO_PI_LONG = 6.283185307179586476925286766559005768L;

/* Moves the points to a lattice of 2^-24, where x / 2 and T (x - origin) are exact. */
static void put_on_lattice(transform *t)
{
    for (int64_t j = 0; j < 3 * t->n; ++j) t->points[j] = rint(0x1p24 * t->points[j]) * 0x1p-24;
}

static void fraction(const transform *t, int64_t j, long double s[3])
{
    for (int d = 0; d < t->options.dim; ++d) {
        s[d] = 0.0L;
        if (!t->framed) s[d] = (long double)t->points[3 * j + d] / t->options.period;
        for (int e = 0; t->framed && e < t->options.dim; ++e)
            s[d] += (long double)t->T[3 * d + e] * (t->points[3 * j + e] - t->origin[e]);
    }
}

static complex_long phase(const transform *t, int sign, const int64_t m[3], const long double s[3])
{
    long double turns = 0.0L;
    for (int d = 0; d < t->options.dim; ++d) turns += (long double)m[d] * s[d];
    turns = sign * TWO_PI_LONG * (turns - rintl(turns));
    return (complex_long){cosl(turns), sinl(turns)};
}

static double strength(const transform *t, int64_t j, int part)
{
    int real = t->options.strengths == ENUF_REAL_STRENGTHS;
    if (real) return part ? 0.0 : number_at(t->options.precision, t->strengths, j);
    return number_at(t->options.precision, t->strengths, 2 * j + part);
}

static void naive_type1(const transform *t, double *modes)
{
    for (int64_t at = 0; at < t->options.batch * t->modes; ++at) {
        int64_t m[3];
        complex_long sum = {0.0L, 0.0L};
        mode_numbers(&t->options, at % t->modes, m);
        for (int64_t j = 0; j < t->n && !mode_is_unpaired(&t->options, at % t->modes); ++j) {
            long double s[3];
            fraction(t, j, s);
            complex_long e = phase(t, t->options.sign, m, s);
            long double re = strength(t, at / t->modes * t->n + j, 0);
            long double im = strength(t, at / t->modes * t->n + j, 1);
            sum.re += re * e.re - im * e.im;
            sum.im += re * e.im + im * e.re;
        }
        modes[2 * at] = (double)sum.re;
        modes[2 * at + 1] = (double)sum.im;
    }
}

/* sums[0]: the value; sums[1 + e]: its derivative along x_e */
static void naive_type2_at(const transform *t, int64_t batch, int64_t j, complex_long sums[4])
{
    int sign = t->options.type2_sign ? t->options.type2_sign : -t->options.sign;
    int real = t->options.strengths == ENUF_REAL_STRENGTHS;
    long double s[3];
    fraction(t, j, s);
    for (int k = 0; k < 4; ++k) sums[k] = (complex_long){0.0L, 0.0L};
    for (int64_t mode = 0; mode < t->modes; ++mode) {
        int64_t m[3];
        mode_numbers(&t->options, mode, m);
        if (mode_is_unpaired(&t->options, mode)) continue;
        complex_long e = phase(t, sign, m, s);
        long double weight = real && m[0] > 0 ? 2.0L : 1.0L;
        int64_t at = 2 * (batch * t->modes + mode);
        long double re = weight * number_at(t->options.precision, t->spectrum, at);
        long double im = weight * number_at(t->options.precision, t->spectrum, at + 1);
        complex_long term = {re * e.re - im * e.im, re * e.im + im * e.re};
        sums[0].re += term.re;
        sums[0].im += term.im;
        for (int x = 0; x < t->options.dim; ++x) {
            long double slope = 0.0L;
            for (int d = 0; d < t->options.dim; ++d)
                slope += (t->framed ? t->T[3 * d + x]
                          : d == x  ? 1.0L / t->options.period
                                    : 0.0L) *
                         m[d] * sign * TWO_PI_LONG;
            sums[1 + x].re -= slope * term.im;
            sums[1 + x].im += slope * term.re;
        }
    }
}

static void store(const transform *t, double *array, int64_t at, complex_long value)
{
    if (t->options.strengths == ENUF_REAL_STRENGTHS) {
        array[at] = (double)value.re;
    } else {
        array[2 * at] = (double)value.re;
        array[2 * at + 1] = (double)value.im;
    }
}

static void naive_type2(const transform *t, double *values, double *gradients)
{
    for (int64_t at = 0; at < t->options.batch * t->n; ++at) {
        complex_long sums[4];
        naive_type2_at(t, at / t->n, at % t->n, sums);
        store(t, values, at, sums[0]);
        for (int d = 0; d < t->options.dim; ++d)
            store(t, gradients, at * t->options.dim + d, sums[1 + d]);
    }
}

/* Relative l2 error of results in either precision against sums in double. */
static double error_of(const transform *t, int64_t n, const void *found, const double *expected)
{
    double *wide = numbers_make(ENUF_DOUBLE, n);
    for (int64_t i = 0; i < n; ++i) wide[i] = number_at(t->options.precision, found, i);
    double error = relative_error(ENUF_DOUBLE, n, wide, expected);
    free(wide);
    return error;
}

static void compare(transform *t, double bound)
{
    double *modes = numbers_make(ENUF_DOUBLE, t->n_modes);
    double *values = numbers_make(ENUF_DOUBLE, t->n_values);
    double *gradients = numbers_make(ENUF_DOUBLE, t->n_gradients);
    if (t->options.precision == ENUF_FLOAT) bound = FLT_EPSILON;
    transform_sum(t);
    naive_type1(t, modes);
    naive_type2(t, values, gradients);
    printf("%dD %s %s sign %d/%d %s batch %d%s\n", t->options.dim,
           t->options.precision == ENUF_FLOAT ? "float" : "double",
           t->options.strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", t->options.sign,
           t->options.type2_sign, t->options.mode_order == ENUF_FFT_ORDER ? "FFT order" : "centred",
           t->options.batch, t->framed ? " framed" : "");
    CHECK_BELOW(error_of(t, t->n_modes, t->modes_expected, modes), bound, "  type 1");
    CHECK_BELOW(error_of(t, t->n_values, t->values_expected, values), bound, "  type 2");
    CHECK_BELOW(error_of(t, t->n_gradients, t->gradients_expected, gradients), bound,
                "  gradients");
    free(modes);
    free(values);
    free(gradients);
}

/* Three rounded products and a phase have an error of about 2e-16 rms a term. The bound is twice
 * that. */
static const double BOUND = 4e-16;

static void every_kind(int dim, const int64_t modes[3])
{
    static const double T[9] = {0.5, 0.125, -0.25, 0.0625, 0.75, 0.125, -0.125, 0.25, 0.375};
    static const double origin[3] = {0.25, -3.0, 17.5};
    for (int kind = 0; kind < 64; ++kind) {
        enuf_nufft_options options = conformance_options_of(dim, modes);
        options.strengths = kind & 1 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
        options.sign = kind & 2 ? 1 : -1;
        options.type2_sign = kind & 4 ? options.sign : 0;
        options.mode_order = kind & 8 ? ENUF_FFT_ORDER : ENUF_CENTRED;
        options.batch = kind & 16 ? 3 : 1;
        options.period = 2.0;
        options.precision = kind % 7 == 0 ? ENUF_FLOAT : ENUF_DOUBLE;
        transform t = transform_make(&options, 37, (uint64_t)kind);
        if (kind & 32) transform_frame(&t, T, origin, 20.0, (uint64_t)kind);
        put_on_lattice(&t);
        compare(&t, BOUND);
        transform_free(&t);
    }
}

static void many_terms_and_high_modes(void)
{
    enuf_nufft_options options = conformance_options(1, 40001, 0, 0);
    transform t = transform_make(&options, 9, 5);
    put_on_lattice(&t);
    compare(&t, BOUND);
    transform_free(&t);
    options = conformance_options(1, 5, 0, 0);
    t = transform_make(&options, 100000, 6);
    put_on_lattice(&t);
    compare(&t, BOUND);
    transform_free(&t);
}

static void sources_and_targets(int dim, int sign)
{
    enum { SOURCES = 211, TARGETS = 23 };
    double sources[3 * SOURCES], targets[3 * TARGETS], strengths[2 * SOURCES];
    double values[2 * TARGETS], gradients[6 * TARGETS];
    double values_expected[2 * TARGETS], gradients_expected[6 * TARGETS];
    random_numbers(1, dim * SOURCES, -5.0, 5.0, sources);
    random_numbers(2, dim * TARGETS, -70.0, 70.0, targets);
    random_numbers(3, 2 * SOURCES, -1.0, 1.0, strengths);
    CHECK_STATUS(enuf_direct_sum(dim, sign, 0, SOURCES, sources, strengths, TARGETS, targets,
                                 values, gradients),
                 ENUF_SUCCESS);
    for (int t = 0; t < TARGETS; ++t) {
        complex_long sums[4] = {{0.0L, 0.0L}};
        for (int j = 0; j < SOURCES; ++j) {
            long double turns = 0.0L;
            for (int d = 0; d < dim; ++d)
                turns += (long double)targets[dim * t + d] * sources[dim * j + d];
            turns = sign * TWO_PI_LONG * (turns - rintl(turns));
            long double c = cosl(turns);
            long double s = sinl(turns);
            long double re = strengths[2 * j] * c - strengths[2 * j + 1] * s;
            long double im = strengths[2 * j] * s + strengths[2 * j + 1] * c;
            sums[0].re += re;
            sums[0].im += im;
            for (int d = 0; d < dim; ++d) {
                sums[1 + d].re -= sign * TWO_PI_LONG * sources[dim * j + d] * im;
                sums[1 + d].im += sign * TWO_PI_LONG * sources[dim * j + d] * re;
            }
        }
        for (int k = 0; k < 1 + dim; ++k) {
            double *place =
                k ? gradients_expected + 2 * (dim * t + k - 1) : values_expected + 2 * t;
            place[0] = (double)sums[k].re;
            place[1] = (double)sums[k].im;
        }
    }
    printf("%d dimensions, sign %d, sources and targets anywhere\n", dim, sign);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 2 * TARGETS, values, values_expected), BOUND,
                "  values");
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 2 * dim * TARGETS, gradients, gradients_expected),
                BOUND, "  gradients");
}

static void same_bits_at_any_number_of_threads(void)
{
    enuf_nufft_options options = conformance_options(3, 9, 8, 7);
    transform one, more;
    options.threads = 1;
    one = transform_make(&options, 1500, 3);
    options.threads = 3;
    more = transform_make(&options, 1500, 3);
    transform_sum(&one);
    transform_sum(&more);
    CHECK(numbers_equal(ENUF_DOUBLE, one.n_modes, one.modes_expected, more.modes_expected));
    CHECK(numbers_equal(ENUF_DOUBLE, one.n_values, one.values_expected, more.values_expected));
    CHECK(numbers_equal(ENUF_DOUBLE, one.n_gradients, one.gradients_expected,
                        more.gradients_expected));
    transform_free(&one);
    transform_free(&more);
}

/* x / period is rounded once: an error of 2 pi m times half a unit in the last place of s < 1.5.
 * The bound is twice that. */
static void period_of_two_pi(void)
{
    enuf_nufft_options options = conformance_options(2, 15, 16, 0);
    options.period = 6.28318530717958647693;
    transform t = transform_make(&options, 50, 8);
    compare(&t, 2.0 * 6.2832 * 8.0 * 1.1e-16);
    transform_free(&t);
}

static void law(void)
{
    every_kind(1, (int64_t[3]){8, 0, 0});
    every_kind(1, (int64_t[3]){21, 0, 0});
    every_kind(2, (int64_t[3]){7, 6, 0});
    every_kind(2, (int64_t[3]){20, 3, 0});
    every_kind(3, (int64_t[3]){4, 5, 6});
    every_kind(3, (int64_t[3]){5, 4, 1});
    many_terms_and_high_modes();
    for (int dim = 1; dim <= 3; ++dim) {
        sources_and_targets(dim, -1);
        sources_and_targets(dim, 1);
    }
    same_bits_at_any_number_of_threads();
    period_of_two_pi();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
