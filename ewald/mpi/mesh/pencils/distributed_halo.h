/*
 * distributed_halo.h - halos: copies of cells of other ranks around a rank's own cells. After
 * spreading, halos are added to the cells. Before gathering, halos are filled from the cells. One
 * axis follows the other, so that corners go through a common neighbour.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DISTRIBUTED_HALO_H
#define ENUF_DISTRIBUTED_HALO_H

#include "distributed_layout.h"
#include "mpi/messages/exchange.h"

/** Consecutive cells of one axis that this rank shares with a peer. */
typedef struct enuf_halo_run {
    int block;  /* the peer */
    int64_t at; /* place of the first cell in this rank's brick, halo included */
    int64_t n;
} enuf_halo_run;

/** The halo of one axis. A halo may reach over several blocks, or around the grid to the rank
 * itself. */
typedef struct enuf_halo {
    enuf_exchange rows; /* forward: from outer to inner; items are x rows */
    int n_outer, n_inner;
    enuf_halo_run *outer; /* cells of this rank's halo, by the blocks that own them */
    enuf_halo_run *inner; /* own cells, by the blocks that have them in their halos */
} enuf_halo;

/** Local. axis: ENUF_AXIS_Y or ENUF_AXIS_Z. */
enuf_status enuf_halo_create(const enuf_ranks *ranks, const enuf_layout *layout,
                             const enuf_share *share, int axis, enuf_halo *halo);
void enuf_halo_release(enuf_halo *halo);

/** Size in x rows of the larger of the two buffers of add() and fill(). */
int64_t enuf_halo_rows(const enuf_halo *halo);

/** Layout of a brick in memory, in bytes. */
typedef struct enuf_halo_cells {
    char *cells;
    size_t row_length; /* bytes of a row without padding */
    size_t row, plane; /* from one row to the next, from one plane to the next */
} enuf_halo_cells;

/** Collective: adds halos to the cells that they copy; y first, then z. The second axis leaves out
 * the halo of the first. single: numbers are float. */
void enuf_halo_add(enuf_ranks *ranks, const enuf_share *share, const enuf_halo halo[2],
                   const enuf_halo_cells *cells, int single, void *const buffer[2]);

/** Collective: fills halos; z first, then y. */
void enuf_halo_fill(enuf_ranks *ranks, const enuf_share *share, const enuf_halo halo[2],
                    const enuf_halo_cells *cells, void *const buffer[2]);

#endif
