/*
 * images.h - images of single molecules in random orientations, simulated: slices of the intensity
 * along the Ewald sphere, with counts of photons. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MTIP_IMAGES_H
#define MTIP_IMAGES_H

#include "molecule.h"

typedef struct images {
    int64_t n, pixels;  /* of this rank; inside the circle of the largest q */
    double *detector;   /* [pixels][3] q of a molecule that is not turned */
    double (*right)[9]; /* [n] orientations */
    double (*turn)[9];  /* [n] those believed */
    double *values;     /* [n][pixels] photons over photons where the intensity is 1 */
} images;

/** Images rank, rank + ranks, ... of all; the same for any number of ranks. The orientations
 * believed are wrong by up to s->wrong degrees. */
images images_make(const settings *s, const molecule *m, int rank, int ranks);
void images_free(images *i);

/** Points [n][pixels][3] of the slices of n orientations, of one image each. */
void images_points(const images *i, int64_t n, const double (*turn)[9], double *points);

#endif
