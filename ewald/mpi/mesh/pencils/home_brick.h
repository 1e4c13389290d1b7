/*
 * home_brick.h - a rank's own points on cells of its own. Where the ranks hold points of one part
 * of space each, as those of a molecular dynamics code do, it is cheaper to send the cells around
 * them than the points (distributed_points.h). SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_HOME_BRICK_H
#define ENUF_HOME_BRICK_H

#include "home_rows.h"
#include "mpi/mesh/reciprocal.h"
#include "part_plan.h"

typedef struct enuf_home {
    int in_use; /* the same on all ranks; 0: points go to the pencils */
    int64_t evaluations, fits;
    int64_t n;           /* points of the last evaluation */
    enuf_home_rows rows; /* with the boxes */
    enuf_nufft *plan;    /* of this rank's box; NULL: it has no points */
    enuf_part part;
    enuf_home_array brick;
    int64_t bytes;     /* of the cells */
    enuf_array points; /* [n] positions from the first cell of the box, and charges */
    enuf_array strengths;
} enuf_home;

enuf_status enuf_home_create(const enuf_mesh_request *request, const enuf_layout *layout,
                             enuf_home *home);
void enuf_home_release(enuf_home *home);
int64_t enuf_home_bytes(const enuf_home *home);

/** Collective: spreads the points if their bricks are in use, where the points have left their
 * boxes after it has made new ones. Decides first, and then now and then, whether they are. room:
 * bytes that this rank's brick may take. */
enuf_status enuf_home_spread(const enuf_mesh_request *request, enuf_home *home,
                             const enuf_mesh_points *points, int64_t room);

/** Local: at the points, in the caller's order. values [n], gradients [n][3] Cartesian; NULL: not
 * wanted. */
enuf_status enuf_home_interpolate(const enuf_mesh_request *request, enuf_home *home, void *values,
                                  void *gradients);

#endif
