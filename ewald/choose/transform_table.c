/* transform_table.c - see transform_table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "transform_table.h"
#include "chebyshev.h"

#include <math.h>

/* As functions of s = (k/band)^2 both fall by about exp(-c s/2): on pieces of 2/c by a factor of e,
 * which polynomials of degree 11 follow to rounding. */
static const double C_PER_PIECE = 2;

static double chi_at(double s, const void *splitting)
{
    double chi, chi_d;
    enuf_splitting_transform(splitting, sqrt(s) * enuf_splitting_band(splitting), &chi, &chi_d);
    return chi;
}

static double chi_d_at(double s, const void *splitting)
{
    double chi, chi_d;
    enuf_splitting_transform(splitting, sqrt(s) * enuf_splitting_band(splitting), &chi, &chi_d);
    return chi_d;
}

void enuf_transform_table_make(const enuf_splitting *splitting, enuf_transform_table *table)
{
    table->n_pieces = 0;
    if (splitting->kind != ENUF_SPLIT_PROLATE) return;
    const double pieces = ceil(splitting->c / C_PER_PIECE);
    if (pieces > ENUF_TRANSFORM_PIECES) return;
    table->per_band = 1 / enuf_splitting_band(splitting);
    table->n_pieces = (int)pieces;
    for (int p = 0; p < table->n_pieces; p++) {
        const double from = p / pieces, to = (p + 1) / pieces;
        enuf_fit_polynomial(chi_at, splitting, from, to, ENUF_TRANSFORM_TERMS, table->chi[p]);
        enuf_fit_polynomial(chi_d_at, splitting, from, to, ENUF_TRANSFORM_TERMS, table->chi_d[p]);
    }
}

void enuf_transform_table_at(const enuf_transform_table *table, const enuf_splitting *splitting,
                             double k, double *chi, double *chi_d)
{
    if (table->n_pieces == 0) {
        enuf_splitting_transform(splitting, k, chi, chi_d);
        return;
    }
    const double u = k * table->per_band;
    *chi = *chi_d = 0;
    if (u > 1) return;
    const double at = u * u * table->n_pieces;
    const int p = at < table->n_pieces ? (int)at : table->n_pieces - 1;
    const double t = 2 * (at - p) - 1;
    for (int i = ENUF_TRANSFORM_TERMS - 1; i >= 0; i--) {
        *chi = *chi * t + table->chi[p][i];
        *chi_d = *chi_d * t + table->chi_d[p][i];
    }
}

double enuf_transform_table_bend_at(const enuf_transform_table *table,
                                    const enuf_splitting *splitting, double k)
{
    if (table->n_pieces == 0) return enuf_splitting_transform_bend(splitting, k);
    const double u = k * table->per_band;
    if (u > 1) return 0;
    const double at = u * u * table->n_pieces;
    const int p = at < table->n_pieces ? (int)at : table->n_pieces - 1;
    const double t = 2 * (at - p) - 1;
    double slope = 0;
    for (int i = ENUF_TRANSFORM_TERMS - 1; i >= 1; i--) slope = slope * t + i * table->chi_d[p][i];
    return 4 * at * slope; /* k d/dk = 2 s d/ds, at = s n_pieces, dt/d at = 2 */
}
