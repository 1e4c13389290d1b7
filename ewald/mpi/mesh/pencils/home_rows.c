/*
 * home_rows.c - see home_rows.h. The rows between a brick and a pencil go in the order of the
 * brick: planes, and rows of a plane. So sender and receiver need to know the box alone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "home_rows.h"
#include "memory.h"
#include "parallel.h"

#include <string.h>

static enuf_home_overlap overlap_of(const enuf_home_rows *r, const enuf_home_box *box, int y_block,
                                    int z_block)
{
    enuf_home_overlap o = {.rows = 0};
    if (box->n[0] == 0) return o;
    o.n_y = enuf_home_cut_block(&r->layout, box, 1, y_block, o.y);
    o.n_z = enuf_home_cut_block(&r->layout, box, 2, z_block, o.z);
    for (int k = 0; k < o.n_y; k++) o.rows += o.y[k].n;
    for (int k = 0; k < o.n_z; k++) o.planes += o.z[k].n;
    return o;
}

/* The part of this rank's box in the pencil of `rank`, and of the box of `rank` in this pencil. */
static enuf_home_overlap mine_in(const enuf_home_rows *r, int rank)
{
    const enuf_share share = enuf_layout_share(&r->layout, rank);
    const enuf_home_overlap none = {.rows = 0};
    return share.holds
               ? overlap_of(r, &r->boxes[r->rank], share.at[ENUF_AXIS_Y], share.at[ENUF_AXIS_Z])
               : none;
}

static enuf_home_overlap theirs_in(const enuf_home_rows *r, int rank)
{
    const enuf_home_overlap none = {.rows = 0};
    return r->share.holds
               ? overlap_of(r, &r->boxes[rank], r->share.at[ENUF_AXIS_Y], r->share.at[ENUF_AXIS_Z])
               : none;
}

enuf_status enuf_home_rows_prepare(const enuf_ranks *ranks, enuf_home_rows *r)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    enuf_exchange *e = &r->numbers;
    if (!e->send) ENUF_TRY(enuf_exchange_create(ranks, e));
    if (!r->mine) {
        ENUF_TRY(enuf_allocate(&r->mine, 2 * (int64_t)ranks->size, sizeof *r->mine,
                               "parts of boxes in pencils"));
        r->theirs = r->mine + ranks->size;
    }
    e->n_send = e->n_receive = 0;
    for (int k = 0; k < ranks->size; k++) {
        r->mine[k] = mine_in(r, k);
        r->theirs[k] = theirs_in(r, k);
        e->send[k] = r->mine[k].rows * r->mine[k].planes * r->boxes[r->rank].n[0];
        e->receive[k] = r->theirs[k].rows * r->theirs[k].planes * r->boxes[k].n[0];
        e->n_send += e->send[k];
        e->n_receive += e->receive[k];
    }
    ENUF_TRY(enuf_array_reserve(&r->sent, e->n_send, number, "rows for other ranks"));
    return enuf_array_reserve(&r->received, e->n_receive, number, "rows of other ranks");
}

void enuf_home_rows_release(enuf_home_rows *r)
{
    enuf_exchange_release(&r->numbers);
    enuf_array_release(&r->sent);
    enuf_array_release(&r->received);
    enuf_release(&r->mine);
    enuf_release(&r->boxes);
}

/* What happens to a row: a brick's is added to a pencil, a pencil's is copied to a brick; by a
 * message between ranks, at once where both belong to this rank. */
typedef enum row_action { PACK, UNPACK, ADD } row_action;

static void act_on_numbers(row_action action, int single, int64_t n, char *message, char *cells)
{
    const size_t bytes = (size_t)n * (single ? sizeof(float) : sizeof(double));
    if (action == PACK) {
        memcpy(message, cells, bytes);
    } else if (action == UNPACK) {
        memcpy(cells, message, bytes);
    } else if (single) {
        const float *from = (const float *)(void *)message;
        float *sum = (float *)(void *)cells;
        for (int64_t i = 0; i < n; i++) sum[i] += from[i];
    } else {
        const double *from = (const double *)(void *)message;
        double *sum = (double *)(void *)cells;
        for (int64_t i = 0; i < n; i++) sum[i] += from[i];
    }
}

/* A row of a box that begins at cell lo of its array's row, which may wrap around the grid. */
static void act_on_row(const enuf_home_rows *r, row_action action, int64_t lo, int64_t n,
                       char *message, char *row)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    const int64_t straight = lo + n > r->layout.grid[0] ? r->layout.grid[0] - lo : n;
    act_on_numbers(action, r->single, straight, message, row + (size_t)lo * number);
    if (n > straight)
        act_on_numbers(action, r->single, n - straight, message + (size_t)straight * number, row);
}

static char *row_at(const enuf_home_rows *r, const enuf_home_array *array, int64_t y, int64_t z)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    return (char *)array->cells + (size_t)(z * array->plane + y * array->row) * number;
}

/* The rows between a brick and a pencil, in the order of the brick; planes of the pencil in
 * [begin, end) alone. brick NULL: rows of the message; pencil NULL: rows of the brick. */
typedef struct row_walk {
    const enuf_home_rows *r;
    const enuf_home_box *box;
    const enuf_home_overlap *o;
    row_action action;
    const enuf_home_array *brick, *pencil;
    char *message;
    int64_t begin, end;
} row_walk;

