/*
 * test_encoding_interpolators.c - how many interpolators a field takes.
 *
 * A field spread evenly over +-F and samples spread evenly over T: the singular values of
 * exp(-2 pi i f t) on 600 frequencies and 600 times, computed with NumPy's SVD (LAPACK), leave out
 * 1e-3, 1e-6, 1e-12 of its Frobenius norm after the numbers of vectors below. Least squares over
 * the same frequencies give the errors of equispaced segments. Each number is met within 2.
 *
 * Few distinct values of field or time take that many interpolators, constant ones take 1.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct spread {
    double field, readout; /* Hz, s */
    enuf_separation separation;
    double tolerance; /* of the separation alone */
    int expected;
} spread;

/* The tolerance of the object from that of its separation: choose.c takes 0.8 of it. */
static double whole(double of_separation)
{
    return of_separation / 0.8;
}

static enuf_encoding_report report_of(const encoding_problem *p)
{
    enuf_encoding_report report = {0};
    enuf_encoding *encoding = encoding_of(p);
    if (encoding) report = encoding_report_of(encoding);
    enuf_encoding_destroy(&encoding);
    return report;
}

static void evenly_spread(const spread *s)
{
    enuf_encoding_options options = encoding_options(1, 601, 1, 1);
    options.tolerance = whole(s->tolerance);
    options.separation = s->separation;
    encoding_problem p = encoding_problem_make(&options, 600, s->readout, 3);
    encoding_problem_maps(&p, LINEAR, s->field, 0, 0, 1);
    const enuf_encoding_report r = report_of(&p);
    printf("%g Hz x %g ms, %s, %g: %d interpolators, %d expected; error of the separation %.2g\n",
           s->field, 1e3 * s->readout, enuf_separation_name(s->separation), s->tolerance,
           r.interpolators, s->expected, r.separation_error);
    CHECK_BELOW(r.interpolators - s->expected, 2, "  interpolators more than expected");
    CHECK(r.separation_error <= 1.1 * s->tolerance);
    encoding_problem_free(&p);
}

/* The maps of a problem, of few values each. */
static void few_values(int values, int times, int expected)
{
    enuf_encoding_options options = encoding_options(2, 12, 13, 1);
    options.tolerance = 1e-9;
    encoding_problem p = encoding_problem_make(&options, 200, 0.05, 5);
    encoding_problem_maps(&p, ZERO_MAP, 0, 0, 0, 1);
    for (int64_t k = 0; k < p.pixels; k++)
        p.omega[k] = 2 * M_PI * 200 * sin(1.0 + (double)(k % values));
    for (int64_t j = 0; j < p.n; j++) p.times[j] = 0.01 + 0.05 * cos(2.0 + (double)(j % times));
    encoding_problem_sum(&p);
    enuf_encoding *encoding = encoding_of(&p);
    if (encoding) {
        const int found = encoding_report_of(encoding).interpolators;
        printf("%d values of the field at %d times: %d interpolators\n", values, times, found);
        CHECK(found <= expected);
        CHECK_BELOW(forward_error(&p, encoding), 4e-9, "  forward, 4 tolerances");
    }
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
}

static void law(void)
{
    static const spread spreads[] = {
        {100, 0.03, ENUF_SEPARATION_SVD, 1e-3, 11},
        {100, 0.03, ENUF_SEPARATION_SVD, 1e-6, 15},
        {100, 0.03, ENUF_SEPARATION_SVD, 1e-12, 22},
        {200, 0.03, ENUF_SEPARATION_SVD, 1e-3, 18},
        {200, 0.03, ENUF_SEPARATION_SVD, 1e-6, 22},
        {200, 0.03, ENUF_SEPARATION_SVD, 1e-12, 30},
        {250, 0.1, ENUF_SEPARATION_SVD, 1e-3, 57},
        {250, 0.1, ENUF_SEPARATION_SVD, 1e-6, 63},
        {250, 0.1, ENUF_SEPARATION_SVD, 1e-12, 75},
        {100, 0.03, ENUF_SEPARATION_SEGMENTS, 4.1e-3, 10},
        {100, 0.03, ENUF_SEPARATION_SEGMENTS, 2.7e-4, 12},
        {100, 0.03, ENUF_SEPARATION_SEGMENTS, 6.2e-7, 16},
    };
    for (size_t k = 0; k < sizeof spreads / sizeof *spreads; k++) evenly_spread(&spreads[k]);
    few_values(1, 200, 1);
    few_values(2, 200, 2);
    few_values(7, 200, 7);
    few_values(156, 1, 1);
    few_values(156, 3, 3);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
