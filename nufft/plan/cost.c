/* cost.c - the time that a method takes, for the choice of one. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "cuda/sort/tiles.h"
#include "plan.h"
#include "window_lines.h"

#include <math.h>

/* Nanoseconds between points and grid, and between grid and modes. */
typedef struct costs {
    double points, transform;
} costs;

/* Nanoseconds of one core (Xeon, Sapphire Rapids class, 23 November 2026): of 32 problems of 2D and
 * 3D, 1 and 10 points a mode, both precisions, the cheapest of four grids by these rates
 * takes 1.005 times the least time of six in the mean, 1.05 times at most; RMS deviation of a time
 * 10 %. */
static const double POINT = 12, VECTOR = 0.48; /* a point, a vector of 32 bytes of its window */
static const double LINE = 0.49;               /* 3D, wide windows: a line of 64 bytes (spread.c) */
/* ... of windows that the first cache does not hold: widths 14 and 15, complex, double, 1.22 of a
 * line of widths 10 to 13 in place of 1.11 (62^3 modes, 1 and 4 points a mode; Xeon, Sapphire
 * Rapids class, 29 November 2026). */
static const double FIRST_CACHE = 48 * 1024, SPILLED = 1.1;
static const double FFT_CELL = 1.4, FFT_BYTE = 0.39; /* a pass over an axis */
static const double WIDE =
    3; /* ... per vector of windows wider than 16, which have no kernel of
          their own: 100,000 points in 1D, widths 16 and 19, 3.3 and 9.1 ms */
static const double TILE_BYTE = 0.16; /* tiles are added to the grid */
static const double BLOCK = 24;       /* cells along a tile, without the window's */

/* Nanoseconds of one GPU: a byte of a cell (FFT, clearing, deconvolution; H100; in 3D H200) and, in
 * 3D, of a tile that is added to the grid. nufft/cuda/sort/tiles.h has the sizes of tiles. */
static const double GPU_CELL_BYTE = 0.0023, GPU_SPACE_CELL_BYTE = 0.0017, GPU_TILE_BYTE = 0.0003;

/* Nanoseconds of one H200 in 2D: a point without its strength, in narrow and wide tiles; four of
 * its weights on an axis, in float; a number of its strength, in both; a byte of a tile. Fitted to
 * executions of both types, without the launches' 22 us: 256^2 to 2048^2 modes, 0.1 to 10 points a
 * mode, widths 4 to 16; RMS deviation 12 %. 1D takes as few products a point as narrow tiles do
 * (plane.cuh); its rates were not fitted. GPU_PLANE_CELL: a cell of the window's width, however few
 * the points are; the cheapest of three grids for 196 problems of 32^2 to 512^2 modes, 0.1 to 4
 * points a mode, takes 1.022 of the least time in the mean (1.031 without it). */
static const double GPU_PLANE_CELL = 200;
static const double GPU_PLANE_POINT[2] = {0.035, 0.079}, GPU_PLANE_WEIGHTS = 0.002;
static const double GPU_PLANE_NUMBER[2] = {0.0037, 0.013}, GPU_PLANE_TILE_BYTE = 0.00056;

static costs of_gpu_plane(const enuf_nufft_options *o, const enuf_method *method)
{
    const int width = method->window.width, wide = width > ENUF_CUDA_MIDDLE_WIDTH;
    const int more = wide && o->dim == 2; /* products a point */
    const double edge[2] = {wide ? ENUF_CUDA_WIDE_ACROSS : ENUF_CUDA_NARROW_ACROSS,
                            wide ? ENUF_CUDA_WIDE_ALONG : ENUF_CUDA_NARROW_ALONG};
    const double parts = o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    const double bytes = o->precision == ENUF_FLOAT ? 4 : 8;
    const double weights = GPU_PLANE_WEIGHTS * o->dim * ((width + 3) / 4) * bytes / 4;
    double points = o->density, cells = 1, tiles = 1;
    for (int d = 0; d < o->dim; d++) {
        points *= (double)o->modes[d];
        cells *= (double)method->grid[d];
        tiles *= edge[d] / (edge[d] - width + 1);
    }
    const double point = GPU_PLANE_POINT[more] + weights + parts * GPU_PLANE_NUMBER[more];
    return (costs){points * point + cells * parts * bytes * GPU_PLANE_TILE_BYTE * tiles,
                   cells * parts * bytes * GPU_CELL_BYTE};
}

