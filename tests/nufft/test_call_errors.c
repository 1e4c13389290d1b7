/*
 * test_call_errors.c - a wrong call of a plan returns an error status and a text that names the
 * mistake. The plan still works afterwards, with the points it had before.
 *
 * Checked are a NULL plan, calls in the wrong order, bad arguments, NaN and infinity in points,
 * strengths, factors, modes and weights, and results that overflow. The text names the first bad
 * point. "Works" means a relative l2 error of at most 4 tolerances against direct sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/nufft_stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

static const double ONES[2 * 1000] = {1.0};

static void without_a_plan(void)
{
    double x[2 * N] = {0.0}, sums[7], seconds[ENUF_STAGE_COUNT];
    const float x_float[N] = {0.0f};
    enuf_nufft_report report = {.struct_size = sizeof report};
    void *cells;
    int64_t count, bad;
    enuf_cell_type type;
    enuf_brick brick = {{0}, {0}, {0}, {0}, {0}, {0}};
    enuf_spectral_box box = {{0}, {0}, {0}, {0}, {0}, 0};
#define BAD(call)                                                                                  \
    do {                                                                                           \
        CHECK_STATUS(call, ENUF_BAD_ARGUMENT);                                                     \
        CHECK_TEXT("plan");                                                                        \
    } while (0)
    const uint64_t *bad_on_device;
    BAD(enuf_nufft_get_report(NULL, &report));
    BAD(enuf_nufft_reserve(NULL, 3));
    BAD(enuf_nufft_set_frame(NULL, NULL, NULL));
    BAD(enuf_nufft_set_points(NULL, N, x, x, x, 1));
    BAD(enuf_nufft_set_points_f32(NULL, N, x_float, x_float, x_float, 1));
    BAD(enuf_nufft_type1(NULL, x, x));
    BAD(enuf_nufft_type2(NULL, x, x, NULL));
    BAD(enuf_nufft_spread(NULL, x));
    BAD(enuf_nufft_grid(NULL, &cells, &count, &type));
    BAD(enuf_nufft_transform(NULL));
    BAD(enuf_nufft_forward(NULL, x));
    BAD(enuf_nufft_get_spectrum(NULL, 0, NULL, x));
    BAD(enuf_nufft_put_spectrum(NULL, 0, NULL, x));
    BAD(enuf_nufft_reduce(NULL, 1, x, 0, sums));
    BAD(enuf_nufft_backward(NULL, ENUF_REAL, x, x, NULL));
    BAD(enuf_nufft_filter(NULL, x, x, NULL));
    BAD(enuf_nufft_check(NULL, &bad));
    BAD(enuf_nufft_first_bad(NULL, &bad_on_device));
    BAD(enuf_nufft_elapsed(NULL, ENUF_STAGE_COUNT, seconds));
    BAD(enuf_stage_spread(NULL, x, NULL, &brick, x, 0));
    BAD(enuf_stage_interpolate(NULL, &brick, x, NULL, x, NULL, 0));
    BAD(enuf_stage_deconvolve(NULL, &box, x));
    BAD(enuf_stage_multiply(NULL, &box, ENUF_REAL, x, x));
    BAD(enuf_stage_reduce(NULL, &box, 1, x, 0, x, sums));
#undef BAD
}

static void in_the_wrong_order(void)
{
    enuf_nufft_options options = conformance_options(1, 8, 0, 0);
    transform t = transform_make(&options, N, 3);
    double modes[16], values[2 * N], sum;
    void *cells;
    int64_t count;
    enuf_cell_type type;
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
#define TOO_EARLY(call, first)                                                                     \
    do {                                                                                           \
        CHECK_STATUS(call, ENUF_NO_POINTS_SET);                                                    \
        CHECK_TEXT(first);                                                                         \
    } while (0)
    int64_t first_bad = 0;
    CHECK_STATUS(enuf_nufft_check(plan, &first_bad), ENUF_SUCCESS); /* no error yet */
    CHECK(first_bad == -1);
    TOO_EARLY(enuf_nufft_type1(plan, t.strengths, modes), "set_points");
    TOO_EARLY(enuf_nufft_type2(plan, t.spectrum, values, NULL), "set_points");
    TOO_EARLY(enuf_nufft_spread(plan, t.strengths), "set_points");
    TOO_EARLY(enuf_nufft_forward(plan, t.strengths), "set_points");
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    TOO_EARLY(enuf_nufft_grid(plan, &cells, &count, &type), "spread");
    TOO_EARLY(enuf_nufft_transform(plan), "spread");
    TOO_EARLY(enuf_nufft_filter(plan, ONES, values, NULL), "spread");
    TOO_EARLY(enuf_nufft_filter(plan, ONES, NULL, NULL), "spread");
    TOO_EARLY(enuf_nufft_reduce(plan, 1, ONES, 0, &sum), "forward");
    TOO_EARLY(enuf_nufft_backward(plan, ENUF_REAL, ONES, values, NULL), "forward");
    TOO_EARLY(enuf_nufft_get_spectrum(plan, 0, NULL, modes), "forward");
    CHECK_STATUS(enuf_nufft_set_frame(plan, NULL, NULL), ENUF_SUCCESS);
    /* a new frame discards the points */
    TOO_EARLY(enuf_nufft_type1(plan, t.strengths, modes), "set_points");
    enuf_nufft_destroy(&plan);
    options.no_grid = 1;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("no_grid");
    enuf_nufft_destroy(&plan);
