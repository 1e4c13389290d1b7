/* window_table.c - see window_table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "window_table.h"

#include <math.h>

enum { PLACES = 64 /* of a cell at which the second derivative is looked at */ };

/* Second derivative by t, which runs from -1 to 1 on a cell. */
static double curvature(const enuf_window_fit *fit, int cell, double t)
{
    double sum = 0;
    for (int k = fit->n_coefficients - 1; k >= 2; k--)
        sum = sum * t + k * (k - 1) * fit->coefficients[k][cell];
    return sum;
}

/* The largest absolute value over all cells; *square: the sum over cells of the mean of its square.
 */
static double curvatures(const enuf_window_fit *fit, double *square)
{
    double most = 0;
    *square = 0;
    for (int cell = 0; cell < fit->width; cell++)
        for (int i = 0; i <= PLACES; i++) {
            const double c = curvature(fit, cell, 2.0 * i / PLACES - 1);
            most = fmax(most, fabs(c));
            *square += c * c / (PLACES + 1);
        }
    return most;
}

double enuf_window_table_error(const enuf_window_fit *fit, int pieces)
{
    const double h = 2.0 / pieces;
    double square;
    return curvatures(fit, &square) * h * h / 8;
}

int enuf_window_table_pieces(const enuf_window_fit *fit, double error)
{
    for (int pieces = 1; pieces <= ENUF_MOST_PIECES; pieces *= 2)
        if (enuf_window_table_error(fit, pieces) <= error) return pieces;
    return 0;
}

/* c s (h - s)/2 at 0 <= s <= h has the mean square c^2 h^4/120. */
double enuf_window_table_missed(const enuf_window_fit *fit, int pieces)
{
    const double h = 2.0 / pieces;
    double square;
    curvatures(fit, &square);
    return square * h * h * h * h / 120;
}

double enuf_window_table_value(const enuf_window_fit *fit, int pieces, int k, int cell)
{
    const double t = 2.0 * k / pieces - 1;
    double sum = 0;
    for (int n = fit->n_coefficients - 1; n >= 0; n--) sum = sum * t + fit->coefficients[n][cell];
    return sum;
}
