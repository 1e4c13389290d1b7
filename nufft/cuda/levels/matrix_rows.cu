/*
 * matrix_rows.cu - level MATRIX: the rows of the points, a warp a row.
 *
 * Bytes a point: a record at a random place, W^d numbers and W^(d-1) + 2 indices written side by
 * side: memory bounds it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/precision.cuh"
#include "kept_window.cuh"
#include "matrix.h"

struct row_parameters {
    sorted_view points;
    window_view window;
    enuf_cuda_matrix_order order;
    enuf_cuda_kept kept;
    int dim, lines;
    int64_t pitch;
};

/* The first cells of a window's lines, without x. */
__device__ __forceinline__ void write_lines(const row_parameters &a, int64_t s, int64_t first_line)
{
    const int rows = a.dim > 1 ? a.window.width : 1;
    const int64_t y0 = first_line % a.points.grid[1], z0 = first_line / a.points.grid[1];
    for (int k = threadIdx.x % 32; k < a.lines; k += 32) {
        const int64_t y = folded(y0 + k % rows, a.points.grid[1]);
        const int64_t z = folded(z0 + k / rows, a.points.grid[2]);
        a.kept.line[s * a.lines + k] = (uint32_t)((z * a.points.grid[1] + y) * a.pitch);
    }
}

/* After a refused sort there are no points: the rows of the earlier ones stay. */
template <typename real>
__global__ void __launch_bounds__(32 * WINDOW_WARPS) make_rows(const row_parameters a)
{
    __shared__ real weights[WINDOW_WARPS][3][ENUF_MAX_WIDTH];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, width = a.window.width;
    const int64_t n = (int64_t)points_of(a.points), cells = (int64_t)a.lines * width;
    real(*w)[ENUF_MAX_WIDTH] = weights[warp];
    for (int d = 1; d < 3; d++)
        if (lane == 0) w[d][0] = 1;
    for (int64_t s = (int64_t)blockIdx.x * WINDOW_WARPS + warp; s < n;
         s += (int64_t)gridDim.x * WINDOW_WARPS) {
        const point_record<real> *r =
            (const point_record<real> *)a.points.records + a.order.record[s];
        const int64_t cell = a.order.cell[s];
        real *value = (real *)a.kept.values + s * cells;
        __syncwarp(); /* the point before is done */
        warp_weights<real>(a.window, a.dim, r, w, nullptr);
        __syncwarp();
        window_walk at(lane, 32, width, a.dim > 1 ? width : 1);
        for (int i = lane; i < cells; i += 32, at.next())
            value[i] = w[0][at.x] * (w[1][at.y] * w[2][at.z]);
        write_lines(a, s, cell / a.pitch);
        if (lane != 0) continue;
        a.kept.first[s] = (uint32_t)(cell % a.pitch);
        a.kept.index[s] = (uint32_t)r->index;
    }
}

template <typename real> static void make(const enuf_nufft *plan, const row_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    make_rows<real><<<enuf_cuda_blocks(plan, cuda->points.n, WINDOW_WARPS), 32 * WINDOW_WARPS, 0,
                      cuda->stream>>>(a);
}

extern "C" enuf_status enuf_cuda_matrix_make_rows(enuf_nufft *plan,
                                                  const enuf_cuda_matrix_order *order)
{
    const row_parameters a = {sorted_view_of(plan),
                              window_view_of(plan),
                              *order,
                              enuf_cuda_of(plan)->points.kept,
                              plan->options.dim,
                              enuf_cuda_matrix_lines(plan),
                              enuf_cuda_matrix_pitch(plan)};
    ENUF_CUDA_BY_PRECISION(plan, make, plan, a);
    return enuf_cuda_launched("rows of the matrix");
}