#undef TOO_EARLY
    transform_free(&t);
}

static void bad_arguments(void)
{
    enuf_nufft_options options = conformance_options(2, 8, 7, 0);
    transform t = transform_make(&options, N, 4);
    const double *p = t.points;
    double modes[2 * 56], values[2 * N], sum;
    const double T[9] = {1.0, 0.0, 0.0, 0.0, NAN, 0.0, 0.0, 0.0, 1.0};
    const double origin[3] = {0.0, INFINITY, 0.0};
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
#define BAD(call, text)                                                                            \
    do {                                                                                           \
        CHECK_STATUS(call, ENUF_BAD_ARGUMENT);                                                     \
        CHECK_TEXT(text);                                                                          \
    } while (0)
    BAD(enuf_nufft_reserve(plan, -1), "-1");
    BAD(enuf_nufft_set_points(plan, -5, p, p + 1, NULL, 3), "-5");
    BAD(enuf_nufft_set_points(plan, N, p, p + 1, NULL, 0), "stride");
    BAD(enuf_nufft_set_points(plan, N, p, p + 1, NULL, INT64_MAX), "stride");
    BAD(enuf_nufft_set_points(plan, INT64_MAX / 4, p, p + 1, NULL, 3), "stride");
    BAD(enuf_nufft_set_points(plan, N, NULL, p + 1, NULL, 3), "x");
    BAD(enuf_nufft_set_points(plan, N, p, NULL, NULL, 3), "y");
    BAD(enuf_nufft_type1(plan, NULL, modes), "strengths");
    BAD(enuf_nufft_type1(plan, t.strengths, NULL), "modes");
    BAD(enuf_nufft_type2(plan, NULL, values, NULL), "modes");
    BAD(enuf_nufft_spread(plan, NULL), "strengths");
    BAD(enuf_nufft_get_report(plan, NULL), "report");
    BAD(enuf_nufft_get_report(plan, &(enuf_nufft_report){.struct_size = 8}), "struct_size is 8");
    BAD(enuf_nufft_elapsed(plan, -1, &sum), "-1");
    double few[ENUF_STAGE_COUNT + 1] = {-1.0, -1.0};
    CHECK_STATUS(enuf_nufft_elapsed(plan, 1, few), ENUF_SUCCESS);
    CHECK(few[0] >= 0.0 && few[1] == -1.0); /* no write past the end of the array */
    CHECK_STATUS(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT + 1, few), ENUF_SUCCESS);
    CHECK(few[ENUF_STAGE_COUNT] == 0.0);
    BAD(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, NULL), "seconds");
    CHECK_STATUS(enuf_nufft_forward(plan, t.strengths), ENUF_SUCCESS);
    BAD(enuf_nufft_reduce(plan, 1, NULL, 0, &sum), "weights");
    BAD(enuf_nufft_reduce(plan, 1, ONES, 0, NULL), "sums");
    BAD(enuf_nufft_reduce(plan, -1, ONES, 0, &sum), "-1");
    BAD(enuf_nufft_backward(plan, ENUF_REAL, NULL, values, NULL), "multiplier");
    BAD(enuf_nufft_backward(plan, (enuf_multiplier)4, ONES, values, NULL), "4");
    BAD(enuf_nufft_filter(plan, NULL, values, NULL), "multiplier");
    BAD(enuf_nufft_first_bad(plan, NULL), "first_bad");
    BAD(enuf_nufft_get_spectrum(plan, 0, NULL, NULL), "packed");
    BAD(enuf_nufft_put_spectrum(plan, 0, NULL, NULL), "packed");
