/*
 * home_rows.c - see home_rows.h. The rows between a brick and a pencil go in the order of the
 * brick: planes, and rows of a plane. So sender and receiver need to know the box alone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "home_rows.h"
#include "memory.h"
#include "parallel.h"

#include <string.h>

/* The part of a box in a pencil. */
typedef struct overlap {
    enuf_home_cut y[2], z[2];
    int n_y, n_z;
    int64_t rows, planes; /* rows of a plane, planes */
} overlap;

static overlap overlap_of(const enuf_home_rows *r, const enuf_home_box *box, int y_block,
                          int z_block)
{
    overlap o = {.rows = 0};
    if (box->n[0] == 0) return o;
    o.n_y = enuf_home_cut_block(&r->layout, box, 1, y_block, o.y);
    o.n_z = enuf_home_cut_block(&r->layout, box, 2, z_block, o.z);
    for (int k = 0; k < o.n_y; k++) o.rows += o.y[k].n;
    for (int k = 0; k < o.n_z; k++) o.planes += o.z[k].n;
    return o;
}

/* The part of this rank's box in the pencil of `rank`, and of the box of `rank` in this pencil. */
static overlap mine_in(const enuf_home_rows *r, int rank)
{
    const enuf_share share = enuf_layout_share(&r->layout, rank);
    const overlap none = {.rows = 0};
    return share.holds
               ? overlap_of(r, &r->boxes[r->rank], share.at[ENUF_AXIS_Y], share.at[ENUF_AXIS_Z])
               : none;
}

static overlap theirs_in(const enuf_home_rows *r, int rank)
{
    const overlap none = {.rows = 0};
    return r->share.holds
               ? overlap_of(r, &r->boxes[rank], r->share.at[ENUF_AXIS_Y], r->share.at[ENUF_AXIS_Z])
               : none;
}

enuf_status enuf_home_rows_prepare(const enuf_ranks *ranks, enuf_home_rows *r)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    enuf_exchange *e = &r->numbers;
    if (!e->send) ENUF_TRY(enuf_exchange_create(ranks, e));
    e->n_send = e->n_receive = 0;
    for (int k = 0; k < ranks->size; k++) {
        const overlap mine = mine_in(r, k), theirs = theirs_in(r, k);
        e->send[k] = mine.rows * mine.planes * r->boxes[r->rank].n[0];
        e->receive[k] = theirs.rows * theirs.planes * r->boxes[k].n[0];
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
    enuf_release(&r->boxes);
}

/* What happens to a row. PACK and ADD go from a brick to the pencils, the others back. */
typedef enum row_action { PACK_BRICK, ADD_TO_PENCIL, PACK_PENCIL, FILL_BRICK } row_action;

static void add_numbers(int single, int64_t n, const char *from, char *to)
{
    if (single) {
        const float *a = (const float *)(const void *)from;
        float *sum = (float *)(void *)to;
        for (int64_t i = 0; i < n; i++) sum[i] += a[i];
    } else {
        const double *a = (const double *)(const void *)from;
        double *sum = (double *)(void *)to;
        for (int64_t i = 0; i < n; i++) sum[i] += a[i];
    }
}

/* n numbers between a message and cells that follow each other. */
static void act_on_cells(row_action action, int single, int64_t n, char *message, char *cells)
{
    const size_t bytes = (size_t)n * (single ? sizeof(float) : sizeof(double));
    if (action == ADD_TO_PENCIL)
        add_numbers(single, n, message, cells);
    else if (action == FILL_BRICK)
        memcpy(cells, message, bytes);
    else
        memcpy(message, cells, bytes);
}

/* A loop over the ranks of a message, or over planes of the pencil, where rows are added. */
typedef struct row_loop {
    const enuf_home_rows *rows;
    const enuf_home_array *array;
    row_action action;
    char *message;
} row_loop;

/* The rows of one plane: of the brick from `at`, or of the pencil. */
static void act_on_plane(const row_loop *loop, const enuf_home_box *box, const overlap *o,
                         char *plane, char *message)
{
    const enuf_home_rows *r = loop->rows;
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    const int of_pencil = loop->action == ADD_TO_PENCIL || loop->action == PACK_PENCIL;
    /* a box may wrap around x */
    const int64_t n = box->n[0], lo = of_pencil ? box->lo[0] : 0;
    const int64_t straight = of_pencil && lo + n > r->layout.grid[0] ? r->layout.grid[0] - lo : n;
    for (int k = 0; k < o->n_y; k++)
        for (int64_t i = 0; i < o->y[k].n; i++) {
            const int64_t y = (of_pencil ? o->y[k].cell : o->y[k].at) + i;
            char *row = plane + (size_t)(y * loop->array->row) * number;
            act_on_cells(loop->action, r->single, straight, message, row + (size_t)lo * number);
            act_on_cells(loop->action, r->single, n - straight, message + (size_t)straight * number,
                         row);
            message += (size_t)n * number;
        }
}

