/* pairs_list.c - gathers the neighbours of groups of atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_block.h"
#include "pairs_rows.h"
#include "simd.h"

#include <math.h>

/* Rounding of gathered coordinates is below 1e-14: no neighbour at the cutoff is lost. */
static const double prune_beyond = 1 + 1e-12;

typedef struct gathering {
    const enuf_cells *cells;
    enuf_pair_block *block;
    enuf_pair_block_done done;
    void *context;
    double low[3], high[3]; /* box around the group */
} gathering;

static void finish_block(gathering *g)
{
    enuf_pair_block *b = g->block;
    for (int k = b->n_j; k < b->n_j + PAIR_PADDING; k++) {
        b->x[k] = b->y[k] = b->z[k] = PAIR_FAR;
        b->q[k] = 0;
    }
    g->done(b, g->context);
    b->n_j = 0;
    b->triangle = 0;
}

/* Distance of x from the interval [low, high]. */
SIMD_INLINE vd outside(vd x, double low, double high)
{
    return vd_max(vd_max(vd_set(low) - x, x - vd_set(high)), vd_set(0));
}

/*
 * Appends the atoms begin ... end - 1 that are near enough. An atom in cell column m lies
 * (m + columns) edges along x plus `shift` from the group's corner.
 */
static void append(gathering *g, int64_t begin, int64_t end, double columns, const double shift[3])
{
    const enuf_cells *cells = g->cells;
    enuf_pair_block *b = g->block;
    const double edge[3] = {(double)cells->grid.edge[0], (double)cells->grid.edge[1],
                            (double)cells->grid.edge[2]};
    for (int64_t a = begin; a < end; a += VD_LANES) {
        if (b->n_j > PAIR_LIST - VD_LANES) finish_block(g);
        const vd along = vd_load(cells->along + a) + vd_set(columns);
        const vd x = vd_load(cells->x + a) + along * vd_set(edge[0]) + vd_set(shift[0]);
        const vd y = vd_load(cells->y + a) + along * vd_set(edge[1]) + vd_set(shift[1]);
        const vd z = vd_load(cells->z + a) + along * vd_set(edge[2]) + vd_set(shift[2]);
        const vd ox = outside(x, g->low[0], g->high[0]), oy = outside(y, g->low[1], g->high[1]),
                 oz = outside(z, g->low[2], g->high[2]);
        const vd_mask near = vd_both(
            vd_less_equal(ox * ox + oy * oy + oz * oz, vd_set(prune_beyond)), vd_first(end - a));
        if (!vd_any(near)) continue;
        const int to = b->n_j;
        vd_pack(b->x + to, near, x);
        vd_pack(b->y + to, near, y);
        vd_pack(b->z + to, near, z);
        vd_pack(b->q + to, near, vd_load(cells->charge + a));
        vl_pack(b->atom + to, near, vl_set(a) + vl_iota());
        b->n_j += vd_count(near);
    }
}

/* Begins the list with the group itself, complete and in order: the kernel's triangle. */
static void begin_list(gathering *g, const enuf_pair_group *group)
{
    const enuf_cells *cells = g->cells;
    const long double *edge = cells->grid.edge;
    enuf_pair_block *b = g->block;
    double *own[3] = {b->x_i, b->y_i, b->z_i}, *list[3] = {b->x, b->y, b->z};
    const double *place[3] = {cells->x, cells->y, cells->z};
    b->n_i = b->n_j = (int)(group->end - group->begin);
    b->triangle = 1;
    b->first = group->begin;
    b->extent = 0;
    for (int d = 0; d < 3; d++) {
        g->low[d] = INFINITY;
        g->high[d] = -INFINITY;
        for (int k = 0; k < b->n_i; k++) {
            const int64_t a = group->begin + k;
            double x = place[d][a] + (cells->along[a] - (double)group->low) * (double)edge[d];
            own[d][k] = list[d][k] = x;
            g->low[d] = x < g->low[d] ? x : g->low[d];
            g->high[d] = x > g->high[d] ? x : g->high[d];
        }
        b->extent = g->high[d] > b->extent ? g->high[d] : b->extent;
        b->extent = -g->low[d] > b->extent ? -g->low[d] : b->extent;
    }
    for (int k = 0; k < b->n_i; k++) {
        b->q_i[k] = b->q[k] = cells->charge[group->begin + k];
        b->atom[k] = group->begin + k;
    }
}

/* The next group of a column after the one given. Returns 0 at the column's end. */
static int next_group(const enuf_cells *cells, int64_t column_end, enuf_pair_group *group)
{
    group->begin = group->end;
    if (group->begin == column_end) return 0;
    group->low = (int64_t)cells->along[group->begin];
    for (; group->end < column_end && group->end < group->begin + PAIR_GROUP; group->end++) {
        const int64_t x = (int64_t)cells->along[group->end];
        if (x - group->low >= cells->grid.group_span) break;
        group->high = x;
    }
    return 1;
}

void enuf_pair_column_blocks(const enuf_cells *cells, const enuf_pair_rows *rows, int64_t column,
                             enuf_pair_block *block, enuf_pair_block_done done, void *context)
{
    const int64_t *count = cells->grid.count;
    const int64_t column_end = cells->first[(column + 1) * count[0]];
    gathering g = {.cells = cells, .block = block, .done = done, .context = context};
    enuf_pair_group group = {
        .end = cells->first[column * count[0]], .y = column % count[1], .z = column / count[1]};
    while (next_group(cells, column_end, &group)) {
        begin_list(&g, &group);
        for (int64_t k = 0; k < rows->n_rows; k++) {
            const enuf_pair_row *row = rows->rows + k;
            enuf_pair_run run;
            for (int64_t piece = 0; enuf_pair_row_run(cells, row, &group, piece, &run); piece++)
                append(&g, run.begin, run.end, (double)(run.image[0] * count[0] - group.low),
                       row->shift);
        }
        if (block->n_j > 0) finish_block(&g);
    }
}
