/*
 * spread.c - spreads sorted points onto the fine grid.
 *
 * A thread takes a block of sorted points, adds their windows into a private tile that covers them,
 * then adds the tile to the grid, one plane at a time under that plane's lock. The inner loop
 * has neither atomics nor folding: in 3D the window's plane z = 0 is made first, and added to
 * `width` planes of the tile times z's weights. Windows that fill the first cache are added to one
 * plane of the tile after the other, some points at a time. Blocks with few points take them one by
 * one, as their tile would be mostly empty.
 *
 * Operations a point: width^(dim-1) * ceil(width/lanes) multiply-adds with two loads and a store
 * each; the stores bound it, one of 32 bytes a cycle.
 * Source: docs/theory.md, "Windows". SPDX-License-Identifier: BSD-3-Clause
 */
#include "held_points.h"
#include "point.h"

#include <string.h>

#define CELL real
#include "spread_tile.h"

int ENUF_SUFFIXED(enuf_cpu_term_step)(int width)
{
    return term_step(vectors_of(width, 0));
}

/* A strength in all lanes, re and im in turn if complex. Single lanes of a float vector would go
 * through memory, and the load of the whole would wait for them: two floats are taken as one
 * integer. */
INLINE vreal strength_in_lanes(int complex, const real *q)
{
    if (!complex) return (vreal){0} + q[0];
#ifdef ENUF_SINGLE
    typedef int64_t vpair __attribute__((vector_size(ROW_VECTOR_BYTES)));
    int64_t both;
    memcpy(&both, q, sizeof both);
    return (vreal)((vpair){0} + both);
#else
    vreal pair = {0};
    for (int k = 0; k < LANES; k++) pair[k] = q[k % 2];
    return pair;
#endif
}

#if SIMD_AVX512
INLINE vline strength_in_line(int complex, const real *q)
{
    if (!complex) return (vline){0} + q[0];
#ifdef ENUF_SINGLE
    int64_t both;
    memcpy(&both, q, sizeof both);
    return (vline)_mm512_set1_epi64(both);
#else
    return (vline)_mm512_broadcast_f64x2(_mm_loadu_pd(q));
#endif
}
#endif

/* tile rows += wz times the plane of rows. */
INLINE void add_rows(int vectors, const real *plane, int ny, const real *wz, int nz, real *tile,
                     int64_t step_y, int64_t step_z)
{
    for (int k = 0; k < nz; k++, tile += step_z) {
        real *line = tile;
        const real *row = plane;
        real c = wz[k];
        for (int j = 0; j < ny; j++, line += step_y, row += vectors * LANES)
            for (int v = 0; v < vectors; v++)
                vstore(line + v * LANES, vload(line + v * LANES) + vload(row + v * LANES) * c);
    }
}

/* 2D: tile rows += the row x times y's weights. */
INLINE void add_plane(int vectors, const vreal *x, const real *wy, int ny, real *tile,
                      int64_t step_y)
{
    for (int k = 0; k < ny; k++, tile += step_y)
        for (int v = 0; v < vectors; v++)
            vstore(tile + v * LANES, vload(tile + v * LANES) + x[v] * wy[k]);
}

