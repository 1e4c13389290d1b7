/*
 * spread_tile.h - the common part of spreading in floating point and in integers: a run of points,
 * their strengths, and the way from a tile to the grid. CELL is the type of a number of a cell.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_SPREAD_TILE_H
#define ENUF_NUFFT_SPREAD_TILE_H

#include "point.h"
#include "weigh.h"

typedef struct spread_run {
    const enuf_nufft *plan;
    const enuf_spread_job *job;
    int64_t from, to; /* sorted points */
    box box;
    CELL *tile;
} spread_run;

/* Strengths of located points, gathered from the caller's order in a loop that does nothing else,
 * so that more of its cache misses are under way at a time. Those that are left: each point fetches
 * the strength of the one LOCATED places further. Width 4, 10 points a mode, complex: 23 ns a point
 * in place of 27 in 2D, 36 of 47 in 3D (Xeon, Sapphire Rapids class, 23 November 2026). */
static void gather(const spread_run *run, const located *l, int n, int per_cell, real *q)
{
    const real *strengths = run->job->strengths, *factors = run->job->factors;
    if (per_cell == 1)
        for (int i = 0; i < n; i++) q[i] = strengths[l->index[i]];
    else
        for (int i = 0; i < n; i++) {
            q[2 * i] = strengths[2 * l->index[i]];
            q[2 * i + 1] = strengths[2 * l->index[i] + 1];
        }
    for (int i = 0; factors && i < n * per_cell; i++) q[i] *= factors[l->index[i / per_cell]];
    const enuf_weighting *weighting = &run->job->weighting;
    for (int i = 0; (weighting->numbers || weighting->conjugate) && i < n; i++)
        weigh_strength(weighting, l->index[i], per_cell, q + i * per_cell);
}

/* Adds a row of a tile to the target's row, folding x where the target wraps. */
static void add_row(const enuf_target *target, const box *b, int per_cell, const CELL *from,
                    CELL *to)
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

/* 1D: the same, in pieces of the target that have a lock each. */
static void add_line(enuf_nufft *plan, const enuf_spread_job *job, const box *b, const CELL *tile)
{
    enum { CELLS = 512 };
    enuf_cpu *cpu = plan->workspace;
    const int per_cell = plan->real ? 1 : 2, locks = plan->threads > 1;
    const enuf_target *target = &job->target;
    CELL *to = job->cells;
    int64_t at = target_index(target, 0, b->lo[0]);
    for (int64_t done = 0, run; done < b->n[0]; done += run, at += run) {
        if (at == target->count[0]) at = 0;
        const int64_t end = (at / CELLS + 1) * CELLS;
        run = (end < target->count[0] ? end : target->count[0]) - at;
        if (run > b->n[0] - done) run = b->n[0] - done;
        pthread_mutex_t *lock = &cpu->lock[at / CELLS % ENUF_GRID_LOCKS];
        if (locks) pthread_mutex_lock(lock);
        for (int64_t x = 0; x < run * per_cell; x++)
            to[at * per_cell + x] += tile[done * per_cell + x];
        if (locks) pthread_mutex_unlock(lock);
    }
}

/* Fetches the cells of a row of the target that a tile is added to, from the first to the row's
 * end at most. */
static void fetch_row(const enuf_target *target, const box *b, int per_cell, const CELL *row)
{
    enum { OF_LINE = 64 / sizeof(CELL) }; /* numbers of a line of the cache */
    const int64_t at = target_index(target, 0, b->lo[0]), left = target->count[0] - at;
    const int64_t end = at + (left < b->n[0] ? left : b->n[0]);
    for (int64_t x = at * per_cell; x < end * per_cell; x += OF_LINE)
        __builtin_prefetch(row + x, 1);
}

/* 2D: rows of the target that are fetched ahead of the one that is added to. 1e5 points on 1318^2
 * cells, width 15: type 3 takes 1.5 % less time (Xeon, Sapphire Rapids class, November 2026). */
enum { ROWS_AHEAD = 6 };

