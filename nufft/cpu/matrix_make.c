/*
 * matrix_make.c - level MATRIX: the interpolation matrix of the points, and its transpose.
 *
 * Rows of points have equal lengths: row j begins at j times lines times row_step, in 64 bits. A
 * line of a window is contiguous along x, so a column index serves a line (blocked ELL). Rows of
 * cells are compressed (CSR), with 64-bit pointers; each has its entries in ascending order of the
 * points, so that sums do not depend on the number of threads: threads share out the cells, not the
 * points. SPDX-License-Identifier: BSD-3-Clause
 */
#include "parallel.h"
#include "point.h"

#include <string.h>

static int64_t folded(int64_t cell, int64_t grid)
{
    const int64_t at = cell % grid;
    return at < 0 ? at + grid : at;
}

static int lines_of_window(const enuf_nufft *plan)
{
    const int width = plan->method.window.width, dim = plan->options.dim;
    return (dim > 1 ? width : 1) * (dim > 2 ? width : 1);
}

/* ---- Rows of points ---- */

static void make_row(const enuf_nufft *plan, int64_t j)
{
    const enuf_cpu *cpu = plan->workspace;
    const enuf_kept *kept = &cpu->points.kept;
    const enuf_point_number *p = enuf_cpu_sorted_at(plan, j);
    const int dim = plan->options.dim, width = cpu->window.width;
    const int row = vectors_of(width, 0) * LANES, lines = lines_of_window(plan);
    real w[3][ROW_MAX] = {{0}, {1}, {1}}, *value = (real *)kept->values + j * lines * row;
    uint32_t *line = kept->line + j * lines;
    int64_t first[3] = {0};
    for (int d = 0; d < dim; d++) {
        double t;
        first[d] = first_cell(p[1 + d].u, 0.5 * width, &t);
        weights(&cpu->window, (real)t, w[d]);
    }
    kept->first[j] = folded(first[0], plan->method.grid[0]);
    for (int k = 0; k < (dim > 2 ? width : 1); k++) {
        const int64_t z = dim > 2 ? folded(first[2] + k, plan->method.grid[2]) : 0;
        for (int i = 0; i < (dim > 1 ? width : 1); i++, value += row) {
            const int64_t y = dim > 1 ? folded(first[1] + i, plan->method.grid[1]) : 0;
            const real across = w[1][i] * w[2][k];
            *line++ = (uint32_t)(z * cpu->plane + y * cpu->row);
            for (int x = 0; x < row; x++) value[x] = w[0][x] * across;
        }
    }
}

static void make_rows(void *context, int64_t begin, int64_t end, int thread)
{
    (void)thread;
    for (int64_t j = begin; j < end; j++) make_row(context, j);
}

/* ---- Rows of cells ---- */

typedef struct transpose_loop {
    enuf_nufft *plan;
    int64_t n, slabs; /* parts of the last axis */
    int fill;         /* 0: counts the entries of each cell, 1: writes them */
} transpose_loop;

/* Entries of point j in lines [line, line_end), cells [x, x_end) of each. */
static void add_entries(const transpose_loop *loop, int64_t j, int line, int line_end, int x,
                        int x_end)
{
    const enuf_cpu *cpu = loop->plan->workspace;
    const enuf_kept *kept = &cpu->points.kept;
    const int parts = loop->plan->real ? 1 : 2, lines = lines_of_window(loop->plan);
    const int row = vectors_of(cpu->window.width, 0) * LANES;
    const int64_t grid = loop->plan->method.grid[0], first = kept->first[j];
    for (int k = line; k < line_end; k++) {
        const int64_t at = kept->line[j * lines + k] / parts;
        const real *value = (const real *)kept->values + (j * lines + k) * row;
        for (int i = x; i < x_end; i++) {
            int64_t cell = first + i;
            while (cell >= grid) cell -= grid;
            const int64_t entry = cpu->cell_start[at + cell]++;
            if (!loop->fill) continue;
            ((real *)kept->entry)[entry] = value[i];
            kept->entry_point[entry] = (uint32_t)j;
        }
    }
}

/* The entries of a part of the last axis. */
static void transpose_slab(const transpose_loop *loop, int64_t slab)
{
    const enuf_nufft *plan = loop->plan;
    const int dim = plan->options.dim, width = plan->method.window.width;
    const int64_t grid = plan->method.grid[dim - 1];
    const int64_t low = grid * slab / loop->slabs, cells = grid * (slab + 1) / loop->slabs - low;
    for (int64_t j = 0; j < loop->n; j++) {
        double t;
        const int64_t first = first_cell(enuf_cpu_sorted_at(plan, j)[dim].u, 0.5 * width, &t);
        int64_t at = folded(first - low, grid);
        if (at >= cells && at + width <= grid) continue;
        for (int k = 0; k < width; k++, at = at + 1 == grid ? 0 : at + 1) {
            if (at >= cells) continue;
            if (dim == 1)
                add_entries(loop, j, 0, 1, k, k + 1);
            else if (dim == 2)
                add_entries(loop, j, k, k + 1, 0, width);
            else
                add_entries(loop, j, k * width, (k + 1) * width, 0, width);
        }
    }
}

static void transpose_slabs(void *context, int64_t begin, int64_t end, int thread)
{
    (void)thread;
    for (int64_t slab = begin; slab < end; slab++) transpose_slab(context, slab);
}

/* Counts of the cells' entries to the places of their first ones. Returns the largest. */
static int64_t sum_counts(int64_t *start, int64_t rows)
{
    int64_t place = 0, largest = 0;
    for (int64_t cell = 0; cell <= rows; cell++) {
        const int64_t count = start[cell];
        start[cell] = place;
        place += count;
        if (count > largest) largest = count;
    }
    return largest;
}

void ENUF_SUFFIXED(enuf_cpu_matrix_make)(enuf_nufft *plan, int64_t n)
{
    enuf_cpu *cpu = plan->workspace;
    int64_t *start = cpu->cell_start;
    const int64_t rows = enuf_cpu_matrix_rows(plan),
                  last = plan->method.grid[plan->options.dim - 1];
    const int64_t slabs = plan->threads > 1 ? 4 * plan->threads : 1;
    transpose_loop loop = {plan, n, slabs < last ? slabs : last, 0};
    enuf_parallel_for(plan->threads, n, 0, make_rows, plan);
    memset(start, 0, (size_t)(rows + 1) * sizeof *start);
    enuf_parallel_for(plan->threads, loop.slabs, 1, transpose_slabs, &loop);
    cpu->longest_row = sum_counts(start, rows);
    if (enuf_cpu_matrix_by_points(plan)) return;
    loop.fill = 1;
    enuf_parallel_for(plan->threads, loop.slabs, 1, transpose_slabs, &loop);
    /* each place has moved to the first of the next cell */
    memmove(start + 1, start, (size_t)rows * sizeof *start);
    start[0] = 0;
}
