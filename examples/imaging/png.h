/*
 * png.h - grey pictures as PNG, without a library: the bytes are stored, not compressed.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_PNG_H
#define IMAGING_PNG_H

#include <stdint.h>

/**
 * Writes pixels [height][width] of 8 bits, 0 black, the first row at the top.
 *
 * Source of the format: W3C, Portable Network Graphics, 2nd edition (2003); stored blocks: RFC
 * 1951.
 */
void png_write(const char *path, int64_t width, int64_t height, const uint8_t *pixels);

#endif
