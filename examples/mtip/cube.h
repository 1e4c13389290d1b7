/*
 * cube.h - discrete Fourier transforms of a cube of voxels, by transforms between the voxels and
 * the points of a grid.
 *
 *   there(k) = sum_r here(r) exp(-2 pi i k . r / side)
 *
 * r and k count from -side/2, with an odd side; x is fastest. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MTIP_CUBE_H
#define MTIP_CUBE_H

#include "transforms.h"

#include <complex.h>

typedef struct cube {
    int64_t side, voxels;
    enuf_nufft *plan; /* its points are r / side, its modes k */
} cube;

/** Of the side of the autocorrelation. */
cube cube_make(const settings *s);
void cube_free(cube *c);

/** Arrays [side][side][side]. */
void cube_forward(const cube *c, const double complex *here, double complex *there);
void cube_backward(const cube *c, const double complex *there, double complex *here);

/** q [3] of a voxel of the transform, radians a voxel. */
void cube_q(const cube *c, int64_t voxel, double q[3]);

#endif
