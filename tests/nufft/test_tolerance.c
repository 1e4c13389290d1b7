/*
 * test_tolerance.c - near the rounding limit a requested tolerance is delivered or refused.
 * Measured is the relative l2 error of types 1 and 2 against direct sums.
 *
 *   - double, float: 1e-11 to 1e-13, in float 1e-4 to 1e-6, on given and chosen grids in 1D. The
 *     worst of 20 draws is at most 1.3 tolerances, on the GPU 1.5.
 *   - dense: many points a mode, in 1D to 3D. The error is at most 1.3 times (GPU: 1.5) the one
 *     predicted for these points; on the CPU, if not deterministic, also at most the tolerance.
 *     Long lines of modes in 1D keep the tolerance.
 *   - unreachable: a tolerance that rounding makes unreachable is refused at any upsampling, with a
 *     text that names the reason.
 *
 * Argument: double|float|dense|unreachable.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 20 };

/* The worst of twenty draws may exceed the tolerance by this factor: predictions have room for the
 * spread of one draw. */
static const double SPREAD = 1.3, SPREAD_GPU = 1.5;

/* On the GPU the order of atomic sums differs from call to call. */
static double spread_of(const enuf_nufft_options *options)
{
    const int atomic = options->backend == ENUF_BACKEND_CUDA && !options->deterministic;
    return atomic ? SPREAD_GPU : SPREAD;
}

/* The worst error of types 1 and 2 over the draws, and the prediction of the plan with the points
 * set. */
typedef struct draw_errors {
    double worst, predicted;
} draw_errors;

static draw_errors measure_draws(enuf_nufft *plan, const enuf_nufft_options *options,
                                 int64_t points, int draws)
{
    draw_errors found = {0.0, 0.0};
    enuf_nufft_report report = {.struct_size = sizeof report};
    for (int draw = 0; draw < draws; ++draw) {
        transform t = transform_make(options, points, 100 + 7 * (uint64_t)draw);
        transform_sum(&t);
        CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
        found.predicted = report.error;
        found.worst = fmax(found.worst, fmax(type1_error(&t, plan), type2_error(&t, plan)));
        transform_free(&t);
    }
    return found;
}

/* A plan, or NULL where the tolerance is refused. */
static enuf_nufft *plan_of(const enuf_nufft_options *options)
{
    enuf_nufft *plan;
    enuf_status status = enuf_nufft_create(options, &plan);
    CHECK(status == ENUF_SUCCESS || status == ENUF_UNREACHABLE_ACCURACY);
    return plan;
}

/* Three tolerances on one grid, given or chosen: those that are not refused are delivered. */
static void sweep(enuf_nufft_options options, double upsampling, const double tolerances[3])
{
    double worst = 0.0;
    int served = 0;
    if (upsampling > 0.0)
        options.fine_grid[0] = (int64_t)ceil(upsampling * (double)options.modes[0] - 1e-9);
    for (int k = 0; k < 3; ++k) {
        options.tolerance = tolerances[k];
        enuf_nufft *plan = plan_of(&options);
        if (!plan) {
            CHECK(upsampling > 0.0 && upsampling < 2.0);
            continue;
        }
        ++served;
        worst = fmax(worst, measure_draws(plan, &options, 300, DRAWS).worst / tolerances[k]);
        enuf_nufft_destroy(&plan);
    }
    printf("%s, %lld modes, upsampling %g: %d of 3 served; ", enuf_window_name(options.window),
           (long long)options.modes[0], upsampling, served);
    CHECK_BELOW(worst, spread_of(&options), "worst error over tolerance");
}

