/*
 * spread_sm.cu - spreading in 3D through tiles in shared memory, filled by shared-memory atomics.
 *
 * A block takes a sub-problem: points of one tile, as many as the sort allows, so that crowded
 * tiles are shared between blocks. A thread takes a point, evaluates its weights and adds its
 * window to the block's copy of the tile, margin included; at the end the copy is added to the grid
 * by global reductions. Re and im of complex strengths are separate blocks, blockIdx.y: half a tile
 * each, twice the weights.
 *
 * Operations: width^3 shared atomics a point, which bound it (a compare-and-swap loop in floating
 * point); a sub-problem's way out, a reduction a cell of the tile at most.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "spread.cuh"
#include "strategies.h"

static const int THREADS = 128; /* the fewest points of a full sub-problem */

template <typename real, class tile>
__global__ void __launch_bounds__(THREADS) spread_sm(const spread_parameters a)
{
    extern __shared__ __align__(16) unsigned char shared[];
    real *coefficients = (real *)shared;
    real *cells = coefficients + a.window.n * a.window.step;
    const int width = a.window.width, part = blockIdx.y;
    const uint32_t n = subproblems_of(a.points);
    load_window(a.window, coefficients);
    for (int i = threadIdx.x; i < tile::COUNT; i += THREADS) cells[i] = 0;

    for (uint32_t k = blockIdx.x; k < n; k += gridDim.x) {
        const enuf_cuda_subproblem sub = a.points.list[k];
        const point_record<real> *records =
            (const point_record<real> *)a.points.records + sub.first;
        __syncthreads(); /* the tile is clear, the window there */
        for (uint32_t j = threadIdx.x; j < sub.count; j += THREADS) {
            const point_record<real> r = records[j];
            const real strength = strength_of<real>(a, (int64_t)r.index, part);
            real wx[tile::ROOM], wy[tile::ROOM], wz[tile::ROOM];
            point_weights(a.window, coefficients, variable_of(r, 0), wx);
            point_weights(a.window, coefficients, variable_of(r, 1), wy);
            point_weights(a.window, coefficients, variable_of(r, 2), wz);
            real *corner = cells + tile::place(offset_of(r, 0), offset_of(r, 1), offset_of(r, 2));
            for (int z = 0; z < width; z++)
                for (int y = 0; y < width; y++) {
                    const real across = wz[z] * wy[y] * strength;
                    real *row = corner + tile::place(0, y, z);
#pragma unroll
                    for (int x = 0; x < tile::MOST; x++)
                        if (x < width) atomicAdd(row + x, across * wx[x]);
                }
        }
        __syncthreads();
        add_tile<real, tile>(a, sub.tile, part, cells);
    }
}

template <typename real> static spread_kernel kernel_of(int width)
{
    return width <= ENUF_CUDA_SMALL_WIDTH    ? spread_sm<real, small_tile>
           : width <= ENUF_CUDA_MIDDLE_WIDTH ? spread_sm<real, middle_tile>
                                             : spread_sm<real, large_tile>;
}

extern "C" size_t enuf_cuda_spread_sm_shared(const enuf_nufft *plan)
{
    const window_view w = window_view_of(plan);
    const size_t number = enuf_cuda_number(plan);
    return window_bytes(w, number) + padded_tile_count(w.width) * number;
}

extern "C" enuf_status enuf_cuda_spread_sm(enuf_nufft *plan, const enuf_spread_job *job)
{
    const spread_parameters a = spread_parameters_of(plan, job);
    const spread_kernel kernel = plan->options.precision == ENUF_FLOAT
                                     ? kernel_of<float>(a.window.width)
                                     : kernel_of<double>(a.window.width);
    return launch_spreading(plan, a, kernel, THREADS, enuf_cuda_spread_sm_shared(plan), a.parts,
                            "spreading through tiles in shared memory");
}
