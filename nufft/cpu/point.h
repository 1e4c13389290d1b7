/*
 * point.h - the common part of spreading and interpolation: a point's first cell and weights, the
 * box of cells that a run of sorted points touches, and the way from box cells to target cells.
 * Compiled once for each precision. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_POINT_H
#define ENUF_NUFFT_POINT_H

#include "cpu.h"
#include "real.h"
#include "plan/window_lines.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

/** First cell of a point's window on an axis, and the window's variable t in [-1, 1). */
INLINE int64_t first_cell(double u, double half_width, double *t)
{
    double left = u - half_width, first = ceil(left);
    *t = 2 * (first - left) - 1;
    return (int64_t)first;
}

/**
 * Finds the first cell of a window that the target holds as a whole. On an axis that does not wrap,
 * the window is moved by one period up or down if necessary. Returns 0 if the target does not hold
 * it.
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

/** Numbers from one term of the polynomials to the next: weights of a single vector are evaluated
 * in it, others in vectors of the machine. */
INLINE int term_step(int vectors)
{
    return vectors == 1 ? LANES : (vectors * LANES + WIDE - 1) / WIDE * WIDE;
}

/** Horner's rule on `vectors` vectors of polynomials, c [n][term_step(vectors)]. ns a point in
 * vectors of 32 and of 64 bytes: 1D width 12 10.0 and 9.2, 2D width 8 17.1 and 16.1, 3D width
 * 7 40.0 and 38.6 (EPYC, Zen 5, November 2026). */
INLINE void evaluate(int vectors, const real *c, int n, real t, vreal *w)
{
    const int step = term_step(vectors), wide = step / WIDE;
    vwide sum[(MOST_VECTORS * LANES + WIDE - 1) / WIDE];
    c += (n - 1) * step;
    w[0] = vload(c);
    for (int v = 0; v < wide; v++) sum[v] = *(const vwide *)(c + v * WIDE);
    for (int k = n - 2; k >= 0; k--) {
        c -= step;
        if (wide == 0) w[0] = w[0] * t + vload(c);
        for (int v = 0; v < wide; v++) sum[v] = sum[v] * t + *(const vwide *)(c + v * WIDE);
    }
    for (int v = 0; v < vectors && wide > 0; v++)
        w[v] = part_of(sum[v * LANES / WIDE], v * LANES % WIDE / LANES);
}

/** The same, and the derivatives by the point's position, per cell. */
INLINE void evaluate_with_slopes(int vectors, const real *c, int n, real t, vreal *w, vreal *slope)
{
    const int step = term_step(vectors);
    c += (n - 1) * step;
    for (int v = 0; v < vectors; v++) {
        w[v] = vload(c + v * LANES);
        slope[v] = (vreal){0};
    }
    for (int k = n - 2; k >= 0; k--) {
        c -= step;
        for (int v = 0; v < vectors; v++) {
            slope[v] = slope[v] * t + w[v];
            w[v] = w[v] * t + vload(c + v * LANES);
        }
    }
    /* t falls by 2 while u grows by 1 */
    for (int v = 0; v < vectors; v++) slope[v] *= (real)-2;
}

/** Vectors of a row of `width` cells. */
INLINE int vectors_of(int width, int complex)
{
    return ((complex ? 2 : 1) * width + LANES - 1) / LANES;
}

/** Vectors of the weights of an axis where a row has so many. */
INLINE int vectors_across(int vectors, int complex)
{
    return complex ? (vectors + 1) / 2 : vectors;
}

/** Weights as a row of cells takes them: for complex strengths each of them twice. */
INLINE void as_row(int vectors, int complex, const vreal *w, vreal *row)
{
    for (int v = 0; v < vectors; v++) row[v] = complex ? each_twice(w[v / 2], v % 2) : w[v];
}

/**
 * Calls kernel(width, vectors) with constants if they save time: narrow windows have their width
 * in the code, others the number of vectors in a row. At width 4 this takes 36 ns in place of 47 a
 * point (spreading complex strengths), 25 of 31 (real), 21 of 37 (interpolating); at width 10
 * nothing (EPYC, Zen 4, November 2026).
 */
