/*
 * table_v.h - the error of gridding by window, width and oversampling: table V of Soerensen,
 * Schaeffter, Noe, Hansen, IEEE Trans. Med. Imaging 27 (2008) 538.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_TABLE_V_H
#define IMAGING_TABLE_V_H

#include "gridding.h"

/** A window of `width` cells of the image's grid. Lengths on the fine grid are `upsampling` times
 * as many cells. */
typedef struct table_row {
    int upsampling, width;
    double deviation; /* of the Gaussian, in cells of the image's grid */
    double published; /* the paper's error with it */
} table_row;

enum { TABLE_ROWS = 5 };

/**
 * Without upsampling the grid has two cells more than pixels: the library needs one more at least.
 * With upsampling 2 the Gaussians are those of Jackson, Meyer, Nishimura, Macovski, IEEE Trans.
 * Med. Imaging 10 (1991) 473. Without it our copy of the paper has two errors, but neither widths
 * nor deviations: these give them.
 */
extern const table_row table_rows[TABLE_ROWS];

/** Options with the row's Gaussian, or with the default window at the same width. */
enuf_nufft_options table_gaussian(const table_row *row, int64_t side);
enuf_nufft_options table_default(const table_row *row, int64_t side);

/** A head by 256 spokes of `side` samples at 256 pixels; in proportion at other sides. */
measurement table_measurement(trajectory kind, int64_t side);

/** The adjoint by direct sums, of the first frame and coil: image [side][side]. */
void table_exact(const measurement *m, double complex *image);

/** || image - exact || / || exact || over n pixels. */
double table_error(int64_t n, const double complex *image, const double complex *exact);

#endif
