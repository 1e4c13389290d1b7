/*
 * matrix_interpolate.cu - level MATRIX: values as a product with the matrix, a group of lanes a
 * point.
 *
 * Bytes a point: W^d S and W^(d-1) 4 of its row, once for up to TOGETHER numbers of a batch and
 * from the caches for more; W^d cells a vector, from the caches where neighbours share them. Memory
 * bounds it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/precision.cuh"
#include "cuda/results.cuh"
#include "kept_window.cuh"
#include "lane_sum.cuh"
#include "matrix.h"
#include "row_groups.cuh"

enum { TOGETHER = 8 };

struct gather_parameters {
    sorted_view points;
    enuf_cuda_kept kept;
    const void *cells;
    int64_t n_points, batch_cells;
    results out;
    int width, lines, batch, lanes;
};

/* The values of row s in vectors first ... first + VECTORS - 1. All lanes of a warp call it; behind
 * the last row with is_row false. */
template <typename real, int PARTS, int VECTORS>
__device__ __forceinline__ void gather(const gather_parameters &a, const row_group &g, int64_t s,
                                       bool is_row, int first)
{
    const int cells = is_row ? a.lines * a.width : 0;
    const int64_t row = s * a.lines * a.width, x0 = is_row ? a.kept.first[s] : 0;
    const real *from = (const real *)a.cells + first * a.batch_cells;
    real sum[VECTORS][PARTS] = {};
    window_walk at(g.lane, a.lanes, a.width, a.lines);
    for (int i = g.lane; i < cells; i += a.lanes, at.next()) {
        const real weight = ((const real *)a.kept.values)[row + i];
        const int64_t x = folded(x0 + at.x, a.points.grid[0]);
        const real *cell = from + (a.kept.line[s * a.lines + at.y] + x) * PARTS;
        for (int v = 0; v < VECTORS; v++)
            for (int c = 0; c < PARTS; c++) sum[v][c] += weight * cell[v * a.batch_cells + c];
    }
    for (int v = 0; v < VECTORS; v++)
        for (int c = 0; c < PARTS; c++) sum[v][c] = lane_sum(sum[v][c], a.lanes);
    if (g.lane != 0 || !is_row) return;
    const int64_t index = a.kept.index[s];
    for (int v = 0; v < VECTORS; v++)
        for (int c = 0; c < PARTS; c++)
            put<real>(a.out, a.out.values, ((first + v) * a.n_points + index) * PARTS + c,
                      sum[v][c]);
}

template <typename real, int PARTS>
__global__ void __launch_bounds__(ROW_THREADS) gather_points(const gather_parameters a)
{
    constexpr int VECTORS = TOGETHER / PARTS;
    const row_group g(a.lanes);
    const int64_t n = (int64_t)points_of(a.points);
    for (int64_t s = g.first; g.warp_has(s, n); s += g.step) {
        int first = 0;
        for (; first + VECTORS <= a.batch; first += VECTORS)
            gather<real, PARTS, VECTORS>(a, g, s, s < n, first);
        for (; first < a.batch; first++) gather<real, PARTS, 1>(a, g, s, s < n, first);
    }
}

template <typename real> static void launch(const enuf_nufft *plan, const gather_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const unsigned blocks = enuf_cuda_blocks(plan, cuda->points.n * a.lanes, ROW_THREADS);
    if (plan->real)
        gather_points<real, 1><<<blocks, ROW_THREADS, 0, cuda->stream>>>(a);
    else
        gather_points<real, 2><<<blocks, ROW_THREADS, 0, cuda->stream>>>(a);
}

extern "C" enuf_status enuf_cuda_matrix_interpolate(enuf_nufft *plan, void *values)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_interpolate_job job = {};
    gather_parameters a;
    job.values = values;
    if (cuda->points.n == 0) return ENUF_SUCCESS;
    a.points = sorted_view_of(plan);
    a.kept = cuda->points.kept;
    a.cells = cuda->grid;
    a.n_points = plan->n_points;
    a.batch_cells = cuda->batch_cells;
    a.out = results_of(plan, &job);
    a.width = plan->method.fit.width;
    a.lines = enuf_cuda_matrix_lines(plan);
    a.batch = plan->options.batch;
    a.lanes = lanes_for((double)a.lines * a.width);
    ENUF_CUDA_BY_PRECISION(plan, launch, plan, a);
    return enuf_cuda_launched("interpolation by the matrix");
}
