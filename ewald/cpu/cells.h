/*
 * cells.h - atoms folded into the periodic cell and sorted into a grid of small cells.
 *
 * Cells are columns cut finely along x: a bit wider along y and z than a cube of PAIR_GROUP atoms.
 * Lengths are in units of the cutoff. An atom's place is kept relative to the corner of its own
 * small cell, so that differences of neighbours carry the rounding of a few cutoffs, not that of
 * the box or of the caller's coordinates. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_CELLS_H
#define ENUF_EWALD_CPU_CELLS_H

#include "cell_grid.h"
#include "exact_place.h"
#include "object/backend.h"

/*
 * Atoms that share one list of neighbours, at most. Best of 8, 12, 16 (EPYC 9004, AVX-512, 0.03 and
 * 0.1 atoms per cubic angstrom, cutoffs of 4 to 13): large groups need fewer lists, small groups
 * have fewer far atoms in a list.
 */
enum { PAIR_GROUP = 12 };

typedef struct enuf_cells {
    enuf_cell_grid grid;
    int64_t n;         /* atoms in the grid: all, or charged atoms only */
    int64_t *first;    /* [n_cells + 1] first atom of each cell, in sorted order */
    int64_t *original; /* [n] sorted order -> the caller's; ascending inside a cell */
    /* sorted; padded by a vector, so that loads may overrun */
    double *x, *y, *z; /* relative to the corner of the atom's cell */
    double *charge;
    double *along; /* x index of the atom's cell */
    /* deterministic: places in the periodic cell, and its vectors (exact_place.h) */
    int exact; /* 1: they are there */
    int64_t *steps[3];
    double *rest[3];
    enuf_exact_place vector[3];
    double *ghost;      /* 1 for a ghost, else 0; NULL: no ghosts */
    double *ghost_room; /* [ghost_capacity] */
    /* scratch, in the caller's order */
    double *local;  /* [n][3] x, y, z before sorting */
    int64_t *home;  /* cell; -1: left out */
    int64_t *place; /* somewhere in that cell */
    int64_t capacity, cell_capacity, exact_capacity, ghost_capacity;
} enuf_cells;

/**
 * Folds and sorts. Errors: ENUF_NOT_FINITE with the lowest index of a bad position or charge;
 * ENUF_BAD_ARGUMENT for a flat cell, a position too many cells away or a grid beyond 2^31 cells;
 * ENUF_OUT_OF_MEMORY.
 */
enuf_status enuf_cells_build(enuf_cells *cells, const enuf_pair_request *request, int threads);

int64_t enuf_cells_bytes(const enuf_cells *cells);
void enuf_cells_release(enuf_cells *cells);

#endif
