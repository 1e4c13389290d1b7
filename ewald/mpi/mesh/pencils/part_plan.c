/* part_plan.c - see part_plan.h. SPDX-License-Identifier: BSD-3-Clause */
#include "part_plan.h"

enum { LEAST_PERIOD = 32 }; /* twice the widest window */

static int64_t odd_lines(int64_t numbers, int single)
{
    const int64_t line = single ? 16 : 8, lines = (numbers + line - 1) / line;
    return (lines + 1 - lines % 2) * line;
}

void enuf_part_pad(enuf_part *part, int single)
{
    part->row = odd_lines(part->n[0], single);
    part->plane = odd_lines(part->row * part->n[1], single);
}

static int fills(const enuf_part *part, int axis)
{
    return part->halo_lo[axis] == 0 && part->halo_hi[axis] == 0;
}

static int64_t period_of(const enuf_part *part, int axis)
{
    int64_t period = LEAST_PERIOD;
    if (fills(part, axis)) return part->n[axis];
    while (period < part->n[axis]) period *= 2;
    return period;
}

enuf_status enuf_part_make_plan(const enuf_ewald *ewald, const enuf_part *part,
                                const double first[3], enuf_nufft **made)
{
    enuf_nufft_options plan;
    double frame[9] = {0};
    enuf_ewald_plan_options(ewald, &ewald->method.parameters, &plan);
    for (int a = 0; a < 3; a++) {
        /* the plan makes no transform: its grid is not a period of the system */
        plan.modes[a] = 1;
        plan.fine_grid[a] = period_of(part, a);
        frame[4 * a] = fills(part, a) ? 1 : 1 / (double)plan.fine_grid[a];
    }
    plan.backend = ENUF_BACKEND_CPU;
    plan.deterministic = 0;
    plan.no_grid = 1;
    ENUF_TRY(enuf_nufft_create(&plan, made));
    return enuf_nufft_set_frame(*made, frame, first);
}

double enuf_part_units(const enuf_part *part, int axis, int64_t grid)
{
    return fills(part, axis) ? 1 : (double)grid;
}

enuf_brick enuf_part_brick(const enuf_part *part)
{
    enuf_brick brick = {.stride = {1, part->row, part->plane}};
    for (int a = 0; a < 3; a++) {
        brick.global[a] = period_of(part, a);
        brick.lo[a] = brick.halo_lo[a] = part->halo_lo[a];
        brick.halo_hi[a] = part->halo_hi[a];
        brick.n[a] = part->n[a] - part->halo_lo[a] - part->halo_hi[a];
    }
    return brick;
}
