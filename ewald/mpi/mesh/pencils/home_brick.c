/* home_brick.c - see home_brick.h. SPDX-License-Identifier: BSD-3-Clause */
#include "home_brick.h"
#include "memory.h"

#include "parallel.h"

#include <math.h>
#include <string.h>

/* Evaluations until ranks whose points travel look again whether their bricks should. */
enum { LOOK_AGAIN = 256 };

/* Cells in which points may move before a box is made anew: few at first, then more. */
enum { FIRST_MARGIN = 1, LATER_MARGIN = 2 };

/* A point on its way costs as much as so many numbers of cells: its rank and its place are found,
 * it is sent with its charge, a potential and a gradient come back. A point took 100 ns (Xeon,
 * Sapphire Rapids class, 2 ranks, November 2026); 1.6 ns a number, forth or back, are a guess. */
static const double NUMBERS_OF_POINT = 60;

/* Points of the busiest rank over the mean, with which it may keep them. */
static const double BALANCED = 1.5, FEW_POINTS = 100;

/* Most cells of a brick: so many times those of a pencil with its halos, or so few that their
 * memory does not count. */
static const double LARGER_BRICK = 1.5, SMALL_BRICK = 1 << 15;

/* Bytes for each cell of a brick: itself, its rows as they are sent and received. */
enum { BRICK_BYTES = 3 * 8 };

enuf_status enuf_home_create(const enuf_mesh_request *request, const enuf_layout *layout,
                             enuf_home *home)
{
    const enuf_ranks *ranks = request->ranks;
    *home = (enuf_home){0};
    home->rows = (enuf_home_rows){.layout = *layout,
                                  .share = enuf_layout_share(layout, ranks->rank),
                                  .rank = ranks->rank,
                                  .ranks = ranks->size,
                                  .single = enuf_ewald_single_mesh(request->ewald),
                                  .threads = enuf_ewald_threads(request->ewald)};
    return enuf_allocate(&home->rows.boxes, ranks->size, sizeof *home->rows.boxes,
                         "boxes of the ranks");
}

static void release_brick(enuf_home *home)
{
    enuf_nufft_destroy(&home->plan);
    enuf_release(&home->brick.cells);
    home->bytes = 0;
}

void enuf_home_release(enuf_home *home)
{
    release_brick(home);
    enuf_home_rows_release(&home->rows);
    enuf_array_release(&home->points);
    enuf_array_release(&home->strengths);
}

int64_t enuf_home_bytes(const enuf_home *home)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    int64_t bytes = home->bytes + home->points.bytes + home->strengths.bytes +
                    home->rows.sent.bytes + home->rows.received.bytes;
    if (home->plan && enuf_nufft_get_report(home->plan, &report) == ENUF_SUCCESS)
        bytes += report.bytes;
    return bytes;
}

static const enuf_home_box *box_of(const enuf_home *home)
{
    return &home->rows.boxes[home->rows.rank];
}

static size_t number_size(const enuf_home *home)
{
    return home->rows.single ? sizeof(float) : sizeof(double);
}

/* ---- Points ---- */

typedef struct point_loop {
    const enuf_home *home;
    const double *frame;
    const enuf_mesh_points *points;
    _Atomic int64_t bad; /* the first point that is not finite */
    void *gradients;
} point_loop;

static void locate(void *context, int64_t i, int64_t end, int thread)
{
    point_loop *loop = context;
    const enuf_mesh_points *points = loop->points;
    enuf_travelling_point *at = loop->home->points.at;
    (void)thread;
    for (; i < end; i++) {
        if (!enuf_position_in_periods(loop->frame, points->positions + 3 * i, at[i].u))
            enuf_lower(&loop->bad, i);
        at[i].q = points->q[i];
    }
}

/* In periods. */
static enuf_status locate_points(const enuf_mesh_request *request, enuf_home *home,
                                 const enuf_mesh_points *points)
{
    point_loop loop = {
        .home = home, .frame = request->ewald->geometry.frame, .points = points, .bad = points->n};
    ENUF_TRY(enuf_array_reserve(&home->points, points->n, sizeof(enuf_travelling_point),
                                "points of this rank"));
    enuf_parallel_for(home->rows.threads, points->n, 0, locate, &loop);
    const int64_t bad = loop.bad;
    return bad < points->n ? enuf_position_error(points->positions + 3 * bad) : ENUF_SUCCESS;
}

