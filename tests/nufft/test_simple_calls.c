/*
 * test_simple_calls.c - enuf_nufft1d1() ... enuf_nufftf3d3() are the sums that enuf/nufft_simple.h
 * gives.
 *
 * 60 points in [-3 pi, 3 pi), and some that are 1000 periods away; odd and even numbers of modes;
 * both signs, and 7 and 0 as FINUFFT's iflag may be. With NULL options, and with real strengths,
 * FFT order and a batch. The relative l2 error is at most 4 tolerances, against direct sums of
 * period 2 pi. Wrong arguments are refused with the name of the call. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/direct.h"
#include "enuf/nufft_simple.h"

#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60 };
static const double TWO_PI = 6.28318530717958647693;
static const int64_t n1 = 11, n2 = 8, n3 = 7;

static double xyz[3][N], all[3 * N]; /* of direct sums: [N][3], the numbers of both precisions */
static float xyz_f32[3][N];

static void draw_points(int in_float)
{
    random_numbers(71, 3 * N, -1.5 * TWO_PI, 1.5 * TWO_PI, all);
    for (int j = 0; j < 3 * N; j += 17) all[j] += 1000 * TWO_PI;
    for (int j = 0; j < N; j++)
        for (int d = 0; d < 3; d++) {
            if (in_float) all[3 * j + d] = (double)(float)all[3 * j + d];
            xyz[d][j] = all[3 * j + d];
            xyz_f32[d][j] = (float)all[3 * j + d];
        }
}

static enuf_status type1(int dim, int in_float, const void *q, int sign, double tolerance, void *f,
                         const enuf_nufft_options *o)
{
    const double *x = xyz[0], *y = xyz[1], *z = xyz[2];
    const float *u = xyz_f32[0], *v = xyz_f32[1], *w = xyz_f32[2];
    switch (dim + 3 * in_float) {
    case 1:
        return enuf_nufft1d1(N, x, q, sign, tolerance, n1, f, o);
    case 2:
        return enuf_nufft2d1(N, x, y, q, sign, tolerance, n1, n2, f, o);
    case 3:
        return enuf_nufft3d1(N, x, y, z, q, sign, tolerance, n1, n2, n3, f, o);
    case 4:
        return enuf_nufftf1d1(N, u, q, sign, tolerance, n1, f, o);
    case 5:
        return enuf_nufftf2d1(N, u, v, q, sign, tolerance, n1, n2, f, o);
    default:
        return enuf_nufftf3d1(N, u, v, w, q, sign, tolerance, n1, n2, n3, f, o);
    }
}

static enuf_status type2(int dim, int in_float, void *q, int sign, double tolerance, const void *f,
                         const enuf_nufft_options *o)
{
    const double *x = xyz[0], *y = xyz[1], *z = xyz[2];
    const float *u = xyz_f32[0], *v = xyz_f32[1], *w = xyz_f32[2];
    switch (dim + 3 * in_float) {
    case 1:
        return enuf_nufft1d2(N, x, q, sign, tolerance, n1, f, o);
    case 2:
        return enuf_nufft2d2(N, x, y, q, sign, tolerance, n1, n2, f, o);
    case 3:
        return enuf_nufft3d2(N, x, y, z, q, sign, tolerance, n1, n2, n3, f, o);
    case 4:
        return enuf_nufftf1d2(N, u, q, sign, tolerance, n1, f, o);
    case 5:
        return enuf_nufftf2d2(N, u, v, q, sign, tolerance, n1, n2, f, o);
    default:
        return enuf_nufftf3d2(N, u, v, w, q, sign, tolerance, n1, n2, n3, f, o);
    }
}

/* given: the caller's options, or NULL. */
static void as_direct_sums(int dim, int in_float, int sign, const enuf_nufft_options *given)
{
    enuf_nufft_options o = conformance_options(dim, n1, n2, n3);
    if (given) o = *given;
    o.dim = dim;
    o.precision = in_float ? ENUF_FLOAT : ENUF_DOUBLE;
    o.period = TWO_PI;
    o.sign = o.type2_sign = sign >= 0 ? 1 : -1;
    const double tolerance = in_float ? 1e-4 : 1e-11;
    transform t = transform_make(&o, N, 72);
    draw_points(in_float);
    for (int j = 0; j < 3 * N; j++) t.points[j] = all[j];
    transform_sum(&t);
    void *modes = numbers_make(o.precision, t.n_modes);
    void *values = numbers_make(o.precision, t.n_values);
    printf("%dD %s, sign %d, options %s\n", dim, in_float ? "float" : "double", sign,
           given ? "given" : "NULL");
    CHECK_STATUS(type1(dim, in_float, t.strengths, sign, tolerance, modes, given), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(o.precision, t.n_modes, modes, t.modes_expected), 4 * tolerance,
                "  type 1, 4 tolerances");
    CHECK_STATUS(type2(dim, in_float, values, sign, tolerance, t.spectrum, given), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(o.precision, t.n_values, values, t.values_expected), 4 * tolerance,
                "  type 2, 4 tolerances");
    free(modes);
    free(values);
    transform_free(&t);
}