#undef BAD
    const uint64_t *bad_on_device;
    CHECK_STATUS(enuf_nufft_first_bad(plan, &bad_on_device), ENUF_UNSUPPORTED);
    CHECK_TEXT("host");
    /* the plan still works after all these errors */
    transform_sum(&t);
    CHECK_BELOW(type1_error(&t, plan), 4.0 * options.tolerance, "after the errors: type 1");
    CHECK_STATUS(enuf_nufft_set_frame(plan, T, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("T[4]");
    CHECK_STATUS(enuf_nufft_set_frame(plan, NULL, origin), ENUF_NOT_FINITE);
    CHECK_TEXT("origin[1]");
    CHECK_BELOW(type1_error(&t, plan), 4.0 * options.tolerance, "after the errors: type 1");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void points_not_finite(int dim, double bad)
{
    enuf_nufft_options options = conformance_options(dim, 8, 7, 6);
    options.threads = 2;
    transform t = transform_make(&options, N, 5);
    float narrow[3 * N];
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    transform_sum(&t);
    double right[2] = {t.points[3 * 23 + dim - 1], t.points[3 * 37]};
    t.points[3 * 23 + dim - 1] = bad;
    t.points[3 * 37] = bad;
    CHECK_STATUS(enuf_nufft_set_points(plan, N, t.points, t.points + 1, t.points + 2, 3),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("23");
    for (int j = 0; j < 3 * N; ++j) narrow[j] = (float)t.points[j];
    CHECK_STATUS(enuf_nufft_set_points_f32(plan, N, narrow, narrow + 1, narrow + 2, 3),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("23");
    CHECK_BELOW(type1_error(&t, plan), 4.0 * options.tolerance, "earlier points: type 1");
    int64_t first_bad = -2;
    CHECK_STATUS(enuf_nufft_check(plan, &first_bad), ENUF_NOT_FINITE);
    CHECK(first_bad == 23);
    CHECK_STATUS(enuf_nufft_check(plan, &first_bad), ENUF_SUCCESS); /* an error is reported once */
    CHECK(first_bad == -1);
    t.points[3 * 23 + dim - 1] = right[0];
    t.points[3 * 37] = right[1];
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    CHECK_BELOW(type1_error(&t, plan), 4.0 * options.tolerance, "usable afterwards: type 1");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* A strength that is NaN or infinite is an error. The grid of the spread before stays as it was,
 * and later calls are correct. */
static void strengths_not_finite(enuf_strengths strengths, int deterministic)
{
    enuf_nufft_options options = conformance_options(2, 8, 7, 0);
    options.strengths = strengths;
    options.deterministic = deterministic;
    transform t = transform_make(&options, N, 6);
    double modes[2 * 56];
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    transform_sum(&t);
    double *q = t.strengths, right = q[11];
    q[11] = NAN;
    CHECK_STATUS(enuf_nufft_type1(plan, q, modes), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS); /* the points are finite */
    q[11] = right;
    CHECK_STATUS(enuf_nufft_spread(plan, q), ENUF_SUCCESS);
    q[11] = INFINITY;
    CHECK_STATUS(enuf_nufft_spread(plan, q), ENUF_NOT_FINITE);
    q[11] = right;
    CHECK_STATUS(enuf_nufft_transform(plan), ENUF_SUCCESS); /* of the grid that was spread */
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, modes), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_modes, modes, t.modes_expected),
                4.0 * options.tolerance, "grid of the spread before: type 1");
    CHECK_BELOW(type1_error(&t, plan), 4.0 * options.tolerance, "usable afterwards: type 1");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Refused points leave the earlier points in the plan, also if they are more than the plan has room
 * for. */
static void refused_points_leave_the_earlier_ones(int64_t n, int stride)
{
    enuf_nufft_options options = conformance_options(3, 8, 7, 6);
    transform t = transform_make(&options, N, 7);
    transform_sum(&t);
    double *x = calloc((size_t)(n * stride), sizeof *x);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (x && plan) {
        x[(n - 1) * stride] = NAN;
        CHECK_STATUS(enuf_nufft_spread(plan, t.strengths), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_set_points(plan, n, x, x, x, stride), ENUF_NOT_FINITE);
        CHECK_STATUS(enuf_nufft_transform(plan), ENUF_SUCCESS); /* of the grid that was spread */
        CHECK_BELOW(type1_error(&t, plan), 4.0 * options.tolerance, "earlier points: type 1");
        CHECK_BELOW(type2_error(&t, plan), 4.0 * options.tolerance, "earlier points: type 2");
        /* a new frame has no earlier points */
        CHECK_STATUS(enuf_nufft_set_frame(plan, NULL, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_set_points(plan, n, x, x, x, stride), ENUF_NOT_FINITE);
        CHECK_STATUS(enuf_nufft_spread(plan, t.strengths), ENUF_NO_POINTS_SET);
        CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
        CHECK_BELOW(type1_error(&t, plan), 4.0 * options.tolerance, "points set again: type 1");
    }
    free(x);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Stages that work on arrays of the caller report NaN and infinity as the transforms do. A refused
 * spread leaves the grid unchanged. A refused deconvolution on the CPU leaves the spectrum
 * unchanged. */
static void stages_report_what_is_not_finite(int dim, enuf_precision precision,
                                             enuf_strengths strengths)
{
    enuf_nufft_options options = conformance_options(dim, 12, 10, 9);
    const double large = precision == ENUF_FLOAT ? 3e38 : 1e308;
    const int64_t parts = strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    enuf_nufft_report report = {.struct_size = sizeof report};
    options.precision = precision;
    options.strengths = strengths;
    options.no_grid = 1;
    options.tolerance = 1e-4;
    transform t = transform_make(&options, N, 9);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    enuf_brick brick = {.n = {1, 1, 1}};
    enuf_spectral_box box = {.half_axis = parts == 1 ? 0 : -1};
    int64_t cells = 1, frequencies = 1;
    for (int d = 0; d < 3; ++d) {
        brick.global[d] = brick.n[d] = report.fine_grid[d];
        brick.stride[d] = cells;
        cells *= brick.n[d];
        box.global_grid[d] = report.fine_grid[d];
        box.modes[d] = d < dim ? options.modes[d] : 1;
        box.n[d] = d == box.half_axis ? report.fine_grid[d] / 2 + 1 : report.fine_grid[d];
        box.axis_order[d] = dim - 1 - d;
        frequencies *= box.n[d];
    }
    void *grid = numbers_random(precision, parts * cells, 10);
    void *before = numbers_random(precision, parts * cells, 10);
    void *spectrum = numbers_random(precision, 2 * frequencies, 11);
    void *spectrum_before = numbers_random(precision, 2 * frequencies, 11);
    void *weights = numbers_random(precision, frequencies, 12);
    void *factors = numbers_random(precision, N, 13);
    void *results = numbers_make(precision, 3 * parts * N);
    const double right = number_at(precision, t.strengths, parts * 11);
    const double factor = number_at(precision, factors, 17);

    number_set(precision, t.strengths, parts * 11, NAN);
    CHECK_STATUS(enuf_stage_spread(plan, t.strengths, NULL, &brick, grid, 0), ENUF_NOT_FINITE);
    CHECK_TEXT("strength");
    number_set(precision, t.strengths, parts * 11, large);
    CHECK_STATUS(enuf_stage_spread(plan, t.strengths, NULL, &brick, grid, 1), ENUF_NOT_FINITE);
    number_set(precision, t.strengths, parts * 11, right);
    number_set(precision, factors, 17, INFINITY);
    CHECK_STATUS(enuf_stage_spread(plan, t.strengths, factors, &brick, grid, 1), ENUF_NOT_FINITE);
    CHECK(numbers_equal(precision, parts * cells, grid, before));
    CHECK_STATUS(enuf_stage_interpolate(plan, &brick, grid, factors, results, NULL, 0),
                 ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_stage_interpolate(plan, &brick, grid, factors, NULL, results, 0),
                 ENUF_NOT_FINITE);
    number_set(precision, factors, 17, factor);
    CHECK_STATUS(enuf_stage_interpolate(plan, &brick, grid, factors, results, NULL, 0),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_spread(plan, t.strengths, factors, &brick, grid, 1), ENUF_SUCCESS);
    for (int64_t k = 0; k < parts * cells; ++k) number_set(precision, grid, k, NAN);
    CHECK_STATUS(enuf_stage_interpolate(plan, &brick, grid, NULL, results, NULL, 0),
                 ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_stage_interpolate(plan, &brick, grid, NULL, NULL, results, 0),
                 ENUF_NOT_FINITE);

    number_set(precision, spectrum, 0, NAN);
    number_set(precision, spectrum_before, 0, NAN);
    CHECK_STATUS(enuf_stage_deconvolve(plan, &box, spectrum), ENUF_NOT_FINITE);
    if (options.backend == ENUF_BACKEND_CPU)
        CHECK(number_at(precision, spectrum, 2) == number_at(precision, spectrum_before, 2));
    number_set(precision, weights, 0, INFINITY);
    number_set(precision, spectrum, 0, 1);
    double sums[7];
    CHECK_STATUS(enuf_stage_reduce(plan, &box, 1, weights, 1, spectrum, sums), ENUF_NOT_FINITE);
    number_set(precision, weights, 0, 1);
    CHECK_STATUS(enuf_stage_reduce(plan, &box, 1, weights, 1, spectrum, sums), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_deconvolve(plan, &box, spectrum), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);

    free(grid);
    free(before);
    free(spectrum);
    free(spectrum_before);
    free(weights);
    free(factors);
    free(results);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Results that overflow, and NaN in modes or weights, are errors. */
static void results_not_finite(int dim, enuf_precision precision, enuf_strengths strengths)
{
    enuf_nufft_options options = conformance_options(dim, 6, 5, 4);
    const double large = precision == ENUF_FLOAT ? 3e38 : 1e308, weight = NAN;
    options.precision = precision;
    options.strengths = strengths;
    transform t = transform_make(&options, N, 8);
    transform_sum(&t);
    double values[6 * N], sums[7];
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    double right = number_at(precision, t.strengths, 3);
    for (int j = 0; j < N; ++j) number_set(precision, t.strengths, j, large);
    CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, values), ENUF_NOT_FINITE);
    for (int j = 0; j < N; ++j) number_set(precision, t.strengths, j, right);
    /* each number of each mode in turn, without those that real strengths ignore */
    int missed = 0;
    for (int64_t at = 0; at < t.n_modes; ++at) {
        double mode = number_at(precision, t.spectrum, at);
        int64_t m[3];
        mode_numbers(&options, at / 2, m);
        int zeroth = m[0] == 0 && m[1] == 0 && m[2] == 0 && at % 2 == 1;
        if (strengths == ENUF_REAL_STRENGTHS && (zeroth || mode_is_unpaired(&options, at / 2)))
            continue;
        number_set(precision, t.spectrum, at, at % 3 ? NAN : INFINITY);
        missed += enuf_nufft_type2(plan, t.spectrum, values, NULL) != ENUF_NOT_FINITE;
        missed += enuf_nufft_type2(plan, t.spectrum, NULL, values) != ENUF_NOT_FINITE;
        number_set(precision, t.spectrum, at, mode);
    }
    CHECK_BELOW(missed, 0, "bad modes that were accepted");
    CHECK_STATUS(enuf_nufft_forward(plan, t.strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reduce(plan, 1, ONES, 1, sums), ENUF_SUCCESS);
    void *weights = numbers_make(precision, t.modes);
    int64_t paired = 0;
    while (mode_is_unpaired(&options, paired)) ++paired;
    number_set(precision, weights, paired, weight);
    CHECK_STATUS(enuf_nufft_reduce(plan, 1, weights, 1, sums), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_nufft_backward(plan, ENUF_REAL, weights, values, NULL), ENUF_NOT_FINITE);
    free(weights);
    CHECK_BELOW(type2_error(&t, plan), 4.0 * options.tolerance, "usable afterwards: type 2");
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void law(void)
{
    /* a stride above 4 is packed before the copy to a GPU */
    for (int stride = 1; stride <= 5; stride += 4) {
        refused_points_leave_the_earlier_ones(N / 2, stride);
        refused_points_leave_the_earlier_ones(N, stride);
        refused_points_leave_the_earlier_ones(5000, stride);
    }
    for (int kind = 0; kind < 12; ++kind)
        results_not_finite(1 + kind / 4, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                           kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS);
    for (int kind = 0; kind < 12; ++kind)
        stages_report_what_is_not_finite(1 + kind / 4, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                                         kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS);

    without_a_plan();
    in_the_wrong_order();
    bad_arguments();
    for (int dim = 1; dim <= 3; ++dim) {
        points_not_finite(dim, NAN);
        points_not_finite(dim, -INFINITY);
    }
    for (int kind = 0; kind < 4; ++kind)
        strengths_not_finite(kind & 1 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS, kind >> 1);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
