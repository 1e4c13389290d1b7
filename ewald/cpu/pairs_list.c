/* pairs_list.c - gathers the neighbours of groups of atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_block.h"
#include "pairs_rows.h"
#include "simd_pack.h"

#include <math.h>

/* Rounding of gathered coordinates is below 1e-14: no neighbour at the cutoff is lost. */
static const double prune_beyond = 1 + 1e-12;

typedef struct gathering {
    const enuf_cells *cells;
    enuf_pair_block *block;
    enuf_pair_block_done done;
    void *context;
    int of_ghosts;           /* 1: the group is of ghosts; its list has none */
    double edge[3];          /* of a cell along x */
    double low[3], high[3];  /* box around the group */
    enuf_exact_place origin; /* deterministic: of the block's coordinates */
} gathering;

static void finish_block(gathering *g)
{
    enuf_pair_block *b = g->block;
    for (int k = b->n_j; k < b->n_j + PAIR_PADDING; k++) {
        b->x[k] = b->y[k] = b->z[k] = PAIR_FAR;
        b->q[k] = b->rest[0][k] = b->rest[1][k] = b->rest[2][k] = 0;
    }
    g->done(b, g->context);
    b->n_j = 0;
    b->triangle = 0;
}

/* Distance of x from the interval [low, high]. */
SIMD_INLINE vd outside(vd x, vd low, vd high)
{
    return vd_max(vd_max(low - x, x - high), vd_set(0));
}

/* Coordinates d of the vector of atoms from a on, in an image of the cell that lies `shift` from
 * the origin of the block's coordinates. */
SIMD_INLINE vd exact_coordinates(const enuf_cells *cells, int64_t a, int d,
                                 const enuf_exact_place *shift, vd *rest)
{
    typedef uint64_t wrapping __attribute__((vector_size(SIMD_BYTES)));
    const wrapping steps = (wrapping)vl_load(cells->steps[d] + a) + (uint64_t)shift->steps[d];
    *rest = (vd_load(cells->rest[d] + a) + vd_set(shift->rest[d])) * vd_set(ENUF_PLACE_STEP);
    return vd_from_integer((vl)steps) * vd_set(ENUF_PLACE_STEP);
}

/* An image of the cell, from the origin of the block's coordinates. */
static enuf_exact_place exact_shift(const gathering *g, const int64_t image[3])
{
    enuf_exact_place shift;
    for (int e = 0; e < 3; e++) {
        uint64_t steps = -(uint64_t)g->origin.steps[e];
        double rest = -g->origin.rest[e];
        for (int d = 0; d < 3; d++) {
            const enuf_exact_place *vector = &g->cells->vector[d];
            steps += (uint64_t)image[d] * (uint64_t)vector->steps[e];
            rest += (double)image[d] * vector->rest[e];
        }
        shift.steps[e] = (int64_t)steps;
        shift.rest[e] = rest;
    }
    return shift;
}

/*
 * Appends the atoms of a run that are within the cutoff of the group's box. An atom in cell column
 * m lies (m + columns) edges along x plus `shift` from the group's corner. The list gets these
 * coordinates, or exact ones.
 */
