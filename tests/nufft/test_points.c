/*
 * test_points.c - points may lie anywhere: many periods away, at 0, at the period, on the borders
 * of fine cells and next to them, crowded, in any triclinic frame; in double or float, strided or
 * in separate arrays; and on the same plan one after the other, more or fewer.
 *
 * Types 1 and 2 and gradients have a relative l2 error of at most 4 tolerances of 1e-12 against
 * direct sums; in a frame the rounding of the coordinates comes on top. A translation multiplies
 * each mode by a phase. 1D to 3D.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TWO_PI = 6.28318530717958647693;
static const double TOLERANCE = 1e-12;

static enuf_nufft_options options_of(int dim)
{
    enuf_nufft_options options = conformance_options(dim, 16, 15, 12);
    options.tolerance = TOLERANCE;
    options.gradients = 1;
    return options;
}

/* Compares a plan with direct sums. `extra` is added to the bound for the rounding of the
 * coordinates. */
static void agree(transform *t, const char *what, double extra)
{
    enuf_nufft *plan = transform_plan(t, NULL);
    double bound = 4.0 * TOLERANCE + extra;
    transform_sum(t);
    printf("%dD, %s\n", t->options.dim, what);
    if (plan) {
        CHECK_BELOW(type1_error(t, plan), bound, "  type 1");
        CHECK_BELOW(type2_error(t, plan), bound, "  type 2");
        CHECK_BELOW(gradient_error(t, plan), bound, "  gradients");
    }
    enuf_nufft_destroy(&plan);
}

/* With the periods 1 and 4, s is exact: the distance has no effect. */
static void many_periods_away(int dim)
{
    enuf_nufft_options options = options_of(dim);
    for (int k = 0; k < 2; ++k) {
        options.period = k ? 4.0 : 1.0;
        transform t = transform_make(&options, 50, 3);
        for (int64_t j = 0; j < t.n; ++j)
            for (int d = 0; d < dim; ++d)
                t.points[3 * j + d] += options.period * (double)((j * 977 + d) % 2000001 - 1000000);
        agree(&t, "up to 1e6 periods away", 0.0);
        transform_free(&t);
    }
}

static void at_the_borders(int dim)
{
    static const double places[] = {0.0,  -0.0, 1.0,    -1.0,    0.5,   -0.5,  0.25,
                                    0.75, 2.0,  1e-300, -1e-300, 1e-17, -1e-17};
    enuf_nufft_options options = options_of(dim);
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    transform t = transform_make(&options, 13 + 6 * 30, 4);
    for (int64_t j = 0; j < t.n; ++j)
        for (int d = 0; d < dim; ++d) {
            double cells = (double)report.fine_grid[d];
            double border = (double)((j * (d + 1)) % 64) / cells;
            double half = j % 2 ? 0.5 / cells : 0.0;
            double *x = &t.points[3 * j + d];
            if (j < 13)
                *x = places[(j + d) % 13];
            else if (j % 3 == 0)
                *x = border + half;
            else
                *x = nextafter(border + half, j % 3 == 1 ? 2.0 : -2.0);
        }
    agree(&t, "at 0, at the period, at the borders of cells", 0.0);
    transform_free(&t);
}

static void triclinic_frame(int dim, double handed)
{
    const double T[9] = {0.11, 0.013, -0.02, 0.004, handed * 0.09, 0.03, -0.007, 0.015, 0.125};
    const double origin[3] = {1.5, -2.5, 0.25};
    enuf_nufft_options options = options_of(dim);
    transform t = transform_make(&options, 50, 5);
    transform_frame(&t, T, origin, 40.0, 6);
    /* s of up to 8 periods is rounded a few times; modes up to 8 */
    agree(&t, handed > 0.0 ? "triclinic frame" : "left-handed frame", TWO_PI * 8.0 * 8.0 * 4e-16);
    transform_free(&t);
}

static void frame_taken_back(void)
{
    enuf_nufft_options options = options_of(2);
    transform t = transform_make(&options, 30, 7);
    const double T[9] = {2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0};
    enuf_nufft *plan;
    transform_sum(&t);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_frame(plan, T, NULL), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS); /* sets T = NULL again */
    CHECK_BELOW(gradient_error(&t, plan), 4.0 * TOLERANCE, "a frame taken back: gradients");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* S(m) of x + a is S(m) exp(sign 2 pi i m a). */
