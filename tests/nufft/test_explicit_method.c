/*
 * test_explicit_method.c - window, width, shape and grid that the caller gives are used unchanged,
 * and the relative l2 error against direct sums is the predicted one. Bounds over the prediction:
 *
 *   - every width of every window, on an odd grid in 1D: 2
 *   - another shape than the default, in 1D: 2
 *   - grids of modes + 1 cells, which the window may wrap around several times, in 1D to 3D: 4
 *
 * At upsampling 1 the modes near the edge are wrong and the others accurate. With a tolerance, a
 * given width or grid is kept, or refused if the tolerance needs more.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include "enuf/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static enuf_nufft_options explicit_options(int dim, const int64_t modes[3], enuf_window window,
                                           int width)
{
    enuf_nufft_options options = conformance_options_of(dim, modes);
    options.tolerance = 0.0;
    options.window = window;
    options.width = width;
    return options;
}

static enuf_nufft_report report_of(enuf_nufft *plan)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    return report;
}

/* The larger of the errors of types 1 and 2, for points and strengths of this seed. */
static double error_of_draw(const enuf_nufft_options *options, int seed, enuf_nufft_report *report)
{
    double error = -1;
    transform t = transform_make(options, 300, seed);
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) {
        *report = report_of(plan);
        error = fmax(type1_error(&t, plan), type2_error(&t, plan));
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
    return error;
}

/* The prediction is a root mean square. Truncation has nearly the same error at all points.
 * Rounding is amplified most in the few modes at the edge; it differs between draws of 300 points,
 * and on a GPU between runs. So predictions below 1e-13 are compared with the root mean square of
 * six draws. */
static void every_width(enuf_window window)
{
    enum { SUMS = 6 };
    double worst = 0.0;
    for (int width = 2; width <= ENUF_MAX_WIDTH; ++width) {
        enuf_nufft_options options = explicit_options(1, (int64_t[3]){40, 1, 1}, window, width);
        enuf_nufft_report report = {.struct_size = sizeof report, .error = 1};
        options.fine_grid[0] = 75; /* odd, upsampling 1.875 */
        double error = error_of_draw(&options, 3, &report);
        if (error < 0) continue;
        CHECK(report.width == width && report.fine_grid[0] == 75 && report.window == window);
        if (report.error < 1e-13) {
            double squares = error * error;
            for (int k = 1; k < SUMS; ++k)
                squares += pow(error_of_draw(&options, 3 + k, &report), 2);
            error = sqrt(squares / SUMS);
        }
        /* below the floor the prediction of rounding is only rough */
        double predicted = fmax(report.error, 0.5 * rounding_floor(&options, 2.0));
        if (report.error < 1.0) worst = fmax(worst, error / predicted);
        if (report.error < 1.0 && error > 2.0 * predicted)
            printf("    width %d: predicted %.3g, measured %.2f times that\n", width, report.error,
                   error / predicted);
    }
    printf("%s\n", enuf_window_name(window));
    CHECK_BELOW(worst, 2.0, "  measured over predicted, widths 2 to 32");
}

static void shape_as_given(void)
{
    for (int w = ENUF_WINDOW_PROLATE; w <= ENUF_WINDOW_GAUSSIAN; ++w) {
        enuf_nufft_options options = explicit_options(1, (int64_t[3]){40, 1, 1}, (enuf_window)w, 8);
        options.fine_grid[0] = 80;
        options.shape = 0.9 * enuf_window_shape((enuf_window)w, 8, 2.0);
        transform t = transform_make(&options, 200, 4);
        transform_sum(&t);
        enuf_nufft *plan = transform_plan(&t, NULL);
        if (plan) {
            enuf_nufft_report report = report_of(plan);
            CHECK_CLOSE(report.shape, options.shape, 1e-15, "shape as given");
            CHECK_BELOW(type1_error(&t, plan) / report.error, 2.0, "  measured over predicted");
        }
        enuf_nufft_destroy(&plan);
        transform_free(&t);
    }
}

/* Norm of the modes over its mean for random strengths, 1 at most. A single mode may be far
 * smaller, and its relative error larger. */
static double cancellation(const transform *t)
{
    double modes = 0.0, strengths = 0.0;
    for (int64_t i = 0; i < t->n_modes; ++i) modes += pow(((double *)t->modes_expected)[i], 2);
    for (int64_t i = 0; i < t->n_strengths; ++i) strengths += pow(((double *)t->strengths)[i], 2);
    return fmin(1.0, sqrt(modes / (strengths * (double)t->modes)));
}