/* Nanoseconds of one H200, a point of a complex strength in the tiled kernels' three sizes in 3D:
 * the mean of type 1 and type 2, fitted to widths 3 to 8 in float and 6 to 15 in double, 62^3 to
 * 158^3 modes, 0.05 to 1.6 samples a mode, radial, cones, random; RMS deviation of 552 times 13 %.
 * Of 65 problems the cheapest grid by these rates takes 1.019 times the least time in the
 * mean, 1.18 at most (bench/results/tuning_ways_h200_*.csv). */
static double gpu_point(const enuf_nufft_options *o, double width)
{
    const int single = o->precision == ENUF_FLOAT;
    if (width <= ENUF_CUDA_SMALL_WIDTH) return single ? 0.065 : 0.09;
    if (width <= ENUF_CUDA_MIDDLE_WIDTH) return (single ? 0.0058 : 0.0068) * width * width;
    if (width <= ENUF_CUDA_TILED_WIDTH) return (single ? 0.071 : 0.1425) * width;
    return 0.008 * pow(width, o->dim); /* each cell counts */
}

/* In 3D, and windows that have no tiles in 1D and 2D. */
static costs of_gpu_beyond_plane(const enuf_nufft_options *o, const enuf_method *method)
{
    static const int widest[3] = {ENUF_CUDA_SMALL_WIDTH, ENUF_CUDA_MIDDLE_WIDTH,
                                  ENUF_CUDA_TILED_WIDTH},
                     tile[3] = {ENUF_CUDA_SMALL, ENUF_CUDA_MIDDLE, ENUF_CUDA_LARGE};
    double width = method->window.width, points = o->density, cells = 1, tiles = 1;
    double parts = o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    double bytes = parts * (o->precision == ENUF_FLOAT ? 4 : 8);
    int size = 0;
    while (size < 2 && width > widest[size]) size++;
    double margin = width <= widest[2] ? (double)tile[size] - width + 1 : 8;
    for (int d = 0; d < o->dim; d++) {
        points *= (double)o->modes[d];
        cells *= (double)method->grid[d];
        tiles *= (margin + width - 1) / margin;
    }
    const double cell_byte = o->dim == 3 ? GPU_SPACE_CELL_BYTE : GPU_CELL_BYTE;
    return (costs){points * parts / 2 * gpu_point(o, width) + cells * bytes * GPU_TILE_BYTE * tiles,
                   cells * bytes * cell_byte};
}

static costs of_gpu(const enuf_nufft_options *o, const enuf_method *method)
{
    if (o->dim == 3) return of_gpu_beyond_plane(o, method);
    costs c = method->window.width <= ENUF_CUDA_TILED_WIDTH ? of_gpu_plane(o, method)
                                                            : of_gpu_beyond_plane(o, method);
    c.points += method->window.width * GPU_PLANE_CELL;
    return c;
}

static costs of_cpu(const enuf_nufft_options *o, const enuf_method *method)
{
    double width = method->window.width, points = o->density, cells = 1, rows = 1, tiles = 1;
    double bytes =
        (o->precision == ENUF_FLOAT ? 4 : 8) * (o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2);
    double passes = 0;
    double kept = 1; /* each pass transforms only the frequencies that the last one has kept */
    for (int d = 0; d < o->dim; d++) {
        double modes = (double)o->modes[d], grid = (double)method->grid[d];
        points *= modes;
        cells *= grid;
        tiles *= 1 + width / BLOCK;
        if (d > 0) rows *= width;
        passes += kept;
        kept *= modes / grid;
    }
    /* of rows that begin anywhere in a line */
    const double touched = (width - 1) * bytes / 64 + 1;
    const double spilled = rows * touched * 64 > FIRST_CACHE ? SPILLED : 1;
    const double lines = touched * spilled;
    const double row =
        enuf_window_in_lines(o, method->window.width)
            ? LINE * lines
            : VECTOR * ceil(width * bytes / 32) * (width > ENUF_WIDEST_IN_LINES ? WIDE : 1);
    return (costs){points * (POINT + rows * row) + cells * TILE_BYTE * bytes * tiles,
                   cells * passes * (FFT_CELL + FFT_BYTE * bytes) *
                       enuf_fft_length_factor(o, method->grid)};
}

static costs costs_of(const enuf_nufft_options *o, const enuf_method *method)
{
    return o->backend == ENUF_BACKEND_CUDA ? of_gpu(o, method) : of_cpu(o, method);
}

double enuf_method_cost(const enuf_nufft_options *o, const enuf_method *method)
{
    const costs c = costs_of(o, method);
    return c.points + c.transform;
}

double enuf_spreading_cost(const enuf_nufft_options *o, const enuf_method *method)
{
    return costs_of(o, method).points;
}
