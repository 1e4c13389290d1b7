/*
 * distributed_brick.c - a rank's cells, and the plan that spreads and interpolates on them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "distributed_grid.h"
#include "memory.h"

#include "parallel.h"

enuf_status enuf_distributed_brick_create(enuf_distributed *d)
{
    const enuf_share *share = &d->share;
    enuf_part *part = &d->brick.part;
    const size_t number = d->single ? sizeof(float) : sizeof(double);
    double first[3] = {0};
    if (!share->holds) return ENUF_SUCCESS;
    part->n[0] = d->layout.grid[0];
    for (int a = 0; a < 2; a++) {
        part->halo_lo[a + 1] = share->halo_lo[a];
        part->halo_hi[a + 1] = share->halo_hi[a];
        part->n[a + 1] = share->n[a] + share->halo_lo[a] + share->halo_hi[a];
        first[a + 1] = (double)(share->lo[a] - share->halo_lo[a]);
    }
    enuf_part_pad(part, d->single);
    d->brick.first =
        share->halo_lo[ENUF_AXIS_Z] * part->plane + share->halo_lo[ENUF_AXIS_Y] * part->row;
    ENUF_TRY(enuf_allocate(&d->brick.cells, enuf_part_numbers(part), number,
                           "this rank's part of the grid"));
    return enuf_part_make_plan(d->request.ewald, part, first, &d->plan);
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
    const enuf_brick brick = enuf_part_brick(&d->brick.part);
    ENUF_TRY(enuf_nufft_set_points(d->plan, n, x, n > 0 ? x + 1 : x, n > 0 ? x + 2 : x,
                                   sizeof *points / sizeof(double)));
    return enuf_stage_spread(d->plan, d->strengths.at, NULL, &brick, d->brick.cells, 0);
}

enuf_status enuf_distributed_interpolate(enuf_distributed *d, int with_values, int with_gradients)
{
    if (!d->share.holds) return ENUF_SUCCESS;
    const enuf_brick brick = enuf_part_brick(&d->brick.part);
    return enuf_stage_interpolate(d->plan, &brick, d->brick.cells, NULL,
                                  with_values ? d->values.at : NULL,
                                  with_gradients ? d->gradients.at : NULL, 0);
}