static void near_the_limit(enuf_precision precision)
{
    static const double in_double[3] = {1e-11, 1e-12, 1e-13}, in_float[3] = {1e-4, 1e-5, 1e-6};
    static const double upsamplings[] = {1.25, 1.3, 1.5, 2.0, 0.0};
    static const int64_t modes[] = {8, 20, 40, 101};
    for (int m = 0; m < 4; ++m)
        for (int u = 0; u < 5; ++u) {
            enuf_nufft_options options = conformance_options(1, modes[m], 1, 1);
            options.precision = precision;
            options.window = u % 2 ? ENUF_WINDOW_KAISER_BESSEL : ENUF_WINDOW_PROLATE;
            sweep(options, upsamplings[u], precision == ENUF_FLOAT ? in_float : in_double);
        }
    /* one mode of twenty holds the error, and one of these draws is the worst of a thousand */
    enuf_nufft_options options = conformance_options(1, 20, 1, 1);
    options.precision = precision;
    sweep(options, 2.0, precision == ENUF_FLOAT ? in_float : in_double);
}

/* Rounding grows with the points a mode where sums are atomic or fixed-point. There only the
 * prediction with these points set is a bound. */
static void many_points_a_mode(int dim, int64_t modes, int64_t points, int deterministic)
{
    enuf_nufft_options options = conformance_options(dim, modes, modes, modes);
    options.tolerance = 1e-12;
    options.deterministic = deterministic;
    enuf_nufft *plan = plan_of(&options);
    if (!CHECK(plan != NULL)) return;
    draw_errors found = measure_draws(plan, &options, points, 2);
    enuf_nufft_destroy(&plan);
    int sums_in_tiles = options.backend == ENUF_BACKEND_CPU && !deterministic;
    printf("%dD, %lld modes an axis, %lld points%s: error %.3g, predicted %.3g\n", dim,
           (long long)modes, (long long)points, deterministic ? ", deterministic" : "", found.worst,
           found.predicted);
    CHECK_BELOW(found.worst, spread_of(&options) * found.predicted,
                "error with many points a mode");
    if (sums_in_tiles) CHECK_BELOW(found.worst, options.tolerance, "  and at most the tolerance");
}

/* So many modes that the window's transform comes from a table and all threads share the FFT. */
static void many_modes(int64_t modes, int threads, enuf_strengths strengths, int sign)
{
    enuf_nufft_options options = conformance_options(1, modes, 1, 1);
    options.tolerance = 1e-11;
    options.threads = threads;
    options.strengths = strengths;
    options.sign = sign;
    enuf_nufft *plan = plan_of(&options);
    if (!CHECK(plan != NULL)) return;
    draw_errors found = measure_draws(plan, &options, 100, 1);
    enuf_nufft_destroy(&plan);
    printf("%lld modes, %d threads, %s, sign %d: ", (long long)modes, threads,
           strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", sign);
    CHECK_BELOW(found.worst, options.tolerance, "error");
}

static void many_modes_in_1d(void)
{
    const int64_t modes[] = {8191, 16000, 16383, 40000};
    for (int k = 0; k < 4; ++k)
        for (int threads = 1; threads <= 3; threads += 2)
            for (int sign = -1; sign <= 1; sign += 2) {
                many_modes(modes[k], threads, ENUF_COMPLEX_STRENGTHS, sign);
                many_modes(modes[k], threads, ENUF_REAL_STRENGTHS, sign);
            }
}

static void unreachable(int64_t modes, double upsampling, double tolerance, const char *what)
{
    enuf_nufft_options options = conformance_options(1, modes, 1, 1);
    enuf_nufft *plan;
    options.tolerance = tolerance;
    options.upsampling = upsampling;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT(what);
    enuf_nufft_destroy(&plan);
}

static void law(void)
{
    const char *which = conformance_argument(0);
    if (strcmp(which, "double") == 0) {
        near_the_limit(ENUF_DOUBLE);
    } else if (strcmp(which, "float") == 0) {
        near_the_limit(ENUF_FLOAT);
    } else if (strcmp(which, "dense") == 0) {
        many_points_a_mode(1, 8, 1000000, 0);
        many_points_a_mode(2, 6, 200000, 0);
        many_points_a_mode(3, 4, 100000, 0);
        many_points_a_mode(1, 8, 200000, 1);
        many_modes_in_1d();
    } else {
        unreachable(100000, 2.0, 1e-13, "coordinates");
        unreachable(100000, 3.0, 1e-13, "coordinates");
        unreachable(100000, 0.0, 1e-13, "coordinates");
        unreachable(40, 1.3, 1e-14, "upsampling");
    }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