SIMD_INLINE void append(gathering *g, const enuf_pair_run *run, double columns,
                        const double shift[3], const int exact)
{
    const int64_t begin = run->begin, end = run->end;
    enuf_exact_place from_origin;
    if (exact) from_origin = exact_shift(g, run->image);
    const enuf_cells *cells = g->cells;
    enuf_pair_block *b = g->block;
    /* stores of vectors may alias anything but locals */
    const double *along = cells->along, *charge = cells->charge;
    const double *place[3] = {cells->x, cells->y, cells->z};
    double *list[3] = {b->x, b->y, b->z};
    vd edge[3], first[3], low[3], high[3];
    for (int d = 0; d < 3; d++) {
        edge[d] = vd_set(g->edge[d]);
        first[d] = vd_set(shift[d]);
        low[d] = vd_set(g->low[d]);
        high[d] = vd_set(g->high[d]);
    }
    int to = b->n_j;
    for (int64_t a = begin; a < end; a += VD_LANES) {
        if (to > PAIR_LIST - VD_LANES) {
            b->n_j = to;
            finish_block(g);
            to = 0;
        }
        const vd edges = vd_load(along + a) + vd_set(columns);
        vd x[3], square = vd_set(0);
        for (int d = 0; d < 3; d++) {
            x[d] = vd_load(place[d] + a) + edges * edge[d] + first[d];
            const vd gap = outside(x[d], low[d], high[d]);
            square += gap * gap;
        }
        vd_mask near = vd_both(vd_less_equal(square, vd_set(prune_beyond)), vd_first(end - a));
        if (g->of_ghosts) near = vd_both(near, vd_less_equal(vd_load(cells->ghost + a), vd_set(0)));
        if (!vd_any(near)) continue;
        for (int d = 0; d < 3; d++) {
            vd rest;
            if (exact) x[d] = exact_coordinates(cells, a, d, &from_origin, &rest);
            if (exact) vd_pack(b->rest[d] + to, near, rest);
            vd_pack(list[d] + to, near, x[d]);
        }
        vd_pack(b->q + to, near, vd_load(charge + a));
        vl_pack(b->atom + to, near, vl_set(a) + vl_iota());
        to += vd_count(near);
    }
    b->n_j = to;
}

/* Begins the list with the group itself, complete and in order: the kernel's triangle. Ghosts have
 * no pairs among themselves. */
static void begin_list(gathering *g, const enuf_pair_group *group)
{
    const enuf_cells *cells = g->cells;
    enuf_pair_block *b = g->block;
    double *own[3] = {b->x_i, b->y_i, b->z_i}, *list[3] = {b->x, b->y, b->z};
    const double *place[3] = {cells->x, cells->y, cells->z};
    const int n = (int)(group->end - group->begin);
    g->of_ghosts = cells->ghost && cells->ghost[group->begin] > 0;
    b->n_i = n;
    b->n_j = g->of_ghosts ? 0 : n;
    b->triangle = !g->of_ghosts;
    b->first = group->begin;
    b->extent = 0;
    for (int d = 0; d < 3; d++) {
        vd low = vd_set(INFINITY), below_high = vd_set(INFINITY);
        /* whole vectors: numbers behind the group are overwritten or never read */
        for (int k = 0; k < n; k += VD_LANES) {
            const int64_t a = group->begin + k;
            const vd edges = vd_load(cells->along + a) - vd_set((double)group->low);
            const vd x = vd_load(place[d] + a) + edges * vd_set(g->edge[d]);
            vd_store(own[d] + k, x);
            vd_store(list[d] + k, x);
            low = vd_min_where(vd_first(n - k), low, x);
            below_high = vd_min_where(vd_first(n - k), below_high, -x);
        }
        g->low[d] = vd_least(low);
        g->high[d] = -vd_least(below_high);
        b->extent = g->high[d] > b->extent ? g->high[d] : b->extent;
        b->extent = -g->low[d] > b->extent ? -g->low[d] : b->extent;
    }
    for (int k = 0; k < n; k += VD_LANES) {
        const int64_t a = group->begin + k;
        vd_store(b->q_i + k, vd_load(cells->charge + a));
        vd_store(b->q + k, vd_load(cells->charge + a));
        vl_store(b->atom + k, vl_set(a) + vl_iota());
    }
}

/* The group's coordinates from its first atom. */
static void begin_list_exactly(gathering *g, const enuf_pair_group *group)
{
    static const int64_t home[3] = {0, 0, 0};
    const enuf_cells *cells = g->cells;
    enuf_pair_block *b = g->block;
    double *own[3] = {b->x_i, b->y_i, b->z_i}, *list[3] = {b->x, b->y, b->z};
    for (int d = 0; d < 3; d++) {
        g->origin.steps[d] = cells->steps[d][group->begin];
        g->origin.rest[d] = cells->rest[d][group->begin];
    }
    const enuf_exact_place shift = exact_shift(g, home);
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < b->n_i; k += VD_LANES) {
            vd rest;
            const vd x = exact_coordinates(cells, group->begin + k, d, &shift, &rest);
            vd_store(own[d] + k, x);
            vd_store(list[d] + k, x);
            vd_store(b->rest_i[d] + k, rest);
            vd_store(b->rest[d] + k, rest);
        }
}

