/*
 * slab_kernels.h - kernels for a device's slab of the fine grid. They are enqueued and return at
 * once. C and CUDA files include it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SLAB_KERNELS_H
#define ENUF_SLAB_KERNELS_H

#include "cuda/evaluation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- slab_points.cu: points to the slabs that hold their cells, results home ---- */

/** From positions to cells of the whole grid, and from planes to slabs. */
typedef struct enuf_slab_fold {
    double frame[9]; /* fractions s_d = sum_e frame[3 d + e] x_e */
    double grid[3];
    int64_t planes; /* of z */
    int slabs;      /* ENUF_MOST_SLABS at most */
    int own;        /* slab of this device; -1: none */
} enuf_slab_fold;

enum { ENUF_MOST_SLABS = 4096, ENUF_SLAB_CHUNKS = 1024 };

/** A point in a message. */
typedef struct enuf_slab_point {
    double u[3]; /* position in cells of the whole grid, 0 <= u < grid */
    double q;
} enuf_slab_point;

/** Number of chunks for counting and packing n points: 1 ... ENUF_SLAB_CHUNKS. */
int enuf_slab_chunks(int64_t n);

/**
 * Counts points by the slab of their cell. start [slabs][chunks]: first place in the sent array of
 * a chunk's points for a slab. counts [slabs + 1]: points for each slab; then the lowest index of a
 * position that is not finite or too large (n: none).
 */
enuf_status enuf_slab_count_points(const enuf_slab_fold *fold, int64_t n, const double *positions,
                                   int64_t *start, int64_t *counts, cudaStream_t stream);
/** Writes points by slab, in the order of the counts: points of the own slab to own, points of
 * other slabs to packed. sent_as [n]: place of a point in packed, or number of points in packed
 * plus its place in own. */
enuf_status enuf_slab_pack_points(const enuf_slab_fold *fold, int64_t n, const double *positions,
                                  const double *q, const int64_t *start, const int64_t *counts,
                                  enuf_slab_point *own, enuf_slab_point *packed, uint32_t *sent_as,
                                  cudaStream_t stream);
/** Charges of received points, in the precision of the mesh. */
enuf_status enuf_slab_charges(int64_t n, const enuf_slab_point *points, int single, void *q,
                              cudaStream_t stream);
/** Copies results into the caller's order: to[i] from came_back [n_others] or from own, by
 * sent_as. */
enuf_status enuf_slab_bring_values(int64_t n, int64_t n_others, const uint32_t *sent_as, int single,
                                   const void *came_back, const void *own, void *to,
                                   cudaStream_t stream);
/** The same for gradients [n][3]; converts them from cells to Cartesian coordinates. */
enuf_status enuf_slab_bring_gradients(const enuf_slab_fold *fold, int64_t n, int64_t n_others,
                                      const uint32_t *sent_as, int single, const void *came_back,
                                      const void *own, void *to, cudaStream_t stream);

/* ---- slab_planes.cu: planes of cells, and of frequencies ---- */

/** to[i] += from[i] */
enuf_status enuf_slab_add(int64_t n, int single, const void *from, void *to, cudaStream_t stream);

/** Frequencies [plane][grid_y][row] of a slab after the transform of x and y, rows complex. Packed
 * modes are sorted by the slabs of their lines: [slab][plane][its modes of y][modes_x]. */
typedef struct enuf_slab_planes {
    int64_t planes, grid_y, row;
    int64_t modes_x, modes_y; /* of x: 0 ...; of y: all, 0, 1, ..., -2, -1 */
    int slabs;
} enuf_slab_planes;

enuf_status enuf_slab_pack_modes(const enuf_slab_planes *planes, int single, const void *spectrum,
                                 void *packed, cudaStream_t stream);
/** The reverse; frequencies that are not modes become 0. */
enuf_status enuf_slab_unpack_modes(const enuf_slab_planes *planes, int single, const void *packed,
                                   void *spectrum, cudaStream_t stream);

/* ---- slab_lines.cu: lines of z ---- */

/** Lines [grid_z][columns]; columns are [modes of y][modes_x]. */
typedef struct enuf_slab_lines {
    int64_t columns, modes_x;
    int64_t modes_y, y_lo; /* all modes of y: 0, 1, ..., -2, -1; first one of this slab */
    int64_t modes_z, grid_z;
} enuf_slab_lines;

/** energy, then moments xx, yy, zz, xy, xz, yz of weight 1 */
enum { ENUF_SLAB_SUMS = 7, ENUF_SLAB_PARTIALS = 2048 };

/**
 * weights [2][modes_z][columns]: those of influence.c over the square of the window's transform.
 * inverse: 1/w of x [modes_x], then of y [modes_y/2 + 1], then of z.
 */
enuf_status enuf_slab_weigh(const enuf_slab_lines *lines, const enuf_cuda_influence *influence,
                            const double *inverse, int single, void *weights, cudaStream_t stream);

/** Sums over the lines' modes into sums [ENUF_SLAB_SUMS]; partial
 * [ENUF_SLAB_PARTIALS][ENUF_SLAB_SUMS]. The order of addition depends only on the number of modes.
 * moments 0: the energy, then zeros. */
enuf_status enuf_slab_reduce(const enuf_slab_lines *lines, const void *weights, int single,
                             int moments, const void *spectrum, double *partial, double *sums,
                             cudaStream_t stream);

/** to = from times weight 0 (component -1), or times the multiplier of component 0 ... 5 of the
 * virial. Frequencies that are not modes become 0. to may equal from. */
enuf_status enuf_slab_multiply(const enuf_slab_lines *lines, const void *weights,
                               const double inverse[9], int component, int single, const void *from,
                               void *to, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
