/*
 * orbit.h - all images of a site under the operations of a space group.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ORBIT_H
#define ENUF_ORBIT_H

#include "symmetry.h"

/**
 * Images of the fractional coordinates x in the cell [0, 1), each once.
 *
 * n, operations   a group
 * cell            rows a, b, c; Angstrom; no two faces nearer than 1 Angstrom
 * images          [ENUF_MOST_OPERATIONS][3]
 *
 * A site nearer to its own image than 0.05 Angstrom stands on a special position. It is moved there
 * (to the mean of those images): a file's 0.3333 becomes 1/3. Returns the number of images; 0 if a
 * site stands so that it is neither on the special position nor clearly off it.
 */
int enuf_orbit(int n, const enuf_symmetry_operation *operations, const double cell[9],
               const double x[3], double images[][3]);

#endif
