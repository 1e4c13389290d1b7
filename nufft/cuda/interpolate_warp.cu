/*
 * interpolate_warp.cu - values and gradients in 3D, a warp a sorted point, cells read through the
 * first cache.
 *
 * Lanes are cells side by side in x of LY rows in y (and LZ planes), so that a load meets few
 * lines; a lane sums its cells over all rows and planes, weighted by y and z, and multiplies by the
 * weight of x once at the end: value and gradient share every load. A warp takes 32 neighbours in
 * the sorted order: each lane finds one's place, then all lanes work on one after the other.
 * Weights are evaluated a lane a cell of an axis, with coefficients laid out by lanes.
 *
 * width^2/LY loads a point, of about LY lines each; instructions and lines bound it about equally.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "results.cuh"
#include "strategies.h"

/* Warps of a block: many share what they read in the first cache; few, where points are few, give
 * every multiprocessor a block. */
static const int MOST_WARPS = 16, LEAST_WARPS = 4;

struct warp_parameters {
    sorted_view points;
    window_view window;
    const void *cells;
    int64_t row, plane;
    results out;
};

/* Of a point: the window's first cell, where it was in the caller's order. */
struct alignas(16) placed_point {
    int x, y, z;
    uint32_t index;
};

/* A warp's own part of shared memory. */
template <typename real, int PARTS, bool SLOPES> struct warp_space {
    placed_point place[32];
    real variable[3][32];
    real result[SLOPES ? 4 : 1][PARTS][32];
};

/* Coefficients [pass][n][32]: lane's cell of the lane's axis, 0 past the window. */
template <typename real, int LX>
__device__ __forceinline__ void lay_out_window(const window_view &w, real *shared)
{
    constexpr int SLOTS = LX == 16 ? 16 : 8; /* lanes of an axis */
    const real *c = (const real *)w.coefficients;
    for (int i = threadIdx.x; i < w.n * 32; i += blockDim.x) {
        const int p = i % SLOTS;
        shared[i] = p < w.width ? c[i / 32 * w.width + p] : (real)0;
    }
}

template <typename real, bool SLOPES>
__device__ __forceinline__ void lane_weight(const real *c, int n, real t, real &w, real &slope)
{
    w = c[(n - 1) * 32];
    slope = 0;
#pragma unroll 4
    for (int k = n - 2; k >= 0; k--) {
        if (SLOPES) slope = slope * t + w;
        w = w * t + c[k * 32];
    }
    slope *= (real)-2; /* t falls by 2 while the point's position grows by 1 */
}

/* Sums over the warp: of one number, in all lanes; of four, the k-th in lanes 8 k ... 8 k + 7. */
template <typename real> __device__ __forceinline__ real warp_sum(real x)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

template <typename real>
__device__ __forceinline__ real warp_sum_four(real a, real b, real c, real d)
{
    const bool upper = threadIdx.x & 16, odd = threadIdx.x & 8;
    const real keep0 = upper ? c : a, give0 = upper ? a : c;
    const real keep1 = upper ? d : b, give1 = upper ? b : d;
    const real first = keep0 + __shfl_xor_sync(~0u, give0, 16);
    const real second = keep1 + __shfl_xor_sync(~0u, give1, 16);
    real sum = (odd ? second : first) + __shfl_xor_sync(~0u, odd ? first : second, 8);
#pragma unroll
    for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    return sum;
}

template <typename real, int PARTS>
__device__ __forceinline__ void load_cell(const real *from, real c[PARTS])
{
    if (PARTS == 1) {
        c[0] = *from;
    } else if (sizeof(real) == 4) {
        const float2 pair = *(const float2 *)from;
        c[0] = (real)pair.x;
        c[PARTS - 1] = (real)pair.y;
    } else {
        const double2 pair = *(const double2 *)from;
        c[0] = (real)pair.x;
        c[PARTS - 1] = (real)pair.y;
    }
}

