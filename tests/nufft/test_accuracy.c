/*
 * test_accuracy.c - types 1 and 2 deliver the requested tolerance: their relative l2 error against
 * direct sums is at most max(rounding floor, 4 tolerance). 300 random points.
 *
 * Swept are tolerances from 0.1 to 1e-14 (float: 1e-6), 8 a decade; the prolate, semicircle and
 * Kaiser-Bessel windows; upsampling 2, 1.25 and chosen by the library; complex strengths with odd
 * numbers of modes, real strengths with even ones. A tolerance may be refused only if it is below
 * the rounding floor of a given upsampling. The library then delivers it with an upsampling of its
 * own choice.
 *
 * No width is larger than needed: with one cell less, the predicted error exceeds the tolerance.
 *
 * Arguments: double|float, dimension.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_DECADE = 8 };

/* Results of a sweep over tolerances. */
typedef struct sweep {
    double upsampling;        /* 0: chosen by the library */
    double worst;             /* error over its bound */
    double worst_above_floor; /* error over tolerance, where 4 tolerance > floor */
    int served;
    int refused;
    int too_wide;
} sweep;

static void check_refusal(const transform *t, const enuf_nufft_options *options, double floor)
{
    enuf_nufft_options chosen = *options;
    char text[1024];
    snprintf(text, sizeof text, "%s", enuf_last_error());
    CHECK(options->upsampling > 0.0 && options->tolerance < floor);
    CHECK(strstr(text, "upsampling") != NULL && strstr(text, "tolerance") != NULL);
    /* the text has at least three numbers: tolerance, floor, an upsampling that is enough */
    int figures = 0;
    for (const char *at = text; *at; ++at) {
        char *end;
        if (strchr("0123456789", *at) == NULL) continue;
        strtod(at, &end);
        ++figures;
        at = end - 1;
    }
    CHECK(figures >= 3);
    chosen.upsampling = 0.0;
    enuf_nufft *plan = transform_plan(t, &chosen);
    if (!plan) return;
    double bound = fmax(rounding_floor(options, 2.0), 4.0 * options->tolerance);
    CHECK(type1_error(t, plan) <= bound && type2_error(t, plan) <= bound);
    enuf_nufft_destroy(&plan);
}

/* 1 if the window could be one cell narrower: on the same grid its predicted error still meets the
 * tolerance. */
