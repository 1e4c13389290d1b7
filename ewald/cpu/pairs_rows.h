/*
 * pairs_rows.h - the cells that hold the neighbours of a cell, and the columns that may work at
 * once. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_ROWS_H
#define ENUF_EWALD_CPU_PAIRS_ROWS_H

#include "array.h"
#include "cells.h"

/**
 * Cells (x + low ... x + high, y + dy, z + dz): one row of neighbours of cell (x, y, z). All rows
 * together are half of the neighbours, those after the cell in the order z, y, x, so that each pair
 * of cells, images included, comes once. Row 0 is the cell's own and begins with the cell itself.
 * For a group of atoms in several cells of a column, a row reaches from the first one's low to the
 * last one's high.
 */
typedef struct enuf_pair_row {
    int64_t dy, dz, low, high;
    double shift[3]; /* from the corner of (x, y, z) to that of (x, y + dy, z + dz) */
    double box_low[3], box_high[3]; /* around (x, y + dy, z + dz), from the same corner, in frame */
} enuf_pair_row;

/**
 * Columns are the cells of one (y, z). The columns of a colour touch no atom in common, neighbours
 * included: they are worked on at once, the colours one after another. So the order of all sums is
 * the same for any number of threads.
 */
typedef struct enuf_pair_rows {
    enuf_array rows; /* [n_rows] enuf_pair_row */
    int64_t n_rows;
    double
        frame[9]; /* rows: orthonormal, the first along x cells, the second in their plane with y */
    double spacing; /* of cells along x */
    /* int64_t [count y * count z] y + count_y z, colour by colour: several threads */
    enuf_array columns;
    enuf_array colour; /* int64_t [n_colours + 1] where each begins in columns */
    int64_t n_colours;
    /* The same columns for one thread, layer by layer of z as far as the order of any atom's sums
     * allows. Layers then stay in the caches; colour by colour the pairs of a million ions take a
     * tenth longer. */
    enuf_array serial; /* int64_t [count y * count z] */
    enuf_array axes;   /* scratch: places of y, colours of z */
    /* arguments of the present rows; rows are made again only if these change */
    long double edge[9];
    int64_t count[3];
    int periodic[3];
} enuf_pair_rows;

enuf_status enuf_pair_rows_make(enuf_pair_rows *rows, const enuf_cell_grid *grid);
int64_t enuf_pair_rows_bytes(const enuf_pair_rows *rows);
void enuf_pair_rows_release(enuf_pair_rows *rows);

/** The columns in batches. Columns of a batch may be worked on at once, batches one after another.
 * The order of an atom's sums is the same for any number of threads. */
int64_t enuf_pair_batches(const enuf_pair_rows *rows, int threads);
const int64_t *enuf_pair_batch(const enuf_pair_rows *rows, int threads, int64_t batch, int64_t *n);

/** Atoms begin ... end - 1 in sorted order, all in column (y, z), in its cells low ... high. */
typedef struct enuf_pair_group {
    int64_t begin, end;
    int64_t y, z, low, high;
} enuf_pair_group;

/**
 * Narrows a row to the cells that may hold neighbours of a group in the box low ... high, which
 * counts from the corner of the group's first cell, in frame. Returns 0 when none does.
 */
int enuf_pair_row_narrow(const enuf_pair_rows *rows, const enuf_pair_group *group,
                         const double low[3], const double high[3], enuf_pair_row *row);

/** A run of atoms that follow each other in sorted order, all in the same image of the box. */
typedef struct enuf_pair_run {
    int64_t begin, end;
    int64_t image[3];
} enuf_pair_run;

/**
 * The k-th run of a row of neighbours of a group; rows have one, or more where they leave the box.
 * In row 0 the runs begin behind the group. Returns 0 when there is no k-th run.
 */
int enuf_pair_row_run(const enuf_cells *cells, const enuf_pair_row *row,
                      const enuf_pair_group *group, int64_t k, enuf_pair_run *run);

#endif
