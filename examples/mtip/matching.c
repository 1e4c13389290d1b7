/* matching.c - orientations of images: see intensity.h. SPDX-License-Identifier: BSD-3-Clause */
#include "intensity.h"
#include "fail.h"
#include "turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 7 }; /* none, and both ways about three axes */

/* Of roots of counts the noise is even. */
static double apart(int64_t pixels, const double *slice, const double *image)
{
    double sum = 0;
    for (int64_t p = 0; p < pixels; p++) {
        const double difference = sqrt(fmax(slice[p], 0)) - sqrt(image[p]);
        sum += difference * difference;
    }
    return sum;
}

static void make_candidates(const double turn[9], double radians, double (*candidates)[9])
{
    for (int c = 0; c < CANDIDATES; c++) {
        double axis[3] = {0, 0, 0}, small[9];
        if (c > 0) axis[(c - 1) / 2] = c % 2 ? radians : -radians;
        turn_about(axis, small);
        turn_product(turn, small, candidates[c]);
    }
}

void intensity_match(const images *i, double degrees, intensity *v)
{
    const int64_t all = i->n * CANDIDATES;
    double(*candidates)[9] = allocate(all, sizeof *candidates);
    double *points = allocate(3 * all * i->pixels, sizeof *points);
    double *slices = allocate(all * i->pixels, sizeof *slices);
    for (int64_t k = 0; k < i->n; k++)
        make_candidates(i->turn[k], degrees * M_PI / 180, candidates + k * CANDIDATES);
    images_points(i, all, (const double(*)[9])candidates, points);
    intensity_slice(v, all * i->pixels, points, slices);
    for (int64_t k = 0; k < i->n; k++) {
        double least = HUGE_VAL;
        for (int c = 0; c < CANDIDATES; c++) {
            const int64_t at = k * CANDIDATES + c;
            const double found =
                apart(i->pixels, slices + at * i->pixels, i->values + k * i->pixels);
            if (found >= least) continue;
            least = found;
            memcpy(i->turn[k], candidates[at], sizeof *candidates);
        }
    }
    free(candidates);
    free(points);
    free(slices);
}
