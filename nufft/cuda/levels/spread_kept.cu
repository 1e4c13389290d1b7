/*
 * spread_kept.cu - level WEIGHTS: spreading by global atomics, a warp a sorted point, with the kept
 * values of its window: any dimension, width, grid and target, in floating point or, deterministic,
 * in 64-bit integers with the terms of spread_windows.cu. The values of a point are read once for
 * all vectors of a batch.
 *
 * Bound by the second cache: width^dim atomic additions a point and number of its strengths.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/spread/cell_terms.cuh"
#include "kept_window.cuh"
#include "kept.h"

struct spread_kept_parameters {
    sorted_view points;
    window_target target;
    int width, parts, vectors;
    const void *weights, *strengths, *factors;
    int64_t n_points, batch_cells; /* of a vector: points, numbers of its cells */
    void *cells;
    const double *scale; /* fixed point */
    enuf_cuda_record *record;
};

/* The strength of a point in one vector, to the cells of that vector. */
template <typename real, int CELLS>
__device__ __forceinline__ void
spread_strength(const spread_kept_parameters &a, const kept_window<real> &w, int rows, int cells,
                int64_t index, int vector, typename cell_scale<CELLS>::type scale)
{
    const real *q = (const real *)a.strengths + (vector * a.n_points + index) * a.parts;
    const real factor = a.factors ? ((const real *)a.factors)[index] : (real)1;
    const real q0 = q[0] * factor, q1 = a.parts == 2 ? q[1] * factor : (real)0;
    const int64_t first = vector * a.batch_cells;
    const int lane = threadIdx.x % 32;
    window_walk cell(lane, 32, a.width, rows);
    for (int i = lane; i < cells; i += 32, cell.next()) {
        const int x = cell.x, y = cell.y, z = cell.z;
        const int64_t at = first + w.at[0][x] + w.at[1][y] + w.at[2][z];
        add_term<real, CELLS>(a.cells, at, w.weight[0][x], w.weight[1][y], w.weight[2][z], q0,
                              scale);
        if (a.parts == 2)
            add_term<real, CELLS>(a.cells, at + 1, w.weight[0][x], w.weight[1][y], w.weight[2][z],
                                  q1, scale);
    }
}

template <typename real, int CELLS>
__global__ void __launch_bounds__(32 * WINDOW_WARPS) spread_kept(const spread_kept_parameters a)
{
    __shared__ kept_window<real> windows[WINDOW_WARPS];
    const int warp = threadIdx.x / 32, width = a.width, row = a.target.dim * width;
    const int rows = a.target.dim > 1 ? width : 1;
    const int cells = width * rows * (a.target.dim > 2 ? width : 1);
    const uint32_t n = subproblems_of(a.points);
    if (CELLS != NUMBERS && *a.scale == 0) return; /* bad strengths: a NaN would be an integer */
    const auto scale = scale_of<CELLS>(a.scale);
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
                spread_strength<real, CELLS>(a, windows[warp], rows, cells, (int64_t)r->index, v,
                                             scale);
        }
    }
}

template <typename real, int CELLS>
static enuf_status spread(enuf_nufft *plan, const enuf_spread_job *job, int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    spread_kept_parameters a;
    a.points = sorted_view_of(plan);
    a.target = window_target_of(plan, &job->target);
    a.width = cuda->window.width;
    a.parts = plan->real ? 1 : 2;
    a.vectors = vectors;
    a.weights = cuda->points.kept.weights;
    a.strengths = job->strengths;
    a.factors = job->factors;
    a.n_points = plan->n_points;
    a.batch_cells = cuda->batch_cells;
    a.cells = job->cells;
    a.scale = cuda->fixed_scale;
    a.record = cuda->record;
    spread_kept<real, CELLS>
        <<<(unsigned)cuda->multiprocessors * 16, 32 * WINDOW_WARPS, 0, cuda->stream>>>(a);
    return enuf_cuda_launched("spreading with kept weights");
}

extern "C" enuf_status enuf_cuda_spread_kept(enuf_nufft *plan, const enuf_spread_job *job,
                                             int vectors)
{
    return plan->options.precision == ENUF_FLOAT ? spread<float, NUMBERS>(plan, job, vectors)
                                                 : spread<double, NUMBERS>(plan, job, vectors);
}

extern "C" enuf_status enuf_cuda_spread_kept_fixed(enuf_nufft *plan, const enuf_spread_job *job)
{
    if (enuf_cuda_of(plan)->avoids_fp64) return spread<float, FIXED_BY_BITS>(plan, job, 1);
    return plan->options.precision == ENUF_FLOAT ? spread<float, FIXED_POINT>(plan, job, 1)
                                                 : spread<double, FIXED_POINT>(plan, job, 1);
}
