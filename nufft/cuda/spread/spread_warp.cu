/*
 * spread_warp.cu - spreading in 3D by warps that own a tile: no atomics and no barriers within it.
 *
 * A block is one warp; it takes a sub-problem and owns a copy of its tile, margin included, in
 * shared memory. 32 points at a time, each lane evaluates the weights of one point into a small
 * buffer; then the points come one after the other, and lanes are the columns (x, y) of the window:
 * each reads its cells along z, adds, and writes. No two lanes meet in a point; one __syncwarp()
 * keeps the points apart. All products are in registers before the tile is read and all reads come
 * before the writes, else the compiler would have to fear that a write changes a weight. At the end
 * the copy is added to the grid by global reductions. Re and im of complex strengths are separate
 * blocks, blockIdx.y.
 *
 * Operations: a point takes ceil(width^2 / 32) * width * 2 accesses of the warp to shared memory,
 * which bound it, or, where the tile leaves room for few warps a multiprocessor, their latency.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "spread.cuh"
#include "strategies.h"

static const int LANES = 32;

/* Numbers of a point's weights [3][step] in the buffer: an odd number of fours, so that lanes that
 * write side by side meet different banks. */
__host__ __device__ __forceinline__ int buffer_row(const window_view &w)
{
    return ((3 * w.step / 4) | 1) * 4;
}

/* Four numbers that are read and written at once. */
template <typename real> struct alignas(16) four {
    real w[4];
};

/* A lane evaluates its point's weights; those of y are multiplied by the strength. */
template <typename real>
__device__ __forceinline__ void put_weights(const window_view &window, const real *coefficients,
                                            const point_record<real> &r, real strength, real *to)
{
    for (int d = 0; d < 3; d++) {
        const real t = variable_of(r, d), factor = d == 1 ? strength : (real)1;
        for (int p = 0; p < window.width; p += 4) {
            four<real> weights;
            four_weights(coefficients + p, window.n, window.step, t, weights.w);
#pragma unroll
            for (int e = 0; e < 4; e++) weights.w[e] *= factor;
            *(four<real> *)(to + d * window.step + p) = weights;
        }
    }
}

template <typename real, class tile>
__global__ void __launch_bounds__(LANES) spread_warp(const spread_parameters a)
{
    constexpr int COLUMNS = (tile::MOST * tile::MOST + LANES - 1) / LANES; /* of a lane */
    extern __shared__ __align__(16) unsigned char shared[];
    const int width = a.window.width, step = a.window.step, stride = buffer_row(a.window);
    real *coefficients = (real *)shared;
    real *buffer = coefficients + a.window.n * step;
    real *cells = buffer + LANES * stride;
    int *corners = (int *)(cells + tile::COUNT); /* of the points' windows in the tile */
    const int lane = threadIdx.x, part = blockIdx.y;
    const uint32_t n = subproblems_of(a.points);
    load_window(a.window, coefficients);
    for (int i = lane; i < tile::COUNT; i += LANES) cells[i] = 0;

    int column_x[COLUMNS], column_y[COLUMNS], column_at[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        column_x[i] = (lane + LANES * i) % width;
        column_y[i] = (lane + LANES * i) / width;
        column_at[i] = tile::place(column_x[i], column_y[i], 0);
    }

    for (uint32_t k = blockIdx.x; k < n; k += gridDim.x) {
        const enuf_cuda_subproblem sub = a.points.list[k];
        const point_record<real> *records =
            (const point_record<real> *)a.points.records + sub.first;
        const int count = (int)sub.count;
        __syncwarp(); /* the tile is clear, the window there */
        for (int begin = 0; begin < count; begin += LANES) {
            if (begin + lane < count) {
                const point_record<real> r = records[begin + lane];
                put_weights(a.window, coefficients, r, strength_of<real>(a, (int64_t)r.index, part),
                            buffer + lane * stride);
                corners[lane] = tile::place(offset_of(r, 0), offset_of(r, 1), offset_of(r, 2));
            }
            __syncwarp();
            const int here = min(LANES, count - begin);
            for (int j = 0; j < here; j++) {
                const real *w = buffer + j * stride;
                real *corner = cells + corners[j];
                real across[COLUMNS], wz[tile::ROOM];
#pragma unroll
                for (int i = 0; i < COLUMNS; i++)
                    if (lane + LANES * i < width * width)
                        across[i] = w[column_x[i]] * w[step + column_y[i]];
#pragma unroll
                for (int z = 0; z < tile::ROOM; z += 4)
                    if (z < width) {
                        const four<real> weights = *(const four<real> *)(w + 2 * step + z);
#pragma unroll
                        for (int e = 0; e < 4; e++) wz[z + e] = weights.w[e];
                    }
#pragma unroll
                for (int i = 0; i < COLUMNS; i++) {
                    if (lane + LANES * i >= width * width) continue;
                    real *at = corner + column_at[i];
                    real sum[tile::MOST];
#pragma unroll
                    for (int z = 0; z < tile::MOST; z++)
                        if (z < width) sum[z] = at[z * tile::PLANE] + across[i] * wz[z];
#pragma unroll
                    for (int z = 0; z < tile::MOST; z++)
                        if (z < width) at[z * tile::PLANE] = sum[z];
                }
                __syncwarp(); /* the next point meets the same cells, or a new buffer */
            }
        }
        add_tile<real, tile>(a, sub.tile, part, cells);
    }
}

template <typename real> static spread_kernel kernel_of(int width)
{
    return width <= ENUF_CUDA_SMALL_WIDTH    ? spread_warp<real, small_tile>
           : width <= ENUF_CUDA_MIDDLE_WIDTH ? spread_warp<real, middle_tile>
                                             : spread_warp<real, large_tile>;
}

extern "C" size_t enuf_cuda_spread_warp_shared(const enuf_nufft *plan)
{
    const window_view w = window_view_of(plan);
    const size_t number = enuf_cuda_number(plan);
    return window_bytes(w, number) +
           ((size_t)LANES * (size_t)buffer_row(w) + padded_tile_count(w.width)) * number +
           (size_t)LANES * sizeof(int);
}

extern "C" enuf_status enuf_cuda_spread_warp(enuf_nufft *plan, const enuf_spread_job *job)
{
    const spread_parameters a = spread_parameters_of(plan, job);
    const spread_kernel kernel = plan->options.precision == ENUF_FLOAT
                                     ? kernel_of<float>(a.window.width)
                                     : kernel_of<double>(a.window.width);
    return launch_spreading(plan, a, kernel, LANES, enuf_cuda_spread_warp_shared(plan), a.parts,
                            "spreading by warps that own a tile");
}