static void translation_covariance(int dim)
{
    const double shift[3] = {0.3125, -2.15625, 17.8125}; /* exact in binary, and so are the sums */
    enuf_nufft_options options = options_of(dim);
    transform t = transform_make(&options, 50, 8);
    double *moved = numbers_make(ENUF_DOUBLE, t.n_modes);
    for (int64_t j = 0; j < 3 * t.n; ++j) t.points[j] = rint(0x1p30 * t.points[j]) * 0x1p-30;
    transform_sum(&t);
    double *expected = t.modes_expected;
    for (int64_t mode = 0; mode < t.modes; ++mode) {
        int64_t m[3];
        double turns = 0.0;
        mode_numbers(&options, mode, m);
        for (int d = 0; d < dim; ++d) turns += (double)m[d] * shift[d];
        double c = cos(TWO_PI * turns), s = sin(options.sign * TWO_PI * turns);
        double re = expected[2 * mode] * c - expected[2 * mode + 1] * s;
        expected[2 * mode + 1] = expected[2 * mode] * s + expected[2 * mode + 1] * c;
        expected[2 * mode] = re;
    }
    for (int64_t j = 0; j < t.n; ++j)
        for (int d = 0; d < dim; ++d) t.points[3 * j + d] += shift[d];
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, moved), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_modes, moved, expected), 4.0 * TOLERANCE,
                "translated points: phase of each mode");
    enuf_nufft_destroy(&plan);
    free(moved);
    transform_free(&t);
}

static void float_coordinates(int dim)
{
    enuf_nufft_options options = options_of(dim);
    transform t = transform_make(&options, 50, 9);
    float *narrow = numbers_make(ENUF_FLOAT, 3 * t.n);
    for (int64_t j = 0; j < t.n; ++j)
        for (int d = 0; d < dim; ++d) {
            /* the library folds them in double */
            narrow[3 * j + d] = (float)(t.points[3 * j + d] + 1000.0);
            t.points[3 * j + d] = narrow[3 * j + d];
        }
    transform_sum(&t);
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points_f32(plan, t.n, narrow, dim > 1 ? narrow + 1 : NULL,
                                           dim > 2 ? narrow + 2 : NULL, 3),
                 ENUF_SUCCESS);
    CHECK_BELOW(type1_error(&t, plan), 4.0 * TOLERANCE, "float coordinates: type 1");
    CHECK_BELOW(type2_error(&t, plan), 4.0 * TOLERANCE, "float coordinates: type 2");
    enuf_nufft_destroy(&plan);
    free(narrow);
    transform_free(&t);
}

static void separate_arrays(void)
{
    enum { N = 40 };
    enuf_nufft_options options = options_of(3);
    transform t = transform_make(&options, N, 10);
    double x[3][N];
    for (int64_t j = 0; j < N; ++j)
        for (int d = 0; d < 3; ++d) x[d][j] = t.points[3 * j + d];
    transform_sum(&t);
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N, x[0], x[1], x[2], 1), ENUF_SUCCESS);
    for (int d = 0; d < 3; ++d)
        for (int64_t j = 0; j < N; ++j) x[d][j] = 0.0; /* the plan has copied them */
    CHECK_BELOW(type1_error(&t, plan), 4.0 * TOLERANCE, "an array per coordinate: type 1");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Sets as many points as the plan has, one of them NaN: they are refused. */
static void refuse_one(const transform *t, enuf_nufft *plan)
{
    const double good = t->points[3 * (t->n / 2)];
    t->points[3 * (t->n / 2)] = NAN;
    CHECK_STATUS(transform_points(t, plan), ENUF_NOT_FINITE);
    t->points[3 * (t->n / 2)] = good;
}

/* More points, fewer points and other points of the same number, on one plan. */
static void other_points_on_the_same_plan(int dim)
{
    enuf_nufft_options options = options_of(dim);
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    static const int64_t counts[] = {10, 3000, 3000, 0, 1, 200, 200, 3000, 3000};
    for (int k = 0; k < 9; ++k) {
        transform t = transform_make(&options, counts[k], (uint64_t)(20 + k));
        transform_sum(&t);
        if (k == 2 || k == 6) refuse_one(&t, plan);
        CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
        CHECK_BELOW(type1_error(&t, plan), 4.0 * TOLERANCE, "other points: type 1");
        CHECK_BELOW(type2_error(&t, plan), 4.0 * TOLERANCE, "other points: type 2");
        transform_free(&t);
    }
    enuf_nufft_destroy(&plan);
}

/* All points within two thousandths of a period, half of them with equal x: the least balanced case
 * for the sort and its blocks. */
static void crowded_points(int dim)
{
    enuf_nufft_options options = options_of(dim);
    options.threads = 3;
    transform t = transform_make(&options, 3000, 11);
    for (int64_t j = 0; j < t.n; ++j)
        for (int d = 0; d < dim; ++d)
            t.points[3 * j + d] = 0.999 + (j % 2 || d ? 1e-3 * t.points[3 * j + d] : 0.0);
    agree(&t, "crowded points", 0.0);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; ++dim) {
        many_periods_away(dim);
        at_the_borders(dim);
        triclinic_frame(dim, 1.0);
        triclinic_frame(dim, -1.0);
        translation_covariance(dim);
        float_coordinates(dim);
        crowded_points(dim);
        other_points_on_the_same_plan(dim);
    }
    frame_taken_back();
    separate_arrays();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
