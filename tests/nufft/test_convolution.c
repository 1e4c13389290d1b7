/*
 * test_convolution.c - the calls that convolve: forward, reduce, backward and filter.
 *
 *   - The sums and moments of reduce() are those of the spectrum by direct sums.
 *   - backward(), also repeated, is the type 2 of multiplier times spectrum.
 *   - filter() is transform() followed by backward().
 *   - get_spectrum() and put_spectrum() copy all modes, or some by index.
 *
 * 1D to 3D, both precisions, both kinds of strengths, both mode orders, batches of 2. Relative l2
 * bounds: 4 tolerances (1e-12, in float 1e-5) for the spectrum against direct sums, 8 for sums and
 * for backward(); rounding, 1e-15 to 3e-15 (in float 1e-6), between calls of the library.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHTS = 3 };

static double bound_of(const transform *t)
{
    return 4.0 * t->options.tolerance;
}

/* Even in m, as a multiplier for real strengths has to be. */
static void *even_multiplier(const transform *t, double width, int count)
{
    void *multiplier = numbers_make(t->options.precision, count * t->modes);
    for (int64_t i = 0; i < count * t->modes; ++i) {
        int64_t m[3];
        mode_numbers(&t->options, i % t->modes, m);
        double square = (double)(m[0] * m[0] + 2 * m[1] * m[1] + 3 * m[2] * m[2]);
        double scale = width * (double)(1 + i / t->modes);
        number_set(t->options.precision, multiplier, i, exp(-square / (scale * scale)) - 0.1);
    }
    return multiplier;
}

static void sums_and_moments(const transform *t, enuf_nufft *plan)
{
    enuf_precision p = t->options.precision;
    void *weights = even_multiplier(t, 4.0, WEIGHTS);
    int batch = t->options.batch;
    double *sums = numbers_make(ENUF_DOUBLE, 7 * WEIGHTS * batch);
    double *plain = numbers_make(ENUF_DOUBLE, WEIGHTS * batch);
    double *expected = numbers_make(ENUF_DOUBLE, 7 * WEIGHTS * batch);
    for (int64_t at = 0; at < batch * t->modes; ++at) {
        int64_t m[3];
        mode_numbers(&t->options, at % t->modes, m);
        double w = t->options.strengths == ENUF_REAL_STRENGTHS && m[0] > 0 ? 2.0 : 1.0;
        double re = number_at(p, t->modes_expected, 2 * at);
        double im = number_at(p, t->modes_expected, 2 * at + 1);
        const double moments[7] = {1.0,
                                   (double)(m[0] * m[0]),
                                   (double)(m[1] * m[1]),
                                   (double)(m[2] * m[2]),
                                   (double)(m[0] * m[1]),
                                   (double)(m[0] * m[2]),
                                   (double)(m[1] * m[2])};
        for (int k = 0; k < WEIGHTS; ++k)
            for (int a = 0; a < 7; ++a)
                expected[7 * (WEIGHTS * (at / t->modes) + k) + a] +=
                    w * number_at(p, weights, k * t->modes + at % t->modes) * (re * re + im * im) *
                    moments[a];
    }
    CHECK_STATUS(enuf_nufft_reduce(plan, WEIGHTS, weights, 1, sums), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reduce(plan, WEIGHTS, weights, 0, plain), ENUF_SUCCESS);
    /* a square doubles the relative error */
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 7 * WEIGHTS * batch, sums, expected), 2.0 * bound_of(t),
                "  weighted sums and moments");
    for (int k = 0; k < WEIGHTS * batch; ++k) {
        CHECK_CLOSE(plain[k], sums[7 * k], 1e-15, "  sum without moments");
        CHECK_CLOSE(plain[k], expected[7 * k], 2.0 * bound_of(t), "  sum");
    }
    free(weights);
    free(sums);
    free(plain);
    free(expected);
}

