/*
 * test_real_strengths.c - a plan of real strengths gives what a plan of complex strengths gives for
 * the same data.
 *
 *   - Type 1: the same modes in the half that is stored, and 0 at unpaired modes.
 *   - Type 2 and gradients: the sum over all modes of the Hermitian spectrum that belongs to the
 *     stored half. Entries at unpaired modes are ignored. In the plane m_1 = 0 the Hermitian part
 *     counts.
 *
 * 1D to 3D, both mode orders. Relative l2 bounds: rounding, 4e-15 (float 2e-6), if both plans have
 * the same grid and width, else 8 tolerances; four times that for gradients.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Index in the complex array of mode numbers m. */
static int64_t whole_index(const enuf_nufft_options *whole, const int64_t m[3])
{
    for (int64_t at = 0; at < modes_stored(whole); ++at) {
        int64_t k[3];
        mode_numbers(whole, at, k);
        if (k[0] == m[0] && k[1] == m[1] && k[2] == m[2]) return at;
    }
    return -1;
}

static void add_number(void *numbers, enuf_precision p, int64_t at, double re, double im)
{
    number_set(p, numbers, 2 * at, number_at(p, numbers, 2 * at) + re);
    number_set(p, numbers, 2 * at + 1, number_at(p, numbers, 2 * at + 1) + im);
}

/* The Hermitian spectrum over all modes, whose sum equals that of the stored half. */
static void *hermitian_spectrum(const transform *half, const enuf_nufft_options *whole)
{
    enuf_precision p = half->options.precision;
    void *all = numbers_make(p, 2 * modes_stored(whole));
    for (int64_t mode = 0; mode < half->modes; ++mode) {
        int64_t m[3];
        if (mode_is_unpaired(&half->options, mode)) continue;
        mode_numbers(&half->options, mode, m);
        double share = m[0] == 0 ? 0.5 : 1.0;
        double re = share * number_at(p, half->spectrum, 2 * mode);
        double im = share * number_at(p, half->spectrum, 2 * mode + 1);
        add_number(all, p, whole_index(whole, m), re, im);
        add_number(all, p, whole_index(whole, (int64_t[3]){-m[0], -m[1], -m[2]}), re, -im);
    }
    return all;
}

static void compare_type1(const transform *t, enuf_nufft *real, enuf_nufft *complex,
                          const enuf_nufft_options *whole, double bound)
{
    enuf_precision p = t->options.precision;
    void *strengths = numbers_make(p, 2 * t->n);
    void *all = numbers_make(p, 2 * modes_stored(whole));
    void *half = numbers_make(p, t->n_modes);
    void *expected = numbers_make(p, t->n_modes);
    for (int64_t j = 0; j < t->n; ++j)
        number_set(p, strengths, 2 * j, number_at(p, t->strengths, j));
    for (int64_t i = 0; i < t->n_modes; ++i) number_set(p, half, i, 1e3); /* must be overwritten */
    CHECK_STATUS(enuf_nufft_type1(real, t->strengths, half), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(complex, strengths, all), ENUF_SUCCESS);
    for (int64_t mode = 0; mode < t->modes; ++mode) {
        int64_t m[3];
        if (mode_is_unpaired(&t->options, mode)) {
            CHECK(number_at(p, half, 2 * mode) == 0.0 && number_at(p, half, 2 * mode + 1) == 0.0);
            continue;
        }
        mode_numbers(&t->options, mode, m);
        int64_t at = whole_index(whole, m);
        add_number(expected, p, mode, number_at(p, all, 2 * at), number_at(p, all, 2 * at + 1));
    }
    CHECK_BELOW(relative_error(p, t->n_modes, half, expected), bound, "  type 1");
    free(strengths);
    free(all);
    free(half);
    free(expected);
}

static double norm(enuf_precision p, int64_t n, const void *numbers)
{
    double square = 0.0;
    for (int64_t i = 0; i < n; ++i) square += pow(number_at(p, numbers, i), 2);
    return sqrt(square);
}