/* Grids of modes + 1 cells, the smallest that are legal. Modes 1, 2, 3: upsampling 2, 1.5, 1.33. */
static void tiny_grids(int dim, enuf_strengths strengths, int width)
{
    for (int64_t n = 1; n <= 3; ++n) {
        const int64_t modes[3] = {n, n % 3 + 1, (n + 1) % 3 + 1};
        enuf_nufft_options options = explicit_options(dim, modes, ENUF_WINDOW_PROLATE, width);
        options.strengths = strengths;
        for (int d = 0; d < dim; ++d) options.fine_grid[d] = modes[d] + 1;
        transform t = transform_make(&options, 50, 5);
        transform_sum(&t);
        enuf_nufft *plan = transform_plan(&t, NULL);
        if (plan) {
            enuf_nufft_report report = report_of(plan);
            for (int d = 0; d < dim; ++d) CHECK(report.fine_grid[d] == modes[d] + 1);
            /* the mean over so few modes fluctuates */
            double bound = 4.0 * fmax(report.error, 1e-15);
            printf("%dD %s, %lld x %lld x %lld modes, width %d\n", dim,
                   strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", (long long)modes[0],
                   (long long)modes[1], (long long)modes[2], width);
            CHECK_BELOW(type1_error(&t, plan) * cancellation(&t), bound,
                        "  type 1, 4 times predicted");
            CHECK_BELOW(type2_error(&t, plan), bound, "  type 2, 4 times predicted");
            CHECK_BELOW(report.error, width >= 16 ? 1e-6 : 1.0, "  predicted");
        }
        enuf_nufft_destroy(&plan);
        transform_free(&t);
    }
}

/* At upsampling 1 the modes near the edge are wrong, the others accurate. Their error is the
 * window's transform beyond 3 pi/2 over that below pi/2. */
static void upsampling_of_one(void)
{
    enuf_nufft_options options =
        explicit_options(1, (int64_t[3]){64, 1, 1}, ENUF_WINDOW_PROLATE, 16);
    options.upsampling = 1.0;
    transform t = transform_make(&options, 300, 6);
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    double *modes = numbers_make(ENUF_DOUBLE, t.n_modes);
    if (plan) {
        enuf_nufft_report report = report_of(plan);
        CHECK(report.fine_grid[0] >= 65 && report.fine_grid[0] <= 72);
        CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_SUCCESS);
        const double *expected = t.modes_expected;
        CHECK_BELOW(relative_error(ENUF_DOUBLE, 32, modes + 32 + 16, expected + 32 + 16), 1e-9,
                    "upsampling 1: modes |m| <= 8 of 32");
        CHECK_BELOW(relative_error(ENUF_DOUBLE, 64, modes + 32, expected + 32), 1e-5,
                    "upsampling 1: modes |m| <= 16 of 32");
    }
    enuf_nufft_destroy(&plan);
    free(modes);
    transform_free(&t);
}

/* Width or grid is given; the tolerance decides the rest. */
static void width_or_grid_given(void)
{
    enuf_nufft_options options = conformance_options(2, 30, 20, 0);
    enuf_nufft_report report = {.struct_size = sizeof report};
    options.tolerance = 1e-6;
    options.fine_grid[0] = 45;
    options.fine_grid[1] = 36;
    transform t = transform_make(&options, 200, 7);
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) {
        report = report_of(plan);
        CHECK(report.fine_grid[0] == 45 && report.fine_grid[1] == 36);
        CHECK_CLOSE(report.upsampling, 1.5, 1e-15, "smallest grid over modes");
        CHECK_BELOW(type1_error(&t, plan), 4e-6, "grid given: type 1");
    }
    enuf_nufft_destroy(&plan);
    options.fine_grid[0] = options.fine_grid[1] = 0;
    options.width = 9;
    plan = transform_plan(&t, &options);
    if (plan) {
        CHECK(report_of(plan).width == 9);
        CHECK_BELOW(type1_error(&t, plan), 4e-6, "width given: type 1");
    }
    enuf_nufft_destroy(&plan);
    options.width = 3;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("width");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void law(void)
{
    for (int w = ENUF_WINDOW_PROLATE; w <= ENUF_WINDOW_SINC_POWER; ++w) every_width((enuf_window)w);
    shape_as_given();
    for (int dim = 1; dim <= 3; ++dim)
        for (int width = 4; width <= 16; width += 6) {
            tiny_grids(dim, ENUF_COMPLEX_STRENGTHS, width);
            tiny_grids(dim, ENUF_REAL_STRENGTHS, width);
        }
    upsampling_of_one();
    width_or_grid_given();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
