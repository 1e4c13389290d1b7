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
 * Ions are placed one after the other. An ion that is too close to another one is placed again.
 * Spheres of diameter min_distance can fill up to a third of the volume. If there is no room for an
 * ion, the program ends with an error.
 */
void random_ions(uint64_t seed, int64_t n, const double cell[9], double min_distance,
                 double *positions, double *charges);

#endif
