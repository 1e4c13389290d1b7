/*
 * spread_gm.cu - spreading by global atomics in 3D, a thread a point.
 *
 * The plain way, against which the others are measured. The sort leaves records only, no
 * coordinates in the caller's order: so the threads take the sorted records one after the other,
 * whatever tile they lie in, and find it by bisection. From spread_gm_sort.cu, a warp a sorted
 * point, it differs in this: a thread evaluates all weights of its point and walks over its whole
 * window, so that a warp's reductions go to 32 windows, not to neighbouring cells of one; nothing
 * is shared between threads but the window's coefficients.
 *
 * width^3 reductions a point (twice as many, complex) in the second cache, which bound it, each in
 * a sector of its own. SPDX-License-Identifier: BSD-3-Clause
 */
#include "spread.cuh"
#include "strategies.h"

static const int THREADS = 128;

template <typename real>
__global__ void __launch_bounds__(THREADS) spread_gm(const spread_parameters a)
{
    extern __shared__ __align__(16) unsigned char shared[];
    real *coefficients = (real *)shared;
    const int width = a.window.width, parts = a.parts;
    const int grid[3] = {(int)a.points.grid[0], (int)a.points.grid[1], (int)a.points.grid[2]};
    const uint64_t n = points_of(a.points);
    load_window(a.window, coefficients);
    __syncthreads();

    for (uint64_t j = (uint64_t)blockIdx.x * THREADS + threadIdx.x; j < n;
         j += (uint64_t)gridDim.x * THREADS) {
        const point_record<real> r = ((const point_record<real> *)a.points.records)[j];
        int64_t origin[3];
        tile_origin(a.points, tile_of_record(a.points, j, n), origin);
        real w[3][ENUF_CUDA_TILED_WIDTH];
        for (int d = 0; d < 3; d++) point_weights(a.window, coefficients, variable_of(r, d), w[d]);
        const int x0 = (int)origin[0] + offset_of(r, 0), y0 = (int)origin[1] + offset_of(r, 1),
                  z0 = (int)origin[2] + offset_of(r, 2); /* cells of the grid: not yet folded */
        const real re = strength_of<real>(a, (int64_t)r.index, 0);
        const real im = parts == 2 ? strength_of<real>(a, (int64_t)r.index, 1) : (real)0;
        for (int z = 0; z < width; z++)
            for (int y = 0; y < width; y++) {
                real *row = (real *)a.cells + folded_once(z0 + z, grid[2]) * a.plane +
                            folded_once(y0 + y, grid[1]) * a.row;
                const real across = w[2][z] * w[1][y];
                for (int x = 0; x < width; x++) {
                    real *cell = row + (int64_t)folded_once(x0 + x, grid[0]) * parts;
                    const real weight = across * w[0][x];
                    atomicAdd(cell, weight * re);
                    if (parts == 2) atomicAdd(cell + 1, weight * im);
                }
            }
    }
}

template <typename real>
static enuf_status spread(const enuf_nufft *plan, const spread_parameters &a)
{
    return launch_spreading(plan, a, spread_gm<real>, THREADS, window_bytes(a.window, sizeof(real)),
                            1, "spreading, a thread a point");
}

extern "C" enuf_status enuf_cuda_spread_gm(enuf_nufft *plan, const enuf_spread_job *job)
{
    const spread_parameters a = spread_parameters_of(plan, job);
    return plan->options.precision == ENUF_FLOAT ? spread<float>(plan, a) : spread<double>(plan, a);
}
