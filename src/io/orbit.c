/* orbit.c - see orbit.h. SPDX-License-Identifier: BSD-3-Clause */
#include "orbit.h"

#include <math.h>

/*
 * Angstrom. Coordinates of three digits in a cell of 20 Angstrom are off by up to 0.02; ions of
 * full occupancy never come that near to each other.
 */
static const double SAME_SITE = 0.05;

/* Distance of y from x's nearest periodic image, which is `*shift` cells away from x. */
static double distance(const double cell[9], const double x[3], const double y[3], double shift[3])
{
    double r2 = 0.0, d[3];
    for (int i = 0; i < 3; ++i) {
        shift[i] = rint(y[i] - x[i]);
        d[i] = y[i] - x[i] - shift[i];
    }
    for (int k = 0; k < 3; ++k) {
        const double r = d[0] * cell[k] + d[1] * cell[3 + k] + d[2] * cell[6 + k];
        r2 += r * r;
    }
    return sqrt(r2);
}

/* Mean of the images that are the site itself; returns how many they are. */
static int refine(int n, const enuf_symmetry_operation *operations, const double cell[9],
                  const double x[3], double refined[3])
{
    double sum[3] = {0.0, 0.0, 0.0};
    int same = 0;
    for (int o = 0; o < n; ++o) {
        double image[3], shift[3];
        enuf_symmetry_apply(&operations[o], x, image);
        if (distance(cell, x, image, shift) > SAME_SITE) continue;
        for (int i = 0; i < 3; ++i) sum[i] += image[i] - shift[i];
        ++same;
    }
    for (int i = 0; i < 3; ++i) refined[i] = same > 1 ? sum[i] / same : x[i];
    return same;
}

int enuf_orbit(int n, const enuf_symmetry_operation *operations, const double cell[9],
               const double x[3], double images[][3])
{
    double site[3];
    const int same = refine(n, operations, cell, x, site);
    int found = 0;
    for (int o = 0; o < n; ++o) {
        double *image = images[found], shift[3];
        int k = 0;
        enuf_symmetry_apply(&operations[o], site, image);
        while (k < found && distance(cell, images[k], image, shift) > SAME_SITE) ++k;
        if (k < found) continue;
        for (int i = 0; i < 3; ++i) image[i] -= floor(image[i]);
        ++found;
    }
    /* orbit and stabiliser: their sizes multiply to the group's */
    return found * same == n ? found : 0;
}
