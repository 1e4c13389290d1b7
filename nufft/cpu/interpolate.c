/*
 * interpolate.c - values and gradients at points from the fine grid, in one pass.
 *
 * A thread takes a block of sorted points, copies the cells they touch into a private tile, then
 * reads each point's window from it without folding. Value and gradient share every load of a cell:
 * per row one multiply-add for the value and one for each of d/dy and d/dz; d/dx comes from the
 * same sums at the end.
 *
 * In 1D the points of a whole grid are read in the caller's order, straight from the grid: a window
 * is two or three lines of the cache, and sorting would take longer than waiting for them. 1e5
 * modes, 10 points a mode, width 6, set points and interpolation: 11 ns a point instead of 25
 * (Xeon, Sapphire Rapids class, November 2026).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "interpolate_tile.h"
#include "parallel.h"

/* Values and gradients of n located points. Callers pass width, vectors, complex, slopes and kept
 * as constants where the compiler makes faster code of them. */
INLINE void read_points(const interpolation_run *run, int width, int vectors, int complex,
                        int slopes, int kept, const located *l, int n)
{
    const enuf_interpolate_job *job = run->job;
    const enuf_kernel_window *window = &((const enuf_cpu *)run->plan->workspace)->window;
    const real *coefficients = window->coefficients;
    int per_cell = complex ? 2 : 1, dim = run->plan->options.dim, terms = window->n_coefficients;
    int across = vectors_across(vectors, complex);
    int ny = dim > 1 ? width : 1, nz = dim > 2 ? width : 1;
    int64_t step_y = run->box.row, step_z = run->box.n[1] * run->box.row;
    const enuf_weighting *weighting = &job->weighting;
    const int weighted = weighting->numbers != NULL || weighting->conjugate;
    weights_across p = {.w = {{1}, {1}}};
    real residue = 0; /* 0 times each factor and result: NaN if one is not finite */
    for (int i = 0; i < n; i++) {
        vreal x[MOST_VECTORS], x_slope[MOST_VECTORS], w[MOST_VECTORS], slope[MOST_VECTORS];
        if (job->values) __builtin_prefetch((real *)job->values + l->ahead[i] * per_cell, 1);
        row_sums sums;
        if (slopes) {
            evaluate_with_slopes(across, coefficients, terms, l->t[0][i], w, slope);
            as_row(vectors, complex, slope, x_slope);
        } else
            weights_of(l, kept, dim, 0, i, across, coefficients, terms, w);
        as_row(vectors, complex, w, x);
        for (int d = 1; d < dim; d++) {
            if (slopes)
                evaluate_with_slopes(across, coefficients, terms, l->t[d][i], w, slope);
            else
                weights_of(l, kept, dim, d, i, across, coefficients, terms, w);
            for (int v = 0; v < across; v++) {
                vstore(p.w[d - 1] + v * LANES, w[v]);
                if (slopes) vstore(p.slope[d - 1] + v * LANES, slope[v]);
            }
        }
        sum_rows(vectors, slopes, &p, ny, nz, run->tile + l->corner[i], step_y, step_z, &sums);
        int64_t to = l->index[i];
        const real factor = factor_of(run, to);
        residue += 0 * factor;
        if (job->values) {
            real value[2];
            dot(vectors, complex, x, sums.plain, value);
            put_value(run, per_cell, to, factor, value, &residue);
        }
        if (!slopes) continue;
        real g[3][2] = {{0}};
        dot(vectors, complex, x_slope, sums.plain, g[0]);
        if (dim > 1) dot(vectors, complex, x, sums.y, g[1]);
        if (dim > 2) dot(vectors, complex, x, sums.z, g[2]);
        for (int d = 0; weighted && d < dim; d++) weigh_result(weighting, to, per_cell, g[d]);
        put_gradient(run, per_cell, g, to, factor);
        for (int d = 0; d < dim; d++)
            for (int c = 0; c < per_cell; c++) residue += 0 * g[d][c];
    }
    *run->residue += residue;
}

