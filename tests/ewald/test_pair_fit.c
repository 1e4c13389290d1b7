/*
 * The GPU's polynomials follow the splitting to the error asked for and to the rounding of their
 * arithmetic, evaluated as kernels do; splittings too steep for that are refused.
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

/* Largest error of s^-power - f(s) over what may be: `error` and one rounding. */
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

static void follows(const char *name, const enuf_splitting *splitting, double error, int single)
{
    const double bound = single ? 36 : 12; /* digits lost in sums that cancel, see pair_fit.c */
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
}

int main(void)
{
    static const double errors[] = {1e-4, 1e-7, 1e-10, 2e-15};
    enuf_splitting splitting;
    enuf_pair_fit fit;
    for (int single = 0; single < 2; single++)
        for (int e = 0; e < 4; e++) {
            /* the steepest that accuracies ask for: 4.7 and 25 at 1e-9, 5.6 and 34 at 1e-13 */
            for (double alpha = 1; alpha < (single ? 5.3 : 5.7); alpha += 0.5) {
                CHECK_STATUS(enuf_splitting_gaussian(alpha, 1, &splitting), ENUF_SUCCESS);
                follows("Gaussian", &splitting, errors[e], single);
            }
            for (double c = 5; c < 60; c += 10) {
                CHECK_STATUS(enuf_splitting_prolate(c, 1, &splitting), ENUF_SUCCESS);
                follows("prolate", &splitting, errors[e], single);
            }
        }
    CHECK_STATUS(enuf_splitting_gaussian(7, 1, &splitting), ENUF_SUCCESS);
    CHECK_STATUS(enuf_pair_fit_make(&splitting, 1e-4, 1, &fit), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("double arithmetic");
    CHECK_STATUS(enuf_pair_fit_make(&splitting, 1e-4, 0, &fit), ENUF_SUCCESS);
    CHECK_STATUS(enuf_pair_fit_make(&splitting, 1e-10, 0, &fit), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("backend cpu");
    return check_result();
}
