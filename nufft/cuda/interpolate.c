/* interpolate.c - which way points are interpolated. SPDX-License-Identifier: BSD-3-Clause */
#include "strategies.h"

/* What decides is measured (H100, November 2026): docs/decisions.md has the rates. */

/* Points per fine cell from which on a tile staged in shared memory pays. */
static const double DENSITY_NARROW = 0.2, DENSITY = 0.03;
/* ... and points: fewer leave most of the device waiting for their tiles. */
static const int64_t LEAST_POINTS = 30000;

/* 1 where the double-precision matrix units are faster than a thread or two a point: where their
 * multiples of eight cells fit the window, and points are many. */
static int matrix_units_pay(const enuf_nufft *plan, const enuf_interpolate_job *job, double density)
{
    const int width = plan->method.fit.width;
    if (plan->options.precision == ENUF_FLOAT || density < 0.2) return 0;
    return job->gradients ? width > 15 : width == 9 || width > 12;
}

static int choose(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    const int64_t points = enuf_cuda_of(plan)->points.n;
    const int narrow = plan->method.fit.width <= ENUF_CUDA_SMALL_WIDTH;
    double density = (double)points;
    for (int d = 0; d < 3; d++) density /= (double)plan->method.grid[d];
    if (points < LEAST_POINTS || density < (narrow ? DENSITY_NARROW : DENSITY))
        return ENUF_CUDA_GATHER;
    return matrix_units_pay(plan, job, density) ? ENUF_CUDA_OD : ENUF_CUDA_POINTS;
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
    if (strategy == ENUF_CUDA_OD && !tile_fits(plan, job)) strategy = ENUF_CUDA_GATHER;
    if (!enuf_cuda_tiled(plan, &job->target)) strategy = ENUF_CUDA_GM_SORT;
    switch (strategy) {
    case ENUF_CUDA_OD:
        return enuf_cuda_interpolate_tiles(plan, job);
    case ENUF_CUDA_POINTS:
        return plan->options.precision == ENUF_FLOAT
                   ? enuf_cuda_interpolate_points_float(plan, job)
                   : enuf_cuda_interpolate_points_double(plan, job);
    case ENUF_CUDA_GATHER:
        return enuf_cuda_interpolate_gather(plan, job);
    default:
        return enuf_cuda_interpolate_windows(plan, job);
    }
}
