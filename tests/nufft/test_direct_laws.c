/*
 * test_direct_laws.c - laws of direct sums with a field:
 *
 *   - A constant field multiplies sample j by exp(sign i w t_j), a constant decay by exp(-R t_j).
 *   - A field linear in space is the trajectory shifted by its gradient times t / (2 pi).
 *   - Without a field the sums on a grid are those of enuf_direct_type2() and _type1().
 *   - The mean over a voxel is the limit of means over 2^3, 4^3, 8^3, 16^3 parts of it: the
 * difference falls by 4 each time. Where k v + G t is 0 along an axis both are equal.
 *   - forward and adjoint are adjoint: <forward(m), s> = <m, adjoint(s)>.
 *   - Bits do not depend on the number of threads.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "scan.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double bound_of(enuf_precision precision)
{
    return precision == ENUF_FLOAT ? 2e-6 : 1e-13;
}

static void *forward_of(const scan *s)
{
    void *values = numbers_make(s->options.precision, 2 * s->options.batch * s->samples);
    enuf_direct *sums = scan_object(s, &s->options);
    if (sums) CHECK_STATUS(enuf_direct_forward(sums, s->image, values, NULL), ENUF_SUCCESS);
    enuf_direct_destroy(&sums);
    return values;
}

static void *adjoint_of(const scan *s)
{
    void *image = numbers_make(s->options.precision, 2 * s->options.batch * s->pixels);
    enuf_direct *sums = scan_object(s, &s->options);
    if (sums) CHECK_STATUS(enuf_direct_adjoint(sums, s->values, image), ENUF_SUCCESS);
    enuf_direct_destroy(&sums);
    return image;
}

/* The values of a scan without maps times a factor of each sample. */
static void compare_factor(const scan *with, const double complex *factor, const char *name)
{
    scan without = *with;
    const enuf_precision precision = with->options.precision;
    without.kind = 0;
    void *found = forward_of(with), *plain = forward_of(&without);
    double *expected = numbers_make(ENUF_DOUBLE, 2 * with->samples);
    for (int64_t j = 0; j < with->samples; ++j) {
        const double complex value = factor[j] * (number_at(precision, plain, 2 * j) +
                                                  I * number_at(precision, plain, 2 * j + 1));
        expected[2 * j] = creal(value);
        expected[2 * j + 1] = cimag(value);
    }
    CHECK_BELOW(scan_error(with, with->samples, found, expected), bound_of(precision), name);
    free(found);
    free(plain);
    free(expected);
}

static void constant_maps(enuf_precision precision, int sign)
{
    static const double OMEGA = 700.5, DECAY = 41.25;
    enum { SAMPLES = 90 };
    double complex factor[SAMPLES];
    enuf_direct_options options = scan_options(2, precision);
    options.sign = sign;
    scan s = scan_on_grid(&options, SCAN_FIELD, SAMPLES, (int64_t[3]){24, 20, 1}, 3);
    for (int64_t k = 0; k < s.pixels; ++k) s.omega[k] = OMEGA;
    for (int j = 0; j < SAMPLES; ++j) factor[j] = cexp(I * (sign * OMEGA * s.times[j]));
    compare_factor(&s, factor, "a constant field");
    s.kind = SCAN_DECAY;
    s.decay = s.omega;
    s.omega = NULL;
    for (int64_t k = 0; k < s.pixels; ++k) s.decay[k] = DECAY;
    for (int j = 0; j < SAMPLES; ++j) factor[j] = exp(-DECAY * s.times[j]);
    compare_factor(&s, factor, "a constant decay");
    scan_free(&s);
}

/* The places of 20 turns are rounded as they are shifted: 1e-14 of the phase. */
static void linear_field(enuf_precision precision)
{
    static const double TURN = 6.28318530717958647693, SLOPE[3] = {64, -128, 32}; /* Hz */
    const enuf_direct_options options = scan_options(3, precision);
    scan s = scan_make(&options, SCAN_FIELD, 120, 150, 10, 5);
    for (int64_t k = 0; k < s.pixels; ++k) {
        s.omega[k] = 0;
        for (int d = 0; d < 3; ++d) s.omega[k] += TURN * SLOPE[d] * s.r[d][k];
    }
    void *found = forward_of(&s);
    for (int d = 0; d < 3; ++d)
        for (int64_t j = 0; j < s.samples; ++j) s.k[d][j] += SLOPE[d] * s.times[j];
    s.kind = 0;
    void *shifted = forward_of(&s);
    CHECK_BELOW(relative_error(precision, 2 * s.samples, found, shifted), bound_of(precision),
                "a linear field and a shifted trajectory");
    free(found);
    free(shifted);
    scan_free(&s);
}