/* Weights of two points: neither polynomial waits for the other. */
INLINE void evaluate_two(int vectors, const real *c, int n, real t, real u, vreal *w, vreal *x)
{
    const int step = term_step(vectors), wide = step / WIDE;
    vwide sum[2][(MOST_VECTORS * LANES + WIDE - 1) / WIDE];
    c += (n - 1) * step;
    w[0] = x[0] = vload(c);
    for (int v = 0; v < wide; v++) sum[0][v] = sum[1][v] = *(const vwide *)(c + v * WIDE);
    for (int k = n - 2; k >= 0; k--) {
        c -= step;
        if (wide == 0) {
            w[0] = w[0] * t + vload(c);
            x[0] = x[0] * u + vload(c);
        }
        for (int v = 0; v < wide; v++) {
            const vwide term = *(const vwide *)(c + v * WIDE);
            sum[0][v] = sum[0][v] * t + term;
            sum[1][v] = sum[1][v] * u + term;
        }
    }
    for (int v = 0; v < vectors && wide > 0; v++) {
        w[v] = part_of(sum[0][v * LANES / WIDE], v * LANES % WIDE / LANES);
        x[v] = part_of(sum[1][v * LANES / WIDE], v * LANES % WIDE / LANES);
    }
}

/* 1D: the value of a point by its weights. */
INLINE void read_value(const interpolation_run *run, int vectors, int complex, const located *l,
                       int i, const vreal *w, real *residue)
{
    const real *corner = run->tile + l->corner[i];
    const real factor = factor_of(run, l->index[i]);
    vreal x[MOST_VECTORS] = {{0}}, cells[MOST_VECTORS] = {{0}};
    real value[2];
    as_row(vectors, complex, w, x);
    for (int v = 0; v < vectors; v++) cells[v] = vload(corner + v * LANES);
    dot(vectors, complex, x, cells, value);
    *residue += 0 * factor;
    put_value(run, complex ? 2 : 1, l->index[i], factor, value, residue);
}

/* Fetches the lines of a row of the tile, which begins at `corner`. */
INLINE void fetch_row(const interpolation_run *run, int vectors, int64_t corner)
{
    enum { OF_LINE = 64 / LANES / sizeof(real) }; /* vectors of a line of the cache */
    for (int v = 0; v < vectors; v += OF_LINE) __builtin_prefetch(run->tile + corner + v * LANES);
    __builtin_prefetch(run->tile + corner + vectors * LANES - 1);
}

/* 1D: values of n located points, by twos where their weights fit in registers, while the cells of
 * later points are fetched. A million points, 1e5 modes, ns a point by ones, whose cells are
 * fetched all at once, and so: width 6, complex 7.2 and 5.4, width 4, real 4.9 and 3.8 (EPYC, Zen
 * 5, November 2026). */
INLINE void read_values_of_line(const interpolation_run *run, int vectors, int complex, int kept,
                                const located *l, int n)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)run->plan->workspace)->window;
    const real *c = window->coefficients, *t = l->t[0];
    const int across = vectors_across(vectors, complex), terms = window->n_coefficients;
    const int together = kept || across > 4 ? 0 : n;
    vreal w[MOST_VECTORS], x[MOST_VECTORS] = {{0}};
    real residue = 0; /* as in read_points() */
    int i = 0;
    for (; i + 1 < together; i += 2) {
        fetch_row(run, vectors, l->next[i]);
        fetch_row(run, vectors, l->next[i + 1]);
        evaluate_two(across, c, terms, t[i], t[i + 1], w, x);
        read_value(run, vectors, complex, l, i, w, &residue);
        read_value(run, vectors, complex, l, i + 1, x, &residue);
    }
    for (; i < n; i++) {
        weights_of(l, kept, 1, 0, i, across, c, terms, w);
        read_value(run, vectors, complex, l, i, w, &residue);
    }
    *run->residue += residue;
}

#if SIMD_AVX512
/* sum += rows of lines times y's weights wy and z's wz. Steps are in lines. */
INLINE void sum_rows_of_lines(int width, int lines, const vline *corner, const real *wy,
                              const real *wz, int64_t step_y, int64_t step_z, vline *sum)
{
    for (int k = 0; k < width; k++, corner += step_z) {
        const vline *line = corner;
        vline row[MOST_LINES];
        for (int v = 0; v < lines; v++) row[v] = (vline){0};
        for (int j = 0; j < width; j++, line += step_y)
            for (int v = 0; v < lines; v++) row[v] += line[v] * wy[j];
        for (int v = 0; v < lines; v++) sum[v] += row[v] * wz[k];
    }
}

/* 3D: values by rows of whole lines of the cache, as in spread.c. Width 10, 100^3 modes, 1 point a
 * mode, real, with the lines that a row touches instead of the most that one can: 75 ns a point in
 * place of 82; width 7, 46^3, in place of vectors of 32 bytes: 25 of 28 (EPYC, Zen 5, November
 * 2026). */
