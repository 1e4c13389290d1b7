/*
 * coils.h - maps of receiving coils, and what a coil measures of an object, both exactly.
 *
 * Coil c of n stands at the angle 2 pi c / n on a circle of radius 1/2 field of view. Its map is
 * (1 + cos pi (x - x_c)) (1 + cos pi (y - y_c)) / 4 with a phase of its own: a sum of nine waves
 * exp(2 pi i p . r), p = -1/2, 0, 1/2 along each axis. So its signal is a sum of nine signals of
 * the object, at k - p. A single coil sees everything equally.
 *
 * Source of the method: Guerquin-Kern, Lejeune, Pruessmann, Unser, IEEE Trans. Med. Imaging 31
 * (2012) 626, section III (sinusoidal sensitivities).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_COILS_H
#define IMAGING_COILS_H

#include "phantom.h"

/** maps [coils][side][side] */
void coil_maps(int64_t coils, int64_t side, double complex *maps);

/** signals [coils] of the object at k */
void coil_signals(int64_t coils, int n, const ellipse *ellipses, double kx, double ky,
                  double complex *signals);

#endif
