/*
 * interpolate_tiles.cu - values and gradients in 3D by the double-precision matrix units, from a
 * tile in shared memory: faster than a thread a point for some widths in double, where points are
 * many (interpolate.c).
 *
 * A block takes a sub-problem and copies its tile, margin included, in double. A warp takes 16
 * points at a time, neighbours in y. For each row y that one of them meets the sums over z,
 * c[point][x] = sum_z wz[point][z] cell[z][y][x], are products of matrices, 16 x 8 x 8, on the
 * double-precision matrix units; each lane multiplies its sums by the weights of x and y and adds
 * them up. A gradient takes a second product, with the slopes of z. Re and im of complex strengths
 * go through the same code one after the other, the block's second index.
 *
 * Operations: 16 points take width + 3 or so rows of (P/8)^2 products each, P the tile's cells
 * along x and z. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/results.cuh"
#include "cuda/strategies.h"

static const int POINTS = 16; /* of a warp at a time */

/* Warps of a block. */
static const int SMALL_WARPS = 4, MIDDLE_WARPS = 4, LARGE_WARPS = 8;

struct tiles_parameters {
    sorted_view points;
    window_view window;
    const void *cells;
    int64_t row, plane;
    results out;
};

/* PLANE: doubles from one plane of the tile to the next, so that lanes read different banks. */
template <int N, int NY> struct shared_tile {
    enum { P = 8 * N, PLANE = P * NY + 4, COUNT = P * PLANE };
};

/* Of a warp: weights and slopes [3][POINTS][step], the points' first cells. */
__host__ __device__ static int warp_doubles(int step, bool slopes)
{
    return (slopes ? 2 : 1) * 3 * POINTS * step;
}

template <int N, int NY>
static size_t tiles_shared(const window_view &w, size_t number, bool slopes, int warps)
{
    size_t step = (size_t)w.step | 1;
    return sizeof(double) * (shared_tile<N, NY>::COUNT +
                             (size_t)warps * (size_t)warp_doubles((int)step, slopes)) +
           (size_t)w.n * (size_t)w.step * number + 256 * sizeof(int) +
           (size_t)warps * 4 * POINTS * sizeof(int) + 2048 * sizeof(uint16_t);
}

__device__ __forceinline__ double weight_at(const double *w, int cell, int width)
{
    return (unsigned)cell < (unsigned)width ? w[cell] : 0.0;
}

template <typename real, int N, int NY, int WARPS>
__device__ __forceinline__ void load_tile(const tiles_parameters &a, const int64_t origin[3],
                                          int part, double *tile)
{
    const real *cells = (const real *)a.cells + part;
    for (int i = threadIdx.x; i < 64 * N * N * NY; i += 32 * WARPS) {
        const int x = i % (8 * N), rest = i / (8 * N), y = rest % NY, z = rest / NY;
        const int64_t at = folded_once((int)origin[2] + z, (int)a.points.grid[2]) * a.plane +
                           folded_once((int)origin[1] + y, (int)a.points.grid[1]) * a.row +
                           folded_once((int)origin[0] + x, (int)a.points.grid[0]) * a.out.parts;
        tile[z * shared_tile<N, NY>::PLANE + y * 8 * N + x] = (double)cells[at];
    }
}

