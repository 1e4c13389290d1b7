/*
 * plane.cuh - tiles in 1D and 2D, as the matrix units take them: a warp holds a tile in registers,
 * and rows of weights in shared memory have a weight for each of its cells.
 *
 * 2D: a tile has ACROSS cells along x and ALONG cells along y, margin included. 1D: a tile is cut
 * into ALONG rows of ACROSS - width + 1 cells each. With its margin a row has ACROSS cells, and the
 * last ones are the next row's first. So a line is a plane too: along its second axis the window of
 * a point is 1 in the point's row and 0 in all others.
 *
 * 32 points at a time, a lane evaluates the weights of one. A row holds both windows, each between
 * zeros, so that it covers the tile wherever the window stands in it: the place of a window in the
 * row is fixed, and the place of the tile's first cell is the point's.
 *
 * Cells and weights are held in double. Float plans hold them in float where double is slow: plain
 * products take the place of the matrix units'.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_PLANE_CUH
#define ENUF_NUFFT_CUDA_PLANE_CUH

#include "half_window.cuh"

/** WIDE: windows wider than ENUF_CUDA_MIDDLE_WIDTH. */
template <int DIM, bool WIDE> struct plane_shape {
    enum {
        ACROSS = WIDE ? ENUF_CUDA_WIDE_ACROSS : ENUF_CUDA_NARROW_ACROSS,
        ALONG = !WIDE      ? ENUF_CUDA_NARROW_ALONG
                : DIM == 2 ? ENUF_CUDA_WIDE_ALONG
                           : ENUF_CUDA_WIDE_ROWS
    };
    static_assert(ACROSS % 16 == 0 && ALONG % 8 == 0, "blocks of the matrix units");
};

/** A row of weights: where both windows begin, and its length, in numbers. Lengths are odd, so that
 * rows begin in different banks. */
struct plane_row {
    int across, along, length;
};

template <int DIM, bool WIDE> __host__ __device__ __forceinline__ plane_row plane_row_of(int width)
{
    typedef plane_shape<DIM, WIDE> shape;
    const int second = DIM == 2 ? width : 1; /* cells of the second window */
    const int zeros = shape::ACROSS - width, more_zeros = shape::ALONG - second;
    plane_row row;
    row.across = zeros;
    row.along = zeros + width + (zeros > more_zeros ? zeros : more_zeros);
    row.length = (row.along + second + more_zeros) | 1;
    return row;
}

/** Numbers from the first row to the weights of the tile's first cell, for each axis of a point. */
struct alignas(8) plane_place {
    int across, along;
};

/** Clears the rows of 32 points, by all lanes; in 1D sets the second windows. */
template <int DIM, typename held>
__device__ __forceinline__ void clear_rows(const plane_row &row, held *rows, plane_place *places)
{
    const int lane = threadIdx.x;
    for (int i = lane; i < 32 * row.length; i += 32) rows[i] = 0;
    const plane_place nowhere = {0, 0};
    places[lane] = nowhere;
    __syncwarp();
    if (DIM == 1) rows[lane * row.length + row.along] = 1;
}

/** Weights of four cells on each axis, t the window's variable there, and slopes per cell: Horner's
 * rule with one read of each coefficient; c [n][step]. */
template <typename real, int DIM, bool SLOPES>
__device__ __forceinline__ void weights_of_axes(const real *c, int n, int step, const real t[DIM],
                                                real w[DIM][4], real slope[DIM][4])
{
    typedef numbers<real, 4> four;
    c += (n - 1) * step;
    const four last = *(const four *)c;
#pragma unroll
    for (int i = 0; i < DIM * 4; i++) {
        w[i / 4][i % 4] = last.at[i % 4];
        slope[i / 4][i % 4] = 0;
    }
#pragma unroll 2
    for (int k = n - 2; k >= 0; k--) {
        c -= step;
        const four next = *(const four *)c;
#pragma unroll
        for (int i = 0; i < DIM * 4; i++) {
            real &weight = w[i / 4][i % 4], &change = slope[i / 4][i % 4];
            if (SLOPES) change = change * t[i / 4] + weight;
            weight = weight * t[i / 4] + next.at[i % 4];
        }
    }
#pragma unroll
    for (int i = 0; SLOPES && i < DIM * 4; i++) slope[i / 4][i % 4] *= (real)-2;
}

/** A lane's point into its row. SLOPES: slopes per cell into the same row of `slopes`, whose second
 * windows stay 0 in 1D. TABLE: weights are those of the window's table, which has no slopes. */
template <typename real, int DIM, bool WIDE, bool SLOPES, bool TABLE, typename held>
__device__ __forceinline__ void put_row(const window_view &window, const real *coefficients,
                                        const point_record<real> &r, const plane_row &row,
                                        held *rows, held *slopes, plane_place *places)
{
    const int begin = (int)threadIdx.x * row.length;
    real t[DIM];
    for (int d = 0; d < DIM; d++) t[d] = variable_of(r, d);
    [[maybe_unused]] table_piece<real> piece[DIM];
    if constexpr (TABLE)
        for (int d = 0; d < DIM; d++) piece[d] = piece_of_table(window, t[d]);
    for (int p = 0; p < window.width; p += 4) {
        real w[DIM][4], slope[DIM][4];
        if constexpr (TABLE)
            for (int d = 0; d < DIM; d++) four_in_piece(window, piece[d], p, w[d]);
        else
            weights_of_axes<real, DIM, SLOPES>(coefficients + p, window.n, window.step, t, w,
                                               slope);
#pragma unroll
        for (int i = 0; i < DIM * 4; i++) {
            const int cell = p + i % 4, at = begin + (i < 4 ? row.across : row.along) + cell;
            if (cell >= window.width) continue;
            rows[at] = (held)w[i / 4][i % 4];
            if (SLOPES) slopes[at] = (held)slope[i / 4][i % 4];
        }
    }
    int x = offset_of(r, 0), y = DIM == 2 ? offset_of(r, 1) : 0;
    if (DIM == 1) {
        const int cells = plane_shape<DIM, WIDE>::ACROSS - window.width + 1;
        y = x / cells;
        x -= y * cells;
    }
    const plane_place place = {begin + row.across - x, begin + row.along - y};
    places[threadIdx.x] = place;
}

/** Where a tile's cells stand in the grid. */
template <int DIM, bool WIDE> struct plane_cells {
    int x0, y0, nx, ny;
    int64_t row; /* numbers from one row of the tile to the next */

    __device__ __forceinline__ plane_cells(const sorted_view &points, uint32_t tile, int64_t stride)
    {
        int64_t origin[3];
        tile_origin(points, tile, origin);
        x0 = (int)origin[0];
        y0 = (int)origin[1];
        nx = (int)points.grid[0];
        ny = (int)points.grid[1];
        row = stride;
    }
    /** Numbers from the grid's first to cell (x, y) of the tile. Grids may be smaller than it. */
    __device__ __forceinline__ int64_t place(int x, int y, int width, int parts) const
    {
        if (DIM == 2) return folded(y0 + y, ny) * row + (int64_t)folded(x0 + x, nx) * parts;
        const int cells = plane_shape<DIM, WIDE>::ACROSS - width + 1; /* of a row */
        return (int64_t)folded(x0 + y * cells + x, nx) * parts;
    }
};

#endif
