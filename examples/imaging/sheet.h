/*
 * sheet.h - images side by side in one grey picture.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_SHEET_H
#define IMAGING_SHEET_H

#include <complex.h>
#include <stdint.h>

typedef struct sheet {
    int64_t columns, rows, side; /* `side` pixels along an image of the sheet */
    uint8_t *pixels;             /* [rows side][columns side] */
} sheet;

sheet sheet_make(int64_t columns, int64_t rows, int64_t side);
void sheet_free(sheet *pictures);

/**
 * Puts |image| [side of image][side of image] into a place of the sheet: 0 is black, `white` and
 * more is white. An image with twice the sheet's side is shown by the means of 2 x 2 pixels, y
 * upwards.
 */
void sheet_put(sheet *pictures, int64_t column, int64_t row, int64_t side,
               const double complex *image, double white);

/** Writes the sheet as PNG. */
void sheet_write(const sheet *pictures, const char *path);

#endif