static int is_too_wide(const enuf_nufft_options *options, const enuf_nufft_report *report)
{
    enuf_nufft_options narrower = *options;
    enuf_nufft_report narrower_report = {.struct_size = sizeof narrower_report};
    enuf_nufft *plan;
    if (report->width <= 2) return 0;
    narrower.tolerance = 0.0;
    narrower.width = report->width - 1;
    for (int d = 0; d < options->dim; ++d) narrower.fine_grid[d] = report->fine_grid[d];
    if (!CHECK_STATUS(enuf_nufft_create(&narrower, &plan), ENUF_SUCCESS)) return 1;
    CHECK_STATUS(enuf_nufft_get_report(plan, &narrower_report), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    if (narrower_report.error > options->tolerance) return 0;
    printf("    tolerance %.3g: width %d predicts %.3g, width %d predicts %.3g\n",
           options->tolerance, report->width, report->error, narrower.width, narrower_report.error);
    return 1;
}

static void measure(const transform *t, const enuf_nufft_options *options, sweep *found)
{
    enuf_nufft *plan;
    enuf_nufft_report report = {.struct_size = sizeof report};
    double upsampling = options->upsampling > 0.0 ? options->upsampling : 2.0;
    double floor = rounding_floor(options, upsampling);
    enuf_status status = enuf_nufft_create(options, &plan);
    if (status == ENUF_UNREACHABLE_ACCURACY) {
        CHECK(plan == NULL);
        check_refusal(t, options, floor);
        ++found->refused;
        return;
    }
    if (!CHECK_STATUS(status, ENUF_SUCCESS)) return;
    CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    double error = fmax(type1_error(t, plan), type2_error(t, plan));
    double bound = fmax(floor, 4.0 * options->tolerance);
    if (!(error <= bound))
        printf("    tolerance %.3g, width %d: error %.3g (type 1 %.3g, type 2 %.3g), predicted "
               "%.3g, bound %.3g\n",
               options->tolerance, report.width, error, type1_error(t, plan), type2_error(t, plan),
               report.error, bound);
    found->worst = fmax(found->worst, error / bound);
    if (bound > floor)
        found->worst_above_floor = fmax(found->worst_above_floor, error / options->tolerance);
    ++found->served;
    if (options->upsampling > 0.0 && options->strengths == ENUF_COMPLEX_STRENGTHS)
        found->too_wide += is_too_wide(options, &report);
    enuf_nufft_destroy(&plan);
}

static void sweep_tolerances(const transform *t, enuf_window window, double upsampling)
{
    int decades = t->options.precision == ENUF_FLOAT ? 5 : 13;
    sweep found = {.upsampling = upsampling};
    /* refusals take longest: after the first one, a tolerance a decade is enough */
    for (int step = 0; step <= decades * STEPS_PER_DECADE;
         step += found.refused ? STEPS_PER_DECADE : 1) {
        enuf_nufft_options options = t->options;
        options.window = window;
        options.upsampling = upsampling;
        options.tolerance = pow(10.0, -1.0 - (double)step / STEPS_PER_DECADE);
        measure(t, &options, &found);
    }
    printf("  %s, upsampling %g: worst error/tolerance %.2f above the floor; %d served, %d "
           "refused\n",
           enuf_window_name(window), upsampling, found.worst_above_floor, found.served,
           found.refused);
    CHECK_BELOW(found.worst, 1.0, "    worst error over max(floor, 4 tolerance)");
    CHECK(found.served > 0);
    CHECK_BELOW(found.too_wide, 0, "    widths larger than needed");
}

static void sweep_windows(int dim, const int64_t modes[3], enuf_precision precision,
                          enuf_strengths strengths)
{
    static const enuf_window windows[] = {ENUF_WINDOW_PROLATE, ENUF_WINDOW_ES,
                                          ENUF_WINDOW_KAISER_BESSEL};
    static const double upsamplings[] = {2.0, 1.25, 0.0};
    enuf_nufft_options options = conformance_options_of(dim, modes);
    options.precision = precision;
    options.strengths = strengths;
    transform t = transform_make(&options, 300, 31);
    transform_sum(&t);
    printf("%lld x %lld x %lld, %s strengths\n", (long long)modes[0], (long long)modes[1],
           (long long)modes[2], strengths == ENUF_REAL_STRENGTHS ? "real" : "complex");
    int choices =
        strengths == ENUF_REAL_STRENGTHS ? 2 : 3; /* the choice does not depend on the strengths */
    for (int u = 0; u < choices; ++u)
        for (int w = 0; w < 3; ++w)
            if (upsamplings[u] > 0.0 || w == 0) sweep_tolerances(&t, windows[w], upsamplings[u]);
    transform_free(&t);
}

static void law(void)
{
    static const int64_t even[3][3] = {{100, 1, 1}, {30, 22, 1}, {14, 12, 10}};
    static const int64_t odd[3][3] = {{101, 1, 1}, {23, 31, 1}, {13, 11, 9}};
    enuf_precision precision =
        strcmp(conformance_argument(0), "float") == 0 ? ENUF_FLOAT : ENUF_DOUBLE;
    int dim = atoi(conformance_argument(1));
    if (!CHECK(dim >= 1 && dim <= 3)) return;
    sweep_windows(dim, odd[dim - 1], precision, ENUF_COMPLEX_STRENGTHS);
    sweep_windows(dim, even[dim - 1], precision, ENUF_REAL_STRENGTHS);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