/* Modes are pixels at whole numbers, and points samples. */
static void like_modes(enuf_precision precision, int dim)
{
    static const int64_t counts[3] = {18, 17, 16};
    enuf_nufft_options modes;
    enuf_direct_options options = scan_options(dim, precision);
    enuf_nufft_options_init(&modes);
    modes.dim = dim;
    modes.precision = precision;
    for (int d = 0; d < dim; ++d) modes.modes[d] = counts[d];
    options.sign = 1;
    scan s = scan_on_grid(&options, 0, 70, counts, 11);
    void *values = numbers_make(precision, 2 * s.samples),
         *image = numbers_make(precision, 2 * s.pixels);
    void *found = numbers_make(precision, 2 * s.samples),
         *back = numbers_make(precision, 2 * s.pixels);
    enuf_direct *sums = NULL;
    const double ones[3] = {1, 1, 1};
    for (int d = 0; d < dim; ++d)
        for (int64_t j = 0; j < s.samples; ++j) s.k[d][j] /= 40;
    CHECK_STATUS(enuf_direct_type2(&modes, NULL, NULL, s.samples, s.k[0], s.k[1], s.k[2], 1,
                                   s.image, values, NULL),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_type1(&modes, NULL, NULL, s.samples, s.k[0], s.k[1], s.k[2], 1,
                                   s.values, image),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_create(&options, &sums), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_samples(sums, s.samples, s.k[0], s.k[1], s.k[2], 1, NULL),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_set_pixel_grid(sums, counts, ones, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_forward(sums, s.image, found, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_direct_adjoint(sums, s.values, back), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(precision, 2 * s.samples, found, values), bound_of(precision),
                "the direct sum of type 2");
    CHECK_BELOW(relative_error(precision, 2 * s.pixels, back, image), bound_of(precision),
                "the direct sum of type 1");
    enuf_direct_destroy(&sums);
    free(values);
    free(image);
    free(found);
    free(back);
    scan_free(&s);
}

/* The mean over parts^3 equal parts of each voxel, each in the field at its centre: the same sums,
 * with pixels in place of voxels. */
static void *mean_over_parts(const scan *s, int parts)
{
    const enuf_precision precision = s->options.precision;
    void *mean = numbers_make(precision, 2 * s->samples);
    for (int part = 0; part < parts * parts * parts; ++part) {
        scan moved = *s;
        const int at[3] = {part % parts, part / parts % parts, part / parts / parts};
        moved.kind = SCAN_FIELD;
        moved.omega = numbers_make(ENUF_DOUBLE, s->pixels);
        memcpy(moved.omega, s->omega, (size_t)s->pixels * sizeof(double));
        for (int d = 0; d < 3; ++d) {
            const double offset = (at[d] + 0.5) / parts - 0.5; /* in voxels */
            moved.r[d] = numbers_make(ENUF_DOUBLE, s->pixels);
            for (int64_t k = 0; k < s->pixels; ++k) {
                moved.r[d][k] = s->r[d][k] + offset * s->voxel[d];
                moved.omega[k] += 6.28318530717958647693 * offset * s->gradient[d][k];
            }
        }
        void *values = forward_of(&moved);
        for (int64_t j = 0; j < 2 * s->samples; ++j)
            number_set(precision, mean, j,
                       number_at(precision, mean, j) +
                           number_at(precision, values, j) / (parts * parts * parts));
        free(values);
        free(moved.omega);
        for (int d = 0; d < 3; ++d) free(moved.r[d]);
    }
    return mean;
}

static void mean_over_a_voxel(void)
{
    const enuf_direct_options options = scan_options(3, ENUF_DOUBLE);
    scan s = scan_make(&options, SCAN_FIELD | SCAN_GRADIENTS, 20, 30, 8, 17);
    double last = 0;
    void *exact = forward_of(&s);
    for (int parts = 2; parts <= 16; parts *= 2) {
        void *mean = mean_over_parts(&s, parts);
        const double error = relative_error(ENUF_DOUBLE, 2 * s.samples, mean, exact);
        printf("%d^3 parts of a voxel: %.3e\n", parts, error);
        /* the next term is a quarter of that of second order, and a sixteenth of itself */
        if (parts > 4) CHECK_CLOSE(last / error, 4, 0.05, "  falls to a fourth");
        last = error;
        free(mean);
    }
    CHECK_BELOW(last, 0.01, "16^3 parts of a voxel");
    /* a voxel that the phase does not cross: k v + G t = 0 */
    for (int d = 0; d < 3; ++d) {
        for (int64_t j = 0; j < s.samples; ++j) s.k[d][j] = 0;
        for (int64_t k = 0; k < s.pixels; ++k) s.gradient[d][k] = 0;
    }
    void *still = forward_of(&s), *mean = mean_over_parts(&s, 2);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 2 * s.samples, mean, still), 1e-13, "x = 0");
    free(still);
    free(mean);
    free(exact);
    scan_free(&s);
}

