/*
 * distributed_brick.c - a rank's cells, and the plan that spreads and interpolates on them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "distributed_grid.h"
#include "memory.h"

#include "enuf/nufft_stages.h"
#include "parallel.h"

/* Rounds up to an odd number of cache lines. Rows or planes at distances of a power of two would
 * compete for the same places in the caches. */
static int64_t odd_lines(int64_t numbers, int single)
{
    int64_t line = single ? 16 : 8, lines = (numbers + line - 1) / line;
    return (lines + 1 - lines % 2) * line;
}

static enuf_status make_plan(enuf_distributed *d)
{
    const enuf_ewald *ewald = d->request.ewald;
    enuf_nufft_options plan;
    enuf_ewald_plan_options(ewald, &ewald->method.parameters, &plan);
    for (int a = 0; a < 3; a++) {
        /* the plan makes no transform: the brick is not a period of the system */
        plan.modes[a] = 1;
        plan.fine_grid[a] = d->brick.n[a];
    }
    plan.backend = ENUF_BACKEND_CPU;
    plan.deterministic = 0;
    plan.no_grid = 1;
    ENUF_TRY(enuf_nufft_create(&plan, &d->plan));
    /* points have positions in cells of the whole grid */
    double frame[9] = {0}, origin[3] = {0};
    for (int a = 0; a < 3; a++) frame[4 * a] = 1 / (double)d->brick.n[a];
    for (int a = 0; a < 2; a++) origin[a + 1] = (double)(d->share.lo[a] - d->share.halo_lo[a]);
    return enuf_nufft_set_frame(d->plan, frame, origin);
}

enuf_status enuf_distributed_brick_create(enuf_distributed *d)
{
    const enuf_share *share = &d->share;
    enuf_distributed_brick *b = &d->brick;
    size_t number = d->single ? sizeof(float) : sizeof(double);
    if (!share->holds) return ENUF_SUCCESS;
    b->n[0] = d->layout.grid[0];
    for (int a = 0; a < 2; a++) b->n[a + 1] = share->n[a] + share->halo_lo[a] + share->halo_hi[a];
    b->row = odd_lines(b->n[0], d->single);
    b->plane = odd_lines(b->row * b->n[1], d->single);
    b->first = share->halo_lo[ENUF_AXIS_Z] * b->plane + share->halo_lo[ENUF_AXIS_Y] * b->row;
    ENUF_TRY(enuf_allocate(&b->cells, b->plane * b->n[2], number, "this rank's part of the grid"));
    return make_plan(d);
}

static enuf_brick as_brick(const enuf_distributed_brick *b)
{
    enuf_brick brick = {.stride = {1, b->row, b->plane}};
    for (int a = 0; a < 3; a++) brick.global[a] = brick.n[a] = b->n[a];
    return brick;
}

static void copy_charges(void *context, int64_t i, int64_t end, int thread)
{
    const enuf_distributed *d = context;
    const enuf_travelling_point *points = d->transfer.in.at;
    double *wide = d->strengths.at;
    float *narrow = d->strengths.at;
    (void)thread;
    for (; i < end; i++) {
        if (d->single)
            narrow[i] = (float)points[i].q;
        else
            wide[i] = points[i].q;
    }
}

enuf_status enuf_distributed_spread(enuf_distributed *d)
{
    if (!d->share.holds) return ENUF_SUCCESS;
    const enuf_travelling_point *points = d->transfer.in.at;
    const int64_t n = d->transfer.n_here;
    size_t number = d->single ? sizeof(float) : sizeof(double);
    ENUF_TRY(enuf_array_reserve(&d->strengths, n, number, "charges of this rank's cells"));
    enuf_parallel_for(d->threads, n, 0, copy_charges, d);
    const double *x = n > 0 ? points->u : NULL;
    enuf_brick brick = as_brick(&d->brick);
    ENUF_TRY(enuf_nufft_set_points(d->plan, n, x, n > 0 ? x + 1 : x, n > 0 ? x + 2 : x,
                                   sizeof *points / sizeof(double)));
    return enuf_stage_spread(d->plan, d->strengths.at, NULL, &brick, d->brick.cells, 0);
}

enuf_status enuf_distributed_interpolate(enuf_distributed *d, int with_values, int with_gradients)
{
    if (!d->share.holds) return ENUF_SUCCESS;
    enuf_brick brick = as_brick(&d->brick);
    return enuf_stage_interpolate(d->plan, &brick, d->brick.cells, NULL,
                                  with_values ? d->values.at : NULL,
                                  with_gradients ? d->gradients.at : NULL, 0);
}
