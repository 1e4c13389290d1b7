/*
 * test_encoding_laws.c - what a field does to the samples, against operators without a field:
 *
 * - a constant field w turns sample j by exp(sign i w t_j), with one interpolator;
 * - a linear field along x moves sample j by its slope times t_j;
 * - a constant decay R makes sample j exp(-R t_j) times smaller, with one interpolator;
 * - voxels in which the field is linear: the mean over many pixels in each voxel.
 *
 * Relative l2 difference at most 4 tolerances, or 8 where two operators have an error each.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 500 };
static const double READOUT = 0.02;

static encoding_problem make(int dim, int sign, double tolerance)
{
    enuf_encoding_options options = encoding_options(dim, 16, 14, 9);
    options.tolerance = tolerance;
    options.sign = sign;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, READOUT, 31);
    for (int64_t j = 0; j < p.n; j++) p.times[j] -= 0.3 * READOUT; /* some before the echo */
    return p;
}

/* data of the problem's image, in double. */
static double complex *data_of(const encoding_problem *p, int *interpolators)
{
    double complex *data = numbers_make(ENUF_DOUBLE, p->n_data);
    enuf_encoding *encoding = encoding_of(p);
    if (encoding) {
        CHECK_STATUS(enuf_encoding_forward(encoding, p->image, data), ENUF_SUCCESS);
        *interpolators = encoding_report_of(encoding).interpolators;
    }
    enuf_encoding_destroy(&encoding);
    return data;
}

static void constant_maps(int sign)
{
    const double omega = 2 * M_PI * 83, decay = 40, tolerance = 1e-9;
    encoding_problem p = make(2, sign, tolerance);
    int interpolators = 0;
    double complex *expected = data_of(&p, &interpolators);
    p.omega = numbers_make(ENUF_DOUBLE, p.pixels);
    p.decay = numbers_make(ENUF_DOUBLE, p.pixels);
    for (int64_t k = 0; k < p.pixels; k++) {
        p.omega[k] = omega;
        p.decay[k] = decay;
    }
    for (int64_t j = 0; j < p.n; j++)
        expected[j] *= cexp((I * (sign * omega) - decay) * p.times[j]);
    double complex *data = data_of(&p, &interpolators);
    printf("sign %d\n", sign);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, p.n_data, data, expected), 8 * tolerance,
                "  constant field and decay against a factor, 8 tolerances");
    CHECK(interpolators == 1);
    free(data);
    free(expected);
    encoding_problem_free(&p);
}

static void linear_field(int sign)
{
    const double slope = 130, tolerance = 1e-8; /* Hz over the field of view */
    encoding_problem p = make(3, sign, tolerance);
    int interpolators = 0;
    encoding_problem_maps(&p, LINEAR, 0.5 * slope, 0, 0, 1); /* from -slope/2 */
    double complex *data = data_of(&p, &interpolators);
    CHECK(interpolators > 1);
    free(p.omega);
    p.omega = NULL;
    for (int64_t j = 0; j < p.n; j++) p.places[3 * j] += slope * p.times[j];
    double complex *expected = data_of(&p, &interpolators);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, p.n_data, data, expected), 8 * tolerance,
                "  linear field against moved samples, 8 tolerances");
    free(data);
    free(expected);
    encoding_problem_free(&p);
}

/* Sum over pixels of the mean over parts^dim places in the voxel, in each of which the field has
 * the value of its place. */
static void sum_over_parts(const encoding_problem *p, int parts, double complex *data)
{
    const int64_t *n = p->options.pixels;
    const int all = p->options.dim > 1 ? parts * parts : parts;
    for (int64_t k = 0; k < p->pixels; k++)
        for (int part = 0; part < all; part++) {
            const double u[2] = {(part % parts + 0.5) / parts - 0.5,
                                 (part / parts + 0.5) / parts - 0.5};
            double omega = p->omega[k], r[2];
            r[0] = (double)(k % n[0] - n[0] / 2) / (double)n[0] + u[0] * p->voxel[0];
            r[1] = p->options.dim > 1
                       ? (double)(k / n[0] - n[1] / 2) / (double)n[1] + u[1] * p->voxel[1]
                       : 0;
            for (int d = 0; d < p->options.dim; d++)
                omega += 2 * M_PI * u[d] * (p->gradient[d] ? p->gradient[d][k] : 0);
            const double complex pixel = (((const double complex *)p->image)[k]) / (double)all;
            for (int64_t j = 0; j < p->n; j++) {
                double phase = omega * p->times[j];
                for (int d = 0; d < p->options.dim; d++)
                    phase += 2 * M_PI * p->places[3 * j + d] * r[d];
                data[j] += pixel * cexp(I * (p->options.sign * phase));
            }
        }
}

/* The midpoint rule over `parts` errs by (pi x)^2/(24 parts^2) in the mean of exp(2 pi i x u), and
 * |x| is below 1.2. */
static void voxels(int dim, int sign, int parts, double gradient)
{
    enuf_encoding_options options = encoding_options(dim, dim == 1 ? 24 : 7, 6, 1);
    const double rule = pow(M_PI * 1.2 / parts, 2) / 24 * dim, tolerance = 1e-4;
    options.tolerance = tolerance;
    options.sign = sign;
    encoding_problem p = encoding_problem_make(&options, 150, READOUT, 5);
    encoding_problem_maps(&p, SMOOTH, 60, 0, gradient, 9);
    if (gradient == 0) p.with_voxel = 1;
    p.voxel[0] *= 0.9; /* gaps between the voxels along x */
    int interpolators = 0;
    double complex *data = data_of(&p, &interpolators);
    double complex *expected = numbers_make(ENUF_DOUBLE, p.n_data);
    sum_over_parts(&p, parts, expected);
    printf("%dD, gradients up to %g Hz a voxel\n", dim, gradient);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, p.n_data, data, expected), 4 * tolerance + rule,
                "  voxels against means over many pixels, 4 tolerances and the midpoint rule");
    free(data);
    free(expected);
    encoding_problem_free(&p);
}

static void law(void)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        constant_maps(sign);
        linear_field(sign);
        voxels(1, sign, 300, 25);
        voxels(2, sign, 40, 25);
        voxels(2, sign, 40, 0);
    }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
