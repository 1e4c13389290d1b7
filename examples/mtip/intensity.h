/*
 * intensity.h - the intensity as a sum over the voxels of the density's autocorrelation,
 *
 *   I(q) = sum_m A(m) exp(i q . m),  |m_d| <= 2 half,  A real and A(-m) = A(m)
 *
 * Slicing is a transform of type 2 of A with real values. Merging finds the A whose slices are the
 * images: conjugate gradients with the Gram operator of all points.
 *
 * Source: Donatelli, Sethian, Zwart, PNAS 114 (2017) 7222; as transforms, Shih et al.,
 * arXiv:2102.08463, section V.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MTIP_INTENSITY_H
#define MTIP_INTENSITY_H

#include "images.h"

#include <enuf/nufft.h>

typedef struct intensity {
    int64_t side, voxels; /* of A */
    enuf_nufft *plan;     /* real strengths and values; half of the modes are stored */
    double complex *a;    /* [side][side][side], x fastest, m = 0 in the middle */
    double complex *half; /* [side][side][side/2 + 1]: m_x >= 0 */
} intensity;

/** A = 0. */
intensity intensity_make(const settings *s);
void intensity_free(intensity *v);

/** values [n] at points [n][3] */
void intensity_slice(intensity *v, int64_t n, const double *points, double *values);

/** A from the images of all ranks in the orientations believed, beginning with the present A:
 * weighted least squares, with weights |q|^2 against the crowd at the centre. Collective. */
void intensity_merge(const settings *s, const images *i, intensity *v);

/** Gives each image of this rank, of its own orientation and six turned by some degrees, the one
 * whose slice is most alike. */
void intensity_match(const images *i, double degrees, intensity *v);

#endif