/* LX * LY * LZ = 32 lanes; ROWS of a lane in y, at most 8. */
template <typename real, int LX, int LY, int LZ, int ROWS, int PARTS, bool SLOPES>
__global__ void __launch_bounds__(32 * MOST_WARPS) interpolate_warp(const warp_parameters a)
{
    typedef warp_space<real, PARTS, SLOPES> space;
    constexpr int SLOTS = LX == 16 ? 16 : 8;
    extern __shared__ double shared[];
    const int lane = threadIdx.x % 32, width = a.window.width, nc = a.window.n;
    space &own = ((space *)shared)[threadIdx.x / 32];
    const int warps = blockDim.x / 32;
    real *coefficients = (real *)((space *)shared + warps);
    const real *cells = (const real *)a.cells;
    const int nx = (int)a.points.grid[0], ny = (int)a.points.grid[1], nz = (int)a.points.grid[2];
    const uint64_t n = points_of(a.points), chunks = (n + 31) / 32;
    /* lanes past the window read its last cell, with a weight of 0 */
    const int lx = lane % LX, ly = lane / LX % LY, lz = lane / (LX * LY);
    const int cx = min(lx, width - 1);
    lay_out_window<real, LX>(a.window, coefficients);
    __syncthreads();
    for (uint64_t chunk = (uint64_t)blockIdx.x * warps + threadIdx.x / 32; chunk < chunks;
         chunk += (uint64_t)gridDim.x * warps) {
        const uint64_t j = chunk * 32 + (uint64_t)lane;
        const int count = (int)(n - chunk * 32 < 32 ? n - chunk * 32 : 32);
        __syncwarp();
        if (lane < count) {
            const point_record<real> *r = (const point_record<real> *)a.points.records + j;
            int64_t origin[3];
            tile_origin(a.points, tile_of_record(a.points, j, n), origin);
            placed_point p;
            p.x = folded_once((int)origin[0] + offset_of(*r, 0), nx);
            p.y = folded_once((int)origin[1] + offset_of(*r, 1), ny);
            p.z = folded_once((int)origin[2] + offset_of(*r, 2), nz);
            p.index = (uint32_t)r->index;
            own.place[lane] = p;
            for (int d = 0; d < 3; d++) own.variable[d][lane] = variable_of(*r, d);
        }
        __syncwarp();
        for (int i = 0; i < count; i++) {
            const placed_point p = own.place[i];
            real w, slope, wz_lanes, sz_lanes = 0;
            lane_weight<real, SLOPES>(coefficients + lane, nc,
                                      own.variable[min(lane / SLOTS, 2)][i], w, slope);
            int first_z = 2 * SLOTS; /* lane of the first cell's weight */
            wz_lanes = w;
            sz_lanes = slope;
            if (LX == 16) {
                lane_weight<real, SLOPES>(coefficients + lane, nc, own.variable[2][i], wz_lanes,
                                          sz_lanes);
                first_z = 0;
            }
            const real wx = __shfl_sync(~0u, w, lx), sx = SLOPES ? __shfl_sync(~0u, slope, lx) : 0;
            real wy[ROWS], sy[ROWS];
            int at[ROWS];
            const int x = folded_once(p.x + cx, nx) * PARTS, row = (int)a.row;
#pragma unroll
            for (int k = 0; k < ROWS; k++) {
                const int y = LY * k + ly;
                wy[k] = __shfl_sync(~0u, w, SLOTS + y);
                sy[k] = SLOPES ? __shfl_sync(~0u, slope, SLOTS + y) : (real)0;
                at[k] = folded_once(p.y + min(y, width - 1), ny) * row + x;
            }
            real sum[PARTS] = {0}, sum_y[PARTS] = {0}, sum_z[PARTS] = {0};
            /* a window's planes, LZ at a time; the last may be past it, with a weight of 0 */
#pragma unroll 2
            for (int z = lz; z - lz < width; z += LZ) {
                const real wz = __shfl_sync(~0u, wz_lanes, first_z + z);
                const real sz = SLOPES ? __shfl_sync(~0u, sz_lanes, first_z + z) : (real)0;
                const real *plane = cells + folded_once(p.z + min(z, width - 1), nz) * a.plane;
                real s[PARTS] = {0}, s_y[PARTS] = {0};
#pragma unroll
                for (int k = 0; k < ROWS; k++) {
                    real c[PARTS];
                    load_cell<real, PARTS>(plane + at[k], c);
#pragma unroll
                    for (int e = 0; e < PARTS; e++) {
                        s[e] += wy[k] * c[e];
                        if (SLOPES) s_y[e] += sy[k] * c[e];
                    }
                }
#pragma unroll
                for (int e = 0; e < PARTS; e++) {
                    sum[e] += wz * s[e];
                    if (SLOPES) {
                        sum_y[e] += wz * s_y[e];
                        sum_z[e] += sz * s[e];
                    }
                }
            }
#pragma unroll
            for (int e = 0; e < PARTS; e++) {
                if (SLOPES) {
                    const real total =
                        warp_sum_four(wx * sum[e], sx * sum[e], wx * sum_y[e], wx * sum_z[e]);
                    if (lane % 8 == 0) own.result[SLOPES ? lane / 8 : 0][e][i] = total;
                } else {
                    const real total = warp_sum(wx * sum[e]);
                    if (lane == 0) own.result[0][e][i] = total;
                }
            }
        }
        __syncwarp();
        if (lane >= count) continue;
        for (int e = 0; e < PARTS; e++) {
            real slope[3] = {0, 0, 0};
            for (int d = 0; SLOPES && d < 3; d++)
                slope[d] = own.result[SLOPES ? d + 1 : 0][e][lane];
            put_results<real>(a.out, (int64_t)own.place[lane].index, e, own.result[0][e][lane],
                              slope);
        }
    }
}

