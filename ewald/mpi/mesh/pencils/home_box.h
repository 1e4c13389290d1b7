/*
 * home_box.h - the box of fine grid cells that the windows of a rank's own points reach.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_HOME_BOX_H
#define ENUF_HOME_BOX_H

#include "distributed_layout.h"
#include "distributed_points.h"

/** Cells lo ... lo + n - 1 of each axis, modulo the grid. An axis that the box fills is whole: lo
 * = 0 and n = grid. n[0] = 0: the rank has no points. */
typedef struct enuf_home_box {
    int64_t lo[3], n[3];
    int64_t points; /* inside */
    int64_t room;   /* bytes that the rank may take for its brick */
} enuf_home_box;

/** Local: the box around points in periods, with `margin` cells more on each side, in which the
 * points may move. */
enuf_status enuf_home_enclose(const enuf_layout *layout, int64_t n,
                              const enuf_travelling_point *points, int margin, enuf_home_box *box);

/** Local: positions from the first cell of the box (part_plan.h), from those in periods. Returns 0
 * if the window of a point leaves the box. */
int enuf_home_enter(const enuf_layout *layout, const enuf_home_box *box, int64_t n,
                    enuf_travelling_point *points);

static inline int64_t enuf_home_cells(const enuf_home_box *box)
{
    return box->n[0] * box->n[1] * box->n[2];
}

/** Consecutive cells that a box shares with a block of an axis: `at` counts from the first cell of
 * the box, `cell` from that of the block. */
typedef struct enuf_home_cut {
    int64_t at, cell, n;
} enuf_home_cut;

/** At most two, in the order of the box. Returns their number. axis: 1, 2 (y, z). */
int enuf_home_cut_block(const enuf_layout *layout, const enuf_home_box *box, int axis, int block,
                        enuf_home_cut cuts[2]);

#endif