static void compare_type2(const transform *t, enuf_nufft *real, enuf_nufft *complex,
                          const enuf_nufft_options *whole, double bound)
{
    enuf_precision p = t->options.precision;
    int dim = t->options.dim;
    void *all = hermitian_spectrum(t, whole);
    void *found[2] = {numbers_make(p, t->n), numbers_make(p, t->n * dim)};
    void *expected[2] = {numbers_make(p, t->n), numbers_make(p, t->n * dim)};
    void *complex_found[2] = {numbers_make(p, 2 * t->n), numbers_make(p, 2 * t->n * dim)};
    double imaginary = 0.0;
    for (int64_t mode = 0; mode < t->modes; ++mode)
        if (mode_is_unpaired(&t->options, mode))
            add_number(t->spectrum, p, mode, 1e6, NAN); /* must be ignored */
    CHECK_STATUS(enuf_nufft_type2(real, t->spectrum, found[0], found[1]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(complex, all, complex_found[0], complex_found[1]), ENUF_SUCCESS);
    for (int k = 0; k < 2; ++k)
        for (int64_t i = 0; i < t->n * (k ? dim : 1); ++i) {
            number_set(p, expected[k], i, number_at(p, complex_found[k], 2 * i));
            imaginary = fmax(imaginary, fabs(number_at(p, complex_found[k], 2 * i + 1)));
        }
    CHECK(imaginary < 1e3); /* rounding is below 1, but an unpaired entry would be 1e6 */
    CHECK_BELOW(relative_error(p, t->n, found[0], expected[0]), bound, "  type 2");
    /* with the single mode m = 0 gradients are zero: their scale is 2 pi times the values */
    double slopes = norm(p, t->n * dim, expected[1]);
    double scale = fmin(1.0, slopes / (6.2832 * norm(p, t->n, expected[0])));
    CHECK_BELOW(relative_error(p, t->n * dim, found[1], expected[1]) * scale, 4.0 * bound,
                "  gradients");
    free(all);
    for (int k = 0; k < 2; ++k) {
        free(found[k]);
        free(expected[k]);
        free(complex_found[k]);
    }
}

static void real_equals_complex(int dim, const int64_t modes[3], enuf_precision precision,
                                enuf_mode_order order, double tolerance)
{
    enuf_nufft_options options = conformance_options_of(dim, modes);
    options.precision = precision;
    options.mode_order = order;
    options.tolerance = tolerance;
    options.upsampling = 2.0;
    enuf_nufft_options whole = options;
    options.strengths = ENUF_REAL_STRENGTHS;
    transform t = transform_make(&options, 90, 91);
    enuf_nufft *real = transform_plan(&t, NULL);
    enuf_nufft *complex = transform_plan(&t, &whole);
    /* same window and grid: rounding; else the errors of both plans */
    double bound = precision == ENUF_FLOAT ? 2e-6 : 4e-15;
    printf("%dD %s, %lld x %lld x %lld\n", dim, precision == ENUF_FLOAT ? "float" : "double",
           (long long)modes[0], (long long)modes[1], (long long)modes[2]);
    if (real && complex) {
        enuf_nufft_report a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        CHECK_STATUS(enuf_nufft_get_report(real, &a), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_get_report(complex, &b), ENUF_SUCCESS);
        for (int d = 0; d < dim; ++d)
            if (a.fine_grid[d] != b.fine_grid[d] || a.width != b.width)
                bound = fmax(bound, 8.0 * tolerance);
        compare_type1(&t, real, complex, &whole, bound);
        compare_type2(&t, real, complex, &whole, bound);
    }
    enuf_nufft_destroy(&real);
    enuf_nufft_destroy(&complex);
    transform_free(&t);
}

static void law(void)
{
    static const int64_t modes[][3] = {{33, 1, 1}, {40, 1, 1}, {1, 1, 1}, {2, 1, 1}, {12, 9, 1},
                                       {9, 12, 1}, {1, 8, 1},  {6, 5, 4}, {5, 6, 7}, {2, 2, 2}};
    static const int dims[] = {1, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    for (int k = 0; k < 10; ++k)
        for (int order = 0; order < 2; ++order) {
            enuf_mode_order mode_order = order ? ENUF_FFT_ORDER : ENUF_CENTRED;
            real_equals_complex(dims[k], modes[k], ENUF_DOUBLE, mode_order, 1e-3);
            real_equals_complex(dims[k], modes[k], ENUF_DOUBLE, mode_order, 1e-13);
            real_equals_complex(dims[k], modes[k], ENUF_FLOAT, mode_order, 1e-4);
        }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
