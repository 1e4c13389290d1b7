/*
 * cells.h - atoms folded, sorted into small cells, and cut into clusters of the same column.
 * Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_CELLS_H
#define ENUF_EWALD_CUDA_CELLS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "device.h"
#include "grid.h"

/** Errors of the data. Kernels fill the record; the host reads it at the end of an evaluation. */
typedef struct enuf_cuda_pair_record {
    unsigned long long bad_atom; /* lowest index of a position that is not finite; ..._NO_ATOM */
    unsigned long long far_atom; /* lowest index of a position too far away to be folded */
    int suspicious; /* a sum that is not finite, or as large as if two charges were in one place */
    int overflowed; /* deterministic: a sum left its range */
    unsigned long long closest; /* deterministic: bits of the least (r/r_c)^2 below the floor */
    int64_t close; /* the walk in double has met a pair that pairs_close.cu corrects; 8 bytes, so
                      that no padding follows that the host would copy unset */
    double close_forces2; /* sum over atoms of the squares of the close pairs' forces */
} enuf_cuda_pair_record;

#define ENUF_CUDA_NO_ATOM (~0ULL)

/** Where an atom is in the grid, sorted by cells. Of the two sets of arrays one is in use. */
typedef struct enuf_cuda_cells {
    int *count;     /* [n_cells + 1] scratch: atoms of a cell */
    int *first;     /* [n_cells + 1] first atom of a cell, in sorted order */
    int *home;      /* [n] place of an atom in sorted order, -1: left out; first its cell */
    int *rank;      /* [n] its place among the cell's */
    int *original;  /* [n] sorted order -> the caller's */
    void *place;    /* [n] 4 reals: x, y, z from the corner of its cell, and the cell's x index k;
                       of a ghost that is marked -1 - k */
    void *charge;   /* [n] reals */
    int64_t *turn;  /* [n][4] deterministic: fractions in units of 2^-64 */
    double *sorted; /* [3][n] set to zero; NULL: none */
    int4 *cluster;  /* [...] first atom, atoms, y and z of the column */
    int *n_clusters;
    void *scan; /* CUB's */
    size_t scan_bytes;
} enuf_cuda_cells;

/** Atoms to be sorted, in the caller's order. */
typedef struct enuf_cuda_cell_atoms {
    int64_t n, n_own;        /* atoms n_own ... n - 1 are ghosts, atoms of other devices */
    const double *positions; /* [n][stride] */
    int64_t stride;
    const double *charges; /* [n][charge_stride] */
    int64_t charge_stride;
} enuf_cuda_cell_atoms;

/** Most clusters that n atoms make: one of each column may be incomplete. */
static inline int64_t enuf_cuda_most_clusters(int64_t n, int64_t n_columns)
{
    return n / ENUF_CUDA_CLUSTER + (n < n_columns ? n : n_columns) + 1;
}

/** Bytes of CUB's workspace for so many cells. */
enuf_status enuf_cuda_cells_scan_bytes(int n_cells, size_t *bytes);

/** Sorts atoms. `single`: reals are float; `avoids_fp64`: and folded without double; `skip`: atoms
 * without charge are left out; `turns`: fills turn; `mark`: ghosts are marked. */
enuf_status enuf_cuda_cells_build(const enuf_cuda_cells *cells, const enuf_cuda_grid *grid,
                                  const enuf_cuda_cell_atoms *atoms, int single, int avoids_fp64,
                                  int skip, int turns, int mark, enuf_cuda_pair_record *record,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