static double complex inner(enuf_precision precision, int64_t n, const void *a, const void *b,
                            double *norm)
{
    double complex sum = 0;
    double squares = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double complex x =
            number_at(precision, a, 2 * i) + I * number_at(precision, a, 2 * i + 1);
        const double complex y =
            number_at(precision, b, 2 * i) + I * number_at(precision, b, 2 * i + 1);
        sum += conj(x) * y;
        squares += creal(conj(x) * x);
    }
    *norm = sqrt(squares);
    return sum;
}

static void adjointness(enuf_precision precision, int kind, int grid)
{
    enuf_direct_options options = scan_options(2, precision);
    options.batch = 2;
    scan s = grid ? scan_on_grid(&options, kind, 333, (int64_t[3]){40, 30, 1}, 23)
                  : scan_make(&options, kind, 333, 1200, 30, 23);
    const int64_t n = options.batch * s.samples, m = options.batch * s.pixels;
    void *values = forward_of(&s), *image = adjoint_of(&s);
    double size, unused;
    const double complex left = inner(precision, n, values, s.values, &size);
    const double complex right = inner(precision, m, s.image, image, &unused);
    double norm;
    inner(precision, n, s.values, s.values, &norm);
    printf("%s, kind %d, %s\n", precision == ENUF_FLOAT ? "float" : "double", kind,
           grid ? "grid" : "anywhere");
    CHECK_BELOW(cabs(left - right) / (size * norm), precision == ENUF_FLOAT ? 1e-6 : 1e-13,
                "  <forward(m), s> - <m, adjoint(s)>");
    free(values);
    free(image);
    scan_free(&s);
}

static void same_bits_at_any_number_of_threads(int kind, int grid)
{
    const enuf_direct_options options = scan_options(2, ENUF_DOUBLE);
    scan s = grid ? scan_on_grid(&options, kind, 500, (int64_t[3]){40, 30, 1}, 29)
                  : scan_make(&options, kind, 500, 1200, 30, 29);
    s.options.threads = 1;
    void *one = forward_of(&s), *back = adjoint_of(&s);
    s.options.threads = 3;
    void *more = forward_of(&s), *back_more = adjoint_of(&s);
    CHECK(numbers_equal(ENUF_DOUBLE, 2 * s.samples, one, more));
    CHECK(numbers_equal(ENUF_DOUBLE, 2 * s.pixels, back, back_more));
    free(one);
    free(more);
    free(back);
    free(back_more);
    scan_free(&s);
}

static void law(void)
{
    static const int kinds[] = {0, SCAN_VOXEL, SCAN_FIELD, SCAN_FIELD | SCAN_DECAY,
                                SCAN_FIELD | SCAN_DECAY | SCAN_GRADIENTS};
    for (int single = 0; single < 2; ++single) {
        const enuf_precision precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
        for (int sign = -1; sign <= 1; sign += 2) constant_maps(precision, sign);
        linear_field(precision);
        for (int dim = 1; dim <= 3; ++dim) like_modes(precision, dim);
        for (int kind = 0; kind < 5; ++kind)
            for (int grid = 0; grid < 2; ++grid) adjointness(precision, kinds[kind], grid);
    }
    mean_over_a_voxel();
    same_bits_at_any_number_of_threads(0, 1);
    same_bits_at_any_number_of_threads(SCAN_FIELD, 0);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
