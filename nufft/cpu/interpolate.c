/*
 * interpolate.c - values and gradients at sorted points from the fine grid, in one pass.
 *
 * A thread takes a block of sorted points, copies the cells they touch into a private tile, then
 * reads each point's window from it without folding. Value and gradient share every load of a cell:
 * per row one multiply-add for the value and one for each of d/dy and d/dz; d/dx comes from the
 * same sums at the end. SPDX-License-Identifier: BSD-3-Clause
 */
#include "point.h"

#include <string.h>

/* Sums of a point's window over y and z, along x: plain, with slopes in y, with slopes in z. */
typedef struct row_sums {
    real plain[ROW_MAX], y[ROW_MAX], z[ROW_MAX];
} row_sums;

typedef struct point_weights {
    real w[3][ROW_MAX], slope[3][ROW_MAX];
} point_weights;

static inline __attribute__((always_inline)) void
sum_rows(int vectors, int slopes, const point_weights *p, int ny, int nz, const real *tile,
         int64_t step_y, int64_t step_z, int offset, row_sums *sums)
{
    vreal plain[8], in_y[8], in_z[8];
    for (int v = 0; v < vectors; v++) plain[v] = in_y[v] = in_z[v] = (vreal){0};
    for (int k = 0; k < nz; k++, tile += step_z) {
        vreal row[8], row_y[8];
        for (int v = 0; v < vectors; v++) row[v] = row_y[v] = (vreal){0};
        const real *line = tile;
        for (int j = 0; j < ny; j++, line += step_y)
            for (int v = 0; v < vectors; v++) {
                vreal cells = vload(line + v * LANES);
                row[v] += cells * p->w[1][j];
                if (slopes) row_y[v] += cells * p->slope[1][j];
            }
        for (int v = 0; v < vectors; v++) {
            plain[v] += row[v] * p->w[2][k];
            if (slopes) in_y[v] += row_y[v] * p->w[2][k];
            if (slopes) in_z[v] += row[v] * p->slope[2][k];
        }
    }
    for (int v = 0; v < vectors; v++) {
        vstore(sums->plain + offset + v * LANES, plain[v]);
        if (slopes) vstore(sums->y + offset + v * LANES, in_y[v]);
        if (slopes) vstore(sums->z + offset + v * LANES, in_z[v]);
    }
}

static inline __attribute__((always_inline)) void sum_point(int vectors, int slopes,
                                                            const point_weights *p, int ny, int nz,
                                                            const real *tile, int64_t step_y,
                                                            int64_t step_z, row_sums *sums)
{
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        sum_rows(n, slopes, p, ny, nz, tile, step_y, step_z, 0, sums);                             \
        return;
    switch (vectors) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
    }
#undef CASE
    for (int v = 0; v < vectors; v += 4) {
        int left = vectors - v < 4 ? vectors - v : 4;
        sum_rows(left, slopes, p, ny, nz, tile + v * LANES, step_y, step_z, v * LANES, sums);
    }
}

/* sum over x of w times the row sums: real, or complex interleaved. */
static inline void dot(int per_cell, int width, const real *w, const real *row, real out[2])
{
    real re = 0, im = 0;
    if (per_cell == 1)
        for (int x = 0; x < width; x++) re += w[x] * row[x];
    else
        for (int x = 0; x < width; x++) {
            re += w[x] * row[2 * x];
            im += w[x] * row[2 * x + 1];
        }
    out[0] = re;
    out[1] = im;
}

/* Copies the box from the target, folding where it wraps. */
static void copy_tile(const enuf_interpolate_job *job, const box *b, int per_cell, real *tile)
{
    const enuf_target *target = &job->target;
    for (int64_t k = 0; k < b->n[2]; k++)
        for (int64_t j = 0; j < b->n[1]; j++) {
            const real *from = (const real *)job->cells +
                               target_index(target, 2, b->lo[2] + k) * target->stride[2] +
                               target_index(target, 1, b->lo[1] + j) * target->stride[1];
            real *to = tile + (k * b->n[1] + j) * b->row;
            int64_t done = 0, at = target_index(target, 0, b->lo[0]);
            while (done < b->n[0]) {
                int64_t left = b->n[0] - done, run = target->count[0] - at;
                if (run > left) run = left;
                memcpy(to + done * per_cell, from + at * per_cell,
                       (size_t)(run * per_cell) * sizeof(real));
                done += run;
                at = 0;
            }
            /* the padding of the last window's row must be finite: it meets zero weights */
            memset(to + done * per_cell, 0, (size_t)(b->row - done * per_cell) * sizeof(real));
        }
    memset(tile + b->row * b->n[1] * b->n[2], 0, LANES * sizeof(real));
}

