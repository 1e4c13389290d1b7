/*
 * test_degenerate.c - legal extremes are correct: 0, 1, 2 and 400 points with no, one or few modes,
 * thin boxes of modes, more points than modes and the reverse. Types 1 and 2 and gradients in 1D to
 * 3D have a relative l2 error of at most 4 tolerances of 1e-7 against direct sums.
 *
 * Arrays without elements may be NULL. After reserve() no call allocates. The report and the
 * seconds of the stages are plausible.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double norm(int64_t n, const double *numbers)
{
    double square = 0.0;
    for (int64_t i = 0; i < n; ++i) square += numbers[i] * numbers[i];
    return sqrt(square);
}

static void check_extreme(int dim, const int64_t modes[3], int64_t n, enuf_strengths strengths)
{
    enuf_nufft_options options = conformance_options_of(dim, modes);
    options.strengths = strengths;
    options.tolerance = 1e-7;
    options.gradients = 1;
    options.upsampling = 2.0;
    transform t = transform_make(&options, n, 3);
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    printf("%dD %s, %lld x %lld x %lld modes, %lld points\n", dim,
           strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", (long long)modes[0],
           (long long)modes[1], (long long)modes[2], (long long)n);
    if (plan) {
        double bound = 4.0 * options.tolerance;
        CHECK_BELOW(type1_error(&t, plan), bound, "  type 1");
        CHECK_BELOW(type2_error(&t, plan), bound, "  type 2");
        /* with the single mode m = 0 gradients are zero: their scale is 2 pi times the values */
        double slopes = norm(t.n_gradients, t.gradients_expected);
        double scale = slopes > 0.0 ? 1.0 : 6.2832 * norm(t.n_values, t.values_expected);
        if (scale > 0.0) CHECK_BELOW(gradient_error(&t, plan) / scale, bound, "  gradients");
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Arrays without elements may be NULL. Results without terms are zeros. */
static void empty_arrays_may_be_null(void)
{
    double modes[2 * 5], values[2 * 2], gradients[4 * 2], sum = 7.0;
    const double x[2] = {0.1, 0.2}, ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    enuf_nufft *plan;
    enuf_nufft_options options = conformance_options(1, 5, 0, 0);
    for (int i = 0; i < 10; ++i) modes[i] = 7.0;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, 0, NULL, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, NULL, modes), ENUF_SUCCESS);
    for (int i = 0; i < 10; ++i) CHECK(modes[i] == 0.0);
    CHECK_STATUS(enuf_nufft_type2(plan, ones, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_forward(plan, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reduce(plan, 1, ones, 0, &sum), ENUF_SUCCESS);
    CHECK(sum == 0.0);
    CHECK_STATUS(enuf_nufft_backward(plan, ENUF_REAL, ones, NULL, NULL), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    CHECK(plan == NULL);
    enuf_nufft_destroy(&plan);

    options = conformance_options(2, 5, 0, 0);
    for (int i = 0; i < 4; ++i) values[i] = 7.0;
    for (int i = 0; i < 8; ++i) gradients[i] = 7.0;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, 2, x, x, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, ones, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, NULL, values, gradients), ENUF_SUCCESS);
    for (int i = 0; i < 4; ++i) CHECK(values[i] == 0.0);
    for (int i = 0; i < 8; ++i) CHECK(gradients[i] == 0.0);
    enuf_nufft_destroy(&plan);
}

static void nothing_is_allocated_after_reserve(int deterministic)
{
    enuf_nufft_options options = conformance_options(3, 10, 9, 8);
    options.strengths = ENUF_REAL_STRENGTHS;
    options.deterministic = deterministic;
    options.tolerance = 1e-8;
    transform t = transform_make(&options, 2000, 4);
    double *modes = numbers_make(ENUF_DOUBLE, t.n_modes);
    double *multiplier = numbers_make(ENUF_DOUBLE, t.modes);
    double *values = numbers_make(ENUF_DOUBLE, t.n_values);
    double *gradients = numbers_make(ENUF_DOUBLE, t.n_gradients);
    double sums[7];
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reserve(plan, t.n), ENUF_SUCCESS);
    enuf_fail_allocation(1);
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t.spectrum, values, gradients), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_forward(plan, t.strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reduce(plan, 1, multiplier, 1, sums), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_backward(plan, ENUF_REAL, multiplier, values, gradients), ENUF_SUCCESS);
    enuf_fail_allocation(0);
    enuf_nufft_destroy(&plan);
    free(modes);
    free(multiplier);
    free(values);
    free(gradients);
    transform_free(&t);
}

static void report_and_elapsed(void)
{
    enuf_nufft_options options = conformance_options(2, 40, 30, 0);
    double seconds[ENUF_STAGE_COUNT];
    enuf_nufft_report report = {.struct_size = sizeof report};
    transform t = transform_make(&options, 5000, 5);
    enuf_nufft *plan = transform_plan(&t, NULL);
    double *modes = numbers_make(ENUF_DOUBLE, t.n_modes);
    if (plan) {
        CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, seconds), ENUF_SUCCESS);
        CHECK(seconds[ENUF_STAGE_SORT] > 0.0 && seconds[ENUF_STAGE_SPREAD] > 0.0);
        CHECK(seconds[ENUF_STAGE_FFT] > 0.0 && seconds[ENUF_STAGE_INTERPOLATE] == 0.0);
        CHECK_STATUS(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, seconds), ENUF_SUCCESS);
        for (int k = 0; k < ENUF_STAGE_COUNT; ++k) CHECK(seconds[k] == 0.0);
        CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
        CHECK(report.backend == options.backend && report.window == ENUF_WINDOW_PROLATE);
        CHECK(report.fine_grid[0] > 40 && report.fine_grid[1] > 30 && report.fine_grid[2] == 1);
        CHECK(report.width >= 2 && report.shape > 0.0 && report.upsampling > 1.0);
        CHECK(report.error > 0.0 && report.error <= 1e-6);
        CHECK(report.bytes >= report.fine_grid[0] * report.fine_grid[1] * 16);
        options.memory_limit = report.bytes; /* of a plan with 5000 points; a new plan needs less */
        enuf_nufft *limited = transform_plan(&t, &options);
        if (limited) CHECK_STATUS(enuf_nufft_reserve(limited, t.n + 100), ENUF_OUT_OF_MEMORY);
        CHECK_TEXT("memory_limit");
        enuf_nufft_destroy(&limited);
        CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    }
    enuf_nufft_destroy(&plan);
    free(modes);
    transform_free(&t);
}

static void law(void)
{
    for (int real = 0; real < 2; ++real) {
        enuf_strengths strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
        static const int64_t modes[][3] = {{1, 1, 1}, {2, 1, 1},  {2, 2, 2},  {0, 4, 4},
                                           {4, 4, 0}, {1, 50, 1}, {3, 1, 20}, {70, 2, 3}};
        static const int64_t counts[] = {0, 1, 2, 400};
        for (int k = 0; k < 8; ++k)
            for (int c = 0; c < 4; ++c)
                for (int dim = 1; dim <= 3; ++dim)
                    check_extreme(dim, modes[k], counts[c], strengths);
    }
    empty_arrays_may_be_null();
    nothing_is_allocated_after_reserve(0);
    nothing_is_allocated_after_reserve(1);
    report_and_elapsed();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
