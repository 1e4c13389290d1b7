/*
 * part_plan.h - plans that spread and interpolate on a part of the grid, which they treat as a
 * small periodic grid. So their memory and time do not grow with the whole grid.
 *
 * On an axis that the part fills, positions are in periods of the grid, folded. On any other axis
 * they are in cells, and the period of the plan is a power of two: products with it do not round,
 * so that a point on the boundary of a cell stays there.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PART_PLAN_H
#define ENUF_PART_PLAN_H

#include "enuf/nufft_stages.h"
#include "object/ewald_object.h"

typedef struct enuf_part {
    int64_t n[3];                   /* cells, halos included */
    int64_t halo_lo[3], halo_hi[3]; /* both 0: the part fills the axis */
    int64_t row, plane;             /* numbers from one x row to the next, one plane to the next */
} enuf_part;

/** Rows and planes without gaps would often lie at distances of a power of two, and compete for the
 * same places in the caches: sets row and plane to odd numbers of cache lines. */
void enuf_part_pad(enuf_part *part, int single);
static inline int64_t enuf_part_numbers(const enuf_part *part)
{
    return part->plane * part->n[2];
}

/** first: position of the first cell, of the halo if there is one, in the units of the points. */
enuf_status enuf_part_make_plan(const enuf_ewald *ewald, const enuf_part *part,
                                const double first[3], enuf_nufft **plan);
enuf_brick enuf_part_brick(const enuf_part *part);
/** Local: units of a position in a period of the grid: a gradient times this is one of periods. */
double enuf_part_units(const enuf_part *part, int axis, int64_t grid);

#endif
