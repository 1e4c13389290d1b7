/*
 * home_rows.h - x rows of cells between home bricks and pencils. Every rank spreads its own points
 * onto its home brick. The rows of all bricks are added up in the pencils of their cells; after the
 * transforms the same rows come back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_HOME_ROWS_H
#define ENUF_HOME_ROWS_H

#include "distributed_halo.h"
#include "home_box.h"
#include "mpi/messages/exchange.h"

/** Cells in memory, [z][y][x]: rows of numbers, the first cell first. */
typedef struct enuf_home_array {
    void *cells;
    int64_t row, plane; /* numbers from one row to the next, from one plane to the next */
} enuf_home_array;

/** The part of a box in a pencil. */
typedef struct enuf_home_overlap {
    enuf_home_cut y[2], z[2];
    int n_y, n_z;
    int64_t rows, planes; /* rows of a plane, planes */
} enuf_home_overlap;

typedef struct enuf_home_rows {
    enuf_layout layout;
    enuf_share share;
    int rank, ranks, single, threads;
    enuf_home_box *boxes;      /* [ranks] */
    enuf_home_overlap *mine;   /* [ranks] of this rank's box with the pencil of each rank */
    enuf_home_overlap *theirs; /* [ranks] of the box of each rank with this pencil */
    enuf_exchange numbers;     /* from bricks to pencils */
    enuf_array sent, received;
} enuf_home_rows;

/** Local: counts what goes between the boxes of all ranks and their pencils, and makes room. */
enuf_status enuf_home_rows_prepare(const enuf_ranks *ranks, enuf_home_rows *rows);
void enuf_home_rows_release(enuf_home_rows *rows);

/** Collective: the pencil becomes the sum of all bricks. */
void enuf_home_rows_add(enuf_ranks *ranks, enuf_home_rows *rows, const enuf_home_array *brick,
                        const enuf_home_array *pencil);
/** Collective: the brick becomes a copy of its cells. */
void enuf_home_rows_fetch(enuf_ranks *ranks, enuf_home_rows *rows, const enuf_home_array *pencil,
                          const enuf_home_array *brick);

#endif