/* What the arguments replace is spoilt, and has to be replaced; the rest counts. */
static enuf_nufft_options other_options(void)
{
    enuf_nufft_options options = conformance_options(3, n1, n2, n3);
    options.strengths = ENUF_REAL_STRENGTHS;
    options.mode_order = ENUF_FFT_ORDER;
    options.batch = 2;
    options.threads = 2;
    return options;
}

/* Type 3 at targets that are mode numbers is type 1. */
static enuf_status type3(int dim, int in_float, const void *q, int sign, double tolerance,
                         double s[3][616], float s_f32[3][616], void *f,
                         const enuf_nufft_options *o)
{
    const double *x = xyz[0], *y = xyz[1], *z = xyz[2];
    const float *u = xyz_f32[0], *v = xyz_f32[1], *w = xyz_f32[2];
    const float *a = s_f32[0], *b = s_f32[1], *c = s_f32[2];
    switch (dim + 3 * in_float) {
    case 1:
        return enuf_nufft1d3(N, x, q, sign, tolerance, n1, s[0], f, o);
    case 2:
        return enuf_nufft2d3(N, x, y, q, sign, tolerance, n1 * n2, s[0], s[1], f, o);
    case 3:
        return enuf_nufft3d3(N, x, y, z, q, sign, tolerance, n1 * n2 * n3, s[0], s[1], s[2], f, o);
    case 4:
        return enuf_nufftf1d3(N, u, q, sign, tolerance, n1, a, f, o);
    case 5:
        return enuf_nufftf2d3(N, u, v, q, sign, tolerance, n1 * n2, a, b, f, o);
    default:
        return enuf_nufftf3d3(N, u, v, w, q, sign, tolerance, n1 * n2 * n3, a, b, c, f, o);
    }
}

static void targets_at_modes(int dim, int in_float, int sign)
{
    static double s[3][616];
    static float s_f32[3][616];
    enuf_nufft_options o = conformance_options(dim, n1, n2, n3);
    o.precision = in_float ? ENUF_FLOAT : ENUF_DOUBLE;
    o.period = TWO_PI;
    o.sign = sign >= 0 ? 1 : -1;
    const double tolerance = in_float ? 1e-3 : 1e-10;
    transform t = transform_make(&o, N, 73);
    draw_points(in_float);
    for (int j = 0; j < 3 * N; j++) {
        if (j % 17 == 0) all[j] = 0.25; /* none is 1000 periods away: the grid would be large */
        t.points[j] = xyz[j % 3][j / 3] = all[j];
        xyz_f32[j % 3][j / 3] = (float)all[j];
    }
    transform_sum(&t);
    for (int64_t k = 0; k < t.modes; k++) {
        int64_t m[3];
        mode_numbers(&o, k, m);
        for (int d = 0; d < 3; d++) s_f32[d][k] = (float)(s[d][k] = (double)m[d]);
    }
    void *values = numbers_make(o.precision, t.n_modes);
    printf("%dD %s, sign %d\n", dim, in_float ? "float" : "double", sign);
    CHECK_STATUS(type3(dim, in_float, t.strengths, sign, tolerance, s, s_f32, values, &o),
                 ENUF_SUCCESS);
    CHECK_BELOW(relative_error(o.precision, t.n_modes, values, t.modes_expected), 4 * tolerance,
                "  type 3, 4 tolerances");
    free(values);
    transform_free(&t);
}

static void options_are_replaced(void)
{
    enuf_nufft_options options = other_options();
    options.dim = 77;
    options.modes[0] = options.modes[1] = options.modes[2] = -9;
    options.sign = options.type2_sign = options.type3 = 5;
    options.precision = (enuf_precision)5;
    options.period = options.tolerance = options.density = (double)NAN;
    void *strengths = numbers_random(ENUF_DOUBLE, 2 * N, 3);
    double modes[2 * 2 * 11 * 8];
    draw_points(0);
    CHECK_STATUS(type1(2, 0, strengths, 1, 1e-6, modes, &options), ENUF_SUCCESS);
    free(strengths);
}

