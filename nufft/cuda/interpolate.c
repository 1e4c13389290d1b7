/* interpolate.c - which way points are interpolated. SPDX-License-Identifier: BSD-3-Clause */
#include "strategies.h"

/* Points per fine cell from which on a staged tile serves so many points that it pays, values alone
 * and with gradients. Measured (H100, November 2026; 512^3 cells): width 4, 0.0125 points a cell
 * 0.6 ms a warp a point, 3.2 from tiles; 0.125 3.4 and 3.9; 1.25 36 and 17. Width 6, 1.4 and 2.0;
 * 8.5 and 3.7; 93 and 23. Width 13 in double, 9.3 and 10.8; 49 and 17. */
static double least_density(int width, int gradients)
{
    if (width <= ENUF_CUDA_SMALL_WIDTH) return gradients ? 0.4 : 0.15;
    if (width <= ENUF_CUDA_MIDDLE_WIDTH) return gradients ? 0.04 : 0.02;
    return gradients ? 0.02 : 0.015;
}

static int choose(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    double cells = 1, points = (double)enuf_cuda_of(plan)->points.n;
    for (int d = 0; d < 3; d++) cells *= (double)plan->method.grid[d];
    double least = least_density(plan->method.fit.width, job->gradients != NULL);
    return points < least * cells ? ENUF_CUDA_WARP : ENUF_CUDA_OD;
}

/* 1 if a block's tile fits into the device's shared memory. */
static int tile_fits(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    size_t room = (size_t)enuf_cuda_of(plan)->shared_bytes_per_block;
    return enuf_cuda_interpolate_tiles_shared(plan, job->gradients != NULL) <= room;
}

enuf_status enuf_cuda_interpolate(enuf_nufft *plan, const enuf_interpolate_job *job)
{
    int strategy = enuf_cuda_of(plan)->interpolate_strategy;
    if (enuf_cuda_of(plan)->points.n == 0 || (!job->values && !job->gradients)) return ENUF_SUCCESS;
    if (strategy == ENUF_CUDA_AUTO) strategy = choose(plan, job);
    if (strategy == ENUF_CUDA_OD && !tile_fits(plan, job)) strategy = ENUF_CUDA_WARP;
    if (!enuf_cuda_tiled(plan, &job->target)) strategy = ENUF_CUDA_GM_SORT;
    switch (strategy) {
    case ENUF_CUDA_OD:
        return enuf_cuda_interpolate_tiles(plan, job);
    case ENUF_CUDA_WARP:
        return enuf_cuda_interpolate_warp(plan, job);
    default:
        return enuf_cuda_interpolate_windows(plan, job);
    }
}
