/*
 * grid_layout.h - how the CPU's fine grid lies in memory: rows of x, planes, vectors of a batch.
 * The cpu backend allocates by it, tuning predicts bytes by it. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_PLAN_GRID_LAYOUT_H
#define ENUF_NUFFT_PLAN_GRID_LAYOUT_H

#include "enuf/nufft.h"

/** In numbers of the precision. */
typedef struct enuf_grid_layout {
    int64_t row, plane; /* from one x row to the next, from plane to plane */
    int64_t batch;      /* of one vector of the batch, a multiple of 64 bytes */
} enuf_grid_layout;

/** Numbers rounded up to an odd count of cache lines: rows or planes a power of two apart would
 * share their place in the caches. */
static inline int64_t enuf_odd_lines(int64_t numbers, int64_t line)
{
    const int64_t lines = (numbers + line - 1) / line;
    return (lines + 1 - lines % 2) * line;
}

/** Numbers behind the cells of an x row that windows may reach into: level MATRIX of a CPU sums and
 * reads them there, as whole vectors, in place of those at the row's begin. */
static inline int64_t enuf_grid_margin(const enuf_nufft_options *options, int width)
{
    const int64_t parts = options->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    const int has_one =
        options->level == ENUF_LEVEL_MATRIX && options->backend != ENUF_BACKEND_CUDA;
    return has_one ? (parts * width + 15) / 16 * 16 : 0;
}

/** Of the options it reads precision, kind of strengths, level and backend. */
static inline enuf_grid_layout enuf_grid_layout_of(const enuf_nufft_options *options,
                                                   const int64_t grid[3], int width)
{
    const int64_t line = options->precision == ENUF_FLOAT ? 16 : 8;
    const int64_t margin = enuf_grid_margin(options, width);
    const int real = options->strengths == ENUF_REAL_STRENGTHS;
    const int64_t cells = (real ? 1 : 2) * grid[0] + margin;
    const int64_t modes = real ? 2 * (grid[0] / 2 + 1) : 0;
    enuf_grid_layout layout = {.row = enuf_odd_lines(cells > modes ? cells : modes, line)};
    layout.plane = enuf_odd_lines(layout.row * grid[1], line);
    layout.batch = (layout.plane * grid[2] + 15) / 16 * 16;
    return layout;
}

#endif