#define BY_WIDTH(kernel, width, complex)                                                           \
    switch (width) {                                                                               \
        BY_WIDTH_CASE(kernel, 2, complex)                                                          \
        BY_WIDTH_CASE(kernel, 3, complex)                                                          \
        BY_WIDTH_CASE(kernel, 4, complex)                                                          \
        BY_WIDTH_CASE(kernel, 5, complex)                                                          \
        BY_WIDTH_CASE(kernel, 6, complex)                                                          \
        BY_WIDTH_CASE(kernel, 7, complex)                                                          \
        BY_WIDTH_CASE(kernel, 8, complex)                                                          \
    default:                                                                                       \
        switch (vectors_of(width, complex)) {                                                      \
            BY_VECTORS_CASE(kernel, width, 2)                                                      \
            BY_VECTORS_CASE(kernel, width, 3)                                                      \
            BY_VECTORS_CASE(kernel, width, 4)                                                      \
            BY_VECTORS_CASE(kernel, width, 5)                                                      \
            BY_VECTORS_CASE(kernel, width, 6)                                                      \
            BY_VECTORS_CASE(kernel, width, 7)                                                      \
            BY_VECTORS_CASE(kernel, width, 8)                                                      \
        default:                                                                                   \
            if (MOST_VECTORS > 8) kernel(width, vectors_of(width, complex));                       \
        }                                                                                          \
    }
#define BY_WIDTH_CASE(kernel, n, complex)                                                          \
    case n:                                                                                        \
        kernel(n, vectors_of(n, complex));                                                         \
        break;
#define BY_VECTORS_CASE(kernel, width, n)                                                          \
    case n:                                                                                        \
        kernel(width, n);                                                                          \
        break;

#if SIMD_AVX512
/** The same by the largest number of lines, from width 7 to ENUF_WIDEST_IN_LINES. Widths 13 to 15
 * in the code take 0.53 to 0.8 of the time without, in double (62^3 modes; Xeon, Sapphire Rapids
 * class, 29 November 2026). */
#define BY_LINES(kernel, width, complex)                                                           \
    switch (width) {                                                                               \
        BY_LINES_CASE(kernel, 7, complex)                                                          \
        BY_LINES_CASE(kernel, 8, complex)                                                          \
        BY_LINES_CASE(kernel, 9, complex)                                                          \
        BY_LINES_CASE(kernel, 10, complex)                                                         \
        BY_LINES_CASE(kernel, 11, complex)                                                         \
        BY_LINES_CASE(kernel, 12, complex)                                                         \
        BY_LINES_CASE(kernel, 13, complex)                                                         \
        BY_LINES_CASE(kernel, 14, complex)                                                         \
        BY_LINES_CASE(kernel, 15, complex)                                                         \
        BY_LINES_CASE(kernel, 16, complex)                                                         \
    }
#define BY_LINES_CASE(kernel, n, complex)                                                          \
    case n:                                                                                        \
        kernel(n, lines_across(n, complex));                                                       \
        break;
#endif

/** Weights of one axis, w [width, padded]: by the table if there is one. */
static inline void weights(const enuf_kernel_window *window, real t, real *w)
{
    const int vectors = vectors_of(window->width, 0), row = vectors * LANES;
    if (window->pieces == 0) {
        vreal sum[MOST_VECTORS];
        evaluate(vectors, window->coefficients, window->n_coefficients, t, sum);
        for (int v = 0; v < vectors; v++) vstore(w + v * LANES, sum[v]);
        return;
    }
    const real place = (t + 1) * (real)0.5 * (real)window->pieces;
    const int piece = (int)place < window->pieces ? (int)place : window->pieces - 1;
    const real *value = (const real *)window->table + 2 * (int64_t)piece * row;
    for (int v = 0; v < row; v += LANES)
        vstore(w + v, vload(value + v) + vload(value + row + v) * (place - (real)piece));
}

/** A box of cells, lo ... lo + n - 1, held in a tile whose x rows have `row` numbers. */
typedef struct box {
    int64_t lo[3], n[3], row;
} box;

/** Numbers of a tile's row: a padded row of the window needs room beyond the box in x. */
static inline int64_t row_length(int64_t cells, int numbers_per_cell)
{
    return (cells * numbers_per_cell + 2 * ROW_PAD) / ROW_PAD * ROW_PAD;
}

static inline int64_t box_numbers(const box *b)
{
    return b->row * b->n[1] * b->n[2] + ROW_PAD;
}

/* Lowest and highest first cell of all points along an axis on which the target wraps. */
static inline void span_wrapping(const enuf_nufft *plan, int64_t from, int64_t to, int d,
                                 double half_width, int64_t *lowest, int64_t *highest)
{
    const int step = plan->options.dim + 1;
    const enuf_point_number *p = enuf_cpu_sorted_at(plan, from) + 1 + d;
    double low = p->u, high = p->u, t;
    for (int64_t j = from + 1; j < to; j++) {
        p += step;
        low = p->u < low ? p->u : low;
        high = p->u > high ? p->u : high;
    }
    *lowest = first_cell(low, half_width, &t);
    *highest = first_cell(high, half_width, &t);
}

