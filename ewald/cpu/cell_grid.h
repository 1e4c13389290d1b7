/*
 * cell_grid.h - the grid of small cells. Lengths are in units of the cutoff.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_CELL_GRID_H
#define ENUF_EWALD_CPU_CELL_GRID_H

#include <stdint.h>

/** The grid: periodic cell (reduced basis), its small cells, and its lower corner. */
typedef struct enuf_cell_grid {
    long double lattice[9]; /* rows: reduced basis; its order is the grid's own */
    long double inverse[9];
    long double per_cutoff; /* 1/cutoff: from the caller's lengths to ours */
    int periodic[3];
    long double lower[3];      /* fraction where the grid begins; 0 in periodic directions */
    long double edge[9];       /* rows: edges of one small cell */
    int64_t count[3];          /* small cells along each direction */
    long double per_vector[3]; /* small cells to one cell vector */
    int64_t n_cells;           /* x fastest, then y, then z */
    int64_t group_span;        /* the cells of a group of atoms are fewer than this apart along x */
} enuf_cell_grid;

#endif
