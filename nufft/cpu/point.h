/*
 * point.h - what spreading and interpolation share: a point's first cell and window weights, the
 * box of cells that a run of sorted points touches, and the way from box cells to target cells.
 * Compiled once for each precision. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_POINT_H
#define ENUF_NUFFT_POINT_H

#include "cpu.h"
#include "real.h"

#include <math.h>

/** First cell of a point's window on an axis, and the window's variable t in [-1, 1). */
static inline int64_t first_cell(double u, double half_width, double *t)
{
    double left = u - half_width, first = ceil(left);
    *t = 2 * (first - left) - 1;
    return (int64_t)first;
}

/**
 * The first cell where the target holds the whole window: on an axis that does not wrap, that of u
 * or of u one period up or down. Returns 0 if none is held.
 */
static inline int place(const enuf_target *target, int d, int64_t grid, int width, int64_t *first)
{
    if (target->wraps[d]) return 1;
    static const int shifts[3] = {0, -1, 1};
    for (int k = 0; k < 3; k++) {
        int64_t at = *first + shifts[k] * grid;
        if (at >= target->first[d] && at + width <= target->first[d] + target->count[d]) {
            *first = at;
            return 1;
        }
    }
    return 0;
}

/** Weights of all cells of one axis, w [padded]. */
static inline void weights(const enuf_kernel_window *window, real t, real *w)
{
    const real *c = window->coefficients;
    int padded = window->padded, last = window->n_coefficients - 1;
    for (int v = 0; v < padded; v += LANES) {
        vreal sum = vload(c + last * padded + v);
        for (int k = last - 1; k >= 0; k--) sum = sum * t + vload(c + k * padded + v);
        vstore(w + v, sum);
    }
}

/** Weights and their derivatives by the point's position, per cell. */
static inline void weights_and_slopes(const enuf_kernel_window *window, real t, real *w,
                                      real *slope)
{
    const real *c = window->coefficients;
    int padded = window->padded, last = window->n_coefficients - 1;
    for (int v = 0; v < padded; v += LANES) {
        vreal sum = vload(c + last * padded + v), derivative = sum - sum;
        for (int k = last - 1; k >= 0; k--) {
            derivative = derivative * t + sum;
            sum = sum * t + vload(c + k * padded + v);
        }
        vstore(w + v, sum);
        vstore(slope + v, derivative * (real)-2); /* t falls by 2 while u grows by 1 */
    }
}

/** A box of cells, lo ... lo + n - 1, held in a tile whose x rows have `row` numbers. */
typedef struct box {
    int64_t lo[3], n[3], row;
} box;

/** Room a padded row of the window needs beyond the box in x. */
static inline int64_t row_length(int64_t cells, int numbers_per_cell)
{
    return (cells * numbers_per_cell + 2 * LANES) / LANES * LANES;
}

/**
 * Box of the windows of sorted points [from, to). Returns the index (sorted) of a point whose
 * window the target does not hold, or -1.
 */
static inline int64_t bounding_box(const enuf_nufft *plan, const enuf_target *target, int64_t from,
                                   int64_t to, int numbers_per_cell, box *b)
{
    const enuf_sorted_points *p = &((const enuf_cpu *)plan->workspace)->points;
    int width = plan->method.window.width;
    for (int d = 0; d < 3; d++) {
        b->lo[d] = 0;
        b->n[d] = 1;
        if (d >= plan->options.dim) continue;
        int64_t lowest = INT64_MAX, highest = INT64_MIN;
        for (int64_t j = from; j < to; j++) {
            double t;
            int64_t first = first_cell(p->u[d][j], 0.5 * width, &t);
            if (!place(target, d, plan->method.grid[d], width, &first)) return j;
            if (first < lowest) lowest = first;
            if (first > highest) highest = first;
        }
        b->lo[d] = lowest;
        b->n[d] = highest - lowest + width;
    }
    b->row = row_length(b->n[0], numbers_per_cell);
    return -1;
}

static inline int64_t box_numbers(const box *b)
{
    return b->row * b->n[1] * b->n[2] + LANES;
}

/** 1 where a tile of the box would be mostly empty, or larger than a tile can be. */
static inline int one_by_one(const enuf_nufft *plan, const box *b, int64_t points)
{
    int64_t updates = points;
    for (int d = 0; d < plan->options.dim; d++) updates *= plan->method.window.width;
    return points > 1 && (updates < b->n[0] * b->n[1] * b->n[2] ||
                          box_numbers(b) > ((const enuf_cpu *)plan->workspace)->tile_numbers);
}

/** Index of a box's cell in the target's axis: folded, or counted from its first cell. */
static inline int64_t target_index(const enuf_target *target, int d, int64_t cell)
{
    if (!target->wraps[d]) return cell - target->first[d];
    int64_t n = target->count[d], index = cell % n;
    return index < 0 ? index + n : index;
}

#endif
