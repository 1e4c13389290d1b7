/*
 * test_pair_table.c - the polynomials of the CPU's pair loop agree with Q and R of the splitting to
 * the requested error, 1e-3 to 1e-17, plus six units in the last place. They have no more
 * coefficients than needed. Splittings up to alpha r_c = 8 and c = 100; steeper ones are refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "chebyshev.h"
#include "evaluate/pair_table.h"

#include <math.h>
#include <stdio.h>

typedef double piecewise[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];

/* The polynomial at s in [0, 1] as the pair loop evaluates it, with t in [-1, 1] inside a piece. */
static double evaluate(piecewise table, int n, double s)
{
    int piece = (int)(s * ENUF_PAIR_PIECES);
    if (piece == ENUF_PAIR_PIECES) piece--;
    double t = 2 * (s * ENUF_PAIR_PIECES - piece) - 1, sum = 0;
    for (int k = n - 1; k >= 0; k--) sum = sum * t + table[k][piece];
    return sum;
}

/* Largest error, over `error` plus six units in the last place of the function. */
static double worst_ratio(enuf_function f, const enuf_splitting *splitting, piecewise table, int n,
                          double error)
{
    double worst = 0;
    for (int i = 0; i <= 4000; i++) {
        double s = i / 4000.0, expected = f(s, splitting);
        double piece = floor(s * ENUF_PAIR_PIECES) / ENUF_PAIR_PIECES;
        double allowed = error + 6 * 2.2e-16 * fabs(f(fmin(piece, 0.875), splitting));
        worst = fmax(worst, fabs(evaluate(table, n, s) - expected) / allowed);
    }
    return worst;
}

/* Largest error of polynomials with n coefficients. */
static double error_of(enuf_function f, const enuf_splitting *splitting, int n)
{
    double worst = 0;
    for (int piece = 0; piece < ENUF_PAIR_PIECES; piece++) {
        double low = (double)piece / ENUF_PAIR_PIECES, coefficients[ENUF_MAX_COEFFICIENTS];
        double high = low + 1.0 / ENUF_PAIR_PIECES;
        enuf_fit_polynomial(f, splitting, low, high, n, coefficients);
        worst = fmax(worst, enuf_fit_error(f, splitting, low, high, n, coefficients));
    }
    return worst;
}

static void check_table(const enuf_splitting *splitting, const char *name)
{
    enuf_pair_table table;
    int energy_before = 2, force_before = 2;
    for (double error = 1e-3; error > 1e-17; error *= 1e-2) {
        CHECK(enuf_pair_table_make(splitting, error, &table) == ENUF_SUCCESS);
        printf("%s, error %.0e: %d and %d coefficients\n", name, error, table.n_energy,
               table.n_force);
        CHECK_BELOW(worst_ratio(enuf_splitting_q, splitting, table.energy, table.n_energy, error),
                    1.01, "error of Q over what is allowed");
        CHECK_BELOW(worst_ratio(enuf_splitting_r, splitting, table.force, table.n_force, error),
                    1.01, "error of R over what is allowed");
        /* one coefficient fewer has a larger error */
        if (table.n_energy > 2 && error > 1e-10)
            CHECK(error_of(enuf_splitting_q, splitting, table.n_energy - 1) > error);
        if (table.n_force > 2 && error > 1e-10)
            CHECK(error_of(enuf_splitting_r, splitting, table.n_force - 1) > error);
        CHECK(table.n_energy >= energy_before && table.n_force >= force_before);
        energy_before = table.n_energy;
        force_before = table.n_force;
    }
    CHECK(table.cutoff == splitting->cutoff);
    /* 0 requests the rounding of double */
    CHECK(enuf_pair_table_make(splitting, 0, &table) == ENUF_SUCCESS);
    CHECK(table.n_energy >= energy_before && table.n_force >= force_before);
    CHECK_BELOW(worst_ratio(enuf_splitting_r, splitting, table.force, table.n_force, 0), 1.01,
                "error of R over rounding");
}

static void tables_have_the_requested_error(void)
{
    static const double steepness[] = {0.1, 1, 2, 3, 4, 5.5, 7, 8};
    static const double bandwidths[] = {0.01, 1, 6, 12, 24, 40, 60, 100};
    char name[64];
    enuf_splitting splitting;
    for (int i = 0; i < 8; i++) {
        CHECK(enuf_splitting_gaussian(steepness[i] / 9, 9, &splitting) == ENUF_SUCCESS);
        snprintf(name, sizeof name, "alpha r_c = %g", steepness[i]);
        check_table(&splitting, name);
        CHECK(enuf_splitting_prolate(bandwidths[i], 9, &splitting) == ENUF_SUCCESS);
        snprintf(name, sizeof name, "c = %g", bandwidths[i]);
        check_table(&splitting, name);
    }
}

static void too_steep_a_splitting_is_refused(void)
{
    enuf_splitting splitting;
    enuf_pair_table table = {.cutoff = 42};
    CHECK(enuf_splitting_gaussian(5, 6, &splitting) == ENUF_SUCCESS);
    CHECK_STATUS(enuf_pair_table_make(&splitting, 1e-10, &table), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("alpha * cutoff = 30");
    CHECK_TEXT("smaller alpha (now 5) or cutoff (now 6)");
    CHECK(enuf_splitting_prolate(300, 6, &splitting) == ENUF_SUCCESS);
    CHECK_STATUS(enuf_pair_table_make(&splitting, 1e-15, &table), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("c = 300");
    CHECK_STATUS(enuf_pair_table_make(&splitting, NAN, &table), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_pair_table_make(&splitting, -1, &table), ENUF_BAD_ARGUMENT);
    CHECK(table.cutoff == 42);
}

int main(void)
{
    tables_have_the_requested_error();
    too_steep_a_splitting_is_refused();
    return check_result();
}
