/*
 * windows.cuh - one point at a time by a warp: its window's weights in shared memory and its cells
 * in the target, for any dimension, width, grid and target. Used for wide windows, bricks and, in
 * 3D, tiny grids.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_WINDOWS_CUH
#define ENUF_NUFFT_CUDA_WINDOWS_CUH

#include "point.cuh"

static const int WINDOW_WARPS = 4; /* of a block; blocks take sub-problems */

/** The cells of the target. */
struct window_target {
    int dim, wraps[3];
    int64_t first[3], count[3], stride[3];
};

static inline window_target window_target_of(const enuf_nufft *plan, const enuf_target *target)
{
    window_target t;
    t.dim = plan->options.dim;
    for (int d = 0; d < 3; d++) {
        t.wraps[d] = target->wraps[d];
        t.first[d] = target->first[d];
        t.count[d] = target->count[d];
        t.stride[d] = target->stride[d];
    }
    return t;
}

/**
 * On an axis that does not wrap, finds the cell of u, or of u one period up or down, so that the
 * target holds the whole window. False if none is held. `low`: at_lower_end() of the point.
 */
__device__ __forceinline__ bool place(const window_target &t, int width, int64_t grid, int d,
                                      bool low, int64_t *first)
{
    if (t.wraps[d]) return true;
    if (d >= t.dim) { /* the grid's only cell, after an unused halo */
        *first -= t.first[d];
        return true;
    }
    /* the window of a folded point begins at grid - width/2 at most, or one period below that */
    int64_t at = *first, highest = low ? grid - width / 2 - 1 : grid - width / 2;
    while (at > highest) at -= grid;
    for (int k = 0; k < 3; k++) {
        int64_t shifted = at + (k == 0 ? 0 : k == 1 ? -grid : grid);
        if (shifted >= t.first[d] && shifted + width <= t.first[d] + t.count[d]) {
            *first = shifted - t.first[d];
            return true;
        }
    }
    return false;
}

/** Numbers from the target's first to a cell of the window. */
__device__ __forceinline__ int64_t cell_place(const window_target &t, const int64_t first[3], int x,
                                              int y, int z)
{
    const int64_t p[3] = {first[0] + x, first[1] + y, first[2] + z};
    int64_t at = 0;
    for (int d = 0; d < 3; d++) at += (t.wraps[d] ? folded(p[d], t.count[d]) : p[d]) * t.stride[d];
    return at;
}

/** Weights of a point by a warp, w[axis][cell]; with slopes if `slope` is given, then by
 * polynomials alone. */
template <typename real>
__device__ __forceinline__ void warp_weights(const window_view &window, int dim,
                                             const point_record<real> *r, real (*w)[ENUF_MAX_WIDTH],
                                             real (*slope)[ENUF_MAX_WIDTH])
{
    const real *c = (const real *)window.coefficients;
    for (int task = threadIdx.x % 32; task < dim * window.width; task += 32) {
        int d = task / window.width, p = task % window.width;
        if (!slope) {
            w[d][p] = weight_of(window, *r, d, p);
            continue;
        }
        real t = variable_of(*r, d), value = 0, change = 0;
        for (int k = window.n - 1; k >= 0; k--) {
            change = change * t + value;
            value = value * t + c[k * window.width + p];
        }
        w[d][p] = value;
        slope[d][p] = (real)-2 * change;
    }
}

/** Windows that begin one period apart stand in the same cells: windows of points at the grid's
 * lower end, with folded coordinate u = 0 (odd widths: up to 1/2), and windows of points at its
 * upper end. */
template <typename real>
__device__ __forceinline__ bool at_lower_end(const point_record<real> &r, int width, int d)
{
    const real t = variable_of(r, d); /* odd widths: t = -2 u, or 2 (grid - u) */
    return width % 2 ? t <= 0 : t == -1;
}

/** Places of a point's window on all axes. If the target does not hold it, returns false and puts
 * the point into the record. */
template <typename real>
__device__ __forceinline__ bool
place_point(const sorted_view &points, const window_target &t, int width, const int64_t origin[3],
            const point_record<real> *r, enuf_cuda_record *record, int64_t first[3])
{
    bool held = true;
    for (int d = 0; d < 3; d++) {
        first[d] = folded(origin[d] + offset_of(*r, d), points.grid[d]);
        const bool low = at_lower_end(*r, width, d);
        if (!place(t, width, points.grid[d], d, low, &first[d])) held = false;
    }
    if (!held && threadIdx.x % 32 == 0) atomicMin(&record->outside, (unsigned long long)r->index);
    return held;
}

#endif