/* Expected values and gradients: direct type 2 of multiplier times modes_expected. */
static void expect_product(transform *t, enuf_multiplier kind, const void *multiplier)
{
    enuf_precision p = t->options.precision;
    for (int64_t at = 0; at < t->n_modes / 2; ++at) {
        int64_t mode = at % t->modes;
        double re = number_at(p, multiplier, kind == ENUF_REAL ? mode : 2 * mode);
        double im = kind == ENUF_REAL ? 0.0 : number_at(p, multiplier, 2 * mode + 1);
        double a = number_at(p, t->modes_expected, 2 * at);
        double b = number_at(p, t->modes_expected, 2 * at + 1);
        number_set(p, t->spectrum, 2 * at, re * a - im * b);
        number_set(p, t->spectrum, 2 * at + 1, re * b + im * a);
    }
    transform_sum(t);
}

static void backward_is_type2_of_the_product(transform *t, enuf_nufft *plan, enuf_multiplier kind,
                                             const void *multiplier, const char *what)
{
    enuf_precision p = t->options.precision;
    void *values = numbers_make(p, t->n_values);
    void *gradients = numbers_make(p, t->n_gradients);
    void *values_alone = numbers_make(p, t->n_values);
    expect_product(t, kind, multiplier);
    CHECK_STATUS(enuf_nufft_backward(plan, kind, multiplier, values, gradients), ENUF_SUCCESS);
    printf("  %s\n", what);
    CHECK_BELOW(relative_error(p, t->n_values, values, t->values_expected), 2.0 * bound_of(t),
                "    values, error of both directions");
    CHECK_BELOW(relative_error(p, t->n_gradients, gradients, t->gradients_expected),
                2.0 * bound_of(t), "    gradients, error of both directions");
    CHECK_STATUS(enuf_nufft_backward(plan, kind, multiplier, values_alone, NULL), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, t->n_values, values_alone, values),
                p == ENUF_FLOAT ? 1e-6 : 1e-15, "    values alone, rounding");
    free(values);
    free(gradients);
    free(values_alone);
}

/* filter() multiplies in another order, and threads and GPUs add points in another order each time:
 * results differ by rounding. A small upsampling amplifies this many times; 2 does not. */
static void filter_is_transform_and_backward(const transform *t, const void *multiplier)
{
    enuf_nufft_options options = t->options;
    options.upsampling = 2;
    enuf_nufft *plan = transform_plan(t, &options);
    if (!plan) return;
    enuf_precision p = t->options.precision;
    const double rounding = p == ENUF_FLOAT ? 1e-6 : 3e-15;
    void *values = numbers_make(p, t->n_values), *values_by_backward = numbers_make(p, t->n_values);
    void *gradients = numbers_make(p, t->n_gradients);
    void *gradients_by_backward = numbers_make(p, t->n_gradients);
    void *spectrum = numbers_make(p, t->n_modes),
         *spectrum_by_forward = numbers_make(p, t->n_modes);
    CHECK_STATUS(enuf_nufft_forward(plan, t->strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, spectrum_by_forward), ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_nufft_backward(plan, ENUF_REAL, multiplier, values_by_backward, gradients_by_backward),
        ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_spread(plan, t->strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_filter(plan, multiplier, values, gradients), ENUF_SUCCESS);
    printf("  filter\n");
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, spectrum), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, t->n_modes, spectrum, spectrum_by_forward), rounding,
                "    spectrum, rounding");
    CHECK_BELOW(relative_error(p, t->n_values, values, values_by_backward), rounding,
                "    values, rounding");
    CHECK_BELOW(relative_error(p, t->n_gradients, gradients, gradients_by_backward), rounding,
                "    gradients, rounding");
    CHECK_STATUS(enuf_nufft_spread(plan, t->strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_filter(plan, multiplier, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, spectrum), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, t->n_modes, spectrum, spectrum_by_forward), rounding,
                "    spectrum alone, rounding");
    free(values);
    free(values_by_backward);
    free(gradients);
    free(gradients_by_backward);
    free(spectrum);
    free(spectrum_by_forward);
    enuf_nufft_destroy(&plan);
}

