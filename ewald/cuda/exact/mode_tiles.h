/*
 * mode_tiles.h - the modes of exact sums as tiles of 32 rows, the shape of matrix products.
 *
 * A row of consecutive m1 lies around its centre c: modes c + d and c - d share the products with
 * cos and sin of 2 pi d s1, so that a cell (row, d) of a tile stands for both. Rows of similar
 * length share a tile, so that few of its cells are empty. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_MODE_TILES_H
#define ENUF_MODE_TILES_H

#include "exact_modes.h"
#include "verify/exact_sums.h"

typedef struct enuf_mode_tiles {
    enuf_tile_row *rows; /* [n_tiles][ENUF_TILE_ROWS] */
    enuf_mode_tile *tiles;
    enuf_tile_job *jobs; /* blocks of ENUF_TILE_COLUMNS columns of a tile */
    int64_t n_tiles, n_jobs, n_cells;
} enuf_mode_tiles;

enuf_status enuf_mode_tiles_make(const enuf_mode_rows *modes, enuf_mode_tiles *made);
void enuf_mode_tiles_release(enuf_mode_tiles *tiles);

#endif
