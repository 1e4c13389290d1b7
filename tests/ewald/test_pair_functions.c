/*
 * test_pair_functions.c - the polynomials of enuf_pair_functions_make(), evaluated as enuf/ewald.h
 * says. The Gaussian pair is erfc(alpha r)/r to 4e-15. The prolate pair ends at the cutoff, and its
 * force is the slope of its energy to 5e-11. Wrong arguments are refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Q or R at s, by the formula of the declaration. */
static double polynomial(double coefficients[][ENUF_PAIR_PIECES], int n, double s)
{
    int piece = (int)floor(8 * s);
    if (piece > 7) piece = 7;
    const double t = 2 * (8 * s - piece) - 1;
    double sum = 0;
    for (int k = n - 1; k >= 0; k--) sum = sum * t + coefficients[k][piece];
    return sum;
}

static double energy(enuf_pair_functions *f, double r)
{
    const double s = r * r / (f->cutoff * f->cutoff);
    return 1 / r - polynomial(f->energy, f->n_energy, s) / f->cutoff;
}

static double force_over_r(enuf_pair_functions *f, double r)
{
    const double s = r * r / (f->cutoff * f->cutoff);
    return 1 / (r * r * r) - polynomial(f->force, f->n_force, s) / pow(f->cutoff, 3);
}

static void gaussian_is_erfc(void)
{
    const double alpha = 0.35, cutoff = 9, root = 1.12837916709551257390;
    enuf_pair_functions f = {.struct_size = sizeof f};
    double worst_energy = 0, worst_force = 0;
    CHECK(enuf_pair_functions_make(ENUF_SPLIT_GAUSSIAN, alpha, cutoff, 0, &f) == ENUF_SUCCESS);
    for (int i = 1; i <= 1000; i++) {
        const double r = cutoff * i / 1000;
        const double e = erfc(alpha * r) / r;
        const double g = (e + root * alpha * exp(-alpha * alpha * r * r)) / (r * r);
        worst_energy = fmax(worst_energy, fabs(energy(&f, r) - e) * r);
        worst_force = fmax(worst_force, fabs(force_over_r(&f, r) - g) * r * r * r);
    }
    /* errors relative to 1/r and 1/r^3, from which the smooth part is subtracted */
    CHECK_BELOW(worst_energy, 4e-15, "energy against erfc");
    CHECK_BELOW(worst_force, 4e-15, "force against erfc");
}

static void prolate_ends_at_the_cutoff_and_force_is_the_slope(void)
{
    const double cutoff = 2.5, h = 1e-4;
    enuf_pair_functions f = {.struct_size = sizeof f};
    CHECK(enuf_pair_functions_make(ENUF_SPLIT_PROLATE, 16, cutoff, 0, &f) == ENUF_SUCCESS);
    CHECK_BELOW(fabs(energy(&f, cutoff)), 4e-15, "energy at the cutoff");
    double worst = 0;
    for (int i = 20; i < 100; i++) {
        const double r = cutoff * i / 100;
        const double slope = (energy(&f, r - 2 * h) - 8 * energy(&f, r - h) +
                              8 * energy(&f, r + h) - energy(&f, r + 2 * h)) /
                             (12 * h);
        worst = fmax(worst, fabs(slope + force_over_r(&f, r) * r));
    }
    /* rounding of the energies, 1e-15, over h */
    CHECK_BELOW(worst, 5e-11, "force against slope");
}

static void refused(enuf_split split, double parameter, double cutoff, double error,
                    enuf_pair_functions *f, enuf_status status, const char *text)
{
    CHECK(enuf_pair_functions_make(split, parameter, cutoff, error, f) == status);
    CHECK(strstr(enuf_last_error(), text) != NULL);
}

static void bad_arguments_are_named(void)
{
    enuf_pair_functions f = {.struct_size = 1};
    refused(ENUF_SPLIT_GAUSSIAN, 1, 1, 0, NULL, ENUF_BAD_ARGUMENT, "functions is NULL");
    refused(ENUF_SPLIT_GAUSSIAN, 1, 1, 0, &f, ENUF_BAD_ARGUMENT, "struct_size");
    f.struct_size = sizeof f;
    refused(ENUF_SPLIT_AUTO, 1, 1, 0, &f, ENUF_BAD_ARGUMENT, "split is 0");
    refused(ENUF_SPLIT_GAUSSIAN, -1, 1, 0, &f, ENUF_BAD_ARGUMENT, "alpha = -1");
    refused(ENUF_SPLIT_PROLATE, -1, 1, 0, &f, ENUF_BAD_ARGUMENT, "-1");
    refused(ENUF_SPLIT_PROLATE, 10, 0, 0, &f, ENUF_BAD_ARGUMENT, "cutoff = 0");
    refused(ENUF_SPLIT_GAUSSIAN, 1, 1, -1, &f, ENUF_BAD_ARGUMENT, "error = -1");
    refused(ENUF_SPLIT_GAUSSIAN, 40, 1, 0, &f, ENUF_UNREACHABLE_ACCURACY, "too steep");
}

int main(void)
{
    gaussian_is_erfc();
    prolate_ends_at_the_cutoff_and_force_is_the_slope();
    bad_arguments_are_named();
    return check_result();
}