static void get_and_put_spectrum(const transform *t, enuf_nufft *plan)
{
    enuf_precision p = t->options.precision;
    int64_t picked[4] = {0, t->modes - 1, t->modes / 2, t->modes / 3};
    int batch = t->options.batch;
    void *all = numbers_make(p, t->n_modes);
    void *again = numbers_make(p, t->n_modes);
    void *some = numbers_make(p, 8 * batch);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, all), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, t->n_modes, all, t->modes_expected), bound_of(t),
                "  spectrum as type 1 gives it");
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 4, picked, some), ENUF_SUCCESS);
    for (int64_t k = 0; k < 4 * batch; ++k)
        for (int part = 0; part < 2; ++part)
            CHECK(number_at(p, some, 2 * k + part) ==
                  number_at(p, all, 2 * (k / 4 * t->modes + picked[k % 4]) + part));
    /* by index: all other modes become zero */
    CHECK_STATUS(enuf_nufft_put_spectrum(plan, 4, picked, some), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, again), ENUF_SUCCESS);
    for (int64_t at = 0; at < batch * t->modes; ++at) {
        int is_picked = 0;
        for (int k = 0; k < 4; ++k) is_picked |= at % t->modes == picked[k];
        for (int part = 0; part < 2; ++part)
            CHECK(number_at(p, again, 2 * at + part) ==
                  (is_picked ? number_at(p, all, 2 * at + part) : 0.0));
    }
    CHECK_STATUS(enuf_nufft_put_spectrum(plan, 0, NULL, all), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, again), ENUF_SUCCESS);
    /* put_spectrum() makes the plane m_1 = 0 of real strengths Hermitian. It was so to rounding. */
    if (t->options.strengths == ENUF_COMPLEX_STRENGTHS)
        CHECK(numbers_equal(p, t->n_modes, all, again));
    else
        CHECK_BELOW(relative_error(p, t->n_modes, again, all), p == ENUF_FLOAT ? 1e-6 : 2e-15,
                    "  put back, rounding");
    int64_t outside[1] = {t->modes};
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 1, outside, some), ENUF_BAD_ARGUMENT);
    outside[0] = -1;
    CHECK_STATUS(enuf_nufft_put_spectrum(plan, 1, outside, some), ENUF_BAD_ARGUMENT);
    free(all);
    free(again);
    free(some);
}

static void law_of(int dim, enuf_precision precision, enuf_strengths strengths,
                   enuf_mode_order order)
{
    enuf_nufft_options options = conformance_options(dim, 13, 12, 10);
    options.precision = precision;
    options.strengths = strengths;
    options.mode_order = order;
    options.batch = 2;
    options.gradients = 1;
    options.tolerance = precision == ENUF_FLOAT ? 1e-5 : 1e-12;
    options.upsampling = 2; /* a smaller one amplifies the rounding in which values differ */
    transform t = transform_make(&options, 120, 3);
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    printf("%dD %s %s\n", dim, precision == ENUF_FLOAT ? "float" : "double",
           strengths == ENUF_REAL_STRENGTHS ? "real" : "complex");
    if (plan) {
        void *narrow = even_multiplier(&t, 3.0, 1);
        void *wide = even_multiplier(&t, 9.0, 1);
        void *complex = numbers_random(precision, 2 * t.modes, 4);
        CHECK_STATUS(enuf_nufft_forward(plan, t.strengths), ENUF_SUCCESS);
        sums_and_moments(&t, plan);
        get_and_put_spectrum(&t, plan);
        backward_is_type2_of_the_product(&t, plan, ENUF_REAL, narrow, "real multiplier");
        backward_is_type2_of_the_product(&t, plan, ENUF_COMPLEX, complex, "complex multiplier");
        backward_is_type2_of_the_product(&t, plan, ENUF_REAL, wide, "another");
        sums_and_moments(&t, plan); /* backward() has kept the spectrum */
        CHECK_STATUS(enuf_nufft_spread(plan, t.strengths), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_transform(plan), ENUF_SUCCESS);
        sums_and_moments(&t, plan);
        filter_is_transform_and_backward(&t, narrow);
        free(narrow);
        free(wide);
        free(complex);
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; ++dim)
        for (int kind = 0; kind < 8; ++kind)
            law_of(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                   kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS,
                   kind & 4 ? ENUF_FFT_ORDER : ENUF_CENTRED);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
