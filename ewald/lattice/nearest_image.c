/* nearest_image.c - see nearest_image.h. SPDX-License-Identifier: BSD-3-Clause */
#include "nearest_image.h"

#include "cell_geometry.h"

#include <math.h>
#include <string.h>

static double norm2(const double d[3])
{
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

void enuf_lattice_make(const double cell[9], enuf_lattice *lattice)
{
    const int periodic[3] = {1, 1, 1};
    long double inverse[9];
    enuf_cell_reduce(cell, periodic, lattice->rows);
    enuf_invert_3x3(lattice->rows, inverse);
    double shortest = INFINITY;
    for (int k = 0; k < 9; k++) lattice->inverse[k] = (double)inverse[k];
    for (int r = 0; r < 3; r++) {
        const long double *row = &lattice->rows[3 * r];
        const double vector[3] = {(double)row[0], (double)row[1], (double)row[2]};
        shortest = fmin(shortest, norm2(vector));
    }
    lattice->safe = 0.25 * (1 - 1e-12) * shortest;
}

/* d - n H, each product exact enough for images many cells away. */
static void shift(const enuf_lattice *lattice, const double n[3], const long double d[3],
                  double image[3])
{
    for (int a = 0; a < 3; a++)
        image[a] = (double)(d[a] - (long double)n[0] * lattice->rows[a] -
                            (long double)n[1] * lattice->rows[3 + a] -
                            (long double)n[2] * lattice->rows[6 + a]);
}

/* Of several images equally near, the first found is taken; d and -d find theirs in opposite
 * orders, so that the search runs on one of the two only. */
static int points_down(const double d[3])
{
    for (int a = 0; a < 3; a++)
        if (d[a] != 0) return d[a] < 0;
    return 0;
}

static void search(const enuf_lattice *lattice, double d[3])
{
    double best = INFINITY, nearest[3] = {0, 0, 0}, sign = points_down(d) ? -1 : 1;
    const long double up[3] = {sign * d[0], sign * d[1], sign * d[2]};
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            for (int k = -1; k <= 1; k++) {
                const double n[3] = {i, j, k};
                double image[3];
                shift(lattice, n, up, image);
                if (norm2(image) < best) {
                    best = norm2(image);
                    memcpy(nearest, image, sizeof nearest);
                }
            }
    for (int a = 0; a < 3; a++) d[a] = sign * nearest[a];
}

void enuf_nearest_image(const enuf_lattice *lattice, const double to[3], const double from[3],
                        double d[3])
{
    double n[3];
    for (int a = 0; a < 3; a++) d[a] = to[a] - from[a];
    if (norm2(d) < lattice->safe) return;
    for (int c = 0; c < 3; c++)
        n[c] = rint(d[0] * lattice->inverse[c] + d[1] * lattice->inverse[3 + c] +
                    d[2] * lattice->inverse[6 + c]);
    /* a lattice vector may leave little of the difference: all its digits count */
    const long double apart[3] = {(long double)to[0] - from[0], (long double)to[1] - from[1],
                                  (long double)to[2] - from[2]};
    shift(lattice, n, apart, d);
    if (norm2(d) >= lattice->safe) search(lattice, d);
}
