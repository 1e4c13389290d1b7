/* subproblems.c - see subproblems.h. SPDX-License-Identifier: BSD-3-Clause */
#include "subproblems.h"
#include "tiles.h"

#include <math.h>

/* Least number of sub-problems a multiprocessor, if there are enough points. */
static const int SUBPROBLEMS_PER_MULTIPROCESSOR = 16;
static const int64_t LEAST_POINTS = 128, MOST_POINTS = 2048; /* of a sub-problem */

/* 1D and 2D: fewer points than would give each quarter of a multiprocessor a sub-problem of
 * LEAST_POINTS take smaller ones, of a warp's lanes at least: 2000 to 17,000 points, 32^2 to 512^2
 * modes, both types take .92 of the time in the mean of 342 problems (H200, November 2026). */
static const int QUARTERS = 4;
static const int64_t LEAST_IN_PLANE = 32;

/* AT_ONCE: sub-problems that a multiprocessor works on at once, for widths 5 to 9. Few points take
 * sub-problems of ENOUGH_POINTS instead of LEAST_POINTS if these run at once and give work to at
 * least 7/8 of the blocks. Fewer sub-problems save time, because each one adds its tile to the
 * grid: 110,592 points, 48^3 cells, width 6, 25 us, with twice as many sub-problems 28. Idle blocks
 * cost more: width 8, 82 % of the blocks with work, 5 us more (H100, November 2026). */
static const int AT_ONCE = 4;
static const int64_t ENOUGH_POINTS = 256;

/* 3D: where tiles alone give the blocks that run at once two rounds of work, evenly spread points
 * are not cut within a tile: its points scatter by the root of their mean number, and a few times
 * that still belong to it. Else most tiles would be read or added to the grid twice, the second
 * time for a few points.
 *
 * A block of a wide window has a multiprocessor to itself, and a tile of 24^3 cells: by count 128
 * points take 8 us in it, adding the tile 4 (width 12, H200, November 2026). So one and a half
 * rounds are enough. */
static const double ROUNDS = 2, ROUNDS_WIDE = 1.5;
static const int DEVIATIONS = 4;

static int in_plane(const enuf_cuda *cuda)
{
    return cuda->points.tile[2] == 1;
}

/* Tiles from which on they are not cut. */
static double whole_tiles(const enuf_cuda *cuda)
{
    return cuda->window.width > ENUF_CUDA_MIDDLE_WIDTH ? ROUNDS_WIDE * cuda->multiprocessors
                                                       : ROUNDS * AT_ONCE * cuda->multiprocessors;
}

/* Least number of points of a sub-problem, of n points. */
static int64_t least_points(const enuf_cuda *cuda, int64_t n)
{
    const int64_t even = n / ((int64_t)cuda->multiprocessors * QUARTERS) / 32 * 32;
    if (!in_plane(cuda) || even > LEAST_POINTS) return LEAST_POINTS;
    return even > LEAST_IN_PLANE ? even : LEAST_IN_PLANE;
}

/* ... of any number of points. */
static int64_t least_of_any(const enuf_cuda *cuda)
{
    return in_plane(cuda) ? LEAST_IN_PLANE : LEAST_POINTS;
}

uint32_t enuf_cuda_subproblem_points(const enuf_cuda *cuda, int64_t n)
{
    const int64_t blocks = (int64_t)cuda->multiprocessors * AT_ONCE;
    const int64_t tiles = (int64_t)cuda->points.n_tiles, least = least_points(cuda, n);
    int64_t most = n / ((int64_t)cuda->multiprocessors * SUBPROBLEMS_PER_MULTIPROCESSOR) / 32 * 32;
    if (most < LEAST_POINTS && least == LEAST_POINTS) {
        /* pieces: sub-problems of evenly spread points */
        const int64_t of_tile = (n + tiles - 1) / tiles;
        const int64_t pieces = tiles * ((of_tile + ENOUGH_POINTS - 1) / ENOUGH_POINTS);
        if (pieces <= blocks && 8 * pieces >= 7 * blocks) most = ENOUGH_POINTS;
    }
    if (!in_plane(cuda) && (double)tiles >= whole_tiles(cuda)) {
        const double mean = (double)n / (double)tiles;
        const int64_t whole = (int64_t)(mean + DEVIATIONS * sqrt(mean)) / 32 * 32 + 32;
        if (most < whole) most = whole;
    }
    return (uint32_t)(most < least ? least : most > MOST_POINTS ? MOST_POINTS : most);
}

/* One for each tile with points, and one more for each full one. */
int64_t enuf_cuda_subproblems(const enuf_cuda *cuda, int64_t n)
{
    int64_t tiles = (int64_t)cuda->points.n_tiles;
    /* n is the most points; fewer points may have smaller sub-problems, so they may have more */
    int64_t pieces = n / least_of_any(cuda);
    int64_t coarse = (int64_t)cuda->multiprocessors * SUBPROBLEMS_PER_MULTIPROCESSOR * 2;
    int64_t most = n / MOST_POINTS > coarse ? n / MOST_POINTS : coarse;
    return (tiles < n ? tiles : n) + (pieces < most ? pieces : most) + 1;
}

int64_t enuf_cuda_subproblems_of_slice(const enuf_cuda *cuda, int64_t points)
{
    const int64_t tiles = (int64_t)cuda->points.n_tiles;
    /* several of one tile are at least half full */
    return (tiles < points ? tiles : points) + 2 * points / least_of_any(cuda) + 2;
}
