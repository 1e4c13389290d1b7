/*
 * tiles.h - the shapes of tiles. A kernel's tile of cells, margin included, comes in three sizes in
 * 3D, in two in 2D and 1D; without the window's margin it is a tile of the sort.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_TILES_H
#define ENUF_NUFFT_CUDA_TILES_H

#include <stdint.h>

enum {
    ENUF_CUDA_TILED_WIDTH = 16, /* windows up to it have tiled kernels */
    /* a wider window takes the next size */
    ENUF_CUDA_SMALL_WIDTH = 4,
    ENUF_CUDA_MIDDLE_WIDTH = 9,
    /* cells along x and z (multiples of 8), along y (of 2), margin included */
    ENUF_CUDA_SMALL = 8,
    ENUF_CUDA_SMALL_Y = 16,
    ENUF_CUDA_MIDDLE = 16,
    ENUF_CUDA_MIDDLE_Y = 16,
    ENUF_CUDA_LARGE = 24,
    ENUF_CUDA_LARGE_Y = 24,
    ENUF_CUDA_LEAST_GRID = 32, /* cells along an axis: no tile of 3D is larger */
    /* 2D: cells along x (multiples of 16), along y (of 8); 1D: cells of a row, rows; plane.cuh.
     * Narrow: widths up to ENUF_CUDA_MIDDLE_WIDTH. */
    ENUF_CUDA_NARROW_ACROSS = 16,
    ENUF_CUDA_NARROW_ALONG = 16,
    ENUF_CUDA_WIDE_ACROSS = 32,
    ENUF_CUDA_WIDE_ALONG = 24,
    ENUF_CUDA_WIDE_ROWS = 8,
    ENUF_CUDA_LARGEST_TILE = 256 /* along any axis: offsets have 8 bits */
};

#ifdef __cplusplus
extern "C"
#endif
    /** Cells of a tile along each axis of a grid [3]; 1 past dim. The number of tiles is the least
     * that the kernels allow, and tiles are nearly equal; the last one along an axis has the
     * rest. */
    void
    enuf_cuda_tile_shape(int dim, int width, const int64_t grid[3], int tile[3]);

#endif