static inline void put(real *to, int per_cell, const real value[2], real factor, int add)
{
    for (int c = 0; c < per_cell; c++) to[c] = (add ? to[c] : 0) + value[c] * factor;
}

/* map[d][e] = d u_d/d x_e */
static void gradient_map(const enuf_nufft *plan, double map[3][3])
{
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++)
            map[d][e] = (double)plan->method.grid[d] *
                        (plan->has_frame ? plan->frame[3 * d + e]
                                         : (d == e ? 1 / plan->options.period : 0));
}

static inline __attribute__((always_inline)) void read_points(const enuf_nufft *plan,
                                                              const enuf_interpolate_job *job,
                                                              int slopes, int64_t from, int64_t to,
                                                              const box *b, const real *tile)
{
    const enuf_cpu *cpu = plan->workspace;
    const enuf_sorted_points *points = &cpu->points;
    const enuf_kernel_window *window = &cpu->window;
    int per_cell = plan->real ? 1 : 2, dim = plan->options.dim, width = window->width;
    int vectors = (width * per_cell + LANES - 1) / LANES;
    int ny = dim > 1 ? width : 1, nz = dim > 2 ? width : 1;
    point_weights p = {.w = {{0}, {1}, {1}}};
    row_sums sums;
    double map[3][3];
    gradient_map(plan, map);
    for (int64_t j = from; j < to; j++) {
        int64_t at[3] = {0};
        for (int d = 0; d < dim; d++) {
            double t;
            int64_t first = first_cell(points->u[d][j], 0.5 * width, &t);
            place(&job->target, d, plan->method.grid[d], width, &first);
            at[d] = first - b->lo[d];
            if (slopes)
                weights_and_slopes(window, (real)t, p.w[d], p.slope[d]);
            else
                weights(window, (real)t, p.w[d]);
        }
        const real *corner = tile + (at[2] * b->n[1] + at[1]) * b->row + at[0] * per_cell;
        sum_point(vectors, slopes, &p, ny, nz, corner, b->row, b->n[1] * b->row, &sums);
        int64_t i = points->order[j];
        real factor = job->factors ? ((const real *)job->factors)[i] : 1;
        if (job->values) {
            real value[2];
            dot(per_cell, width, p.w[0], sums.plain, value);
            put((real *)job->values + i * per_cell, per_cell, value, factor, job->add);
        }
        if (!slopes) continue;
        real g[3][2] = {{0}};
        dot(per_cell, width, p.slope[0], sums.plain, g[0]);
        if (dim > 1) dot(per_cell, width, p.w[0], sums.y, g[1]);
        if (dim > 2) dot(per_cell, width, p.w[0], sums.z, g[2]);
        for (int e = 0; e < dim; e++) {
            real value[2];
            for (int c = 0; c < 2; c++) {
                double sum = 0;
                for (int d = 0; d < dim; d++) sum += map[d][e] * (double)g[d][c];
                value[c] = (real)sum;
            }
            put((real *)job->gradients + (i * dim + e) * per_cell, per_cell, value, factor,
                job->add);
        }
    }
}

static int64_t interpolate_run(const enuf_nufft *plan, const enuf_interpolate_job *job,
                               int64_t from, int64_t to, real *tile)
{
    int per_cell = plan->real ? 1 : 2;
    box b = {{0}, {0}, 0};
    int64_t outside = bounding_box(plan, &job->target, from, to, per_cell, &b);
    if (outside >= 0) return outside;
    if (one_by_one(plan, &b, to - from)) {
        for (int64_t j = from; j < to; j++) interpolate_run(plan, job, j, j + 1, tile);
        return -1;
    }
    copy_tile(job, &b, per_cell, tile);
    if (job->gradients)
        read_points(plan, job, 1, from, to, &b, tile);
    else
        read_points(plan, job, 0, from, to, &b, tile);
    return -1;
}

enuf_status ENUF_STAGE(enuf_cpu_interpolate)(enuf_nufft *plan, const enuf_interpolate_job *job,
                                             int64_t *outside)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_sorted_points *p = &cpu->points;
    int64_t first_outside = INT64_MAX;
#pragma omp parallel num_threads(plan->threads) reduction(min : first_outside)
    {
        real *tile = (real *)((double *)cpu->tiles + omp_get_thread_num() * cpu->tile_numbers);
#pragma omp for schedule(dynamic)
        for (int64_t block = 0; block < p->n_blocks; block++) {
            int64_t from = p->start[block * p->bins_per_block];
            int64_t to = p->start[(block + 1) * p->bins_per_block];
            if (from == to) continue;
            int64_t bad = interpolate_run(plan, job, from, to, tile);
            if (bad >= 0 && p->order[bad] < first_outside) first_outside = p->order[bad];
        }
    }
    *outside = first_outside == INT64_MAX ? -1 : first_outside;
    return ENUF_SUCCESS;
}
