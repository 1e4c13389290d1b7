/*
 * matrix_apply.c - level MATRIX: spreading and interpolation as products with the kept matrix. A
 * row is read from memory once for all vectors of a batch.
 *
 * One thread spreads by rows of points, where sums are so short that their rounding is below the
 * plan's error. Otherwise the sum of each cell is a row of its own. Bytes bound both.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "parallel.h"
#include "plan/grid_layout.h"
#include "point.h"
#include "weigh.h"

#include <math.h>
#include <string.h>

typedef struct product_loop {
    enuf_nufft *plan;
    const void *strengths; /* the caller's */
    void *cells;           /* real, or int64 of deterministic sums */
    real *values;
    _Atomic int64_t bad; /* the first point with a value that is not finite, or INT64_MAX */
} product_loop;

/* ---- Rows of points ---- */

/* A row of points. */
typedef struct point_row {
    const real *value;
    const uint32_t *line;
    int64_t first; /* cell along x, folded */
} point_row;

INLINE point_row row_of_point(const enuf_nufft *plan, int64_t j, int lines, int64_t step)
{
    const enuf_kept *kept = &((const enuf_cpu *)plan->workspace)->points.kept;
    return (point_row){(const real *)kept->values + j * lines * step, kept->line + j * lines,
                       kept->first[j]};
}

INLINE int lines_of_row(const enuf_nufft *plan, int width)
{
    return (plan->options.dim > 1 ? width : 1) * (plan->options.dim > 2 ? width : 1);
}

/* ---- Margins of lines, where windows go on that pass the end of a line ---- */

typedef struct margin_loop {
    const enuf_nufft *plan;
    real *cells;
    int64_t lines;           /* of all vectors */
    int64_t numbers, margin; /* of a line's cells, behind them */
} margin_loop;

static margin_loop margins_of(const enuf_nufft *plan, void *cells)
{
    const int64_t *grid = plan->method.grid;
    return (margin_loop){.plan = plan,
                         .cells = cells,
                         .lines = plan->options.batch * grid[1] * grid[2],
                         .numbers = grid[0] * (plan->real ? 1 : 2),
                         .margin = enuf_grid_margin(&plan->options, plan->method.window.width)};
}

/* The cells of the i-th line. */
INLINE real *line_of(const margin_loop *loop, int64_t i)
{
    const enuf_nufft *plan = loop->plan;
    const enuf_cpu *cpu = plan->workspace;
    const int64_t ny = plan->method.grid[1], nz = plan->method.grid[2];
    return loop->cells + i / (ny * nz) * cpu->batch_cells + i / ny % nz * cpu->plane +
           i % ny * cpu->row;
}

/* Adds the margins of lines to the cells for which they stand. */
static void fold_margins(void *context, int64_t begin, int64_t end, int thread)
{
    const margin_loop *loop = context;
    const int64_t numbers = loop->numbers;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        real *line = line_of(loop, i);
        for (int64_t from = 0; from < loop->margin; from += numbers) {
            const int64_t left = loop->margin - from, n = left < numbers ? left : numbers;
            for (int64_t k = 0; k < n; k++) line[k] += line[numbers + from + k];
        }
    }
}

/* Copies cells into the margins that stand for them. */
static void fill_margins(void *context, int64_t begin, int64_t end, int thread)
{
    const margin_loop *loop = context;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        real *line = line_of(loop, i);
        for (int64_t k = 0; k < loop->margin; k++) line[loop->numbers + k] = line[k];
    }
}

/* ---- Spreading ---- */

/* Strengths times weights, [sorted point][batch]. */
static void sort_strengths(void *context, int64_t begin, int64_t end, int thread)
{
    const product_loop *loop = context;
    const enuf_nufft *plan = loop->plan;
    const int parts = plan->real ? 1 : 2, batch = plan->options.batch;
    real *sorted = ((const enuf_cpu *)plan->workspace)->points.kept.strengths;
    (void)thread;
    for (int b = 0; b < batch; b++) {
        const enuf_weighting weighting = enuf_cpu_weighting_of(plan, b);
        const real *from =
            (const real *)loop->strengths + (plan->terms ? 0 : b * plan->n_points * parts);
        for (int64_t j = begin; j < end; j++) {
            const int64_t i = enuf_cpu_sorted_at(plan, j)->index;
            real *q = sorted + (j * batch + b) * parts;
            for (int c = 0; c < parts; c++) q[c] = from[i * parts + c];
            weigh_strength(&weighting, i, parts, q);
        }
    }
}