template <typename real, bool SLOPES, int N, int NY, int WARPS, int BLOCKS>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS) interpolate_tiles(const tiles_parameters a)
{
    constexpr int PLANE = shared_tile<N, NY>::PLANE;
    extern __shared__ double shared[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int width = a.window.width, step = a.window.step | 1, part = blockIdx.y;
    double *tile = shared, *all_weights = tile + shared_tile<N, NY>::COUNT;
    double *weights = all_weights + warp * warp_doubles(step, SLOPES);
    double *slopes = weights + 3 * POINTS * step; /* only where SLOPES */
    real *coefficients = (real *)(all_weights + WARPS * warp_doubles(step, SLOPES));
    int *bins = (int *)(coefficients + a.window.n * a.window.step);
    int *offsets = bins + 256 + warp * 4 * POINTS; /* [3][POINTS] */
    uint32_t *indices = (uint32_t *)(offsets + 3 * POINTS);
    uint16_t *order = (uint16_t *)(bins + 256 + WARPS * 4 * POINTS);
    const uint32_t n = subproblems_of(a.points);
    load_window(a.window, coefficients);

    for (uint32_t k = blockIdx.x; k < n; k += gridDim.x) {
        const enuf_cuda_subproblem sub = a.points.list[k];
        const point_record<real> *records =
            (const point_record<real> *)a.points.records + sub.first;
        const int count = (int)sub.count;
        int64_t origin[3];
        tile_origin(a.points, sub.tile, origin);
        load_tile<real, N, NY, WARPS>(a, origin, part, tile);
        order_by_y(records, count, order, bins);

        for (int begin = POINTS * warp; begin < count; begin += POINTS * WARPS) {
            const int here = min(count - begin, POINTS);
            __syncwarp();
            for (int task = lane; task < 3 * POINTS; task += 32) {
                const int d = task / POINTS, j = task % POINTS;
                double *to = weights + task * step, *slope_to = slopes + task * step;
                /* past the last point, the last one again */
                const point_record<real> *r = records + order[begin + min(j, here - 1)];
                const real variable = variable_of(*r, d);
                offsets[task] = offset_of(*r, d);
                if (d == 0) indices[j] = (uint32_t)r->index;
                for (int p = 0; p < width; p += 4) {
                    real w[4], s[4];
                    if (SLOPES)
                        four_weights_and_slopes(coefficients + p, a.window.n, a.window.step,
                                                variable, w, s);
                    else
                        four_weights(coefficients + p, a.window.n, a.window.step, variable, w);
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        if (p + e < width) {
                            to[p + e] = (double)w[e];
                            if (SLOPES) slope_to[p + e] = (double)s[e];
                        }
                }
            }
            __syncwarp();

            const int low = offsets[POINTS], high = offsets[2 * POINTS - 1] + width;
            const double *x0 = weights + g * step, *x1 = x0 + 8 * step;
            const double *y0 = x0 + POINTS * step, *y1 = y0 + 8 * step;
            const double *z0 = y0 + POINTS * step, *z1 = z0 + 8 * step;
            const int to_slopes = 3 * POINTS * step;
            double wx[N][4], wz[N][4], sx[SLOPES ? N : 1][4], sz[SLOPES ? N : 1][4];
            {
                const int ox0 = offsets[g], ox1 = offsets[g + 8];
                const int oz0 = offsets[2 * POINTS + g], oz1 = offsets[2 * POINTS + g + 8];
#pragma unroll
                for (int b = 0; b < N; b++) {
#pragma unroll
                    for (int e = 0; e < 2; e++) {
                        const int x = 8 * b + 2 * t + e, z = 8 * b + t + 4 * e;
                        wx[b][e] = weight_at(x0, x - ox0, width);
                        wx[b][2 + e] = weight_at(x1, x - ox1, width);
                        wz[b][2 * e] = weight_at(z0, z - oz0, width);
                        wz[b][2 * e + 1] = weight_at(z1, z - oz1, width);
                        if (SLOPES) {
                            sx[b][e] = weight_at(x0 + to_slopes, x - ox0, width);
                            sx[b][2 + e] = weight_at(x1 + to_slopes, x - ox1, width);
                            sz[b][2 * e] = weight_at(z0 + to_slopes, z - oz0, width);
                            sz[b][2 * e + 1] = weight_at(z1 + to_slopes, z - oz1, width);
                        }
                    }
                }
            }
            const int oy0 = offsets[POINTS + g], oy1 = offsets[POINTS + g + 8];
            double value[2] = {0, 0}, slope[2][3] = {{0, 0, 0}, {0, 0, 0}};
            for (int y = low; y < high; y++) {
                const double *cells = tile + y * 8 * N + t * PLANE + g;
                double sum[2] = {0, 0}, sum_x[2] = {0, 0}, sum_z[2] = {0, 0};
#pragma unroll
                for (int x = 0; x < N; x++) {
                    double c[4] = {0, 0, 0, 0}, cz[4] = {0, 0, 0, 0};
#pragma unroll
                    for (int z = 0; z < N; z++) {
                        const double b0 = cells[8 * z * PLANE + 8 * x];
                        const double b1 = cells[(8 * z + 4) * PLANE + 8 * x];
                        multiply_add(c, wz[z], b0, b1);
                        if (SLOPES) multiply_add(cz, sz[z], b0, b1);
                    }
#pragma unroll
                    for (int r = 0; r < 2; r++) {
                        sum[r] = fma(c[2 * r], wx[x][2 * r], sum[r]);
                        sum[r] = fma(c[2 * r + 1], wx[x][2 * r + 1], sum[r]);
                        if (SLOPES) {
                            sum_x[r] = fma(c[2 * r], sx[x][2 * r], sum_x[r]);
                            sum_x[r] = fma(c[2 * r + 1], sx[x][2 * r + 1], sum_x[r]);
                            sum_z[r] = fma(cz[2 * r], wx[x][2 * r], sum_z[r]);
                            sum_z[r] = fma(cz[2 * r + 1], wx[x][2 * r + 1], sum_z[r]);
                        }
                    }
                }
#pragma unroll
                for (int r = 0; r < 2; r++) {
                    const int cell = y - (r ? oy1 : oy0);
                    const double wy = weight_at(r ? y1 : y0, cell, width);
                    value[r] = fma(wy, sum[r], value[r]);
                    if (SLOPES) {
                        const double sy = weight_at((r ? y1 : y0) + to_slopes, cell, width);
                        slope[r][0] = fma(wy, sum_x[r], slope[r][0]);
                        slope[r][1] = fma(sy, sum[r], slope[r][1]);
                        slope[r][2] = fma(wy, sum_z[r], slope[r][2]);
                    }
                }
            }
#pragma unroll
            for (int r = 0; r < 2; r++)
#pragma unroll
                for (int across = 1; across < 4; across *= 2) {
                    value[r] += __shfl_xor_sync(~0u, value[r], across);
                    for (int d = 0; SLOPES && d < 3; d++)
                        slope[r][d] += __shfl_xor_sync(~0u, slope[r][d], across);
                }
            if (t < 2 && g + 8 * t < here) {
                const real slope_of[3] = {(real)(t ? slope[1][0] : slope[0][0]),
                                          (real)(t ? slope[1][1] : slope[0][1]),
                                          (real)(t ? slope[1][2] : slope[0][2])};
                put_results<real>(a.out, indices[g + 8 * t], part, (real)(t ? value[1] : value[0]),
                                  slope_of);
            }
        }
        __syncthreads();
    }
}

template <typename real, bool SLOPES, int N, int NY, int WARPS, int BLOCKS>
static enuf_status launch(const enuf_nufft *plan, const tiles_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    auto kernel = interpolate_tiles<real, SLOPES, N, NY, WARPS, BLOCKS>;
    size_t bytes = tiles_shared<N, NY>(a.window, sizeof(real), SLOPES, WARPS);
    int each = 0;
    ENUF_CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "shared memory for interpolation");
    ENUF_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, 32 * WARPS, bytes),
                  "blocks for interpolation");
    dim3 blocks((unsigned)(each * cuda->multiprocessors), (unsigned)a.out.parts);
    kernel<<<blocks, 32 * WARPS, bytes, cuda->stream>>>(a);
    return enuf_cuda_launched("interpolation from tiles");
}

