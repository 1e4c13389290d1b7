/*
 * cells_fold.h - atoms folded into the periodic cell: their small cells, and their places in these.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_CELLS_FOLD_H
#define ENUF_EWALD_CPU_CELLS_FOLD_H

#include "cell_grid.h"

/**
 * A grid as folding reads it, in the caller's units of length. Edges are cut in two: the high part
 * is a whole number of steps, the low part at most half a step.
 */
typedef struct enuf_fold {
    const enuf_cell_grid *grid;
    double
        reach; /* coordinates up to this are folded in double, a few cells away from the origin */
    double to_steps; /* adding it rounds a coordinate to whole steps */
    double inverse[9], lower[3], count[3], per_vector[3];
    double edge_high[9], edge_low[9], origin_high[3], origin_low[3];
    double per_cutoff, per_cutoff_rest;
} enuf_fold;

void enuf_fold_make(const enuf_cell_grid *grid, enuf_fold *fold);

/**
 * The small cell of an atom; its place from that cell's corner goes to local, with an error of one
 * unit in the last place.
 */
int64_t enuf_fold_atom(const enuf_fold *fold, const double *position, double local[3]);

#endif
