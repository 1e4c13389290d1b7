/*
 * test_gradient_laws.c - a gradient is the derivative of the value. It equals central differences
 * of the plan's own values (relative l2 1e-7) and the type 2 of i k times the modes (4e-12, 4
 * tolerances). 1D to 3D, both kinds of strengths, with a period of 3 and with a triclinic frame:
 * d/dx_e = sum_d T_de d/ds_d.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647693;
static const double FRAME[9] = {0.11, 0.013, -0.02, 0.004, 0.09, 0.03, -0.007, 0.015, 0.125};
static const double ORIGIN[3] = {1.5, -2.5, 0.25};

static void *values_at(const transform *t, enuf_nufft *plan, int axis, double step)
{
    void *values = numbers_make(t->options.precision, t->n_values);
    for (int64_t j = 0; j < t->n; ++j) t->points[3 * j + axis] += step;
    CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, values, NULL), ENUF_SUCCESS);
    for (int64_t j = 0; j < t->n; ++j) t->points[3 * j + axis] -= step;
    return values;
}

/* Fourth-order differences: (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12h. `unit`: the length of a
 * period. */
static void finite_differences(const transform *t, enuf_nufft *plan, double unit, double bound)
{
    int dim = t->options.dim;
    double h = 1e-3 * unit;
    int parts = t->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    double *gradients = numbers_make(ENUF_DOUBLE, t->n_gradients);
    double *differences = numbers_make(ENUF_DOUBLE, t->n_gradients);
    CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, NULL, gradients), ENUF_SUCCESS);
    for (int d = 0; d < dim; ++d) {
        double *f[4];
        const double steps[4] = {-2.0 * h, -h, h, 2.0 * h};
        for (int k = 0; k < 4; ++k) f[k] = values_at(t, plan, d, steps[k]);
        for (int64_t i = 0; i < t->n_values; ++i)
            differences[parts * (dim * (i / parts) + d) + i % parts] =
                (f[0][i] - 8.0 * f[1][i] + 8.0 * f[2][i] - f[3][i]) / (12.0 * h);
        for (int k = 0; k < 4; ++k) free(f[k]);
    }
    /* (2 pi m h)^4 / 30 with |m| <= 5: 3e-8; rounding 1e-14 / h: 1e-11 */
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t->n_gradients, gradients, differences), bound,
                "  gradient against differences");
    free(gradients);
    free(differences);
}

static double wave_number(const transform *t, const int64_t m[3], int e)
{
    double sum = 0.0;
    for (int d = 0; d < t->options.dim; ++d) {
        double T = d == e ? 1.0 / t->options.period : 0.0;
        sum += (t->framed ? t->T[3 * d + e] : T) * (double)m[d];
    }
    return TWO_PI * sum;
}

static void type2_of_ik_modes(const transform *t, enuf_nufft *plan)
{
    int sign = t->options.type2_sign ? t->options.type2_sign : -t->options.sign;
    int dim = t->options.dim;
    int parts = t->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    const double *spectrum = t->spectrum;
    double *gradients = numbers_make(ENUF_DOUBLE, t->n_gradients);
    double *expected = numbers_make(ENUF_DOUBLE, t->n_gradients);
    double *ik = numbers_make(ENUF_DOUBLE, t->n_modes);
    double *values = numbers_make(ENUF_DOUBLE, t->n_values);
    CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, NULL, gradients), ENUF_SUCCESS);
    for (int e = 0; e < dim; ++e) {
        for (int64_t i = 0; i < t->n_modes / 2; ++i) {
            int64_t m[3];
            mode_numbers(&t->options, i % t->modes, m);
            double k = sign * wave_number(t, m, e);
            ik[2 * i] = -k * spectrum[2 * i + 1];
            ik[2 * i + 1] = k * spectrum[2 * i];
        }
        CHECK_STATUS(enuf_nufft_type2(plan, ik, values, NULL), ENUF_SUCCESS);
        for (int64_t i = 0; i < t->n_values; ++i)
            expected[parts * (dim * (i / parts) + e) + i % parts] = values[i];
    }
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t->n_gradients, gradients, expected), 4e-12,
                "  gradient against type 2 of i k modes, 4 tolerance");
    free(gradients);
    free(expected);
    free(ik);
    free(values);
}

static void laws_of(int dim, int real, int framed)
{
    enuf_nufft_options options = conformance_options(dim, 11, 10, 9);
    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.type2_sign = framed ? options.sign : 0;
    options.batch = 2;
    options.period = 3.0;
    options.tolerance = 1e-12;
    options.gradients = 1;
    transform t = transform_make(&options, 60, 51);
    if (framed) transform_frame(&t, FRAME, ORIGIN, 15.0, 52);
    enuf_nufft *plan = transform_plan(&t, NULL);
    printf("%dD %s%s\n", dim, real ? "real" : "complex", framed ? ", triclinic frame" : "");
    if (plan) {
        type2_of_ik_modes(&t, plan);
        finite_differences(&t, plan, framed ? 8.0 : 3.0, 1e-7);
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; ++dim)
        for (int kind = 0; kind < 4; ++kind) laws_of(dim, kind & 1, kind & 2);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