/* Numbers of a batch that are summed at a time, and terms before a sum goes on in two numbers: as
 * many as any plan allows (additions_allowed() in plan/choose.c). */
enum { TOGETHER = 8, RUN = 48 };

/* The entries of a row of cells. */
typedef struct matrix_row {
    const real *value;
    const uint32_t *point;
    int64_t n, step; /* numbers from one point's strengths to the next one's */
} matrix_row;

/* Sums of `numbers` numbers of strengths q over entries [from, to) of a row, every other one in a
 * sum of its own: an addition does not wait for the one before. */
INLINE void add_entries(int numbers, const matrix_row *row, int64_t from, int64_t to, const real *q,
                        real *sum)
{
    real other[TOGETHER] = {0};
    int64_t k = from;
    for (; k + 1 < to; k += 2) {
        const real *at = q + row->point[k] * row->step, *next = q + row->point[k + 1] * row->step;
        for (int c = 0; c < numbers; c++) sum[c] += row->value[k] * at[c];
        for (int c = 0; c < numbers; c++) other[c] += row->value[k + 1] * next[c];
    }
    for (int c = 0; c < numbers && k < to; c++)
        sum[c] += row->value[k] * q[row->point[k] * row->step + c];
    for (int c = 0; c < numbers; c++) sum[c] += other[c];
}

/* The sums of a row: of a long one in runs, whose rounding errors are collected (Knuth's two-sum).
 * Callers pass numbers as a constant. */
INLINE void sum_row(int numbers, const matrix_row *row, const real *q, real *out)
{
    real sum[TOGETHER] = {0}, lost[TOGETHER] = {0};
    const int64_t first = row->n < RUN ? row->n : RUN;
    add_entries(numbers, row, 0, first, q, sum);
    for (int64_t e = RUN; e < row->n; e += RUN) {
        real part[TOGETHER] = {0};
        add_entries(numbers, row, e, e + RUN < row->n ? e + RUN : row->n, q, part);
        for (int c = 0; c < numbers; c++) {
            const real before = sum[c], after = before + part[c], added = after - before;
            lost[c] += (before - (after - added)) + (part[c] - added);
            sum[c] = after;
        }
    }
    for (int c = 0; c < numbers; c++) out[c] = sum[c] + lost[c];
}

/* The same in integers, whose sums do not depend on the order of the points. */
INLINE void sum_row_fixed(int numbers, const matrix_row *row, const real *q, double scale,
                          int64_t *out)
{
    int64_t sum[TOGETHER] = {0};
    for (int64_t k = 0; k < row->n; k++) {
        const real *at = q + row->point[k] * row->step;
        const double w = (double)row->value[k];
        for (int c = 0; c < numbers; c++) sum[c] += llrint(w * ((double)at[c] * scale));
    }
    for (int c = 0; c < numbers; c++) out[c] = sum[c];
}

/* Callers pass numbers and parts as constants. */
INLINE void sum_part(int numbers, int parts, const product_loop *loop, const matrix_row *row,
                     const real *q, int64_t cell, int first)
{
    const enuf_nufft *plan = loop->plan;
    const enuf_cpu *cpu = plan->workspace;
    const int deterministic = plan->options.deterministic;
    real sum[TOGETHER];
    int64_t fixed[TOGETHER];
    if (deterministic)
        sum_row_fixed(numbers, row, q + first, cpu->fixed_scale, fixed);
    else
        sum_row(numbers, row, q + first, sum);
    for (int c = 0; c < numbers; c++) {
        const int number = first + c;
        const int64_t to = number / parts * cpu->batch_cells + cell * parts + number % parts;
        if (deterministic)
            ((int64_t *)loop->cells)[to] = fixed[c];
        else
            ((real *)loop->cells)[to] = sum[c];
    }
}

INLINE matrix_row row_of(const enuf_cpu *cpu, int64_t cell, int64_t step)
{
    const enuf_kept *kept = &cpu->points.kept;
    const int64_t from = cpu->cell_start[cell];
    return (matrix_row){(const real *)kept->entry + from, kept->entry_point + from,
                        cpu->cell_start[cell + 1] - from, step};
}

