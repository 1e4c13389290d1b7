/*
 * enuf/nufft_stages.h - single stages of a NUFFT on the caller's arrays, for codes with their own
 * decomposition and distributed FFT. A plan (options.no_grid = 1) supplies window, points and sort.
 * Bricks are summed in floating point even if `deterministic` is set: with several threads the last
 * bits may differ between runs.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_STAGES_H
#define ENUF_NUFFT_STAGES_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A box of fine grid cells. Axes are x, y, z. Past dim set global, lo, n, halo_lo, halo_hi to 1, 0,
 * 1, 0, 0.
 *
 * Cell (i, j, k), lo - halo_lo <= index < lo + n + halo_hi, lies at
 *   (i - lo + halo_lo)_x stride[0] + (j - ...)_y stride[1] + (k - ...)_z stride[2]
 * from the pointer, in elements: real or complex numbers. On a GPU the pointer must be aligned to
 * an element. stride[0] must be 1. y or z may be the slowest axis; rows and planes must not
 * overlap; strides past dim must be positive.
 *
 * An axis without a halo (both 0) must be whole (n = global) and wraps around. An axis with a halo
 * does not wrap: if the window of a point leaves the box, the error is ENUF_OUTSIDE_BRICK and names
 * the point. The coordinate on such an axis is the plan's folded one, or that one period away if
 * only this fits.
 */
typedef struct enuf_brick {
    int64_t global[3];
    int64_t lo[3];
    int64_t n[3];
    int64_t halo_lo[3];
    int64_t halo_hi[3];
    int64_t stride[3];
} enuf_brick;

/**
 * A box of the unnormalised Fourier transform of the fine grid.
 *
 * Axis d of the transform has global_grid[d] frequencies in FFT order; the box holds lo[d] ...
 * lo[d] + n[d] - 1 of them. axis_order[0] is the slowest axis of the array, axis_order[dim-1] the
 * fastest; {2, 1, 0} is [z][y][x], and transposed arrays are legal. half_axis is the axis whose
 * frequencies are 0 ... global_grid/2 only (real-to-complex transforms); -1: none.
 */
typedef struct enuf_spectral_box {
    int64_t global_grid[3];
    int64_t modes[3];
    int64_t lo[3];
    int64_t n[3];
    int axis_order[3];
    int half_axis;
} enuf_spectral_box;

/**
 * Spreads onto a brick.
 *
 * strengths  [n], one batch
 * factors    [n] real, in the plan's precision; multiply the strengths; NULL: 1
 * add        0: overwrite the cells, 1: add to them
 *
 * Errors: ENUF_OUTSIDE_BRICK, and the cells hold some of the points; ENUF_NOT_FINITE if a strength
 * times its factor is not finite, or if sums over the grid would overflow, and the cells do not
 * change. In device memory enuf_nufft_check() reports ENUF_NOT_FINITE, after
 * enuf_stage_deconvolve() or enuf_stage_interpolate() has read the cells.
 */
ENUF_API enuf_status enuf_stage_spread(enuf_nufft *plan, const void *strengths, const void *factors,
                                       const enuf_brick *brick, void *cells, int add);

/** Interpolates from a brick. values [n], gradients [n][dim]; factors multiply both; add as above.
 * Errors: ENUF_OUTSIDE_BRICK; ENUF_NOT_FINITE if a result is not finite. The arrays hold what was
 * computed. In device memory enuf_nufft_check() reports the error. */
ENUF_API enuf_status enuf_stage_interpolate(enuf_nufft *plan, const enuf_brick *brick,
                                            const void *cells, const void *factors, void *values,
                                            void *gradients, int add);

/** Multiplies a box by 1/w(m), w the window's transform, and sets frequencies that are no modes to
 * zero. Error: ENUF_NOT_FINITE if the zeroth frequency, the sum of all cells, is not finite; the
 * box does not change. In device memory enuf_nufft_check() reports it. */
ENUF_API enuf_status enuf_stage_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box,
                                           void *spectrum);

/** spectrum *= multiplier [box]: real or complex, in the plan's precision and the box's order. */
ENUF_API enuf_status enuf_stage_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                         enuf_multiplier kind, const void *multiplier,
                                         void *spectrum);

/** enuf_nufft_reduce() over one box: weights [n][box], sums [n][1 or 7]. Error in host memory:
 * ENUF_NOT_FINITE if a sum is not finite. */
ENUF_API enuf_status enuf_stage_reduce(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                       const void *weights, int moments, const void *spectrum,
                                       double *sums);

#ifdef __cplusplus
}
#endif
#endif
