/*
 * interpolate_line.cu - values in 1D: a thread a sorted point. It reads its cells
 * through the first cache, where those of its neighbours are.
 *
 * width loads of a cell, and the window's polynomials, for each point. Execution of type 2 by it
 * and by tiles in registers, complex, float, 1e-5, us: 1e6 values of 1e5 modes 44 and 75; 1e7 of
 * 1e5 modes 575 and 619, of 1e6 modes 611 and 656; 1e8 of 1e6 modes 6480 and 5280 (H200, November
 * 2026).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/results.cuh"
#include "cuda/strategies.h"

static const int LINE_THREADS = 128; /* of a block */

struct line_parameters {
    sorted_view points;
    window_view window;
    const void *cells;
    results out;
};

template <typename real, int PARTS, bool TABLE>
__global__ void __launch_bounds__(LINE_THREADS) interpolate_line(const line_parameters a)
{
    typedef point_value<real, PARTS> cell;
    extern __shared__ __align__(16) unsigned char shared[];
    real *coefficients = (real *)shared;
    if (!TABLE) load_window(a.window, coefficients);
    __syncthreads();
    enuf_chain_wait();
    const cell *cells = (const cell *)a.cells;
    const point_record<real> *records = (const point_record<real> *)a.points.records;
    const int grid = (int)a.points.grid[0], width = a.window.width, step = a.window.step;
    const uint64_t n = points_of(a.points), threads = (uint64_t)gridDim.x * LINE_THREADS;
    for (uint64_t j = (uint64_t)blockIdx.x * LINE_THREADS + threadIdx.x; j < n; j += threads) {
        const point_record<real> r = records[j];
        int at = (int)r.at[1];
        const real t = variable_of(r, 0);
        [[maybe_unused]] table_piece<real> piece;
        if constexpr (TABLE) piece = piece_of_table(a.window, t);
        real sum[PARTS] = {0};
        for (int first = 0; first < width; first += 4) {
            real w[4];
            if constexpr (TABLE)
                four_in_piece(a.window, piece, first, w);
            else
                four_weights(coefficients + first, a.window.n, step, t, w);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                if (first + k >= width) break;
                const cell c = cells[at];
                at = at + 1 < grid ? at + 1 : 0;
                for (int e = 0; e < PARTS; e++) sum[e] += w[k] * c.part[e];
            }
        }
        put_value<real, PARTS>(a.out, (int64_t)r.index, sum);
    }
}

template <typename real, int PARTS>
static void launch(const enuf_nufft *plan, const line_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t blocks = (cuda->points.n + LINE_THREADS - 1) / LINE_THREADS;
    const int64_t most = (int64_t)cuda->multiprocessors * 64;
    const size_t bytes = (size_t)a.window.n * (size_t)a.window.step * sizeof(real);
    const dim3 grid((unsigned)(blocks < most ? blocks : most));
    if (a.window.table)
        enuf_chain(cuda->stream, interpolate_line<real, PARTS, true>, grid, LINE_THREADS, bytes, a);
    else
        enuf_chain(cuda->stream, interpolate_line<real, PARTS, false>, grid, LINE_THREADS, bytes,
                   a);
}

template <typename real> static void interpolate(const enuf_nufft *plan, const line_parameters &a)
{
    if (plan->real)
        launch<real, 1>(plan, a);
    else
        launch<real, 2>(plan, a);
}

extern "C" enuf_status enuf_cuda_interpolate_line(enuf_nufft *plan, const enuf_interpolate_job *job)
{
    line_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.cells = job->cells;
    a.out = results_of(plan, job);
    if (plan->options.precision == ENUF_FLOAT)
        interpolate<float>(plan, a);
    else
        interpolate<double>(plan, a);
    return enuf_cuda_launched("interpolation, a thread a point");
}
