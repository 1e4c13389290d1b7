/*
 * density.h - weights of samples: the area of k-space that each stands for, in squares of a Nyquist
 * step. On Cartesian samples they are 1.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_DENSITY_H
#define IMAGING_DENSITY_H

#include "sampling.h"

#include <enuf/status.h>

/**
 * weights [frames][samples] from the form of the trajectory: a sample of a spoke or a spiral at the
 * radius r has its share of the ring of radius r, as wide as the radius grows from sample to
 * sample. That is a ramp; for the centre see density.c. A spoke's share is by the angles to its
 * neighbours.
 *
 * Source: Hoge, Kwan, Pike, Magn. Reson. Med. 38 (1997) 117.
 */
void density_of_form(const sampling *samples, double *weights);

/**
 * weights [n] of samples k [n][2] anywhere: w <- w / (interpolate(spread(w))), from w = 1. The
 * library spreads to a grid of twice `side` cells along each axis and interpolates there. The
 * window has seven cells, so that a sample sees others up to 3.5 Nyquist steps away.
 *
 * progress  called after each iteration; NULL: nobody
 *
 * Source: Pipe, Menon, Magn. Reson. Med. 41 (1999) 179.
 */
void density_by_iteration(enuf_backend backend, int64_t side, int64_t n, const double *k,
                          int iterations, void (*progress)(int done, int all), double *weights);

#endif
