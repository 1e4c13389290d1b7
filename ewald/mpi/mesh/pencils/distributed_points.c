/* distributed_points.c - see distributed_points.h. SPDX-License-Identifier: BSD-3-Clause */
#include "distributed_points.h"

#include "memory.h"
#include "parallel.h"

enum { NOWHERE = -1 };

enuf_status enuf_point_transfer_create(const enuf_ranks *ranks, enuf_point_transfer *m)
{
    *m = (enuf_point_transfer){0};
    return enuf_exchange_create(ranks, &m->points);
}

void enuf_point_transfer_release(enuf_point_transfer *m)
{
    enuf_exchange_release(&m->points);
    enuf_array_release(&m->out);
    enuf_array_release(&m->owner);
    enuf_array_release(&m->sent_as);
    enuf_array_release(&m->in);
    *m = (enuf_point_transfer){0};
}

int64_t enuf_point_transfer_bytes(const enuf_point_transfer *m)
{
    return m->out.bytes + m->owner.bytes + m->sent_as.bytes + m->in.bytes;
}

enuf_status enuf_position_error(const double x[3])
{
    return enuf_fail(ENUF_NOT_FINITE,
                     "position (%g, %g, %g) is not finite, or too large to be folded into the cell",
                     x[0], x[1], x[2]);
}

static int owner_of(const enuf_layout *layout, const double s[3])
{
    int block[2];
    for (int a = 0; a < 2; a++)
        block[a] = enuf_block_of(layout->cells[a],
                                 (int64_t)enuf_cells_of_period(s[a + 1], layout->grid[a + 1]));
    return enuf_layout_rank(layout, block[ENUF_AXIS_Y], block[ENUF_AXIS_Z]);
}

static enuf_status reserve_home(int64_t n, enuf_point_transfer *m)
{
    ENUF_TRY(
        enuf_array_reserve(&m->out, n, sizeof(enuf_travelling_point), "points for other ranks"));
    ENUF_TRY(enuf_array_reserve(&m->owner, n, sizeof(int32_t), "ranks of points"));
    return enuf_array_reserve(&m->sent_as, n, sizeof(int64_t), "places of points");
}

static enuf_status count_points(const enuf_mesh_points *points, const int32_t *owner,
                                int64_t *count)
{
    for (int64_t i = 0; i < points->n; i++) {
        if (owner[i] == NOWHERE) return enuf_position_error(points->positions + 3 * i);
        count[owner[i]]++;
    }
    return ENUF_SUCCESS;
}

typedef struct pack_loop {
    const enuf_layout *layout;
    const enuf_cell_geometry *cell;
    const enuf_mesh_points *points;
    int32_t *owner;
    const int64_t *sent_as;
    enuf_travelling_point *out;
} pack_loop;

static void find_owners(void *context, int64_t i, int64_t end, int thread)
{
    const pack_loop *loop = context;
    const double *x = loop->points->positions, *frame = loop->cell->frame;
    (void)thread;
    for (; i < end; i++) {
        double s[3];
        loop->owner[i] =
            enuf_position_in_periods(frame, x + 3 * i, s) ? owner_of(loop->layout, s) : NOWHERE;
    }
}

static void pack_points(void *context, int64_t i, int64_t end, int thread)
{
    const pack_loop *loop = context;
    const enuf_mesh_points *points = loop->points;
    (void)thread;
    for (; i < end; i++) {
        enuf_travelling_point *out = loop->out + loop->sent_as[i];
        enuf_position_in_periods(loop->cell->frame, points->positions + 3 * i, out->u);
        for (int a = 0; a < 2; a++)
            if (loop->layout->cells[a].parts > 1)
                out->u[a + 1] = enuf_cells_of_period(out->u[a + 1], loop->layout->grid[a + 1]);
        out->q = points->q[i];
    }
}

/* Sorts points by owner. Points of one owner keep the caller's order. */
static enuf_status pack(const enuf_ranks *ranks, const enuf_layout *layout,
                        const enuf_cell_geometry *cell, int threads, const enuf_mesh_points *points,
                        enuf_point_transfer *m)
{
    int64_t before = 0, *place;
    ENUF_TRY(reserve_home(points->n, m));
    int32_t *owner = m->owner.at;
    int64_t *sent_as = m->sent_as.at;
    for (int r = 0; r < ranks->size; r++) m->points.send[r] = 0;
    pack_loop loop = {layout, cell, points, owner, sent_as, m->out.at};
    enuf_parallel_for(threads, points->n, 0, find_owners, &loop);
    ENUF_TRY(count_points(points, owner, m->points.send));
    ENUF_TRY(enuf_allocate(&place, ranks->size, sizeof *place, "places of points"));
    for (int r = 0; r < ranks->size; r++) {
        place[r] = before;
        before += m->points.send[r];
    }
    for (int64_t i = 0; i < points->n; i++) sent_as[i] = place[owner[i]]++;
    enuf_parallel_for(threads, points->n, 0, pack_points, &loop);
    enuf_release(&place);
    return ENUF_SUCCESS;
}

enuf_status enuf_point_transfer_go(enuf_ranks *ranks, const enuf_layout *layout,
                                   const enuf_cell_geometry *cell, int threads,
                                   const enuf_mesh_points *points, enuf_point_transfer *m)
{
    m->n_home = points->n;
    m->n_here = 0;
    ENUF_TRY(enuf_ranks_agree(ranks, pack(ranks, layout, cell, threads, points, m)));
    enuf_exchange_count(ranks, &m->points);
    ENUF_TRY(enuf_ranks_agree(ranks, enuf_array_reserve(&m->in, m->points.n_receive,
                                                        sizeof(enuf_travelling_point),
                                                        "points of this rank's cells")));
    m->n_here = m->points.n_receive;
    enuf_exchange_forth(ranks, &m->points, sizeof(enuf_travelling_point), m->out.at, m->in.at);
    return ENUF_SUCCESS;
}

void enuf_point_transfer_back(enuf_ranks *ranks, const enuf_point_transfer *m, size_t size,
                              const void *here, void *home)
{
    enuf_exchange_back(ranks, &m->points, size, here, home);
}