/* No coordinate is too far: what is left of a phase there is rounding, but finite. */
static void far_points(void)
{
    static const double x[3] = {1e300, -DBL_MAX, 0.5}, strengths[6] = {1, 0, 1, 0, 1, 0};
    double modes[2 * 11];
    const enuf_nufft_options options = conformance_options(1, 1, 1, 1);
    CHECK_STATUS(enuf_nufft1d1(3, x, strengths, 1, 1e-6, 11, modes, &options), ENUF_SUCCESS);
    CHECK_CLOSE(modes[2 * 5], 3, 1e-5, "zeroth mode of far points: the sum of strengths");
}

static void refusals(void)
{
    const enuf_nufft_options options = conformance_options(1, 1, 1, 1);
    double x[N] = {0}, q[2 * N] = {0}, f[2 * 11 * 8];
    float narrow[N] = {0};
    enuf_nufft_options short_options = options;
    short_options.struct_size = 3;
#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)
    REFUSED(enuf_nufft1d1(-1, x, q, 1, 1e-6, 11, f, &options), ENUF_BAD_ARGUMENT, "-1 points");
    CHECK_TEXT("enuf_nufft1d1: ");
    REFUSED(enuf_nufft1d1(N, NULL, q, 1, 1e-6, 11, f, &options), ENUF_BAD_ARGUMENT, "x is NULL");
    REFUSED(enuf_nufft1d1(N, x, NULL, 1, 1e-6, 11, f, &options), ENUF_BAD_ARGUMENT, "strengths");
    REFUSED(enuf_nufft1d1(N, x, q, 1, 1e-6, 11, NULL, &options), ENUF_BAD_ARGUMENT, "modes");
    REFUSED(enuf_nufft1d2(N, x, NULL, 1, 1e-6, 11, f, &options), ENUF_BAD_ARGUMENT, "values");
    CHECK_TEXT("enuf_nufft1d2: ");
    REFUSED(enuf_nufft2d1(N, x, x, q, 1, 1e-6, 11, -8, f, &options), ENUF_BAD_ARGUMENT, "n2 is -8");
    REFUSED(enuf_nufft2d1(N, x, x, q, 1, 1e-17, 11, 8, f, &options), ENUF_UNREACHABLE_ACCURACY,
            "enuf_nufft2d1: ");
    REFUSED(enuf_nufft2d1(N, x, x, q, 1, 0, 11, 8, f, &options), ENUF_BAD_ARGUMENT, "tolerance");
    REFUSED(enuf_nufft2d1(N, x, x, q, 1, 1e-6, 11, 8, f, &short_options), ENUF_BAD_ARGUMENT,
            "struct_size");
    x[17] = x[40] = (double)NAN;
    REFUSED(enuf_nufft2d1(N, x, x, q, 1, 1e-6, 11, 8, f, &options), ENUF_NOT_FINITE, "point 17");
    narrow[33] = INFINITY;
    REFUSED(enuf_nufftf2d2(N, narrow, narrow, q, 1, 1e-4, 11, 8, f, &options), ENUF_NOT_FINITE,
            "point 33");
    CHECK_TEXT("enuf_nufftf2d2: ");
    x[17] = x[40] = 0;
    q[5] = (double)NAN;
    REFUSED(enuf_nufft1d1(N, x, q, 1, 1e-6, 11, f, &options), ENUF_NOT_FINITE, "strength");
    REFUSED(enuf_nufft2d3(N, x, x, q, 1, 1e-6, -1, x, x, f, &options), ENUF_BAD_ARGUMENT, "-1");
    REFUSED(enuf_nufft2d3(N, x, x, q, 1, 1e-6, 5, x, NULL, f, &options), ENUF_BAD_ARGUMENT,
            "t is NULL");
    CHECK_TEXT("enuf_nufft2d3: ");
    CHECK_STATUS(enuf_nufft1d1(0, NULL, NULL, 1, 1e-6, 11, f, &options), ENUF_SUCCESS);
    CHECK(f[0] == 0);
#undef REFUSED
}

static void law(void)
{
    static const int signs[4] = {-1, 1, 7, 0};
    const enuf_nufft_options other = other_options();
    const enuf_nufft_options defaults = conformance_options(1, n1, n2, n3);
    for (int dim = 1; dim <= 3; dim++)
        for (int in_float = 0; in_float < 2; in_float++) {
            for (int k = 0; k < 4; k++) as_direct_sums(dim, in_float, signs[k], &defaults);
            as_direct_sums(dim, in_float, -1, &other);
            as_direct_sums(dim, in_float, 1, NULL);
            for (int k = 0; k < 4; k++) targets_at_modes(dim, in_float, signs[k]);
        }
    options_are_replaced();
    far_points();
    refusals();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
