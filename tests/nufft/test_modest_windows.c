/*
 * test_modest_windows.c - the Gaussian, B-spline and sinc-power windows cannot reach every
 * tolerance. They deliver a tolerance or refuse it: the relative l2 error against direct sums is at
 * most max(rounding floor, 4 tolerance). Below a refused tolerance all are refused. At upsampling 2
 * these windows reach 1e-11. The text of a refusal names the window and the upsampling.
 *
 * Swept are tolerances from 0.1 to 1e-14, 4 a decade, at upsampling 2 and 1.25, in 1D to 3D.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>

static void sweep_tolerances(const transform *t, enuf_window window, double upsampling)
{
    double floor = rounding_floor(&t->options, upsampling);
    double worst = 0.0, tightest = 1.0;
    int served = 0, refused = 0, has_refused = 0;
    for (int step = 0; step <= 13 * 4; ++step) {
        enuf_nufft_options options = t->options;
        enuf_nufft *plan;
        options.window = window;
        options.upsampling = upsampling;
        options.tolerance = pow(10.0, -1.0 - step / 4.0);
        enuf_status status = enuf_nufft_create(&options, &plan);
        if (status == ENUF_UNREACHABLE_ACCURACY) {
            has_refused = 1;
            ++refused;
            continue;
        }
        if (!CHECK_STATUS(status, ENUF_SUCCESS)) continue;
        CHECK(!has_refused);
        CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
        double error = fmax(type1_error(t, plan), type2_error(t, plan));
        double ratio = error / fmax(floor, 4.0 * options.tolerance);
        if (!(ratio <= 1.0)) printf("    tolerance %.3g: error %.3g\n", options.tolerance, error);
        worst = fmax(worst, ratio);
        tightest = options.tolerance;
        ++served;
        enuf_nufft_destroy(&plan);
    }
    printf("%dD %s, upsampling %g: %d served down to %.2g, %d refused\n", t->options.dim,
           enuf_window_name(window), upsampling, served, tightest, refused);
    CHECK_BELOW(worst, 1.0, "  worst error over max(floor, 4 tolerance)");
}

/* docs/theory.md, section 2: at upsampling 2 these windows gain 0.9 to 1 digit with each two cells
 * of width. The largest width is 32. */
static void must_reach(const transform *t, enuf_window window, double tolerance)
{
    enuf_nufft_options options = t->options;
    enuf_nufft *plan;
    options.window = window;
    options.upsampling = 2.0;
    options.tolerance = tolerance;
    printf("%s has to serve %g\n", enuf_window_name(window), tolerance);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void law(void)
{
    static const int64_t modes[3][3] = {{61, 1, 1}, {20, 17, 1}, {8, 9, 10}};
    for (int dim = 1; dim <= 3; ++dim) {
        enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
        transform t = transform_make(&options, 150, 61);
        transform_sum(&t);
        for (int w = ENUF_WINDOW_GAUSSIAN; w <= ENUF_WINDOW_SINC_POWER; ++w) {
            sweep_tolerances(&t, (enuf_window)w, 2.0);
            sweep_tolerances(&t, (enuf_window)w, 1.25);
            must_reach(&t, (enuf_window)w, 1e-11);
        }
        transform_free(&t);
    }
    enuf_nufft_options options = conformance_options(1, 64, 0, 0);
    enuf_nufft *plan;
    options.window = ENUF_WINDOW_BSPLINE;
    options.upsampling = 1.25;
    options.tolerance = 1e-13;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("bspline");
    CHECK_TEXT("1.25");
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