template <typename real, int LX, int LY, int LZ, int ROWS, int PARTS, bool SLOPES>
static enuf_status launch(const enuf_nufft *plan, const warp_parameters &a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    auto kernel = interpolate_warp<real, LX, LY, LZ, ROWS, PARTS, SLOPES>;
    int64_t chunks = (cuda->points.n + 31) / 32, most = (int64_t)cuda->multiprocessors * 16;
    int warps = chunks > most ? MOST_WARPS : LEAST_WARPS;
    size_t bytes = (size_t)warps * sizeof(warp_space<real, PARTS, SLOPES>) +
                   (size_t)a.window.n * 32 * sizeof(real);
    ENUF_CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "shared memory for interpolation");
    int64_t blocks = (chunks + warps - 1) / warps;
    kernel<<<(unsigned)(blocks < most ? blocks : most), (unsigned)warps * 32, bytes,
             cuda->stream>>>(a);
    return enuf_cuda_launched("interpolation, a warp a point");
}

template <typename real, int PARTS, bool SLOPES>
static enuf_status by_width(const enuf_nufft *plan, const warp_parameters &a)
{
    if (a.window.width <= 4) return launch<real, 4, 4, 2, 1, PARTS, SLOPES>(plan, a);
    if (a.window.width <= 8) return launch<real, 8, 4, 1, 2, PARTS, SLOPES>(plan, a);
    switch ((a.window.width + 1) / 2) {
    case 5:
        return launch<real, 16, 2, 1, 5, PARTS, SLOPES>(plan, a);
    case 6:
        return launch<real, 16, 2, 1, 6, PARTS, SLOPES>(plan, a);
    case 7:
        return launch<real, 16, 2, 1, 7, PARTS, SLOPES>(plan, a);
    default:
        return launch<real, 16, 2, 1, 8, PARTS, SLOPES>(plan, a);
    }
}

template <typename real>
static enuf_status interpolate(const enuf_nufft *plan, const warp_parameters &a)
{
    if (a.out.parts == 1)
        return a.out.gradients ? by_width<real, 1, true>(plan, a)
                               : by_width<real, 1, false>(plan, a);
    return a.out.gradients ? by_width<real, 2, true>(plan, a) : by_width<real, 2, false>(plan, a);
}

extern "C" enuf_status enuf_cuda_interpolate_warp(enuf_nufft *plan, const enuf_interpolate_job *job)
{
    warp_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.cells = job->cells;
    a.row = job->target.stride[1];
    a.plane = job->target.stride[2];
    a.out = results_of(plan, job);
    return plan->options.precision == ENUF_FLOAT ? interpolate<float>(plan, a)
                                                 : interpolate<double>(plan, a);
}