/* Of a single vector, without a look at the batch in each row. */
INLINE void sum_rows_of_one(int parts, const product_loop *loop, int64_t begin, int64_t end)
{
    const enuf_cpu *cpu = loop->plan->workspace;
    const real *q = cpu->points.kept.strengths;
    real *cells = loop->cells;
    for (int64_t cell = begin; cell < end; cell++) {
        const matrix_row row = row_of(cpu, cell, parts);
        sum_row(parts, &row, q, cells + cell * parts);
    }
}

INLINE void sum_rows(int parts, const product_loop *loop, int64_t begin, int64_t end)
{
    const enuf_cpu *cpu = loop->plan->workspace;
    const int numbers = loop->plan->options.batch * parts;
    const real *q = cpu->points.kept.strengths;
    if (numbers == parts && !loop->plan->options.deterministic) {
        sum_rows_of_one(parts, loop, begin, end);
        return;
    }
    for (int64_t cell = begin; cell < end; cell++) {
        const matrix_row row = row_of(cpu, cell, numbers);
        int first = 0;
        for (; first + TOGETHER <= numbers; first += TOGETHER)
            sum_part(TOGETHER, parts, loop, &row, q, cell, first);
        for (; first + 2 <= numbers; first += 2) sum_part(2, parts, loop, &row, q, cell, first);
        if (first < numbers) sum_part(1, parts, loop, &row, q, cell, first);
    }
}

static void sum_cells(void *context, int64_t begin, int64_t end, int thread)
{
    const product_loop *loop = context;
    (void)thread;
    if (loop->plan->real)
        sum_rows(1, loop, begin, end);
    else
        sum_rows(2, loop, begin, end);
}

/* By rows of points: each of its lines is added to the grid, with what the row's zeros multiply. A
 * window that passes the end of a line goes on in its margin. */
INLINE void add_row(int vectors, int complex, int lines, const point_row *row, const real *q,
                    real *cells)
{
    const int across = vectors_across(vectors, complex), parts = complex ? 2 : 1;
    const real *value = row->value;
    real lane[LANES];
    for (int i = 0; i < LANES; i++) lane[i] = q[complex ? i % 2 : 0];
    const vreal strength = vload(lane);
    for (int k = 0; k < lines; k++, value += across * LANES) {
        real *at = cells + row->line[k] + row->first * parts;
        vreal w[MOST_VECTORS], x[MOST_VECTORS];
        for (int v = 0; v < across; v++) w[v] = vload(value + v * LANES);
        as_row(vectors, complex, w, x);
        for (int v = 0; v < vectors; v++)
            vstore(at + v * LANES, vload(at + v * LANES) + x[v] * strength);
    }
}

INLINE void add_rows(const product_loop *loop, int width, int vectors, int complex)
{
    const enuf_nufft *plan = loop->plan;
    const enuf_cpu *cpu = plan->workspace;
    const int parts = complex ? 2 : 1, lines = lines_of_row(plan, width),
              batch = plan->options.batch;
    const int64_t step = vectors_across(vectors, complex) * LANES;
    const real *q = cpu->points.kept.strengths;
    for (int64_t j = 0; j < plan->n_points; j++) {
        const point_row row = row_of_point(plan, j, lines, step);
        for (int b = 0; b < batch; b++, q += parts)
            add_row(vectors, complex, lines, &row, q, (real *)loop->cells + b * cpu->batch_cells);
    }
}

static void add_points(const product_loop *loop)
{
    const enuf_nufft *plan = loop->plan;
    const enuf_cpu *cpu = plan->workspace;
    const int width = plan->method.window.width;
    memset(loop->cells, 0, (size_t)(cpu->batch_cells * plan->options.batch) * sizeof(real));
#define ADD_REAL(w, v)    add_rows(loop, w, v, 0)
#define ADD_COMPLEX(w, v) add_rows(loop, w, v, 1)
    if (plan->real)
        BY_WIDTH(ADD_REAL, width, 0)
    else
        BY_WIDTH(ADD_COMPLEX, width, 1)
#undef ADD_REAL
#undef ADD_COMPLEX
    clear_upper_halves(); /* gcc 12 does not */
    margin_loop margins = margins_of(plan, loop->cells);
    fold_margins(&margins, 0, margins.lines, 0);
}

