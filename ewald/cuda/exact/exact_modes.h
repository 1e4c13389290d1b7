/*
 * exact_modes.h - the kernels of exact sums over modes. Both directions are products of real
 * matrices: phases exp(2 pi i m.s) are products of a factor of the row (m2, m3, centre) and one of
 * the column d, see mode_tiles.h. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_EXACT_MODES_H
#define ENUF_CUDA_EXACT_MODES_H

#include "device.h"

/* A tile has 32 rows; its width is a multiple of 8. A block of structure() takes 32 columns of a
 * tile, one of gather() 32 targets. */
enum { ENUF_TILE_ROWS = 32, ENUF_TILE_WIDTH = 8, ENUF_TILE_COLUMNS = 32, ENUF_TILE_TARGETS = 32 };

/** Modes (centre - reach ... centre - reach + count - 1, m2, m3); reach = count/2 is the largest
 * d. */
typedef struct enuf_tile_row {
    int centre, m2, m3, count;
    int64_t first; /* of the row's modes, among all */
} enuf_tile_row;

typedef struct enuf_mode_tile {
    int64_t first; /* of the tile's cells [ENUF_TILE_ROWS][width], among all */
    int width;     /* columns d = 0 ... width - 1 */
} enuf_mode_tile;

typedef struct enuf_tile_job {
    int tile, column; /* the first one */
} enuf_tile_job;

/** Modes on the device. */
typedef struct enuf_device_modes {
    const enuf_tile_row *rows;
    const enuf_mode_tile *tiles;
    const enuf_tile_job *jobs;
    int n_tiles, n_jobs;
    int64_t n_cells;
} enuf_device_modes;

/** Phases of a batch of points: exp(2 pi i m s_d), m = 0 ... largest[d], is
 * phase[d][m * points + j]. `points` is a multiple of 64; behind the last point all phases are 0.
 */
typedef struct enuf_device_phases {
    const double2 *phase[3];
    int largest[3];
    int points;
} enuf_device_phases;

#ifdef __cplusplus
extern "C" {
#endif

/** Fills phases of axis d for n points: s [n][3] in units of 2^-64, weights [n] (NULL: 1). */
enuf_status enuf_exact_phases_launch(const uint64_t *s, const double *weights, int n, int d,
                                     int largest, int points, double2 *phase, cudaStream_t stream);

/**
 * Sums of products over `chunk` points at a time: sums [chunks][cells][2], each cos, sin of column
 * d times the real and the imaginary factor of the row; phases of axis 2 hold the charges.
 */
enuf_status enuf_exact_structure_launch(const enuf_device_modes *modes,
                                        const enuf_device_phases *phases, int chunk, double2 *sums,
                                        cudaStream_t stream);
/** Adds the chunks: total [cells][2]; `first`: sets it. */
enuf_status enuf_exact_add_chunks_launch(const enuf_device_modes *modes, const double2 *sums,
                                         int chunks, int first, double2 *total,
                                         cudaStream_t stream);
/** Structure factors [modes] from the totals. */
enuf_status enuf_exact_factors_launch(const enuf_device_modes *modes, const double2 *total,
                                      double2 *factors, cudaStream_t stream);

/** Coefficients [cells][2] from weighted structure factors [modes]: with F at c + d and G at c - d
 * (0 where there is none) they are Re(F+G), Im(F-G), Im(F+G), Re(F-G). */
enuf_status enuf_exact_coefficients_launch(const enuf_device_modes *modes, const double2 *factors,
                                           double2 *coefficients, cudaStream_t stream);
/** Sums over ENUF_TILES_OF_CHUNK tiles at a time: sums [chunks][points][4], potential and its
 * derivatives by s1, s2, s3 over 2 pi. */
enum { ENUF_TILES_OF_CHUNK = 4 };
enuf_status enuf_exact_gather_launch(const enuf_device_modes *modes,
                                     const enuf_device_phases *phases, const double2 *coefficients,
                                     double *sums, cudaStream_t stream);
/** Adds the chunks: total [n][4]. */
enuf_status enuf_exact_add_gathered_launch(const double *sums, int chunks, int points, int n,
                                           double *total, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
