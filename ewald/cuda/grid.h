/*
 * grid.h - how the periodic cell is cut into columns and small cells on the GPU.
 *
 * As on the CPU (ewald/cpu/cells.h): columns cut finely along x, coordinates of an atom relative to
 * the corner of its own small cell, lengths in cutoffs. The frame is turned so that columns run
 * along its first axis: the edges of a small cell are then (e1, 0, 0), (e2x, e2y, 0) and
 * (e3x, e3y, e3z). Passed to kernels by value. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_GRID_H
#define ENUF_EWALD_CUDA_GRID_H

#ifdef __cplusplus
extern "C" {
#endif

#include "error.h"

/*
 * Atoms of a cluster, which share one list of neighbours, and entries of the list that a warp meets
 * at once. Large clusters need fewer lists; small ones have fewer far entries in a list. With 419
 * neighbours an atom, the list of 8 atoms has twice as many entries, the list of 32 atoms three
 * times as many.
 */
enum { ENUF_CUDA_CLUSTER = 8, ENUF_CUDA_LANES_J = 32 / ENUF_CUDA_CLUSTER };

/** Cells of a grid: at most this many for an atom, plus some for small systems. */
enum { ENUF_CUDA_CELLS_OF_ATOM = 4, ENUF_CUDA_CELLS_LEAST = 4096 };

typedef struct enuf_cuda_grid {
    int count[3]; /* small cells along x, y, z; x fastest */
    int n_cells, n_columns;
    int reach[2]; /* columns that may hold neighbours: cy - reach[0] ... cy + reach[0], cz */
    double cutoff;
    /* folding, in the caller's lengths: s_d = sum_e x_e inverse[3 e + d] */
    double inverse[9];
    double farthest;                  /* larger coordinates are refused */
    double to_steps;                  /* adding it rounds a coordinate to whole steps */
    double edge_high[9], edge_low[9]; /* edges of a small cell: whole steps, and the rest */
    /* the frame: rows orthonormal; to_frame is divided by the cutoff */
    double frame[9], to_frame[9];
    double e1, e2x, e2y, e3x, e3y, e3z; /* in cutoffs */
    /* the same in float, for kernels without double: e1, e2x, e2y, e3x, e3y, e3z to 12 bits, so
     * that products with numbers of columns are exact, and the rest */
    float edge[6], edge_rest[6];
    /* deterministic: fractions of the reduced lattice, in the order of the caller's axes */
    double lattice[9];                      /* in cutoffs */
    double inverse_high[9], inverse_low[9]; /* of the lattice, per length */
    double to_fraction[9]; /* of a difference d in the frame: sum_k d_k [3 k + a] */
} enuf_cuda_grid;

/**
 * Cuts a cell for n atoms. x is the longest axis, or, where `keep_axes`, the first. Errors:
 * ENUF_BAD_ARGUMENT for a flat cell, ENUF_UNSUPPORTED for a cutoff of a thousand cells.
 */
enuf_status enuf_cuda_grid_make(const double cell[9], double cutoff, int64_t n, int keep_axes,
                                enuf_cuda_grid *grid);

#ifdef __cplusplus
}
#endif
#endif
