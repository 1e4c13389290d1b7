/*
 * random_system.h - seeded test systems, the same on every machine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_RANDOM_SYSTEM_H
#define ENUF_RANDOM_SYSTEM_H

#include <stdint.h>

/** x [n]: independent uniform numbers in [lo, hi). */
void random_numbers(uint64_t seed, int64_t n, double lo, double hi, double *x);

/**
 * Ions at random in a cell, no two of them (images included) closer than min_distance.
 *
 * cell       rows a, b, c; any tilt and either handedness
 * positions  [n][3], inside the cell
 * charges    [n]: +1, -1, +1, ...; an odd n leaves a net charge of +1
 *
 * Ions are put in one after the other and tried again where they come too close, which fills up to
 * a third of the volume with spheres of diameter min_distance; a denser system ends the program.
 */
void random_ions(uint64_t seed, int64_t n, const double cell[9], double min_distance,
                 double *positions, double *charges);

#endif