/* The same for all points that the block of sorted point `from` may have. */
static inline void span_of_block(const enuf_nufft *plan, int64_t from, int d, double half_width,
                                 int64_t *lowest, int64_t *highest)
{
    const enuf_sorted_points *p = &((const enuf_cpu *)plan->workspace)->points;
    const int log2 = p->bin_log2[d] + p->block_log2[d];
    const int64_t block = (int64_t)enuf_cpu_sorted_at(plan, from)[1 + d].u >> log2;
    const int64_t end = (block + 1) << log2, grid = plan->method.grid[d];
    *lowest = (int64_t)ceil((double)(block << log2) - half_width);
    *highest = (int64_t)ceil((double)(end < grid ? end : grid) - half_width);
}

/* Lowest and highest first cell along an axis on which the target does not wrap: points may have to
 * move by a period up or down. Returns the index of a point whose window the target does not hold,
 * or -1. */
static inline int64_t span_placed(const enuf_nufft *plan, const enuf_target *target, int64_t from,
                                  int64_t to, int d, int64_t *lowest, int64_t *highest)
{
    int width = plan->method.window.width;
    *lowest = INT64_MAX;
    *highest = INT64_MIN;
    for (int64_t j = from; j < to; j++) {
        double t;
        int64_t first = first_cell(enuf_cpu_sorted_at(plan, j)[1 + d].u, 0.5 * width, &t);
        if (!place(target, d, plan->method.grid[d], width, &first)) return j;
        if (first < *lowest) *lowest = first;
        if (first > *highest) *highest = first;
    }
    return -1;
}

/* 1 if a block has so many points that its windows as good as fill it: looking at each point for
 * the smallest box would take longer than the cells that it may save. */
static inline int fills_block(const enuf_nufft *plan, int64_t points)
{
    const enuf_sorted_points *p = &((const enuf_cpu *)plan->workspace)->points;
    int log2 = 0;
    if (plan->options.level == ENUF_LEVEL_NONE) return 0; /* of several blocks */
    for (int d = 0; d < plan->options.dim; d++) log2 += p->bin_log2[d] + p->block_log2[d];
    return 8 * points >= (int64_t)1 << log2;
}

/**
 * A box that holds the windows of sorted points [from, to) of a block. Returns the index (sorted)
 * of a point whose window the target does not hold, or -1.
 */
static inline int64_t bounding_box(const enuf_nufft *plan, const enuf_target *target, int64_t from,
                                   int64_t to, int numbers_per_cell, box *b)
{
    int width = plan->method.window.width;
    const int full = fills_block(plan, to - from);
    for (int d = 0; d < 3; d++) {
        b->lo[d] = 0;
        b->n[d] = 1;
        if (d >= plan->options.dim) continue;
        int64_t highest, outside = -1;
        if (!target->wraps[d])
            outside = span_placed(plan, target, from, to, d, &b->lo[d], &highest);
        else if (full)
            span_of_block(plan, from, d, 0.5 * width, &b->lo[d], &highest);
        else
            span_wrapping(plan, from, to, d, 0.5 * width, &b->lo[d], &highest);
        if (outside >= 0) return outside;
        b->n[d] = highest - b->lo[d] + width;
    }
    b->row = row_length(b->n[0], numbers_per_cell);
    return -1;
}

/**
 * 1 if a tile of the box would be mostly empty, or larger than a tile can be. A cell of a tile
 * costs less than an update of a grid cell by a single point: tiles save time from a fourth full on
 * (measured, 64^3 cells with 256 to 4096 points, widths 3 to 10: up to 1.5 times faster than from
 * full ones on).
 */
static inline int one_by_one(const enuf_nufft *plan, const box *b, int64_t points)
{
    int64_t updates = points;
    for (int d = 0; d < plan->options.dim; d++) updates *= plan->method.window.width;
    return points > 1 && (4 * updates < b->n[0] * b->n[1] * b->n[2] ||
                          box_numbers(b) > ((const enuf_cpu *)plan->workspace)->tile_numbers);
}

/* Points located at a time: their tables stay in the first cache beside the tile's lines. */
enum { LOCATED = 64 };