INLINE void add_points(const spread_run *run, int width, int vectors, int complex, int kept,
                       const located *l, int n, const real *q)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)run->plan->workspace)->window;
    const real *coefficients = window->coefficients;
    int dim = run->plan->options.dim, terms = window->n_coefficients;
    int across = vectors_across(vectors, complex);
    int64_t step_y = run->box.row, step_z = run->box.n[1] * run->box.row;
    /* whole vectors must not cross lines of the cache */
    _Alignas(64) real plane[32 * ROW_MAX], w[2][ROW_MAX];
    const real *strengths = run->job->strengths;
    for (int i = 0; i < n; i++, q += complex ? 2 : 1) {
        __builtin_prefetch(strengths + l->ahead[i] * (complex ? 2 : 1));
        real *corner = run->tile + l->corner[i];
        vreal x[MOST_VECTORS], y[MOST_VECTORS], z[MOST_VECTORS];
        weights_of(l, kept, dim, 0, i, across, coefficients, terms, y);
        as_row(vectors, complex, y, x);
        vreal strength = strength_in_lanes(complex, q);
        for (int v = 0; v < vectors; v++) x[v] *= strength;
        if (dim == 1) {
            for (int v = 0; v < vectors; v++)
                vstore(corner + v * LANES, vload(corner + v * LANES) + x[v]);
            continue;
        }
        weights_of(l, kept, dim, 1, i, across, coefficients, terms, y);
        for (int v = 0; v < across; v++) vstore(w[0] + v * LANES, y[v]);
        if (dim == 2) {
            add_plane(vectors, x, w[0], width, corner, step_y);
            continue;
        }
        for (int k = 0; k < width; k++)
            for (int v = 0; v < vectors; v++)
                vstore(plane + (k * vectors + v) * LANES, x[v] * w[0][k]);
        weights_of(l, kept, dim, 2, i, across, coefficients, terms, z);
        for (int v = 0; v < across; v++) vstore(w[1] + v * LANES, z[v]);
        add_rows(vectors, plane, width, w[1], width, corner, step_y, step_z);
    }
}

#if SIMD_AVX512
/* A plane of a wider window takes more of the first cache than it saves in products: width 15,
 * real, 400 ns a point with it, 375 without (EPYC, Zen 5, November 2026). */
enum { WIDEST_PLANE = 12 };

/* 3D: rows of lines += the row x times y's weights wy and z's wz. Steps are in lines. */
INLINE void add_rows_of_lines(int width, int lines, const vline *x, const real *wy, const real *wz,
                              vline *corner, int64_t step_y, int64_t step_z)
{
    vline plane[WIDEST_PLANE * MOST_LINES], scaled[MOST_LINES];
    const int planar = width <= WIDEST_PLANE;
    for (int j = 0; planar && j < width; j++)
        for (int v = 0; v < lines; v++) plane[j * lines + v] = x[v] * wy[j];
    for (int k = 0; k < width; k++, corner += step_z) {
        vline *line = corner;
        for (int v = 0; !planar && v < lines; v++) scaled[v] = x[v] * wz[k];
        for (int j = 0; j < width; j++, line += step_y)
            for (int v = 0; v < lines; v++)
                line[v] += planar ? plane[j * lines + v] * wz[k] : scaled[v] * wy[j];
    }
}

/* 3D: the same in rows of whole lines of the cache, which the weights are shifted to: fewer
 * vectors, and none crosses a line. Type 1, 1.1 points a mode, double, 64^3 modes, ns a point
 * without and with: width 7 complex 170 and 155, 10 346 and 288, 12 568 and 430, width 10 real 229
 * and 198. In 2D it takes longer: 40 to 50 at width 10, because a point often waits for the line
 * that the last one wrote (Xeon, Sapphire Rapids class, 23 November 2026). Most rows end before the
 * last line that one may touch, and leave it out: width 10, 100^3 modes, 1 point a mode, real 116
 * ns a point in place of 146, complex 176 of 204 (EPYC, Zen 5, November 2026). */
