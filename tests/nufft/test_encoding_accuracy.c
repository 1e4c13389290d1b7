/*
 * test_encoding_accuracy.c - forward and adjoint of an encoding agree with sums term by term. The
 * relative l2 error is at most 4 tolerances, and the predicted error of forward lies within a
 * factor of 2 of the measured one, where that is above rounding.
 *
 * Fields of 100 Hz over a readout of 30 ms: smooth, rough, of two values, linear, zero, none; with
 * and without decay, by singular vectors and by segments, with gradients of 15 Hz a voxel; 1D, 2D
 * and 3D, tolerances 1e-2 ... 1e-10, in float 1e-2 ... 1e-5. SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t PIXELS[3][3] = {{150, 1, 1}, {17, 14, 1}, {8, 7, 6}};
enum { SAMPLES = 500 };

static double most_ratio = 0, least_ratio = INFINITY;

/* Predicted over measured error, where rounding is a small part of it. */
static void compare(const enuf_encoding_report *report, double measured, enuf_precision precision)
{
    if (measured < (precision == ENUF_FLOAT ? 2e-6 : 1e-13)) return;
    const double ratio = report->error / measured;
    most_ratio = fmax(most_ratio, ratio);
    least_ratio = fmin(least_ratio, ratio);
    CHECK_BELOW(fabs(log2(ratio)), 1, "  predicted over measured error, a power of 2");
}

static void accuracy(const enuf_encoding_options *options, map_kind kind, double decay,
                     double gradient)
{
    encoding_problem p = encoding_problem_make(options, SAMPLES, 0.03, 7);
    encoding_problem_maps(&p, kind, 100, decay, gradient, 11);
    encoding_problem_sum(&p);
    enuf_encoding *encoding = encoding_of(&p);
    if (encoding) {
        const enuf_encoding_report report = encoding_report_of(encoding);
        printf("%dD %s, %s, decay %g, gradients %g, %s, tolerance %g: %d interpolators, predicted "
               "%.2g\n",
               options->dim, options->precision == ENUF_FLOAT ? "float" : "double",
               map_kind_name(kind), decay, gradient, enuf_separation_name(options->separation),
               options->tolerance, report.interpolators, report.error);
        const double measured = forward_error(&p, encoding);
        CHECK_BELOW(measured, 4 * options->tolerance, "  forward, 4 tolerances");
        CHECK_BELOW(adjoint_error(&p, encoding), 4 * options->tolerance, "  adjoint, 4 tolerances");
        CHECK(report.error <= options->tolerance);
        compare(&report, measured, options->precision);
    }
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
}

static void law(void)
{
    static const double in_double[] = {1e-2, 1e-4, 1e-7, 1e-10}, in_float[] = {1e-2, 1e-3, 1e-5};
    const int single = strcmp(conformance_argument(0), "float") == 0;
    const int tolerances = single ? 3 : 4;
    for (int dim = 1; dim <= 3; dim++)
        for (int k = 0; k < tolerances; k++)
            for (int kind = NO_MAP; kind < MAP_KINDS; kind++) {
                const int64_t *n = PIXELS[dim - 1];
                enuf_encoding_options options = encoding_options(dim, n[0], n[1], n[2]);
                options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
                options.tolerance = single ? in_float[k] : in_double[k];
                options.sign = kind % 2 ? 1 : -1;
                options.batch = kind == SMOOTH ? 2 : 1;
                options.mode_order = kind == ROUGH ? ENUF_FFT_ORDER : ENUF_CENTRED;
                accuracy(&options, (map_kind)kind, 0, 0);
                accuracy(&options, (map_kind)kind, 60, 0);
                options.separation = ENUF_SEPARATION_SEGMENTS;
                accuracy(&options, (map_kind)kind, kind == SMOOTH ? 60 : 0, 0);
                /* voxels in an uneven field take many: to a moderate tolerance */
                if (options.tolerance > (dim == 3 ? 1e-3 : 1e-5))
                    accuracy(&options, (map_kind)kind, 20, 15);
            }
    printf("predicted over measured error: %.2f to %.2f\n", least_ratio, most_ratio);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