/** Places of points in the tile of a box, and their windows' variables. */
typedef struct located {
    int64_t corner[LOCATED]; /* numbers from the tile's begin to the window's first cell */
    int64_t index[LOCATED];  /* in the caller's order */
    int64_t ahead[LOCATED];  /* the same of the point LOCATED places further, or of its own */
    int64_t next[LOCATED];   /* 1D interpolation: the corner of the point LOCATED places further */
    real t[3][LOCATED];
    const real *weights;   /* kept rows of points; NULL: they are evaluated */
    int64_t kept[LOCATED]; /* the place of the point among them */
} located;

/** Weights of axis d of a located point: read where they are kept, else evaluated. Loops get
 * `kept` as a constant. */
INLINE void weights_of(const located *l, int kept, int dim, int d, int i, int vectors,
                       const real *c, int n, vreal *w)
{
    if (!kept) {
        evaluate(vectors, c, n, l->t[d][i], w);
        return;
    }
    const real *row = l->weights + (l->kept[i] * dim + d) * vectors * LANES;
    for (int v = 0; v < vectors; v++) w[v] = vload(row + v * LANES);
}

/** Rows of weights that are read from the window's table. */
typedef real table_rows[LOCATED * 3 * ROW_MAX / 2];

/** Reads the weights of n located points from the table; the kernels take them as kept ones. */
static inline void read_table(const enuf_nufft *plan, int n, located *l, table_rows rows)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)plan->workspace)->window;
    const int dim = plan->options.dim, row = vectors_of(window->width, 0) * LANES;
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < dim; d++) weights(window, l->t[d][i], rows + (i * dim + d) * row);
        l->kept[i] = i;
    }
    l->weights = rows;
}

/** The place among kept weights is that of the record p; in 1D the caller's index. */
INLINE void find_kept(int dim, const enuf_nufft *plan, const enuf_point_number *p, int n,
                      located *l)
{
    l->weights = ((const enuf_cpu *)plan->workspace)->points.kept.weights;
    if (!l->weights) return;
    const int64_t first = (p - enuf_cpu_sorted_at(plan, 0)) / (dim + 1);
    for (int i = 0; i < n; i++) l->kept[i] = dim == 1 ? l->index[i] : first + i;
}

/**
 * Locates n sorted points p of a plan of `dim` dimensions, which the caller passes as a constant.
 * The records behind the next ones are fetched: width 4 in 3D, real, 10 points a mode, 14.7 ns a
 * point in place of 17.2 (EPYC, Zen 5, November 2026).
 */
INLINE void locate_in(int dim, const enuf_nufft *plan, const enuf_target *target, const box *b,
                      const enuf_point_number *p, int n, located *l)
{
    int width = plan->method.window.width;
    int64_t step = plan->real ? 1 : 2;
    const int64_t left = enuf_cpu_sorted_at(plan, plan->n_points) - p;
    for (int i = 0; i < n; i++) {
        const int64_t ahead = (int64_t)(i + LOCATED) * (dim + 1);
        __builtin_prefetch(p + 2 * ahead);
        l->index[i] = p[i * (dim + 1)].index;
        l->ahead[i] = p[ahead < left ? ahead : i * (dim + 1)].index;
        l->corner[i] = 0;
    }
    for (int d = 0; d < dim; d++) {
        const enuf_point_number *u = p + 1 + d;
        for (int i = 0; i < n; i++) {
            double t;
            int64_t first = first_cell(u[i * (dim + 1)].u, 0.5 * width, &t);
            l->t[d][i] = (real)t;
            l->corner[i] += (first - b->lo[d]) * step;
        }
        for (int i = 0; i < n && !target->wraps[d]; i++) {
            double t;
            int64_t first = first_cell(u[i * (dim + 1)].u, 0.5 * width, &t), placed = first;
            place(target, d, plan->method.grid[d], width, &placed);
            l->corner[i] += (placed - first) * step;
        }
        step = d == 0 ? b->row : b->row * b->n[1];
    }
    find_kept(dim, plan, p, n, l);
}

/** Locates n sorted points. */
static inline void locate(const enuf_nufft *plan, const enuf_target *target, const box *b,
                          const enuf_point_number *p, int n, located *l)
{
    switch (plan->options.dim) {
    case 1:
        locate_in(1, plan, target, b, p, n, l);
        break;
    case 2:
        locate_in(2, plan, target, b, p, n, l);
        break;
    default:
        locate_in(3, plan, target, b, p, n, l);
    }
}

/** Index of a box's cell in the target's axis: folded, or counted from its first cell. */
static inline int64_t target_index(const enuf_target *target, int d, int64_t cell)
{
    if (!target->wraps[d]) return cell - target->first[d];
    int64_t n = target->count[d], index = cell % n;
    return index < 0 ? index + n : index;
}

#endif
