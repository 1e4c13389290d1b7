/* home_box.c - see home_box.h. SPDX-License-Identifier: BSD-3-Clause */
#include "home_box.h"
#include "memory.h"

#include <string.h>

/* The shortest run of cells of a ring that holds all occupied ones: it begins behind the longest
 * run of empty ones. */
static void shortest_run(int64_t grid, const char *occupied, int64_t *first, int64_t *length)
{
    int64_t longest = 0, empty = 0;
    *first = 0;
    for (int64_t i = 0; i < 2 * grid; i++) {
        empty = occupied[i % grid] ? 0 : empty + 1;
        if (empty <= longest || empty > grid) continue;
        longest = empty;
        *first = (i + 1) % grid;
    }
    *length = grid - longest;
}

static void enclose_axis(const enuf_layout *layout, int axis, const char *occupied, int margin,
                         enuf_home_box *box)
{
    const int64_t grid = layout->grid[axis];
    int64_t first, length;
    shortest_run(grid, occupied, &first, &length);
    box->n[axis] = length + layout->halo_lo + layout->halo_hi + 2 * margin;
    box->lo[axis] = (first - layout->halo_lo - margin + 2 * grid) % grid;
    if (box->n[axis] < grid) return;
    box->n[axis] = grid;
    box->lo[axis] = 0;
}

enuf_status enuf_home_enclose(const enuf_layout *layout, int64_t n,
                              const enuf_travelling_point *points, int margin, enuf_home_box *box)
{
    char *occupied = NULL;
    *box = (enuf_home_box){.points = n};
    if (n == 0) return ENUF_SUCCESS;
    const int64_t grid[3] = {layout->grid[0], layout->grid[1], layout->grid[2]};
    ENUF_TRY(enuf_allocate(&occupied, grid[0] + grid[1] + grid[2], 1, "cells with points"));
    memset(occupied, 0, (size_t)(grid[0] + grid[1] + grid[2]));
    char *of_axis[3] = {occupied, occupied + grid[0], occupied + grid[0] + grid[1]};
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
            of_axis[a][(int64_t)enuf_cells_of_period(points[i].u[a], grid[a])] = 1;
    for (int a = 0; a < 3; a++) enclose_axis(layout, a, of_axis[a], margin, box);
    enuf_release(&occupied);
    return ENUF_SUCCESS;
}

int enuf_home_enter(const enuf_layout *layout, const enuf_home_box *box, int64_t n,
                    enuf_travelling_point *points)
{
    int inside = 1;
    for (int a = 0; a < 3; a++) {
        const int64_t grid = layout->grid[a];
        const double lo = (double)box->lo[a], least = layout->halo_lo,
                     beyond = (double)(box->n[a] - layout->halo_hi);
        if (box->n[a] == grid) continue;
        for (int64_t i = 0; i < n; i++) {
            const double from_first = enuf_cells_of_period(points[i].u[a], grid) - lo;
            const double u = from_first < 0 ? from_first + (double)grid : from_first;
            points[i].u[a] = u;
            inside &= u >= least && u < beyond;
        }
    }
    return inside;
}

int enuf_home_cut_block(const enuf_layout *layout, const enuf_home_box *box, int axis, int block,
                        enuf_home_cut cuts[2])
{
    const enuf_blocks cells = layout->cells[axis - 1];
    const int64_t start = enuf_block_start(cells, block),
                  end = start + enuf_block_size(cells, block);
    int found = 0;
    /* the box, and the part of it that wraps around */
    for (int64_t lo = box->lo[axis]; lo > -box->n[axis]; lo -= layout->grid[axis]) {
        const int64_t first = lo > start ? lo : start;
        const int64_t last = lo + box->n[axis] < end ? lo + box->n[axis] : end;
        if (first < last) cuts[found++] = (enuf_home_cut){first - lo, first - start, last - first};
    }
    return found;
}