template <typename real, bool SLOPES>
static enuf_status interpolate(const enuf_nufft *plan, const tiles_parameters &a)
{
    constexpr int SMALL_BLOCKS = SLOPES ? 5 : 6;
    if (a.window.width <= ENUF_CUDA_SMALL_WIDTH)
        return launch<real, SLOPES, ENUF_CUDA_SMALL / 8, ENUF_CUDA_SMALL_Y, SMALL_WARPS,
                      SMALL_BLOCKS>(plan, a);
    if (a.window.width <= ENUF_CUDA_MIDDLE_WIDTH)
        return launch<real, SLOPES, ENUF_CUDA_MIDDLE / 8, ENUF_CUDA_MIDDLE_Y, MIDDLE_WARPS, 4>(plan,
                                                                                               a);
    return launch<real, SLOPES, ENUF_CUDA_LARGE / 8, ENUF_CUDA_LARGE_Y, LARGE_WARPS, 1>(plan, a);
}

extern "C" size_t enuf_cuda_interpolate_tiles_shared(const enuf_nufft *plan, int gradients)
{
    const window_view w = window_view_of(plan);
    const size_t number = enuf_cuda_number(plan);
    const bool slopes = gradients != 0;
    if (w.width <= ENUF_CUDA_SMALL_WIDTH)
        return tiles_shared<ENUF_CUDA_SMALL / 8, ENUF_CUDA_SMALL_Y>(w, number, slopes, SMALL_WARPS);
    if (w.width <= ENUF_CUDA_MIDDLE_WIDTH)
        return tiles_shared<ENUF_CUDA_MIDDLE / 8, ENUF_CUDA_MIDDLE_Y>(w, number, slopes,
                                                                      MIDDLE_WARPS);
    return tiles_shared<ENUF_CUDA_LARGE / 8, ENUF_CUDA_LARGE_Y>(w, number, slopes, LARGE_WARPS);
}

extern "C" enuf_status enuf_cuda_interpolate_tiles(enuf_nufft *plan,
                                                   const enuf_interpolate_job *job)
{
    tiles_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.cells = job->cells;
    a.row = job->target.stride[1];
    a.plane = job->target.stride[2];
    a.out = results_of(plan, job);
    if (plan->options.precision == ENUF_FLOAT)
        return job->gradients ? interpolate<float, true>(plan, a)
                              : interpolate<float, false>(plan, a);
    return job->gradients ? interpolate<double, true>(plan, a)
                          : interpolate<double, false>(plan, a);
}