/* A lock is for a plane in 3D, for a row in 2D. */
static void add_tile(enuf_nufft *plan, const enuf_spread_job *job, const box *b, const CELL *tile)
{
    enuf_cpu *cpu = plan->workspace;
    int per_cell = plan->real ? 1 : 2, dim = plan->options.dim, locks = plan->threads > 1;
    if (dim == 1) {
        add_line(plan, job, b, tile);
        return;
    }
    for (int64_t k = 0; k < b->n[2]; k++) {
        int64_t z = target_index(&job->target, 2, b->lo[2] + k);
        pthread_mutex_t *plane = &cpu->lock[z % ENUF_GRID_LOCKS];
        if (locks && dim == 3) pthread_mutex_lock(plane);
        for (int64_t j = 0; j < b->n[1]; j++) {
            int64_t y = target_index(&job->target, 1, b->lo[1] + j);
            pthread_mutex_t *line = &cpu->lock[y % ENUF_GRID_LOCKS];
            if (dim == 2 && j + ROWS_AHEAD < b->n[1])
                fetch_row(&job->target, b, per_cell,
                          (const CELL *)job->cells +
                              target_index(&job->target, 1, b->lo[1] + j + ROWS_AHEAD) *
                                  job->target.stride[1]);
            if (locks && dim == 2) pthread_mutex_lock(line);
            add_row(&job->target, b, per_cell, tile + (k * b->n[1] + j) * b->row,
                    (CELL *)job->cells + z * job->target.stride[2] + y * job->target.stride[1]);
            if (locks && dim == 2) pthread_mutex_unlock(line);
        }
        if (locks && dim == 3) pthread_mutex_unlock(plane);
    }
}

/* Defined by the file that includes this: adds n located points of strengths q to the tile. Width,
 * vectors, complex and kept are constant where the caller says so. */
INLINE void add_points(const spread_run *run, int width, int vectors, int complex, int kept,
                       const located *l, int n, const real *q);
INLINE void add_located_by(const spread_run *run, int kept, const located *l, int n, const real *q);

INLINE void add_by_width(const spread_run *run, int kept, const located *l, int n, const real *q)
{
    const int width = ((const enuf_cpu *)run->plan->workspace)->window.width;
#define ADD_REAL(w, v)    add_points(run, w, v, 0, kept, l, n, q)
#define ADD_COMPLEX(w, v) add_points(run, w, v, 1, kept, l, n, q)
    if (run->plan->real)
        BY_WIDTH(ADD_REAL, width, 0)
    else
        BY_WIDTH(ADD_COMPLEX, width, 1)
#undef ADD_REAL
#undef ADD_COMPLEX
}

/* Functions of their own, as those of interpolate.c. */
static __attribute__((noinline)) void add_evaluated(const spread_run *run, const located *l, int n,
                                                    const real *q)
{
    add_located_by(run, 0, l, n, q);
}

static __attribute__((noinline)) void add_kept(const spread_run *run, const located *l, int n,
                                               const real *q)
{
    add_located_by(run, 1, l, n, q);
}

static __attribute__((noinline)) void add_by_table(const spread_run *run, located *l, int n,
                                                   const real *q)
{
    table_rows rows;
    read_table(run->plan, n, l, rows);
    add_kept(run, l, n, q);
}

static void fill_tile(const spread_run *run)
{
    located l;
    real q[2 * LOCATED];
    memset(run->tile, 0, (size_t)box_numbers(&run->box) * sizeof(CELL));
    for (int64_t j = run->from; j < run->to; j += LOCATED) {
        const int n = (int)(run->to - j < LOCATED ? run->to - j : LOCATED);
        locate(run->plan, &run->job->target, &run->box, enuf_cpu_sorted_at(run->plan, j), n, &l);
        gather(run, &l, n, run->plan->real ? 1 : 2, q);
        if (l.weights)
            add_kept(run, &l, n, q);
        else if (run->plan->method.table_pieces)
            add_by_table(run, &l, n, q);
        else
            add_evaluated(run, &l, n, q);
    }
}

#endif
