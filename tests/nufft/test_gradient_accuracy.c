/*
 * test_gradient_accuracy.c - with options.gradients, gradients deliver the requested tolerance:
 * their relative l2 error against direct sums is at most max(10 rounding floors, 4 tolerance). The
 * values keep the same bound. A tolerance may be refused only below that floor.
 *
 * Swept are tolerances from 0.1 to 1e-14 (float: 1e-6), 4 a decade; the prolate, semicircle and
 * Kaiser-Bessel windows; upsampling 2 and 1.25; both kinds of strengths; 200 points in 1D to 3D.
 *
 * Argument: double|float.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void sweep_tolerances(const transform *t, enuf_window window, double upsampling)
{
    int in_float = t->options.precision == ENUF_FLOAT;
    double floor = 10.0 * rounding_floor(&t->options, upsampling);
    double worst = 0.0, worst_value = 0.0, worst_ratio = 0.0;
    int served = 0;
    for (int step = 0; step <= (in_float ? 5 : 13) * 4; ++step) {
        enuf_nufft_options options = t->options;
        enuf_nufft *plan;
        options.gradients = 1;
        options.window = window;
        options.upsampling = upsampling;
        options.tolerance = pow(10.0, -1.0 - step / 4.0);
        enuf_status status = enuf_nufft_create(&options, &plan);
        if (status == ENUF_UNREACHABLE_ACCURACY) {
            CHECK(options.tolerance < floor);
            continue;
        }
        if (!CHECK_STATUS(status, ENUF_SUCCESS)) continue;
        CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
        double bound = fmax(floor, 4.0 * options.tolerance);
        double error = gradient_error(t, plan);
        if (!(error <= bound))
            printf("    tolerance %.3g: gradient error %.3g\n", options.tolerance, error);
        worst = fmax(worst, error / bound);
        worst_value = fmax(worst_value, type2_error(t, plan) / bound);
        if (bound > floor) worst_ratio = fmax(worst_ratio, error / options.tolerance);
        ++served;
        enuf_nufft_destroy(&plan);
    }
    printf("%dD %s %s, upsampling %g: worst gradient error/tolerance %.2f above the floor\n",
           t->options.dim, t->options.strengths == ENUF_REAL_STRENGTHS ? "real" : "complex",
           enuf_window_name(window), upsampling, worst_ratio);
    CHECK(served > 0);
    CHECK_BELOW(worst, 1.0, "  gradients: worst error over max(10 floor, 4 tolerance)");
    CHECK_BELOW(worst_value, 1.0, "  values: the same");
}

static void law(void)
{
    static const int64_t modes[3][3] = {{101, 1, 1}, {30, 23, 1}, {12, 11, 9}};
    for (int dim = 1; dim <= 3; ++dim)
        for (int real = 0; real < 2; ++real) {
            enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
            options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
            if (strcmp(conformance_argument(0), "float") == 0) options.precision = ENUF_FLOAT;
            transform t = transform_make(&options, 200, 41);
            transform_sum(&t);
            for (int w = ENUF_WINDOW_PROLATE; w <= ENUF_WINDOW_KAISER_BESSEL; ++w) {
                sweep_tolerances(&t, (enuf_window)w, 2.0);
                sweep_tolerances(&t, (enuf_window)w, 1.25);
            }
            transform_free(&t);
        }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
