/*
 * test_predicted_error.c - the error that a plan predicts is the error that it has, within a factor
 * of two, for random strengths at random points. Measured is the relative l2 error against direct
 * sums. If rounding contributes (predictions below ten times the rounding floor, for gradients a
 * hundred), the error is at most twice the prediction. Every window, widths 2 to 14, upsampling 2
 * and 1.25, types 1 and 2 and gradients.
 *
 * Argument: dimension.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The least and the largest ratio of measured to predicted error, over the widths. */
typedef struct spread_of_ratios {
    double least, most;
} spread_of_ratios;

static void update(spread_of_ratios *ratios, double measured, double predicted, double floor,
                   const char *what, int width)
{
    double ratio = measured / predicted;
    if (predicted > 1.0) return; /* a transform without a correct digit promises nothing */
    if (!(ratio < 2.0) || (predicted > floor && !(ratio > 0.5)))
        printf("    width %d, %s: measured %.3g, predicted %.3g\n", width, what, measured,
               predicted);
    if (ratio > ratios->most) ratios->most = ratio;
    if (predicted > floor && ratio < ratios->least) ratios->least = ratio;
}

static void check(const spread_of_ratios *ratios, const char *what)
{
    printf("    %s: measured/predicted %.2f to %.2f\n", what, ratios->least, ratios->most);
    CHECK(ratios->least >= 0.5 && ratios->most <= 2.0);
}

static void every_width(const transform *t, enuf_window window, double upsampling)
{
    spread_of_ratios type1 = {1.0, 1.0}, type2 = {1.0, 1.0}, gradients = {1.0, 1.0};
    double floor = 10.0 * rounding_floor(&t->options, upsampling);
    for (int width = 2; width <= 14; ++width) {
        enuf_nufft_options options = t->options;
        enuf_nufft_report report = {.struct_size = sizeof report};
        options.window = window;
        options.tolerance = 0.0;
        options.upsampling = upsampling;
        options.width = width;
        enuf_nufft *plan = transform_plan(t, &options);
        if (!plan) continue;
        CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
        update(&type1, type1_error(t, plan), report.error, floor, "type 1", width);
        update(&type2, type2_error(t, plan), report.error, floor, "type 2", width);
        update(&gradients, gradient_error(t, plan), report.gradient_error, 10.0 * floor, "gradient",
               width);
        enuf_nufft_destroy(&plan);
    }
    printf("  %s, upsampling %g\n", enuf_window_name(window), upsampling);
    check(&type1, "type 1");
    check(&type2, "type 2");
    check(&gradients, "gradients");
}

static void law(void)
{
    static const int64_t modes[3][3] = {{150, 1, 1}, {30, 23, 1}, {12, 11, 14}};
    int dim = atoi(conformance_argument(0));
    if (!CHECK(dim >= 1 && dim <= 3)) return;
    enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
    transform t = transform_make(&options, 500, 71);
    transform_sum(&t);
    for (int w = ENUF_WINDOW_PROLATE; w <= ENUF_WINDOW_SINC_POWER; ++w) {
        every_width(&t, (enuf_window)w, 2.0);
        every_width(&t, (enuf_window)w, 1.25);
    }
    transform_free(&t);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
