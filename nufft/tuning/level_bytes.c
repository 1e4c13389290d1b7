/* level_bytes.c - bytes of a plan at a level, and whether a level serves, before there is a plan.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* _SC_PHYS_PAGES */
#endif
#include "plan/grid_layout.h"
#include "tuning.h"

#include <math.h>
#include <unistd.h>

/* Of the vectors that a row of weights is padded to (cpu/real.h; 16 on some machines). */
enum { ROW_VECTOR = 32 };

static double number_of(const enuf_nufft_options *o)
{
    return o->precision == ENUF_FLOAT ? 4 : 8;
}

static double parts_of(const enuf_nufft_options *o)
{
    return o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
}

/* Bytes that the plan's level keeps of a point: the arrays of cpu/level.c. A GPU has no padding,
 * and 16 bytes to sort a matrix (cuda/levels). */
static double kept_of_point(const enuf_nufft_options *o, int width)
{
    const double number = number_of(o), lines = pow(width, o->dim - 1);
    const int gpu = enuf_tuning_on_gpu(o);
    const double row = gpu ? width * number : ceil(width * number / ROW_VECTOR) * ROW_VECTOR;
    if (o->level == ENUF_LEVEL_WEIGHTS) return o->dim * row;
    if (o->level == ENUF_LEVEL_GRAM) return 8 * o->dim; /* coordinates */
    if (o->level != ENUF_LEVEL_MATRIX) return 0;
    const double strengths = o->batch * parts_of(o) * number;
    return lines * (row + 4) + lines * width * (number + 4) + 8 + strengths + (gpu ? 16 : 0);
}

int64_t enuf_tuning_bytes(const enuf_nufft_options *o, const enuf_method *method, int64_t n_points)
{
    const double cells = (double)enuf_grid_layout_of(o, method->grid, method->window.width).batch;
    double modes = 2;
    for (int d = 0; d < o->dim; d++) {
        const double n = (double)o->modes[d];
        modes *= d == 0 && parts_of(o) < 2 ? floor(n / 2) + 1 : n;
    }
    const double integers = o->deterministic && o->precision == ENUF_FLOAT ? 8 * cells : 0;
    const double rows = o->level == ENUF_LEVEL_MATRIX ? 8 * (cells / parts_of(o) + 1) : 0;
    /* on a GPU records, their order and bins, as enuf_point_storage says */
    const double record = o->precision == ENUF_FLOAT ? 40 : 72;
    const double point = enuf_tuning_on_gpu(o) ? record : 8.0 * (o->dim + 1 + (o->dim == 1));
    const double bytes = o->batch * (number_of(o) * (cells + modes) + integers) + rows;
    const double all = bytes + (double)n_points * (point + kept_of_point(o, method->window.width));
    return all < 9e18 ? (int64_t)all : INT64_MAX;
}

int enuf_level_serves(const enuf_nufft_options *o, const enuf_method *method, int64_t n_points)
{
    const int gpu = enuf_tuning_on_gpu(o), indexed = o->point_storage == ENUF_POINTS_INDEXED;
    if (o->level == ENUF_LEVEL_GRAM) return o->strengths == ENUF_COMPLEX_STRENGTHS;
    if (o->level == ENUF_LEVEL_NONE) return !gpu;
    if (o->level == ENUF_LEVEL_WEIGHTS) return !(gpu && indexed);
    if (o->level != ENUF_LEVEL_MATRIX) return 1;
    if (gpu && indexed) return 0;
    return n_points <= UINT32_MAX &&
           enuf_grid_layout_of(o, method->grid, method->window.width).batch <= UINT32_MAX;
}

int64_t enuf_level_limit(const enuf_nufft_options *o, int any_level)
{
    if (o->memory_limit > 0) return o->memory_limit;
    if (!any_level || o->level == ENUF_LEVEL_SORTED || o->level == ENUF_LEVEL_NONE)
        return INT64_MAX;
    if (enuf_tuning_on_gpu(o)) return INT64_MAX; /* a plan of the choice is made: tune.c */
    const double pages = (double)sysconf(_SC_PHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (int64_t)(0.5 * pages * page) : INT64_MAX;
}
