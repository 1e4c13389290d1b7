/*
 * distributed_points.h - points go to the ranks that hold their cells, results come back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DISTRIBUTED_POINTS_H
#define ENUF_DISTRIBUTED_POINTS_H

#include "distributed_layout.h"
#include "mpi/messages/exchange.h"
#include "mpi/mesh/reciprocal.h"

#include <math.h>

/** A point in a message. */
typedef struct enuf_travelling_point {
    double u[3]; /* as in part_plan.h, from the first cell of the grid */
    double q;
} enuf_travelling_point;

/** Local: a position in periods, folded. Returns 0 if it is not finite, or too large. The last bit
 * may differ from that of a plan, which has fma(): without instructions for it that is a call. */
static inline int enuf_position_in_periods(const double frame[9], const double x[3], double s[3])
{
    int good = 1;
    for (int d = 0; d < 3; d++) {
        const double *T = frame + 3 * d, of = T[0] * x[0] + (T[1] * x[1] + T[2] * x[2]);
        s[d] = of - floor(of);
        good &= s[d] >= 0; /* false for NaN, also for infinity minus infinity */
    }
    return good;
}

/** Cells from folded periods, 0 <= u < grid. */
static inline double enuf_cells_of_period(double s, int64_t grid)
{
    const double u = s * (double)grid;
    return u < (double)grid ? u : 0; /* s just below an integer may round up to it */
}

/** The error for such a position. */
enuf_status enuf_position_error(const double x[3]);

typedef struct enuf_point_transfer {
    enuf_exchange points;
    int64_t n_home, n_here; /* points of the caller on this rank; points of this rank's cells */
    enuf_array out, owner;  /* [n_home] points by owner; rank of each point */
    enuf_array sent_as;     /* [n_home] index in `out` of each point */
    enuf_array in;          /* [n_here] */
} enuf_point_transfer;

enuf_status enuf_point_transfer_create(const enuf_ranks *ranks, enuf_point_transfer *transfer);
void enuf_point_transfer_release(enuf_point_transfer *transfer);
int64_t enuf_point_transfer_bytes(const enuf_point_transfer *transfer);

/** Collective: fills transfer->in with the points of this rank's cells. Their order depends on the
 * points and their ranks only. */
enuf_status enuf_point_transfer_go(enuf_ranks *ranks, const enuf_layout *layout,
                                   const enuf_cell_geometry *cell, int threads,
                                   const enuf_mesh_points *points, enuf_point_transfer *transfer);

/** Collective: sends items of `size` bytes from here [n_here], in the order of transfer->in, to
 * home [n_home], in the order of transfer->out. */
void enuf_point_transfer_back(enuf_ranks *ranks, const enuf_point_transfer *transfer, size_t size,
                              const void *here, void *home);

#endif
