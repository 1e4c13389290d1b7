/*
 * gridding.h - images by the adjoint of the transform, with weights.
 *
 *   image(r) = sum_j w_j data_j exp(2 pi i k_j . r)
 *
 * With the weights of density.h this is the object, blurred by the point spread of the samples.
 *
 * Source: Soerensen, Schaeffter, Noe, Hansen, IEEE Trans. Med. Imaging 27 (2008) 538.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_GRIDDING_H
#define IMAGING_GRIDDING_H

#include "measurement.h"

#include <enuf/nufft.h>

/** Options of the transforms of an image. Window, width, grid and backend may be
 * changed after it. */
enuf_nufft_options gridding_options(int64_t side, double tolerance);

/** images [frames][coils][side][side]: all frames and coils in one call. */
void gridding_of_coils(const measurement *m, const enuf_nufft_options *method,
                       double complex *images);

/**
 * images [frames][side][side]. With maps sum_c conj(map_c) image_c / sum_c |map_c|^2; without them
 * the root of the sum of |image_c|^2, or the image of the only coil.
 *
 * Source: Roemer, Edelstein, Hayes, Souza, Mueller, Magn. Reson. Med. 16 (1990) 192.
 */
void gridding_images(const measurement *m, const enuf_nufft_options *method,
                     double complex *images);

#endif