INLINE void read_values_by_lines(const interpolation_run *run, int width, int lines, int complex,
                                 int kept, const located *l, int n)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)run->plan->workspace)->window;
    const real *coefficients = window->coefficients;
    const int across = (width + LANES - 1) / LANES, terms = window->n_coefficients;
    const int per_cell = complex ? 2 : 1;
    const int64_t step_y = run->box.row / LINE, step_z = run->box.n[1] * step_y;
    _Alignas(64) real w[2][ENUF_WIDEST_IN_LINES], lane[LINE];
    real residue = 0;
    for (int i = 0; i < n; i++) {
        __builtin_prefetch((real *)run->job->values + l->ahead[i] * per_cell, 1);
        const int64_t shift = l->corner[i] % LINE;
        const vline *corner = (const vline *)(run->tile + l->corner[i] - shift);
        vline x[MOST_LINES], sum[MOST_LINES];
        vreal y[ENUF_WIDEST_IN_LINES / LANES] = {0};
        weights_of(l, kept, 3, 0, i, across, coefficients, terms, y);
        lines_of(lines, complex, y, shift, x);
        for (int d = 0; d < 2; d++) {
            weights_of(l, kept, 3, 1 + d, i, across, coefficients, terms, y);
            for (int v = 0; v < across; v++) vstore(w[d] + v * LANES, y[v]);
        }
        for (int v = 0; v < lines; v++) sum[v] = (vline){0};
        if (spares_line(width, complex, lines, shift))
            sum_rows_of_lines(width, lines - 1, corner, w[0], w[1], step_y, step_z, sum);
        else
            sum_rows_of_lines(width, lines, corner, w[0], w[1], step_y, step_z, sum);
        vline total = x[0] * sum[0];
        for (int v = 1; v < lines; v++) total += x[v] * sum[v];
        *(vline *)lane = total;
        for (int half = LINE / 2; half >= per_cell; half /= 2)
            for (int k = 0; k < half; k++) lane[k] += lane[k + half];
        const real factor = factor_of(run, l->index[i]);
        residue += 0 * factor;
        put_value(run, per_cell, l->index[i], factor, (real[2]){lane[0], lane[1]}, &residue);
    }
    *run->residue += residue;
}

/* 0: the windows do not gain by it. Where a row begins in a line depends on the tile, and so do the
 * last bits of sums. */
INLINE int read_by_lines(const interpolation_run *run, int kept, const located *l, int n)
{
    const int width = ((const enuf_cpu *)run->plan->workspace)->window.width;
    if (!enuf_window_read_in_lines(&run->plan->options, width)) return 0;
    if (run->job->gradients || run->plan->options.deterministic) return 0;
#define READ_REAL(w, v)    read_values_by_lines(run, w, v, 0, kept, l, n)
#define READ_COMPLEX(w, v) read_values_by_lines(run, w, v, 1, kept, l, n)
    if (run->plan->real)
        BY_LINES(READ_REAL, width, 0)
    else
        BY_LINES(READ_COMPLEX, width, 1)
#undef READ_REAL
#undef READ_COMPLEX
    return 1;
}
#endif

INLINE void read_located_by(const interpolation_run *run, int kept, const located *l, int n)
{
    int width = ((const enuf_cpu *)run->plan->workspace)->window.width;
    int slopes = !kept && run->job->gradients != NULL;
#if SIMD_AVX512
    if (read_by_lines(run, kept, l, n)) return;
#endif
    if (run->plan->options.dim == 1 && !slopes) {
#define READ_REAL(w, v)    read_values_of_line(run, v, 0, kept, l, n)
#define READ_COMPLEX(w, v) read_values_of_line(run, v, 1, kept, l, n)
        if (run->plan->real)
            BY_WIDTH(READ_REAL, width, 0)
        else
            BY_WIDTH(READ_COMPLEX, width, 1)
#undef READ_REAL
#undef READ_COMPLEX
        return;
    }
#define READ_REAL(w, v)              read_points(run, w, v, 0, 0, kept, l, n)
#define READ_REAL_GRADIENTS(w, v)    read_points(run, w, v, 0, 1, 0, l, n)
#define READ_COMPLEX(w, v)           read_points(run, w, v, 1, 0, kept, l, n)
#define READ_COMPLEX_GRADIENTS(w, v) read_points(run, w, v, 1, 1, 0, l, n)
    if (run->plan->real && !slopes)
        BY_WIDTH(READ_REAL, width, 0)
    else if (run->plan->real)
        BY_WIDTH(READ_REAL_GRADIENTS, width, 0)
    else if (!slopes)
        BY_WIDTH(READ_COMPLEX, width, 1)
    else
        BY_WIDTH(READ_COMPLEX_GRADIENTS, width, 1)
#undef READ_REAL
#undef READ_REAL_GRADIENTS
#undef READ_COMPLEX
#undef READ_COMPLEX_GRADIENTS
}