/* A box around the group's box in another frame; it is the same box if the frame only permutes
 * axes. */
static void turn_box(const gathering *g, const double frame[9], double low[3], double high[3])
{
    for (int d = 0; d < 3; d++) {
        double middle = 0, half = 0;
        for (int e = 0; e < 3; e++) {
            middle += 0.5 * (g->low[e] + g->high[e]) * frame[3 * d + e];
            half += 0.5 * (g->high[e] - g->low[e]) * fabs(frame[3 * d + e]);
        }
        low[d] = middle - half;
        high[d] = middle + half;
    }
}

/* 1 if an atom is so far from the group's first that its coordinate, or that of a neighbour, might
 * take too many steps. */
static int too_many_steps(const enuf_cells *cells, int64_t first, int64_t atom)
{
    static const double most = 4 / ENUF_PLACE_STEP; /* neighbours are a cutoff farther */
    if (!cells->exact) return 0;
    for (int d = 0; d < 3; d++) {
        const uint64_t apart = (uint64_t)cells->steps[d][atom] - (uint64_t)cells->steps[d][first];
        if (!(fabs((double)(int64_t)apart) < most)) return 1;
    }
    return 0;
}

/* The next group of a column after the given one. All its atoms are ghosts, or none is. Returns 0
 * at the column's end. */
static int next_group(const enuf_cells *cells, int64_t column_end, enuf_pair_group *group)
{
    group->begin = group->end;
    if (group->begin == column_end) return 0;
    group->low = (int64_t)cells->along[group->begin];
    for (; group->end < column_end && group->end < group->begin + PAIR_GROUP; group->end++) {
        const int64_t x = (int64_t)cells->along[group->end];
        if (x - group->low >= cells->grid.group_span) break;
        if (cells->ghost && cells->ghost[group->end] != cells->ghost[group->begin]) break;
        if (too_many_steps(cells, group->begin, group->end)) break;
        group->high = x;
    }
    return 1;
}

void enuf_pair_column_blocks(const enuf_cells *cells, const enuf_pair_rows *rows, int64_t column,
                             enuf_pair_block *block, enuf_pair_block_done done, void *context)
{
    const int64_t *count = cells->grid.count;
    const int64_t column_end = cells->first[(column + 1) * count[0]];
    const enuf_pair_row *all = rows->rows.at;
    gathering g = {.cells = cells, .block = block, .done = done, .context = context};
    for (int e = 0; e < 3; e++) g.edge[e] = (double)cells->grid.edge[e];
    enuf_pair_group group = {
        .end = cells->first[column * count[0]], .y = column % count[1], .z = column / count[1]};
    while (next_group(cells, column_end, &group)) {
        begin_list(&g, &group);
        if (cells->exact) begin_list_exactly(&g, &group);
        double low[3], high[3];
        turn_box(&g, rows->frame, low, high);
        for (int64_t k = 0; k < rows->n_rows; k++) {
            enuf_pair_row row = all[k];
            if (!enuf_pair_row_narrow(rows, &group, low, high, &row)) continue;
            enuf_pair_run run;
            for (int64_t piece = 0; enuf_pair_row_run(cells, &row, &group, piece, &run); piece++) {
                const double columns = (double)(run.image[0] * count[0] - group.low);
                if (cells->exact)
                    append(&g, &run, columns, row.shift, 1);
                else
                    append(&g, &run, columns, row.shift, 0);
            }
        }
        if (block->n_j > 0) finish_block(&g);
    }
}
