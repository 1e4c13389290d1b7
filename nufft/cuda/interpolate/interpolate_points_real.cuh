/*
 * interpolate_points_real.cuh - the kernels of interpolate_points.cuh for all widths in one
 * precision, for interpolate_points_float.cu and interpolate_points_double.cu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_INTERPOLATE_POINTS_REAL_CUH
#define ENUF_NUFFT_CUDA_INTERPOLATE_POINTS_REAL_CUH

#include "interpolate_points.cuh"

typedef shared_tile<ENUF_CUDA_SMALL, ENUF_CUDA_SMALL_Y> small_tile;
typedef shared_tile<ENUF_CUDA_MIDDLE, ENUF_CUDA_MIDDLE_Y> middle_tile;
typedef shared_tile<ENUF_CUDA_LARGE, ENUF_CUDA_LARGE_Y> large_tile;

/* Real and imaginary parts at once if a tile of both leaves room for several blocks. Two lanes a
 * point for wide windows: there fewer conflicts pay for the work that both lanes do. */
template <typename real, int WIDTH, class tile>
static enuf_status points_of_width(enuf_nufft *plan, const points_parameters &a,
                                   const enuf_interpolate_job *job)
{
    constexpr int PARTS = WIDTH <= ENUF_CUDA_MIDDLE_WIDTH ? 2 : 1, SHARE = WIDTH < 8 ? 1 : 2;
    if (a.out.parts == 1)
        return a.out.gradients ? launch_points<real, 1, true, WIDTH, SHARE, tile>(plan, a, job)
                               : launch_points<real, 1, false, WIDTH, SHARE, tile>(plan, a, job);
    return a.out.gradients ? launch_points<real, PARTS, true, WIDTH, SHARE, tile>(plan, a, job)
                           : launch_points<real, PARTS, false, WIDTH, SHARE, tile>(plan, a, job);
}

template <typename real>
static enuf_status points_by_width(enuf_nufft *plan, const points_parameters &a,
                                   const enuf_interpolate_job *job)
{
    switch (a.window.width) {
    case 2:
        return points_of_width<real, 2, small_tile>(plan, a, job);
    case 3:
        return points_of_width<real, 3, small_tile>(plan, a, job);
    case 4:
        return points_of_width<real, 4, small_tile>(plan, a, job);
    case 5:
        return points_of_width<real, 5, middle_tile>(plan, a, job);
    case 6:
        return points_of_width<real, 6, middle_tile>(plan, a, job);
    case 7:
        return points_of_width<real, 7, middle_tile>(plan, a, job);
    case 8:
        return points_of_width<real, 8, middle_tile>(plan, a, job);
    case 9:
        return points_of_width<real, 9, middle_tile>(plan, a, job);
    case 10:
        return points_of_width<real, 10, large_tile>(plan, a, job);
    case 11:
        return points_of_width<real, 11, large_tile>(plan, a, job);
    case 12:
        return points_of_width<real, 12, large_tile>(plan, a, job);
    case 13:
        return points_of_width<real, 13, large_tile>(plan, a, job);
    case 14:
        return points_of_width<real, 14, large_tile>(plan, a, job);
    case 15:
        return points_of_width<real, 15, large_tile>(plan, a, job);
    default:
        return points_of_width<real, ENUF_CUDA_TILED_WIDTH, large_tile>(plan, a, job);
    }
}

template <typename real>
static enuf_status interpolate_points(enuf_nufft *plan, const enuf_interpolate_job *job,
                                      int vectors)
{
    points_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.cells = job->cells;
    a.row = job->target.stride[1];
    a.plane = job->target.stride[2];
    a.out = results_of(plan, job);
    a.vectors = vectors;
    a.n = plan->n_points;
    a.cells_between = enuf_cuda_of(plan)->batch_cells;
    return points_by_width<real>(plan, a, job);
}

#endif
