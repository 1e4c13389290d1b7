/*
 * interpolate_windows.cu - values and gradients, a warp a sorted point, cells read through the
 * first cache: any dimension, width, grid and target. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/results.cuh"
#include "cuda/windows.cuh"

struct windows_parameters {
    sorted_view points;
    window_view window;
    window_target target;
    const void *cells;
    results out;
    enuf_cuda_record *record;
};

template <typename real> __device__ __forceinline__ real warp_sum(real x)
{
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

template <typename real, bool SLOPES>
__global__ void __launch_bounds__(32 * WINDOW_WARPS) interpolate_windows(const windows_parameters a)
{
    __shared__ real weights[2][WINDOW_WARPS][3][ENUF_MAX_WIDTH];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, width = a.window.width;
    const int ny = a.target.dim > 1 ? width : 1, nz = a.target.dim > 2 ? width : 1;
    real(*w)[ENUF_MAX_WIDTH] = weights[0][warp], (*s)[ENUF_MAX_WIDTH] = weights[1][warp];
    const uint32_t n = subproblems_of(a.points);
    for (int d = 1; d < 3; d++)
        if (lane == 0) {
            w[d][0] = 1;
            s[d][0] = 0;
        }
    for (uint32_t k = blockIdx.x; k < n; k += gridDim.x) {
        const enuf_cuda_subproblem sub = a.points.list[k];
        const point_record<real> *records =
            (const point_record<real> *)a.points.records + sub.first;
        int64_t origin[3], first[3];
        tile_origin(a.points, sub.tile, origin);
        for (uint32_t j = (uint32_t)warp; j < sub.count; j += WINDOW_WARPS) {
            const point_record<real> *r = records + j;
            if (!place_point(a.points, a.target, width, origin, r, a.record, first)) continue;
            __syncwarp();
            warp_weights<real>(a.window, a.target.dim, r, w, SLOPES ? s : nullptr);
            __syncwarp();
            for (int part = 0; part < a.out.parts; part++) {
                const real *cells = (const real *)a.cells + part;
                real value = 0, slope[3] = {0, 0, 0};
                for (int i = lane; i < width * ny * nz; i += 32) {
                    const int x = i % width, rest = i / width, y = rest % ny, z = rest / ny;
                    const real cell = cells[cell_place(a.target, first, x, y, z)];
                    value += cell * w[0][x] * w[1][y] * w[2][z];
                    if (SLOPES) {
                        slope[0] += cell * s[0][x] * w[1][y] * w[2][z];
                        slope[1] += cell * w[0][x] * s[1][y] * w[2][z];
                        slope[2] += cell * w[0][x] * w[1][y] * s[2][z];
                    }
                }
                value = warp_sum(value);
                for (int d = 0; SLOPES && d < 3; d++) slope[d] = warp_sum(slope[d]);
                if (lane == 0) put_results<real>(a.out, (int64_t)r->index, part, value, slope);
            }
        }
    }
}

template <typename real> static void launch(enuf_nufft *plan, const windows_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    unsigned blocks = (unsigned)cuda->multiprocessors * 16, threads = 32 * WINDOW_WARPS;
    if (a.out.gradients)
        interpolate_windows<real, true><<<blocks, threads, 0, cuda->stream>>>(a);
    else
        interpolate_windows<real, false><<<blocks, threads, 0, cuda->stream>>>(a);
}

extern "C" enuf_status enuf_cuda_interpolate_windows(enuf_nufft *plan,
                                                     const enuf_interpolate_job *job)
{
    windows_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.target = window_target_of(plan, &job->target);
    a.cells = job->cells;
    a.out = results_of(plan, job);
    a.record = enuf_cuda_of(plan)->record;
    if (plan->options.precision == ENUF_FLOAT)
        launch<float>(plan, a);
    else
        launch<double>(plan, a);
    return enuf_cuda_launched("interpolation");
}
