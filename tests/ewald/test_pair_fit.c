/*
 * test_pair_fit.c - the polynomials of the GPU's pair kernels agree with the functions of the
 * splitting, evaluated on the CPU as the kernels do, in float and double. Allowed: the requested
 * error, 1e-4 to 2e-15, plus one rounding, times 36 in float and 12 in double. Gaussian splittings
 * up to alpha r_c = 5.5, prolate ones up to c = 55; steeper splittings are refused. So does B, the
 * slope of forces: allowed are four times the requested error, at least 1e-12, and one rounding of
 * 3/r^5, times 8 in float and 12 in double, where B itself is known from noisy pieces.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "pair_fit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static double in_float(const double *c, int n, double start, double s)
{
    const float v = (float)ENUF_PAIR_FIT_CENTRE - (float)s;
    float sum = 0;
    for (int k = n - 1; k > 0; k--) sum = fmaf(sum, v, (float)c[k]);
    return (double)fmaf(sum, -v, (float)start - (float)c[0]);
}

static double in_double(const double *c, int n, double start, double s)
{
    const double v = ENUF_PAIR_FIT_CENTRE - s;
    double sum = 0;
    for (int k = n - 1; k > 0; k--) sum = fma(sum, v, c[k]);
    return fma(sum, -v, start - c[0]);
}

/* Largest error of s^-power - f(s), over `error` plus one rounding. */
static double worst_ratio(double (*f)(double, const void *), const enuf_splitting *splitting,
                          const double *c, int n, double power, double error, int single)
{
    double worst = 0;
    for (int i = 1; i <= 4000; i++) {
        const double s = (double)(float)(i / 4000.0), start = pow(s, -power);
        const double exact = f(s, splitting);
        const double found = single ? in_float(c, n, start, s) : in_double(c, n, start, s);
        const double rounding = (single ? FLT_EPSILON : DBL_EPSILON) * (start + fabs(exact));
        const double ratio = fabs(found - (start - exact)) / (error + rounding);
        if (!(ratio <= worst)) worst = ratio;
    }
    return worst;
}

static double bend_at(const enuf_pair_bend *bend, double s)
{
    const int piece = (int)fmin(s * ENUF_PAIR_PIECES, ENUF_PAIR_PIECES - 1);
    const double t = 2 * (s * ENUF_PAIR_PIECES - piece) - 1;
    double sum = 0;
    for (int k = bend->n - 1; k >= 0; k--) sum = sum * t + bend->at[k][piece];
    return sum;
}

static void make_bend(const enuf_splitting *splitting, double error, enuf_pair_bend *bend)
{
    enuf_pair_table table;
    CHECK_STATUS(enuf_pair_table_make(splitting, error, &table), ENUF_SUCCESS);
    CHECK_STATUS(enuf_pair_bend_make(splitting, &table, bend), ENUF_SUCCESS);
}

/* Against B of a table of error 1e-12. */
static void check_bend(const char *name, const enuf_splitting *splitting, double error, int single)
{
    enuf_pair_bend bend = {0}, exact = {0};
    enuf_bend_fit fit = {0};
    double worst = 0;
    make_bend(splitting, error, &bend);
    make_bend(splitting, 1e-12, &exact);
    CHECK_STATUS(enuf_bend_fit_make(&bend, single, &fit), ENUF_SUCCESS);
    printf("%s, error %g, %s: B has %d coefficients\n", name, error, single ? "float" : "double",
           fit.n);
    CHECK(fit.n > 0 && fit.single == single);
    const double rounding = single ? FLT_EPSILON : DBL_EPSILON;
    for (int i = 1; i <= 4000; i++) {
        const double s = (double)(float)(i / 4000.0), start = 3 * pow(s, -2.5);
        const double b = bend_at(&exact, s);
        const double allowed = 4 * fmax(error, 1e-12) + rounding * (start + fabs(b));
        const double at =
            single ? in_float(fit.at, fit.n, start, s) : in_double(fit.at, fit.n, start, s);
        const double ratio = fabs(at - (start - b)) / allowed;
        if (!(ratio <= worst)) worst = ratio;
    }
    CHECK_BELOW(worst, single ? 8 : 12, "slope of the force");
}

static void check_fit(const char *name, const enuf_splitting *splitting, double error, int single)
{
    const double bound = single ? 36 : 12; /* terms cancel and lose digits, see pair_fit.c */
    enuf_pair_fit fit;
    CHECK_STATUS(enuf_pair_fit_make(splitting, error, single, &fit), ENUF_SUCCESS);
    printf("%s, error %g, %s: %d and %d coefficients\n", name, error, single ? "float" : "double",
           fit.n_force, fit.n_energy);
    CHECK_BELOW(
        worst_ratio(enuf_splitting_r, splitting, fit.force, fit.n_force, 1.5, error, single), bound,
        "force");
    CHECK_BELOW(
        worst_ratio(enuf_splitting_q, splitting, fit.energy, fit.n_energy, 0.5, error, single),
        bound, "energy");
    check_bend(name, splitting, error, single);
}

int main(void)
{
    static const double errors[] = {1e-4, 1e-7, 1e-10, 2e-15};
    enuf_splitting splitting;
    enuf_pair_fit fit;
    for (int single = 0; single < 2; single++)
        for (int e = 0; e < 4; e++) {
            /* an accuracy of 1e-9 needs alpha = 4.7 or c = 25, one of 1e-13 needs 5.6 or 34 */
            for (double alpha = 1; alpha < (single ? 5.3 : 5.7); alpha += 0.5) {
                CHECK_STATUS(enuf_splitting_gaussian(alpha, 1, &splitting), ENUF_SUCCESS);
                check_fit("Gaussian", &splitting, errors[e], single);
            }
            for (double c = 5; c < 60; c += 10) {
                CHECK_STATUS(enuf_splitting_prolate(c, 1, &splitting), ENUF_SUCCESS);
                check_fit("prolate", &splitting, errors[e], single);
            }
        }
    CHECK_STATUS(enuf_splitting_gaussian(7, 1, &splitting), ENUF_SUCCESS);
    CHECK_STATUS(enuf_pair_fit_make(&splitting, 1e-4, 1, &fit), ENUF_UNREACHABLE_ACCURACY);
    enuf_pair_bend bend = {0};
    enuf_bend_fit bend_fit = {0};
    make_bend(&splitting, 1e-4, &bend);
    CHECK_TEXT("double arithmetic");
    CHECK_STATUS(enuf_bend_fit_make(&bend, 1, &bend_fit), ENUF_SUCCESS);
    CHECK(bend_fit.n > 0 && !bend_fit.single); /* its pairs stay in double */
    CHECK_STATUS(enuf_pair_fit_make(&splitting, 1e-4, 0, &fit), ENUF_SUCCESS);
    CHECK_STATUS(enuf_pair_fit_make(&splitting, 1e-10, 0, &fit), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("backend cpu");
    return check_result();
}
