/*
 * interpolate_kept.cu - level WEIGHTS: values, a warp a sorted point, with the kept values of its
 * window; cells are read through the first cache: any dimension, width, grid and target. The values
 * of a window are read once for all vectors of a batch.
 *
 * Bytes a point: a record, dim width numbers, and from the caches width^dim cells a vector.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/precision.cuh"
#include "cuda/results.cuh"
#include "kept_window.cuh"
#include "lane_sum.cuh"
#include "kept.h"

struct interpolate_kept_parameters {
    sorted_view points;
    window_target target;
    int width, vectors;
    int64_t n_points, batch_cells; /* of a vector: points, numbers of its cells */
    const void *weights, *cells;
    results out;
    enuf_cuda_record *record;
};

/* A point's value in one vector. */
template <typename real, int PARTS>
__device__ __forceinline__ void sum_value(const interpolate_kept_parameters &a,
                                          const kept_window<real> &w, int rows, int cells,
                                          int64_t index, int vector)
{
    const int lane = threadIdx.x % 32;
    const real *from = (const real *)a.cells + vector * a.batch_cells;
    real value[PARTS] = {};
    window_walk cell(lane, 32, a.width, rows);
    for (int i = lane; i < cells; i += 32, cell.next()) {
        const int x = cell.x, y = cell.y, z = cell.z;
        const real *at = from + w.at[0][x] + w.at[1][y] + w.at[2][z];
        const real weight = w.weight[0][x] * w.weight[1][y] * w.weight[2][z];
        for (int c = 0; c < PARTS; c++) value[c] += weight * at[c];
    }
    for (int c = 0; c < PARTS; c++) value[c] = lane_sum(value[c], 32);
    if (lane != 0) return;
    const real factor = factor_of<real>(a.out, index);
    for (int c = 0; c < PARTS; c++)
        put<real>(a.out, a.out.values, (vector * a.n_points + index) * PARTS + c,
                  value[c] * factor);
}

template <typename real, int PARTS>
__global__ void __launch_bounds__(32 * WINDOW_WARPS)
    interpolate_kept(const interpolate_kept_parameters a)
{
    __shared__ kept_window<real> windows[WINDOW_WARPS];
    const int warp = threadIdx.x / 32, width = a.width, row = a.target.dim * width;
    const int rows = a.target.dim > 1 ? width : 1;
    const int cells = width * rows * (a.target.dim > 2 ? width : 1);
    const uint32_t n = subproblems_of(a.points);
    for (uint32_t k = blockIdx.x; k < n; k += gridDim.x) {
        const enuf_cuda_subproblem sub = a.points.list[k];
        int64_t origin[3], first[3];
        tile_origin(a.points, sub.tile, origin);
        for (uint32_t j = (uint32_t)warp; j < sub.count; j += WINDOW_WARPS) {
            const int64_t at = (int64_t)sub.first + j;
            const point_record<real> *r = (const point_record<real> *)a.points.records + at;
            if (!place_point(a.points, a.target, width, origin, r, a.record, first)) continue;
            load_kept(a.target, width, first, (const real *)a.weights + at * row, &windows[warp]);
            for (int v = 0; v < a.vectors; v++)
                sum_value<real, PARTS>(a, windows[warp], rows, cells, (int64_t)r->index, v);
        }
    }
}

template <typename real>
static void launch(const enuf_nufft *plan, const interpolate_kept_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const unsigned blocks = (unsigned)cuda->multiprocessors * 16, threads = 32 * WINDOW_WARPS;
    if (plan->real)
        interpolate_kept<real, 1><<<blocks, threads, 0, cuda->stream>>>(a);
    else
        interpolate_kept<real, 2><<<blocks, threads, 0, cuda->stream>>>(a);
}

extern "C" enuf_status enuf_cuda_interpolate_kept(enuf_nufft *plan, const enuf_interpolate_job *job,
                                                  int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    interpolate_kept_parameters a;
    a.points = sorted_view_of(plan);
    a.target = window_target_of(plan, &job->target);
    a.width = cuda->window.width;
    a.vectors = vectors;
    a.n_points = plan->n_points;
    a.batch_cells = cuda->batch_cells;
    a.weights = cuda->points.kept.weights;
    a.cells = job->cells;
    a.out = results_of(plan, job);
    a.record = cuda->record;
    ENUF_CUDA_BY_PRECISION(plan, launch, plan, a);
    return enuf_cuda_launched("interpolation with kept weights");
}