static char *plane_at(const row_loop *loop, int64_t z)
{
    const size_t number = loop->rows->single ? sizeof(float) : sizeof(double);
    return (char *)loop->array->cells + (size_t)(z * loop->array->plane) * number;
}

/* All rows of the messages of ranks [rank, end). */
static void act_on_messages(void *context, int64_t rank, int64_t end, int thread)
{
    const row_loop *loop = context;
    const enuf_home_rows *r = loop->rows;
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    const int of_pencil = loop->action == PACK_PENCIL;
    const int64_t *count = of_pencil ? r->numbers.receive : r->numbers.send;
    char *message = loop->message;
    (void)thread;
    for (int64_t k = 0; k < rank; k++) message += (size_t)count[k] * number;
    for (; rank < end; rank++) {
        const overlap o = of_pencil ? theirs_in(r, (int)rank) : mine_in(r, (int)rank);
        const enuf_home_box *box = &r->boxes[of_pencil ? rank : r->rank];
        for (int k = 0; k < o.n_z; k++)
            for (int64_t i = 0; i < o.z[k].n; i++) {
                const int64_t z = (of_pencil ? o.z[k].cell : o.z[k].at) + i;
                act_on_plane(loop, box, &o, plane_at(loop, z), message);
                message += (size_t)(o.rows * box->n[0]) * number;
            }
    }
}

/* Planes of the pencil: bricks overlap, so a thread adds all rows of a plane, in the order of
 * ranks. */
static void add_planes(void *context, int64_t z, int64_t end, int thread)
{
    const row_loop *loop = context;
    const enuf_home_rows *r = loop->rows;
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    const int64_t begin = z;
    char *message = loop->message;
    (void)thread;
    for (; z < end; z++)
        for (int64_t y = 0; y < r->share.n[ENUF_AXIS_Y]; y++)
            memset(plane_at(loop, z) + (size_t)(y * loop->array->row) * number, 0,
                   (size_t)r->layout.grid[0] * number);
    for (int rank = 0; rank < r->ranks; rank++) {
        const overlap o = theirs_in(r, rank);
        const enuf_home_box *box = &r->boxes[rank];
        int64_t before = 0;
        for (int k = 0; k < o.n_z; k++)
            for (int64_t i = 0; i < o.z[k].n; i++, before++) {
                const int64_t at = o.z[k].cell + i;
                if (at >= begin && at < end)
                    act_on_plane(loop, box, &o, plane_at(loop, at),
                                 message + (size_t)(before * o.rows * box->n[0]) * number);
            }
        message += (size_t)r->numbers.receive[rank] * number;
    }
}

void enuf_home_rows_add(enuf_ranks *ranks, enuf_home_rows *r, const enuf_home_array *brick,
                        const enuf_home_array *pencil)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    row_loop pack = {r, brick, PACK_BRICK, r->sent.at};
    enuf_parallel_for(r->threads, ranks->size, 1, act_on_messages, &pack);
    enuf_exchange_forth(ranks, &r->numbers, number, r->sent.at, r->received.at);
    row_loop add = {r, pencil, ADD_TO_PENCIL, r->received.at};
    enuf_parallel_for(r->threads, r->share.n[ENUF_AXIS_Z], 0, add_planes, &add);
}

void enuf_home_rows_fetch(enuf_ranks *ranks, enuf_home_rows *r, const enuf_home_array *pencil,
                          const enuf_home_array *brick)
{
    const size_t number = r->single ? sizeof(float) : sizeof(double);
    row_loop pack = {r, pencil, PACK_PENCIL, r->received.at};
    enuf_parallel_for(r->threads, ranks->size, 1, act_on_messages, &pack);
    enuf_exchange_back(ranks, &r->numbers, number, r->received.at, r->sent.at);
    row_loop fill = {r, brick, FILL_BRICK, r->sent.at};
    enuf_parallel_for(r->threads, ranks->size, 1, act_on_messages, &fill);
}
