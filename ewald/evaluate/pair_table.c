/* pair_table.c - polynomials in (r/r_c)^2 for the pair loop. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pair_table.h"
#include "chebyshev.h"

#include <math.h>

typedef double pieces_of[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];

/* Rounding of the function and of Horner's scheme, in units of the largest value in a piece. */
static const double rounding = 3e-16;

/*
 * Fits all pieces with n coefficients; returns the largest error of a piece over its allowed error,
 * which is `error`, or rounding if that is larger.
 */
static double fit_pieces(enuf_function f, const enuf_splitting *splitting, double error, int n,
                         pieces_of table)
{
    double worst = 0;
    for (int piece = 0; piece < ENUF_PAIR_PIECES; piece++) {
        double low = (double)piece / ENUF_PAIR_PIECES;
        double high = (double)(piece + 1) / ENUF_PAIR_PIECES;
        double coefficients[ENUF_PAIR_COEFFICIENTS];
        enuf_fit_polynomial(f, splitting, low, high, n, coefficients);
        double found = enuf_fit_error(f, splitting, low, high, n, coefficients);
        /* Q and R fall from s = 0 on */
        double allowed = fmax(error, rounding * fabs(f(low, splitting)));
        if (!(found / allowed <= worst)) worst = found / allowed;
        for (int k = 0; k < n; k++) table[k][piece] = coefficients[k];
    }
    return worst;
}

/*
 * Fits with the smallest number of coefficients whose error is allowed; returns it, or 0. A ratio
 * below 4 that no longer falls is rounding in a piece, not a lack of coefficients.
 */
static int fit(enuf_function f, const enuf_splitting *splitting, double error, pieces_of table)
{
    double before = INFINITY;
    for (int n = 2; n <= ENUF_PAIR_COEFFICIENTS; n++) {
        double ratio = fit_pieces(f, splitting, error, n, table);
        if (ratio <= 1 || (ratio < 4 && ratio > before / 2)) return n;
        before = ratio;
    }
    return 0;
}

enuf_status enuf_pair_table_make(const enuf_splitting *splitting, double error,
                                 enuf_pair_table *table)
{
    if (!(error >= 0))
        return enuf_fail(ENUF_BAD_ARGUMENT, "pair table: error = %g has to be 0 or positive",
                         error);
    enuf_pair_table made = {.cutoff = splitting->cutoff, .error = error};
    made.n_energy = fit(enuf_splitting_q, splitting, error, made.energy);
    made.n_force = fit(enuf_splitting_r, splitting, error, made.force);
    if (made.n_energy == 0 || made.n_force == 0) {
        if (splitting->kind == ENUF_SPLIT_GAUSSIAN)
            return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                             "pair table: alpha * cutoff = %g is too steep for %d polynomials of "
                             "%d coefficients and an error of %g; 8 or less always serves: take "
                             "a smaller alpha (now %g) or cutoff (now %g)",
                             splitting->alpha * splitting->cutoff, ENUF_PAIR_PIECES,
                             ENUF_PAIR_COEFFICIENTS, error, splitting->alpha, splitting->cutoff);
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "pair table: c = %g is too steep for %d polynomials of %d coefficients "
                         "and an error of %g; 100 or less always serves",
                         splitting->c, ENUF_PAIR_PIECES, ENUF_PAIR_COEFFICIENTS, error);
    }
    *table = made;
    return ENUF_SUCCESS;
}