INLINE void add_points_lines(const spread_run *run, int width, int lines, int complex, int kept,
                             const located *l, int n, const real *q)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)run->plan->workspace)->window;
    const real *coefficients = window->coefficients;
    const int across = (width + LANES - 1) / LANES, terms = window->n_coefficients;
    const int64_t step_y = run->box.row / LINE, step_z = run->box.n[1] * step_y;
    _Alignas(64) real w[2][ENUF_WIDEST_IN_LINES];
    const real *strengths = run->job->strengths;
    for (int i = 0; i < n; i++, q += complex ? 2 : 1) {
        __builtin_prefetch(strengths + l->ahead[i] * (complex ? 2 : 1));
        const int64_t shift = l->corner[i] % LINE;
        vline *corner = (vline *)(run->tile + l->corner[i] - shift), x[MOST_LINES];
        vreal y[ENUF_WIDEST_IN_LINES / LANES] = {0};
        weights_of(l, kept, 3, 0, i, across, coefficients, terms, y);
        lines_of(lines, complex, y, shift, x);
        const vline strength = strength_in_line(complex, q);
        for (int v = 0; v < lines; v++) x[v] *= strength;
        weights_of(l, kept, 3, 1, i, across, coefficients, terms, y);
        for (int v = 0; v < across; v++) vstore(w[0] + v * LANES, y[v]);
        weights_of(l, kept, 3, 2, i, across, coefficients, terms, y);
        for (int v = 0; v < across; v++) vstore(w[1] + v * LANES, y[v]);
        if (spares_line(width, complex, lines, shift))
            add_rows_of_lines(width, lines - 1, x, w[0], w[1], corner, step_y, step_z);
        else
            add_rows_of_lines(width, lines, x, w[0], w[1], corner, step_y, step_z);
    }
}

/* Adds row k along z of a held point's window to its plane of the tile. */
INLINE void add_to_plane(const held_points *h, int i, int k, int width, int lines, real *tile,
                         int64_t step_y, int64_t step_z)
{
    vline scaled[MOST_LINES], *line = (vline *)(tile + h->corner[i]) + k * step_z;
    for (int v = 0; v < lines; v++) scaled[v] = h->x[i][v] * h->z[i][k];
    for (int j = 0; j < width; j++, line += step_y)
        for (int v = 0; v < lines; v++) line[v] += scaled[v] * h->y[i][j];
}

/* 1: a window's lines take more than two thirds of a first cache of 48 KB. Type 1, 62^3 modes, a
 * grid of 96^3, a core, ms by points and by planes: width 12, complex, 40,000 points 65 and 44,
 * 477,000 points 205 and 197; width 15, real, 42 and 36 (59,600 points); a grid of 80^3, width 15,
 * complex, 1,528 and 677 (953,000 points). Narrower windows and floats are slower by planes (Xeon,
 * Sapphire Rapids class, 29 November 2026). */
INLINE int in_planes(int width, int complex)
{
    return sizeof(real) == 8 && width >= (complex ? 12 : 15);
}

/* 3D: by lines, one plane of the tile after the other for some points. */
INLINE void add_points_planes(const spread_run *run, int width, int lines, int complex, int kept,
                              const located *l, int n, const real *q)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)run->plan->workspace)->window;
    const int64_t step_y = run->box.row / LINE, step_z = run->box.n[1] * step_y;
    const real *strengths = run->job->strengths;
    const int numbers = complex ? 2 : 1;
    held_points h;
    for (int begin = 0; begin < n; begin += HELD) {
        const int end = begin + HELD < n ? begin + HELD : n;
        hold_points(&h, window, step_z * LINE, width, lines, complex, kept, l, begin, end);
        for (int i = 0; i < h.n; i++) {
            __builtin_prefetch(strengths + l->ahead[begin + i] * numbers);
            const vline strength = strength_in_line(complex, q + (begin + i) * numbers);
            for (int v = 0; v < lines; v++) h.x[i][v] *= strength;
        }
        for (int plane = h.first; plane < h.end; plane++)
            for (int i = 0; i < h.n; i++) {
                const int k = plane - h.plane[i];
                if (k < 0 || k >= width) continue;
                if (h.lines[i] < lines)
                    add_to_plane(&h, i, k, width, lines - 1, run->tile, step_y, step_z);
                else
                    add_to_plane(&h, i, k, width, lines, run->tile, step_y, step_z);
            }
    }
}

