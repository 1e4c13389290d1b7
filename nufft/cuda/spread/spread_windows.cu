/*
 * spread_windows.cu - spreading by global atomics, a warp a sorted point: any dimension, width,
 * grid and target, in floating point or, deterministic, in 64-bit integers.
 *
 * Bound by the second cache: width^dim atomic additions a point. Points are sorted, so that
 * successive ones meet the same lines. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/windows.cuh"
#include "cell_terms.cuh"

struct gm_parameters {
    sorted_view points;
    window_view window;
    window_target target;
    const void *strengths, *factors;
    void *cells;
    const double *scale; /* fixed point */
    int parts;
    enuf_cuda_record *record;
};

template <typename real, int CELLS>
__global__ void __launch_bounds__(32 * WINDOW_WARPS) spread_windows(const gm_parameters a)
{
    __shared__ real weights[WINDOW_WARPS][3][ENUF_MAX_WIDTH];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, width = a.window.width;
    const int ny = a.target.dim > 1 ? width : 1, nz = a.target.dim > 2 ? width : 1;
    real(*w)[ENUF_MAX_WIDTH] = weights[warp];
    const uint32_t n = subproblems_of(a.points);
    if (CELLS != NUMBERS && *a.scale == 0) return; /* bad strengths: a NaN would be an integer */
    const auto scale = scale_of<CELLS>(a.scale);
    for (int d = 1; d < 3; d++)
        if (lane == 0) w[d][0] = 1;
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
            warp_weights<real>(a.window, a.target.dim, r, w, nullptr);
            __syncwarp();
            const real *q = (const real *)a.strengths + (int64_t)r->index * a.parts;
            const real factor = a.factors ? ((const real *)a.factors)[r->index] : (real)1;
            const real q0 = q[0] * factor, q1 = a.parts == 2 ? q[1] * factor : (real)0;
            for (int i = lane; i < width * ny * nz; i += 32) {
                const int x = i % width, rest = i / width, y = rest % ny, z = rest / ny;
                const int64_t at = cell_place(a.target, first, x, y, z);
                add_term<real, CELLS>(a.cells, at, w[0][x], w[1][y], w[2][z], q0, scale);
                if (a.parts == 2)
                    add_term<real, CELLS>(a.cells, at + 1, w[0][x], w[1][y], w[2][z], q1, scale);
            }
        }
    }
}

template <typename real, int CELLS>
static enuf_status spread(enuf_nufft *plan, const enuf_spread_job *job)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    gm_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.target = window_target_of(plan, &job->target);
    a.strengths = job->strengths;
    a.factors = job->factors;
    a.cells = job->cells;
    a.scale = cuda->fixed_scale;
    a.parts = plan->real ? 1 : 2;
    a.record = cuda->record;
    spread_windows<real, CELLS>
        <<<(unsigned)cuda->multiprocessors * 16, 32 * WINDOW_WARPS, 0, cuda->stream>>>(a);
    return enuf_cuda_launched("spreading");
}

extern "C" enuf_status enuf_cuda_spread_windows(enuf_nufft *plan, const enuf_spread_job *job)
{
    return plan->options.precision == ENUF_FLOAT ? spread<float, NUMBERS>(plan, job)
                                                 : spread<double, NUMBERS>(plan, job);
}

extern "C" enuf_status enuf_cuda_spread_windows_fixed(enuf_nufft *plan, const enuf_spread_job *job)
{
    if (enuf_cuda_of(plan)->avoids_fp64) return spread<float, FIXED_BY_BITS>(plan, job);
    return plan->options.precision == ENUF_FLOAT ? spread<float, FIXED_POINT>(plan, job)
                                                 : spread<double, FIXED_POINT>(plan, job);
}