/* Functions of their own: a test of `kept` within the loops took 4 to 8 % more instructions of
 * type 2 in 2D and 3D (callgrind, x86-64-v3). */
static __attribute__((noinline)) void read_evaluated(const interpolation_run *run, const located *l,
                                                     int n)
{
    read_located_by(run, 0, l, n);
}

static __attribute__((noinline)) void read_kept(const interpolation_run *run, const located *l,
                                                int n)
{
    read_located_by(run, 1, l, n);
}

static __attribute__((noinline)) void read_by_table(const interpolation_run *run, located *l, int n)
{
    table_rows rows;
    read_table(run->plan, n, l, rows);
    read_kept(run, l, n);
}

/* Slopes of the window are neither kept nor in the table. */
static void read_located(const interpolation_run *run, located *l, int n)
{
    const int values_alone = !run->job->gradients;
    if (l->weights && values_alone)
        read_kept(run, l, n);
    else if (run->plan->method.table_pieces && values_alone)
        read_by_table(run, l, n);
    else
        read_evaluated(run, l, n);
}

static void read_tile(const interpolation_run *run)
{
    located l;
    for (int64_t j = run->from; j < run->to; j += LOCATED) {
        int n = (int)(run->to - j < LOCATED ? run->to - j : LOCATED);
        locate(run->plan, &run->job->target, &run->box, enuf_cpu_sorted_at(run->plan, j), n, &l);
        read_located(run, &l, n);
    }
}

static int is_finite(const real *numbers, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(numbers[i])) return 0;
    return 1;
}

/* The first of the run's points (sorted index) with a result that is not finite. */
static int64_t not_finite(const interpolation_run *run)
{
    const int64_t per_cell = run->plan->real ? 1 : 2, dim = run->plan->options.dim;
    const real *values = run->job->values, *gradients = run->job->gradients;
    for (int64_t j = run->from; j < run->to; j++) {
        const int64_t i = enuf_cpu_sorted_at(run->plan, j)->index;
        if (values && !is_finite(values + i * per_cell, per_cell)) return j;
        if (gradients && !is_finite(gradients + i * per_cell * dim, per_cell * dim)) return j;
    }
    return run->from; /* not expected: the residue stays 0 while all results are finite */
}

/* Interpolates at sorted points [from, to). Returns the sorted index of a point outside the target
 * or with a result that is not finite, or -1. */
static int64_t interpolate_points(enuf_nufft *plan, const void *work, int64_t from, int64_t to,
                                  void *tile)
{
    const enuf_interpolate_job *job = work;
    int per_cell = plan->real ? 1 : 2;
    real residue = 0;
    interpolation_run run = {
        .plan = plan, .job = job, .from = from, .to = to, .tile = tile, .residue = &residue};
    int64_t outside = bounding_box(plan, &job->target, from, to, per_cell, &run.box);
    if (outside >= 0) return outside;
    if (one_by_one(plan, &run.box, to - from)) {
        int64_t bad = -1;
        for (int64_t j = from; j < to && bad < 0; j++)
            bad = interpolate_points(plan, job, j, j + 1, tile);
        return bad;
    }
    copy_tile(job, &run.box, per_cell, tile);
    gradient_map(plan, run.map);
    read_tile(&run);
    return residue != 0 ? not_finite(&run) : -1;
}

/* One of these points (sorted index) whose window the target does not hold, or -1. */
static int64_t find_outside(enuf_nufft *plan, const void *work, int64_t from, int64_t to,
                            void *unused)
{
    const enuf_interpolate_job *job = work;
    box windows;
    (void)unused;
    return bounding_box(plan, &job->target, from, to, plan->real ? 1 : 2, &windows);
}

/* The points of a line in chunks, in the caller's order. */
typedef struct line_loop {
    enuf_nufft *plan;
    const enuf_interpolate_job *job;
    _Atomic int64_t bad; /* the first point with a result that is not finite, or INT64_MAX */
} line_loop;