/* 0: the windows are too narrow to gain by it, or too wide. */
INLINE int add_by_lines(const spread_run *run, int kept, const located *l, int n, const real *q)
{
    const int width = ((const enuf_cpu *)run->plan->workspace)->window.width;
    if (!enuf_window_in_lines(&run->plan->options, width)) return 0;
#define ADD_REAL(w, v)                                                                             \
    (in_planes(w, 0) ? add_points_planes : add_points_lines)(run, w, v, 0, kept, l, n, q)
#define ADD_COMPLEX(w, v)                                                                          \
    (in_planes(w, 1) ? add_points_planes : add_points_lines)(run, w, v, 1, kept, l, n, q)
    if (run->plan->real)
        BY_LINES(ADD_REAL, width, 0)
    else
        BY_LINES(ADD_COMPLEX, width, 1)
#undef ADD_REAL
#undef ADD_COMPLEX
    return 1;
}
#endif

INLINE void add_located_by(const spread_run *run, int kept, const located *l, int n, const real *q)
{
#if SIMD_AVX512
    if (add_by_lines(run, kept, l, n, q)) return;
#endif
    add_by_width(run, kept, l, n, q);
}

/* sum += tile; `lost` collects the rounding errors of each cell (Knuth's two-sum). */
static void add_exactly(const real *tile, int64_t n, real *sum, real *lost)
{
    for (int64_t i = 0; i < n; i++) {
        const real before = sum[i], after = before + tile[i], added = after - before;
        lost[i] += (before - (after - added)) + (tile[i] - added);
        sum[i] = after;
    }
}

/* The number of points that may be added to a tile before the tile is added to the sum in two
 * numbers: the rounding of a cell's sum grows with the root of its number of terms, and must stay
 * below the plan's error. */
static int64_t points_of_run(const enuf_nufft *plan, const box *b)
{
    double updates = 1;
    if (plan->method.additions > ENUF_ENDLESS_ADDITIONS) return INT64_MAX / 2;
    for (int d = 0; d < plan->options.dim; d++) updates *= plan->method.window.width;
    const double cells = (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
    return 1 + (int64_t)(plan->method.additions * cells / updates);
}

/* Fills the tile of one run of points after the other; returns the tile of their sum. */
static const real *fill_in_runs(const spread_run *run, int64_t points)
{
    const int64_t n = box_numbers(&run->box);
    real *sum = run->tile + ((const enuf_cpu *)run->plan->workspace)->tile_numbers;
    real *lost = sum + ((const enuf_cpu *)run->plan->workspace)->tile_numbers;
    memset(sum, 0, (size_t)n * sizeof(real));
    memset(lost, 0, (size_t)n * sizeof(real));
    for (spread_run part = *run; part.from < run->to; part.from = part.to) {
        part.to = run->to - part.from < 2 * points ? run->to : part.from + points;
        fill_tile(&part);
        add_exactly(part.tile, n, sum, lost);
    }
    for (int64_t i = 0; i < n; i++) sum[i] += lost[i];
    return sum;
}

/* Spreads sorted points [from, to); returns one outside the target (sorted index), or -1. */
static int64_t spread_points(enuf_nufft *plan, const void *work, int64_t from, int64_t to,
                             void *tile)
{
    const enuf_spread_job *job = work;
    spread_run run = {.plan = plan, .job = job, .from = from, .to = to, .tile = tile};
    int64_t outside = bounding_box(plan, &job->target, from, to, plan->real ? 1 : 2, &run.box);
    if (outside >= 0) return outside;
    if (one_by_one(plan, &run.box, to - from)) {
        for (int64_t j = from; j < to; j++) spread_points(plan, job, j, j + 1, tile);
        return -1;
    }
    const int64_t points = points_of_run(plan, &run.box);
    const real *filled = tile;
    if (to - from < 2 * points)
        fill_tile(&run);
    else
        filled = fill_in_runs(&run, points);
    add_tile(plan, job, &run.box, filled);
    return -1;
}

enuf_status ENUF_SUFFIXED(enuf_cpu_spread)(enuf_nufft *plan, const enuf_spread_job *job,
                                           int64_t *outside)
{
    *outside = enuf_cpu_each_block(plan, spread_points, job);
    return ENUF_SUCCESS;
}
