/* turns.h - rotations as matrices [9], rows first. SPDX-License-Identifier: BSD-3-Clause */
#ifndef MTIP_TURNS_H
#define MTIP_TURNS_H

#include <stdint.h>

/** Along an axis, by its length in radians (Rodrigues). */
void turn_about(const double axis[3], double turn[9]);

/** Evenly among all rotations, of a sequence of draws.h: by a quaternion. */
void turn_at_random(uint64_t *state, double turn[9]);

/** ab = a b */
void turn_product(const double a[9], const double b[9], double ab[9]);

/** turn v */
void turn_apply(const double turn[9], const double v[3], double turned[3]);

/** Angle of the rotation from a to b, degrees. */
double turn_distance(const double a[9], const double b[9]);

#endif