/* A window that begins before the line or whose row ends behind it: a tile holds its cells. */
static void read_across_end(const interpolation_run *run, int64_t first, const located *at, int i)
{
    const int per_cell = run->plan->real ? 1 : 2, width = run->plan->method.window.width;
    real tile[ROW_MAX + 3 * ROW_PAD]; /* row_length() of the widest window, and copy_tile()'s pad */
    interpolation_run one = *run;
    one.box = (box){{first, 0, 0}, {width, 1, 1}, row_length(width, per_cell)};
    one.tile = tile;
    copy_tile(run->job, &one.box, per_cell, tile);
    located l = {.index = {at->index[i]},
                 .ahead = {at->index[i]},
                 .t = {{at->t[0][i]}},
                 .weights = at->weights,
                 .kept = {at->index[i]}};
    read_located(&one, &l, 1);
}

/* Reads n points from the j-th on. */
static void read_of_line(const interpolation_run *run, int64_t j, int n)
{
    const double *u = ((const enuf_cpu *)run->plan->workspace)->points.folded;
    const int per_cell = run->plan->real ? 1 : 2, width = run->plan->method.window.width;
    const int64_t last = run->job->target.count[0] - row_length(width, per_cell);
    const int64_t further = j + LOCATED + n <= run->plan->n_points ? j + LOCATED : j;
    int64_t first[LOCATED];
    located l;
    int inside = 0;
    l.weights = ((const enuf_cpu *)run->plan->workspace)->points.kept.weights;
    for (int i = 0; i < n; i++) {
        double t;
        l.next[i] = first_cell(u[further + i], 0.5 * width, &t) * per_cell;
        first[i] = first_cell(u[j + i], 0.5 * width, &t);
        l.t[0][i] = (real)t;
        l.index[i] = j + i;
    }
    for (int i = 0; i < n; i++) {
        if (first[i] < 0 || first[i] > last) {
            read_across_end(run, first[i], &l, i);
            continue;
        }
        l.corner[inside] = first[i] * per_cell;
        l.next[inside] = l.next[i];
        l.t[0][inside] = l.t[0][i];
        l.ahead[inside] = l.index[i];
        l.kept[inside] = l.index[i];
        l.index[inside++] = l.index[i];
    }
    read_located(run, &l, inside);
}

/* The first of n points from the j-th on with a result that is not finite. */
static int64_t not_finite_of_line(const interpolation_run *run, int64_t j, int n)
{
    const int64_t per_cell = run->plan->real ? 1 : 2, end = j + n;
    const real *values = run->job->values, *gradients = run->job->gradients;
    for (; j < end; j++)
        if ((values && !is_finite(values + j * per_cell, per_cell)) ||
            (gradients && !is_finite(gradients + j * per_cell, per_cell)))
            return j;
    return end - 1; /* not expected: the residue stays 0 while all results are finite */
}

static void read_chunks(void *context, int64_t begin, int64_t end, int thread)
{
    line_loop *loop = context;
    real residue = 0;
    interpolation_run run = {
        .plan = loop->plan, .job = loop->job, .tile = loop->job->cells, .residue = &residue};
    (void)thread;
    gradient_map(loop->plan, run.map);
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t j = chunk * LOCATED, left = loop->plan->n_points - j;
        const int n = (int)(left < LOCATED ? left : LOCATED);
        read_of_line(&run, j, n);
        if (residue != 0) enuf_lower(&loop->bad, not_finite_of_line(&run, j, n));
        residue = 0;
    }
}

static int64_t interpolate_line(enuf_nufft *plan, const enuf_interpolate_job *job)
{
    line_loop loop = {plan, job, INT64_MAX};
    enuf_parallel_for(plan->threads, (plan->n_points + LOCATED - 1) / LOCATED, 0, read_chunks,
                      &loop);
    return loop.bad == INT64_MAX ? -1 : loop.bad;
}

enuf_status ENUF_SUFFIXED(enuf_cpu_interpolate)(enuf_nufft *plan, const enuf_interpolate_job *job)
{
    const int line = plan->options.dim == 1 && job->target.wraps[0];
    const int64_t bad =
        line ? interpolate_line(plan, job) : enuf_cpu_each_block(plan, interpolate_points, job);
    if (bad < 0) return ENUF_SUCCESS;
    const int64_t outside = line ? -1 : enuf_cpu_each_block(plan, find_outside, job);
    if (outside >= 0) return enuf_outside_brick(outside);
    return enuf_fail(ENUF_NOT_FINITE,
                     "the value or gradient at point %lld is NaN or infinite: so is a mode, a "
                     "cell, a multiplier or a factor, or they are too large",
                     (long long)bad);
}