void ENUF_SUFFIXED(enuf_cpu_matrix_spread)(enuf_nufft *plan, const void *strengths, void *cells)
{
    product_loop loop = {.plan = plan, .strengths = strengths, .cells = cells};
    enuf_parallel_for(plan->threads, plan->n_points, 0, sort_strengths, &loop);
    if (enuf_cpu_matrix_by_points(plan)) {
        add_points(&loop);
        return;
    }
    enuf_parallel_for(plan->threads, enuf_cpu_matrix_rows(plan), 0, sum_cells, &loop);
}

/* ---- Interpolation ---- */

/* Lines of x with their margins, with what the row's zeros multiply. */
INLINE void read_row(int vectors, int complex, int lines, const point_row *row, const real *cells,
                     real out[2])
{
    const int across = vectors_across(vectors, complex), parts = complex ? 2 : 1;
    const real *value = row->value;
    vreal sum[MOST_VECTORS] = {{0}};
    real lane[LANES];
    for (int k = 0; k < lines; k++, value += across * LANES) {
        const real *at = cells + row->line[k] + row->first * parts;
        vreal w[MOST_VECTORS], x[MOST_VECTORS];
        for (int v = 0; v < across; v++) w[v] = vload(value + v * LANES);
        as_row(vectors, complex, w, x);
        for (int v = 0; v < vectors; v++) sum[v] += x[v] * vload(at + v * LANES);
    }
    for (int v = 1; v < vectors; v++) sum[0] += sum[v];
    vstore(lane, sum[0]);
    for (int half = LANES / 2; half > complex; half /= 2)
        for (int k = 0; k < half; k++) lane[k] += lane[k + half];
    out[0] = lane[0];
    out[1] = complex ? lane[1] : 0;
}

static void put(const product_loop *loop, int b, int64_t point, real value[2])
{
    const enuf_nufft *plan = loop->plan;
    const int parts = plan->real ? 1 : 2;
    const enuf_weighting weighting = enuf_cpu_weighting_of(plan, b);
    real *to = loop->values + ((plan->terms ? 0 : b * plan->n_points) + point) * parts;
    weigh_result(&weighting, point, parts, value);
    for (int c = 0; c < parts; c++) to[c] = plan->terms ? to[c] + value[c] : value[c];
}

INLINE void read_rows(product_loop *loop, int64_t begin, int64_t end, int width, int vectors,
                      int complex)
{
    const enuf_nufft *plan = loop->plan;
    const enuf_cpu *cpu = plan->workspace;
    const int lines = lines_of_row(plan, width);
    const int64_t step = vectors_across(vectors, complex) * LANES;
    for (int64_t j = begin; j < end; j++) {
        const point_row row = row_of_point(plan, j, lines, step);
        const int64_t point = enuf_cpu_sorted_at(plan, j)->index;
        for (int b = 0; b < plan->options.batch; b++) {
            real value[2];
            read_row(vectors, complex, lines, &row, (const real *)cpu->grid + b * cpu->batch_cells,
                     value);
            put(loop, b, point, value);
            if (!isfinite(value[0]) || (complex && !isfinite(value[1])))
                enuf_lower(&loop->bad, point);
        }
    }
}

static void read_points(void *context, int64_t begin, int64_t end, int thread)
{
    product_loop *loop = context;
    const int width = loop->plan->method.window.width;
    (void)thread;
#define READ_REAL(w, v)    read_rows(loop, begin, end, w, v, 0)
#define READ_COMPLEX(w, v) read_rows(loop, begin, end, w, v, 1)
    if (loop->plan->real)
        BY_WIDTH(READ_REAL, width, 0)
    else
        BY_WIDTH(READ_COMPLEX, width, 1)
#undef READ_REAL
#undef READ_COMPLEX
    clear_upper_halves(); /* gcc 12 does not */
}

enuf_status ENUF_SUFFIXED(enuf_cpu_matrix_interpolate)(enuf_nufft *plan, void *values)
{
    product_loop loop = {.plan = plan, .values = values, .bad = INT64_MAX};
    margin_loop margins = margins_of(plan, ((const enuf_cpu *)plan->workspace)->grid);
    enuf_parallel_for(plan->threads, margins.lines, 0, fill_margins, &margins);
    enuf_parallel_for(plan->threads, plan->n_points, 0, read_points, &loop);
    if (loop.bad == INT64_MAX) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE,
                     "the value at point %lld is NaN or infinite: so is a mode, a cell or a "
                     "multiplier, or they are too large",
                     (long long)loop.bad);
}