/* ---- The brick ---- */

/* Local: the brick of this rank's box, and rows from and to the boxes of all ranks. */
static enuf_status make_brick(const enuf_mesh_request *request, enuf_home *home)
{
    const enuf_home_box *box = box_of(home);
    release_brick(home);
    ENUF_TRY(enuf_home_rows_prepare(request->ranks, &home->rows));
    if (box->n[0] == 0) return ENUF_SUCCESS;
    home->part = (enuf_part){.row = 0};
    for (int a = 0; a < 3; a++) {
        const int fills = box->n[a] == home->rows.layout.grid[a];
        home->part.n[a] = box->n[a];
        home->part.halo_lo[a] = fills ? 0 : home->rows.layout.halo_lo;
        home->part.halo_hi[a] = fills ? 0 : home->rows.layout.halo_hi;
    }
    enuf_part_pad(&home->part, home->rows.single);
    home->bytes = enuf_part_numbers(&home->part) * (int64_t)number_size(home);
    ENUF_TRY(enuf_allocate(&home->brick.cells, home->bytes, 1, "cells around this rank's points"));
    home->brick.row = home->part.row;
    home->brick.plane = home->part.plane;
    return enuf_part_make_plan(request->ewald, &home->part, NULL, &home->plan);
}

static void copy_charges(void *context, int64_t i, int64_t end, int thread)
{
    const enuf_home *home = context;
    const enuf_travelling_point *points = home->points.at;
    (void)thread;
    for (; i < end; i++) enuf_set_number(home->strengths.at, home->rows.single, i, points[i].q);
}

/* 0: too many points have come since the box was made. */
static int are_as_many(const enuf_home_box *box, int64_t n)
{
    return (double)n <= BALANCED * (double)box->points + FEW_POINTS;
}

/* Local. *inside: 0 if the points do not fit into the box. */
static enuf_status spread(const enuf_mesh_request *request, enuf_home *home,
                          const enuf_mesh_points *points, int *inside)
{
    enuf_home_box *box = &home->rows.boxes[home->rows.rank];
    const int64_t n = home->n = points->n;
    *inside = 1;
    ENUF_TRY(locate_points(request, home, points));
    if (n > 0)
        *inside = are_as_many(box, n) && box->n[0] > 0 &&
                  enuf_home_enter(&home->rows.layout, box, n, home->points.at);
    if (!*inside) return ENUF_SUCCESS;
    if (n == 0) {
        if (home->brick.cells) memset(home->brick.cells, 0, (size_t)home->bytes);
        return ENUF_SUCCESS;
    }
    const enuf_travelling_point *at = home->points.at;
    const enuf_brick brick = enuf_part_brick(&home->part);
    ENUF_TRY(enuf_array_reserve(&home->strengths, n, number_size(home), "charges of this rank"));
    enuf_parallel_for(home->rows.threads, n, 0, copy_charges, home);
    ENUF_TRY(enuf_nufft_set_points(home->plan, n, at->u, at->u + 1, at->u + 2,
                                   sizeof *at / sizeof(double)));
    return enuf_stage_spread(home->plan, home->strengths.at, NULL, &brick, home->brick.cells, 0);
}

/* ---- Boxes ---- */

static int fills_grid(const enuf_layout *layout, const enuf_home_box *box)
{
    return memcmp(box->n, layout->grid, sizeof box->n) == 0;
}

/* Ranks keep their own points, if these are shared out evenly, and if their bricks are small or
 * hardly larger than their part of the grid, so that the memory of a rank falls as the number of
 * ranks grows. Then the numbers count that the busiest rank sends forth and back: its brick; or
 * halos and points. */
