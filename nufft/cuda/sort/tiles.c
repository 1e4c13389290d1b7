/* tiles.c - see tiles.h. SPDX-License-Identifier: BSD-3-Clause */
#include "tiles.h"

/* The least edge with which an axis takes as many tiles as with the largest. */
static int even_edge(int64_t cells, int most)
{
    const int64_t tiles = (cells + most - 1) / most;
    return tiles > 0 ? (int)((cells + tiles - 1) / tiles) : most;
}

static void shape_in_plane(int dim, int width, const int64_t grid[3], int tile[3])
{
    const int wide = width > ENUF_CUDA_MIDDLE_WIDTH;
    const int across = (wide ? ENUF_CUDA_WIDE_ACROSS : ENUF_CUDA_NARROW_ACROSS) - width + 1;
    const int along = wide ? ENUF_CUDA_WIDE_ALONG : ENUF_CUDA_NARROW_ALONG;
    const int rows = wide ? ENUF_CUDA_WIDE_ROWS : ENUF_CUDA_NARROW_ALONG;
    tile[0] = even_edge(grid[0], dim == 2 ? across : rows * across);
    if (dim == 2) tile[1] = even_edge(grid[1], along - width + 1);
}

static void shape_in_space(int width, const int64_t grid[3], int tile[3])
{
    int across = ENUF_CUDA_LARGE, along = ENUF_CUDA_LARGE_Y;
    if (width <= ENUF_CUDA_MIDDLE_WIDTH) {
        across = ENUF_CUDA_MIDDLE;
        along = ENUF_CUDA_MIDDLE_Y;
    }
    if (width <= ENUF_CUDA_SMALL_WIDTH) {
        across = ENUF_CUDA_SMALL;
        along = ENUF_CUDA_SMALL_Y;
    }
    tile[0] = even_edge(grid[0], across - width + 1);
    tile[1] = even_edge(grid[1], along - width + 1);
    tile[2] = even_edge(grid[2], across - width + 1);
}

void enuf_cuda_tile_shape(int dim, int width, const int64_t grid[3], int tile[3])
{
    static const int without_tiles[3][3] = {{ENUF_CUDA_LARGEST_TILE, 1, 1}, {16, 16, 1}, {8, 8, 8}};
    for (int d = 0; d < 3; d++) tile[d] = without_tiles[dim - 1][d];
    if (width > ENUF_CUDA_TILED_WIDTH) return;
    if (dim == 3)
        shape_in_space(width, grid, tile);
    else
        shape_in_plane(dim, width, grid, tile);
}
