/*
 * kept_window.cuh - a point's kept weights and the places of its cells in a warp's shared memory,
 * and a warp's way through the cells. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_KEPT_WINDOW_CUH
#define ENUF_NUFFT_CUDA_KEPT_WINDOW_CUH

#include "cuda/windows.cuh"

/** Weights of a window, and what each cell of an axis adds to the place of a cell. */
template <typename real> struct kept_window {
    real weight[3][ENUF_MAX_WIDTH];
    int64_t at[3][ENUF_MAX_WIDTH]; /* in numbers */
};

__device__ __forceinline__ int64_t place_on_axis(const window_target &t, int d, int64_t cell)
{
    return (t.wraps[d] ? folded(cell, t.count[d]) : cell) * t.stride[d];
}

/** Fills *to from a point's kept weights [dim][width]; first: place_point() of the point. All lanes
 * of a warp call it; it begins and ends with a barrier of the warp. */
template <typename real>
__device__ __forceinline__ void load_kept(const window_target &t, int width, const int64_t first[3],
                                          const real *weights, kept_window<real> *to)
{
    const int lane = threadIdx.x % 32;
    __syncwarp(); /* the point before is done */
    for (int i = lane; i < t.dim * width; i += 32) {
        const int d = i / width, p = i - d * width;
        to->weight[d][p] = weights[i];
        to->at[d][p] = place_on_axis(t, d, (d == 0 ? first[0] : d == 1 ? first[1] : first[2]) + p);
    }
    for (int d = 1; d < 3; d++)
        if (d >= t.dim && lane == 0) {
            to->weight[d][0] = 1;
            to->at[d][0] = place_on_axis(t, d, first[d]);
        }
    __syncwarp();
}

/** Cells lane, lane + 32, ... of a window, x fastest, without a division for each. */
struct window_walk {
    int x, y, z, step_x, step_y, step_z, width, rows;

    __device__ __forceinline__ window_walk(int first, int step, int of_width, int of_rows)
        : x(first % of_width), y(first / of_width % of_rows), z(first / of_width / of_rows),
          step_x(step % of_width), step_y(step / of_width % of_rows),
          step_z(step / of_width / of_rows), width(of_width), rows(of_rows)
    {
    }

    __device__ __forceinline__ void next()
    {
        x += step_x;
        y += step_y;
        z += step_z;
        if (x >= width) {
            x -= width;
            y++;
        }
        if (y >= rows) {
            y -= rows;
            z++;
        }
    }
};

#endif
