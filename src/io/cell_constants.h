/*
 * cell_constants.h - cell vectors from the six constants of crystallography.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CELL_CONSTANTS_H
#define ENUF_CELL_CONSTANTS_H

/** Rows a, b, c of lengths [3] and angles alpha, beta, gamma in degrees: a along x, b in the plane
 * of x and y. Exactly orthogonal at 90. */
void enuf_cell_from_constants(const double lengths[3], const double angles[3], double cell[9]);

#endif
