/*
 * spread.c - spreads sorted points onto the fine grid.
 *
 * A thread takes a block of sorted points, adds their windows into a private tile that covers them,
 * then adds the tile to the grid, one plane at a time under that plane's lock. The inner loop
 * has neither atomics nor folding: a row of the window is a few vectors in registers, added to
 * width^(dim-1) rows of the tile. Blocks with few points take them one by one, as their tile would
 * be mostly empty.
 *
 * Operations a point: width^(dim-1) * ceil(width/lanes) multiply-adds with a load and a store each.
 * Source: docs/theory.md, "Spreading". SPDX-License-Identifier: BSD-3-Clause
 */
#include "point.h"

#include <string.h>

int ENUF_STAGE(enuf_cpu_lanes)(void)
{
    return LANES;
}

/* One point's row along x times its strength: real, or complex interleaved. */
static inline void make_row(int complex, int width, const real *wx, const real *strength,
                            real factor, real *row)
{
    if (!complex) {
        real q = strength[0] * factor;
        for (int p = 0; p < width; p++) row[p] = wx[p] * q;
        return;
    }
    real re = strength[0] * factor, im = strength[1] * factor;
    for (int p = 0; p < width; p++) {
        row[2 * p] = wx[p] * re;
        row[2 * p + 1] = wx[p] * im;
    }
}

/* tile rows += wz wy row, for a row of `vectors` vectors: constant where the caller says so. */
static inline __attribute__((always_inline)) void add_rows(int vectors, const real *row,
                                                           const real *wy, int ny, const real *wz,
                                                           int nz, real *tile, int64_t step_y,
                                                           int64_t step_z)
{
    vreal r[8];
    for (int v = 0; v < vectors; v++) r[v] = vload(row + v * LANES);
    for (int k = 0; k < nz; k++, tile += step_z) {
        real *line = tile;
        for (int j = 0; j < ny; j++, line += step_y) {
            real c = wz[k] * wy[j];
            for (int v = 0; v < vectors; v++)
                vstore(line + v * LANES, vload(line + v * LANES) + r[v] * c);
        }
    }
}

static void add_point(int vectors, const real *row, const real *wy, int ny, const real *wz, int nz,
                      real *tile, int64_t step_y, int64_t step_z)
{
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        add_rows(n, row, wy, ny, wz, nz, tile, step_y, step_z);                                    \
        return;
    switch (vectors) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
        CASE(7)
        CASE(8)
    }
#undef CASE
    for (int v = 0; v < vectors; v += 8) /* narrow vectors, wide window: eight at a time */
        add_rows(vectors - v < 8 ? vectors - v : 8, row + v * LANES, wy, ny, wz, nz,
                 tile + v * LANES, step_y, step_z);
}

static void fill_tile(const enuf_nufft *plan, const enuf_spread_job *job, int64_t from, int64_t to,
                      const box *b, real *tile)
{
    const enuf_cpu *cpu = plan->workspace;
    const enuf_sorted_points *p = &cpu->points;
    const enuf_kernel_window *window = &cpu->window;
    const real *strengths = job->strengths, *factors = job->factors;
    int complex = !plan->real, per_cell = complex ? 2 : 1, dim = plan->options.dim;
    int width = window->width, vectors = (width * per_cell + LANES - 1) / LANES;
    int ny = dim > 1 ? width : 1, nz = dim > 2 ? width : 1;
    real w[3][ROW_MAX] = {{0}, {1}, {1}}, row[ROW_MAX] = {0};
    memset(tile, 0, (size_t)box_numbers(b) * sizeof(real));
    for (int64_t j = from; j < to; j++) {
        int64_t at[3] = {0};
        for (int d = 0; d < dim; d++) {
            double t;
            int64_t first = first_cell(p->u[d][j], 0.5 * width, &t);
            place(&job->target, d, plan->method.grid[d], width, &first);
            at[d] = first - b->lo[d];
            weights(window, (real)t, w[d]);
        }
        int64_t i = p->order[j];
        make_row(complex, width, w[0], strengths + i * per_cell, factors ? factors[i] : 1, row);
        real *corner = tile + (at[2] * b->n[1] + at[1]) * b->row + at[0] * per_cell;
        add_point(vectors, row, w[1], ny, w[2], nz, corner, b->row, b->n[1] * b->row);
    }
}

/* Adds a row of a tile to the target's row, folding x where the target wraps. */
static void add_row(const enuf_target *target, const box *b, int per_cell, const real *from,
                    real *to)
{
    int64_t done = 0, at = target_index(target, 0, b->lo[0]);
    while (done < b->n[0]) {
        int64_t run =
            target->count[0] - at < b->n[0] - done ? target->count[0] - at : b->n[0] - done;
        for (int64_t x = 0; x < run * per_cell; x++)
            to[at * per_cell + x] += from[done * per_cell + x];
        done += run;
        at = 0;
    }
}

static void add_tile(enuf_nufft *plan, const enuf_spread_job *job, const box *b, const real *tile)
{
    enuf_cpu *cpu = plan->workspace;
    int per_cell = plan->real ? 1 : 2, dim = plan->options.dim, locks = plan->threads > 1;
    for (int64_t k = 0; k < b->n[2]; k++) {
        int64_t z = target_index(&job->target, 2, b->lo[2] + k);
        omp_lock_t *plane = &cpu->lock[dim == 3 ? z % ENUF_GRID_LOCKS : 0];
        if (locks && dim != 2) omp_set_lock(plane);
        for (int64_t j = 0; j < b->n[1]; j++) {
            int64_t y = target_index(&job->target, 1, b->lo[1] + j);
            omp_lock_t *line = &cpu->lock[y % ENUF_GRID_LOCKS];
            if (locks && dim == 2) omp_set_lock(line);
            add_row(&job->target, b, per_cell, tile + (k * b->n[1] + j) * b->row,
                    (real *)job->cells + z * job->target.stride[2] + y * job->target.stride[1]);
            if (locks && dim == 2) omp_unset_lock(line);
        }
        if (locks && dim != 2) omp_unset_lock(plane);
    }
}

/* Spreads a run of points; returns a point outside the target (sorted index), or -1. */
static int64_t spread_run(enuf_nufft *plan, const enuf_spread_job *job, int64_t from, int64_t to,
                          real *tile)
{
    box b = {{0}, {0}, 0};
    int64_t outside = bounding_box(plan, &job->target, from, to, plan->real ? 1 : 2, &b);
    if (outside >= 0) return outside;
    if (one_by_one(plan, &b, to - from)) {
        for (int64_t j = from; j < to; j++) spread_run(plan, job, j, j + 1, tile);
        return -1;
    }
    fill_tile(plan, job, from, to, &b, tile);
    add_tile(plan, job, &b, tile);
    return -1;
}

enuf_status ENUF_STAGE(enuf_cpu_spread)(enuf_nufft *plan, const enuf_spread_job *job,
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
            int64_t bad = spread_run(plan, job, from, to, tile);
            if (bad >= 0 && p->order[bad] < first_outside) first_outside = p->order[bad];
        }
    }
    *outside = first_outside == INT64_MAX ? -1 : first_outside;
    return ENUF_SUCCESS;
}
