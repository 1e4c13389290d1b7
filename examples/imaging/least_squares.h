/*
 * least_squares.h - images by conjugate gradients.
 *
 *   (sum_c conj(s_c) G s_c + lambda tr) image = sum_c conj(s_c) A^H W data_c
 *
 * A is type 2 over the number of pixels, W the weights, s_c the maps (1 without maps), G = A^H W A
 * the Gram operator of enuf/gram.h. tr is the sum of the weights over the number of pixels squared:
 * what G has on its diagonal.
 *
 * Sources: Pruessmann, Weiger, Boernert, Boesiger, Magn. Reson. Med. 46 (2001) 638; Hestenes,
 * Stiefel, J. Res. Natl. Bur. Stand. 49 (1952) 409.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_LEAST_SQUARES_H
#define IMAGING_LEAST_SQUARES_H

#include "gridding.h"

typedef struct least_squares {
    int iterations;
    double lambda;
    void (*progress)(int done, int all); /* NULL: nobody */
} least_squares;

/**
 * images [frames][side][side], from 0. Frames are solved for side by side; those of one trajectory
 * share each call of the operator. Returns the largest residual of a frame, over its right side.
 */
double least_squares_images(const measurement *m, const enuf_nufft_options *method,
                            const least_squares *request, double complex *images);

#endif
