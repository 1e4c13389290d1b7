/* tuning_rows.c - see tuning_rows.h. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning_rows.h"

#include "arguments.h"

#include <math.h>
#include <stdlib.h>

/* The cell of the lowest entry of a point's window along an axis. */
static int64_t first_cell(double x, int64_t grid, int width)
{
    const int64_t cell = (int64_t)ceil(x * (double)grid - 0.5 * width) % grid;
    return cell < 0 ? cell + grid : cell;
}

/* Each number of a line becomes the sum of it and of the width - 1 before it, around the period. */
static void sum_line(double *line, int64_t stride, int64_t n, int width, double *copy)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) copy[i] = line[i * stride];
    for (int64_t i = n - width + 1; i < n; i++) sum += copy[i];
    for (int64_t i = 0; i < n; i++) {
        sum += copy[i];
        line[i * stride] = sum;
        sum -= copy[(i + n - width + 1) % n];
    }
}

/* First the points by their lowest cell, then sums over the cells that a window reaches. */
static void count(const tuning_case *c, const int64_t grid[3], int width, double *cells,
                  double *line)
{
    const int64_t stride[3] = {1, grid[0], grid[0] * grid[1]};
    const int64_t all = grid[0] * grid[1] * grid[2];
    for (int64_t j = 0; j < c->n; j++) {
        int64_t at = 0;
        for (int d = 0; d < 3; d++)
            at += stride[d] * first_cell(c->points[3 * j + d], grid[d], width);
        cells[at]++;
    }
    for (int d = 0; d < 3; d++)
        for (int64_t at = 0; at < all; at++)
            if (at / stride[d] % grid[d] == 0)
                sum_line(cells + at, stride[d], grid[d], width, line);
}

tuning_rows tuning_rows_of(const tuning_case *c, const int64_t grid[3], int width)
{
    const int64_t all = grid[0] * grid[1] * grid[2];
    double *cells = calloc((size_t)all, sizeof *cells), squares = 0;
    double *line = malloc((size_t)(grid[0] + grid[1] + grid[2]) * sizeof *line);
    if (!cells || !line) bench_die("tuning", "not enough memory");
    count(c, grid, width, cells, line);
    const double mean = (double)c->n * pow(width, 3) / (double)all;
    for (int64_t i = 0; i < all; i++) squares += (cells[i] - mean) * (cells[i] - mean);
    free(line);
    free(cells);
    return (tuning_rows){mean, sqrt(squares / (double)all)};
}
