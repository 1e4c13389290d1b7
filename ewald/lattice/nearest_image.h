/* nearest_image.h - the shortest image of a distance vector. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NEAREST_IMAGE_H
#define ENUF_NEAREST_IMAGE_H

/** The lattice in its shortest basis, in which images one step away suffice. */
typedef struct enuf_lattice {
    long double rows[9];
    double inverse[9];
    double safe; /* |d|^2 below this: d is the nearest image (half the shortest lattice vector) */
} enuf_lattice;

void enuf_lattice_make(const double cell[9], enuf_lattice *lattice);

/**
 * d: the shortest image of to - from, rounded at its own size, whatever lattice vectors lie
 * between. from - to gives exactly the negative.
 */
void enuf_nearest_image(const enuf_lattice *lattice, const double to[3], const double from[3],
                        double d[3]);

#endif