static int bricks_are_cheaper(const enuf_home *home)
{
    const enuf_layout *layout = &home->rows.layout;
    const enuf_layout_traffic traffic = enuf_layout_traffic_of(layout);
    const int halo = layout->halo_lo + layout->halo_hi;
    double cells = 0, points = 0, all = 0, part = (double)layout->grid[0];
    for (int a = 0; a < 2; a++)
        part *= (double)layout->cells[a].total / layout->cells[a].parts + halo;
    for (int r = 0; r < home->rows.ranks; r++) {
        const enuf_home_box *box = &home->rows.boxes[r];
        if (BRICK_BYTES * enuf_home_cells(box) > box->room) return 0;
        if (home->rows.ranks > 1 && fills_grid(layout, box)) return 0;
        cells = fmax(cells, (double)enuf_home_cells(box));
        points = fmax(points, (double)box->points);
        all += (double)box->points;
    }
    return points * home->rows.ranks <= BALANCED * all &&
           cells <= fmax(LARGER_BRICK * part, SMALL_BRICK) &&
           2 * cells < traffic.halo + NUMBERS_OF_POINT * points;
}

/* Collective: makes new boxes and decides. */
static enuf_status fit(const enuf_mesh_request *request, enuf_home *home,
                       const enuf_mesh_points *points, int64_t room)
{
    enuf_ranks *ranks = request->ranks;
    enuf_home_box box;
    const int margin = home->fits == 0 ? FIRST_MARGIN : LATER_MARGIN;
    enuf_status status = locate_points(request, home, points);
    if (status == ENUF_SUCCESS)
        status = enuf_home_enclose(&home->rows.layout, points->n, home->points.at, margin, &box);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    box.room = room;
    MPI_Allgather(&box, (int)sizeof box, MPI_BYTE, home->rows.boxes, (int)sizeof box, MPI_BYTE,
                  ranks->comm);
    ranks->bytes_sent += (ranks->size - 1) * (int64_t)sizeof box;
    home->fits++;
    home->in_use = bricks_are_cheaper(home);
    if (home->in_use) return enuf_ranks_agree(ranks, make_brick(request, home));
    release_brick(home);
    return ENUF_SUCCESS;
}

enuf_status enuf_home_spread(const enuf_mesh_request *request, enuf_home *home,
                             const enuf_mesh_points *points, int64_t room)
{
    enuf_ranks *ranks = request->ranks;
    int inside = 0;
    const int look = !home->in_use && home->evaluations++ % LOOK_AGAIN == 0;
    if (home->in_use) {
        const enuf_status status = spread(request, home, points, &inside);
        ENUF_TRY(enuf_ranks_agree_same(ranks, status, 0, NULL, &inside));
    }
    if (inside || !(home->in_use || look)) return ENUF_SUCCESS;
    const enuf_status status = fit(request, home, points, room);
    if (status != ENUF_SUCCESS) home->in_use = 0;
    ENUF_TRY(status);
    return home->in_use ? enuf_ranks_agree(ranks, spread(request, home, points, &inside))
                        : ENUF_SUCCESS;
}

/* ---- Results ---- */

/* From the units of positions to Cartesian coordinates. */
static void turn_gradients(void *context, int64_t i, int64_t end, int thread)
{
    const point_loop *loop = context;
    const enuf_home *home = loop->home;
    const int single = home->rows.single;
    (void)thread;
    for (; i < end; i++) {
        double of_period[3];
        for (int a = 0; a < 3; a++)
            of_period[a] = enuf_number_at(loop->gradients, single, 3 * i + a) *
                           enuf_part_units(&home->part, a, home->rows.layout.grid[a]);
        for (int e = 0; e < 3; e++)
            enuf_set_number(loop->gradients, single, 3 * i + e,
                            of_period[0] * loop->frame[e] + of_period[1] * loop->frame[3 + e] +
                                of_period[2] * loop->frame[6 + e]);
    }
}

enuf_status enuf_home_interpolate(const enuf_mesh_request *request, enuf_home *home, void *values,
                                  void *gradients)
{
    if (home->n == 0) return ENUF_SUCCESS;
    const enuf_brick brick = enuf_part_brick(&home->part);
    ENUF_TRY(
        enuf_stage_interpolate(home->plan, &brick, home->brick.cells, NULL, values, gradients, 0));
    point_loop loop = {
        .home = home, .frame = request->ewald->geometry.frame, .gradients = gradients};
    if (gradients) enuf_parallel_for(home->rows.threads, home->n, 0, turn_gradients, &loop);
    return ENUF_SUCCESS;
}
