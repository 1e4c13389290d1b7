/*
 * distributed_halo.h - cells around a rank's own, which belong to others: added to them after
 * spreading, filled from them before gathering. One axis after the other, so that corners go
 * through a common neighbour. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DISTRIBUTED_HALO_H
#define ENUF_DISTRIBUTED_HALO_H

#include "distributed_layout.h"
#include "exchange.h"

/** Cells of one axis, in a row, that a peer knows too. */
typedef struct enuf_halo_run {
    int block;  /* the peer */
    int64_t at; /* the first of them in this rank's brick, halo included */
    int64_t n;
} enuf_halo_run;

/** The halo of one axis. A halo may reach over several blocks, or around the grid to the rank
 * itself. */
typedef struct enuf_halo {
    enuf_exchange rows; /* forth: outer to inner; items are x rows */
    int n_outer, n_inner;
    enuf_halo_run *outer; /* of the halo, by the blocks that own them */
    enuf_halo_run *inner; /* own cells, by the blocks in whose halos they are */
} enuf_halo;

/** Local. axis: ENUF_AXIS_Y or ENUF_AXIS_Z. */
enuf_status enuf_halo_create(const enuf_ranks *ranks, const enuf_layout *layout,
                             const enuf_share *share, int axis, enuf_halo *halo);
void enuf_halo_release(enuf_halo *halo);

/** x rows that the larger of the two buffers below has to hold. */
int64_t enuf_halo_rows(const enuf_halo *halo);

/** How bricks stand in memory, in bytes. */
typedef struct enuf_halo_cells {
    char *cells;
    size_t row_length; /* of the numbers of a row that count */
    size_t row, plane; /* from one row to the next, from one plane to the next */
} enuf_halo_cells;

/** Collective: adds what stands in halos to the cells they are copies of. y first, then z; the
 * second axis leaves out the first one's halo. single: numbers are float. */
void enuf_halo_add(enuf_ranks *ranks, const enuf_share *share, const enuf_halo halo[2],
                   const enuf_halo_cells *cells, int single, void *const buffer[2]);

/** Collective: fills halos; z first, then y. */
void enuf_halo_fill(enuf_ranks *ranks, const enuf_share *share, const enuf_halo halo[2],
                    const enuf_halo_cells *cells, void *const buffer[2]);

#endif
