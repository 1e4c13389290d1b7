/*
 * spiral.h - the radius along a spiral u = angle / (2 pi turns), 0 <= u <= 1.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_SPIRAL_H
#define IMAGING_SPIRAL_H

#include <stdint.h>

/** Samples of a readout, so that neighbours on the path are at most a Nyquist step apart. */
int64_t spiral_count(int even_path, int64_t side, double turns);

/**
 * u after the part t >= 0 of the readout: t at constant angular velocity (even_path 0); else the
 * radius up to which the path has t times its length from 0 to 1.
 */
double spiral_radius(int even_path, double turns, double t);

/** du/dt at u. */
double spiral_slope(int even_path, double turns, double u);

#endif
