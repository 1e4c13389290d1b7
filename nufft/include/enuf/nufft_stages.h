/*
 * enuf/nufft_stages.h - the stages of a NUFFT one by one, on the caller's arrays, for codes that
 * have a decomposition and a distributed FFT of their own. A plan (options.no_grid = 1) supplies
 * window, points and sort. Bricks are summed in floating point, `deterministic` or not: with
 * several threads the last bits may differ between runs.
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
 * A box of fine grid cells. Axes in the order x, y, z; those past dim are 1, 0, 1, 0, 0.
 *
 * Cell (i, j, k), lo - halo_lo <= index < lo + n + halo_hi, lies at
 *   (i - lo + halo_lo)_x stride[0] + (j - ...)_y stride[1] + (k - ...)_z stride[2]
 * from the pointer, counted in elements (real or complex numbers, to which it is aligned on a GPU).
 * stride[0] must be 1; y or z may be the slower axis, but rows and planes do not overlap; past dim
 * strides are positive. An axis without a halo (both 0) must be whole (n = global) and wraps; an
 * axis with a halo does not fold: a point whose window leaves the box is ENUF_OUTSIDE_BRICK with
 * its index. On such an axis the plan's folded coordinate is used, or that plus or minus one period
 * where it fits only there.
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
 * A box of the Fourier transform of the fine grid, unnormalised, as an FFT leaves it.
 *
 * Axis d of the transform has global_grid[d] frequencies in FFT order; the box holds lo[d] ...
 * lo[d] + n[d] - 1 of them. axis_order[0] is the slowest axis of the array and axis_order[dim-1]
 * the fastest: transposed output is legal ({2, 1, 0} is [z][y][x]). half_axis: the axis of which a
 * real-to-complex transform holds 0 ... global_grid/2 only, or -1 for a complex transform.
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
 * Spreads onto a brick. strengths [n] (one batch), factors [n] real, in the plan's precision,
 * multiplied into the strengths, or NULL. add: 0 overwrites the cells, 1 adds to them. After
 * ENUF_OUTSIDE_BRICK some points are in the cells and some are not. ENUF_NOT_FINITE where a
 * strength times its factor is not, or where they are so large that sums over the grid would not
 * be: the cells are as before. In device memory nothing is looked at here, and enuf_nufft_check()
 * tells it once the cells have passed through enuf_stage_deconvolve() or enuf_stage_interpolate().
 */
ENUF_API enuf_status enuf_stage_spread(enuf_nufft *plan, const void *strengths, const void *factors,
                                       const enuf_brick *brick, void *cells, int add);

/** Interpolates from a brick. values [n], gradients [n][dim]; factors multiply both; add as above.
 * Errors: ENUF_OUTSIDE_BRICK; ENUF_NOT_FINITE where a result is not. What was computed stands in
 * the arrays; in device memory enuf_nufft_check() tells it. */
ENUF_API enuf_status enuf_stage_interpolate(enuf_nufft *plan, const enuf_brick *brick,
                                            const void *cells, const void *factors, void *values,
                                            void *gradients, int add);

/** Multiplies a box by 1/w(m), w the window's transform, and zeroes what is no mode. Error:
 * ENUF_NOT_FINITE where the zeroth frequency, the sum of all cells, is not; the box is as before.
 * In device memory enuf_nufft_check() tells it. */
ENUF_API enuf_status enuf_stage_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box,
                                           void *spectrum);

/** spectrum *= multiplier: [box] real or complex in the plan's precision, in the box's own order.
 */
ENUF_API enuf_status enuf_stage_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                         enuf_multiplier kind, const void *multiplier,
                                         void *spectrum);

/** As enuf_nufft_reduce, over one box: weights [n][box], sums [n][1 or 7]. Error in host memory:
 * ENUF_NOT_FINITE where a sum is not. */
ENUF_API enuf_status enuf_stage_reduce(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                       const void *weights, int moments, const void *spectrum,
                                       double *sums);

#ifdef __cplusplus
}
#endif
#endif