static void walk_plane(const row_walk *w, int64_t at, int64_t cell, char *message)
{
    const int64_t n = w->box->n[0];
    for (int k = 0; k < w->o->n_y; k++)
        for (int64_t i = 0; i < w->o->y[k].n; i++) {
            char *of_brick = w->brick ? row_at(w->r, w->brick, w->o->y[k].at + i, at) : message;
            if (w->pencil)
                act_on_row(w->r, w->action, w->box->lo[0], n, of_brick,
                           row_at(w->r, w->pencil, w->o->y[k].cell + i, cell));
            else
                act_on_numbers(w->action, w->r->single, n, message, of_brick);
            message += (size_t)n * (w->r->single ? sizeof(float) : sizeof(double));
        }
}

static void walk(const row_walk *w)
{
    const size_t plane =
        (size_t)(w->o->rows * w->box->n[0]) * (w->r->single ? sizeof(float) : sizeof(double));
    char *message = w->message;
    for (int k = 0; k < w->o->n_z; k++)
        for (int64_t i = 0; i < w->o->z[k].n; i++) {
            const int64_t cell = w->o->z[k].cell + i;
            if (cell >= w->begin && cell < w->end) walk_plane(w, w->o->z[k].at + i, cell, message);
            if (message) message += plane;
        }
}

/* A loop over ranks, or over planes of the pencil. */
typedef struct row_loop {
    enuf_home_rows *r;
    const enuf_home_array *brick, *pencil;
    const enuf_open_exchange *open;
} row_loop;

enum { ALL = INT32_MAX };

static void pack_bricks(void *context, int64_t rank, int64_t end, int thread)
{
    const row_loop *loop = context;
    const enuf_home_rows *r = loop->r;
    (void)thread;
    for (; rank < end; rank++) {
        if (rank == r->rank) continue;
        const enuf_home_overlap *o = &r->mine[rank];
        const row_walk w = {r,
                            &r->boxes[r->rank],
                            o,
                            PACK,
                            loop->brick,
                            NULL,
                            enuf_exchange_to(loop->open, (int)rank),
                            0,
                            ALL};
        walk(&w);
    }
}

static void pack_pencils(void *context, int64_t rank, int64_t end, int thread)
{
    const row_loop *loop = context;
    const enuf_home_rows *r = loop->r;
    (void)thread;
    for (; rank < end; rank++) {
        if (rank == r->rank) continue;
        const enuf_home_overlap *o = &r->theirs[rank];
        const row_walk w = {r,
                            &r->boxes[rank],
                            o,
                            PACK,
                            NULL,
                            loop->pencil,
                            enuf_exchange_to(loop->open, (int)rank),
                            0,
                            ALL};
        walk(&w);
    }
}

/* Planes of the pencil: bricks overlap, so a thread adds all rows of a plane, in the order of
 * ranks. */
static void add_planes(void *context, int64_t begin, int64_t end, int thread)
{
    const row_loop *loop = context;
    const enuf_home_rows *r = loop->r;
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    (void)thread;
    for (int64_t z = begin; z < end; z++)
        for (int64_t y = 0; y < r->share.n[ENUF_AXIS_Y]; y++)
            memset(row_at(r, loop->pencil, y, z), 0, (size_t)r->layout.grid[0] * number);
    for (int rank = 0; rank < r->ranks; rank++) {
        const int own = rank == r->rank;
        const enuf_home_overlap *o = &r->theirs[rank];
        if (o->rows * o->planes == 0) continue;
        const row_walk w = {r,
                            &r->boxes[rank],
                            o,
                            ADD,
                            own ? loop->brick : NULL,
                            loop->pencil,
                            own ? NULL : (char *)enuf_exchange_from(loop->open, rank),
                            begin,
                            end};
        walk(&w);
    }
}

static void fill_bricks(void *context, int64_t rank, int64_t end, int thread)
{
    const row_loop *loop = context;
    const enuf_home_rows *r = loop->r;
    (void)thread;
    for (; rank < end; rank++) {
        const int own = rank == r->rank;
        const enuf_home_overlap *o = &r->mine[rank];
        if (o->rows * o->planes == 0) continue;
        /* its own rows go from pencil to brick at once */
        const row_walk w = {r,
                            &r->boxes[r->rank],
                            o,
                            own ? PACK : UNPACK,
                            loop->brick,
                            own ? loop->pencil : NULL,
                            own ? NULL : (char *)enuf_exchange_from(loop->open, (int)rank),
                            0,
                            ALL};
        walk(&w);
    }
}

void enuf_home_rows_add(enuf_ranks *ranks, enuf_home_rows *r, const enuf_home_array *brick,
                        const enuf_home_array *pencil)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    const enuf_open_exchange open =
        enuf_exchange_open(ranks, &r->numbers, 0, number, r->sent.at, r->received.at);
    row_loop loop = {r, brick, pencil, &open};
    enuf_parallel_for(r->threads, ranks->size, 1, pack_bricks, &loop);
    enuf_exchange_send(&open);
    enuf_parallel_for(r->threads, r->share.n[ENUF_AXIS_Z], 0, add_planes, &loop);
    enuf_exchange_close(&open);
}

void enuf_home_rows_fetch(enuf_ranks *ranks, enuf_home_rows *r, const enuf_home_array *pencil,
                          const enuf_home_array *brick)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    const enuf_open_exchange open =
        enuf_exchange_open(ranks, &r->numbers, 1, number, r->received.at, r->sent.at);
    row_loop loop = {r, brick, pencil, &open};
    enuf_parallel_for(r->threads, ranks->size, 1, pack_pencils, &loop);
    enuf_exchange_send(&open);
    enuf_parallel_for(r->threads, ranks->size, 1, fill_bricks, &loop);
    enuf_exchange_close(&open);
}
