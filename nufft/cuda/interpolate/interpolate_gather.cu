/*
 * interpolate_gather.cu - values and gradients in 2D and 3D where points are few: some lanes of a
 * warp a sorted point. Cells are read through the first cache, without a tile in shared memory. A
 * window of 2D is one plane of 3D, of weight 1.
 *
 * LX lanes are cells side by side in x, so that a load meets one line or two of each point; a lane
 * sums its cells over rows and planes, weighted by y and z, and multiplies by the weight of x once
 * at the end: value and gradient share every load. Where there are too few points to fill the
 * device, LY lanes share a point's rows. A warp takes up to 32 neighbours in the sorted order: each
 * lane finds one's place, then 32 / (LX LY) points are worked on at a time. A lane evaluates the
 * weights of its cell on all axes with one read of each coefficient.
 *
 * 2,600 points, 64^3 modes, width 16 in double: 24 us; a warp a point, one after the other, 425
 * (H100, November 2026).
 *
 * In 3D width^2 loads for 32/LX points, of LX numbers each; the lines they meet bound it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/results.cuh"
#include "cuda/strategies.h"

static const int GATHER_WARPS = 4; /* of a block */

struct gather_parameters {
    sorted_view points;
    window_view window;
    const void *cells;
    int64_t row, plane;
    int chunk; /* points of a warp at a time */
    results out;
    int vectors;              /* of the batch, blockIdx.y; several have no factors */
    int sorted;               /* 1: kernels before this one in the chain change cells alone */
    int64_t n, cells_between; /* values and numbers of the grid from one vector to the next */
};

/* A point: its window's first cell, and its place in the caller's order. */
struct alignas(16) placed_point {
    int x, y, z;
    uint32_t index;
};

/* A warp's own part of shared memory. */
template <typename real, int DIM, int PARTS, bool SLOPES> struct gather_space {
    placed_point place[32];
    real variable[DIM][32];
    real result[SLOPES ? 4 : 1][PARTS][32];
};

/* Coefficients [n][LX], zeros past the window. */
template <typename real, int LX>
__device__ __forceinline__ void lay_out_window(const window_view &w, real *shared)
{
    const real *c = (const real *)w.coefficients;
    for (int i = threadIdx.x; i < w.n * LX; i += blockDim.x) {
        const int p = i % LX;
        shared[i] = p < w.width ? c[i / LX * w.width + p] : (real)0;
    }
}

/* Weights of one cell on the axes, t on each; 1 on the third in 2D. */
template <typename real, int DIM, int LX, bool SLOPES>
__device__ __forceinline__ void cell_weights(const real *c, int n, const real t[DIM], real w[3],
                                             real slope[3])
{
    w[2] = 1;
    slope[2] = 0;
#pragma unroll
    for (int d = 0; d < DIM; d++) {
        w[d] = c[(n - 1) * LX];
        slope[d] = 0;
    }
#pragma unroll 4
    for (int k = n - 2; k >= 0; k--) {
        const real next = c[k * LX];
#pragma unroll
        for (int d = 0; d < DIM; d++) {
            if (SLOPES) slope[d] = slope[d] * t[d] + w[d];
            w[d] = w[d] * t[d] + next;
        }
    }
#pragma unroll
    for (int d = 0; d < DIM; d++)
        slope[d] *= (real)-2; /* t falls by 2 while the point moves by 1 */
}

/* The same from the window's table, cell lx; 0 past the window. */
template <typename real, int DIM>
__device__ __forceinline__ void cell_weights_of_table(const window_view &window, int lx,
                                                      const real t[DIM], real w[3])
{
    w[2] = 1;
#pragma unroll
    for (int d = 0; d < DIM; d++)
        w[d] =
            lx < window.width ? weight_in_piece(window, piece_of_table(window, t[d]), lx) : (real)0;
}

/* Sum over LANES neighbouring lanes, in all of them. */
template <int LANES, typename real> __device__ __forceinline__ real group_sum(real x)
{
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

/* Sums of four numbers, the k-th in the k-th quarter of the lanes. */
template <int LANES, typename real>
__device__ __forceinline__ real group_sum_four(real a, real b, real c, real d)
{
    const bool upper = threadIdx.x & (LANES / 2), odd = threadIdx.x & (LANES / 4);
    const real keep0 = upper ? c : a, give0 = upper ? a : c;
    const real keep1 = upper ? d : b, give1 = upper ? b : d;
    const real first = keep0 + __shfl_xor_sync(~0u, give0, LANES / 2);
    const real second = keep1 + __shfl_xor_sync(~0u, give1, LANES / 2);
    const real sum = (odd ? second : first) + __shfl_xor_sync(~0u, odd ? first : second, LANES / 4);
    return group_sum<LANES / 4>(sum);
}

template <typename real, int PARTS> struct alignas(PARTS * sizeof(real)) gathered_cell {
    real part[PARTS];
};

/* ROWS of a lane; LX >= width, LY * ROWS >= width. */
template <typename real, int DIM, int LX, int LY, int ROWS, int PARTS, bool SLOPES, bool TABLE>
__global__ void __launch_bounds__(32 * GATHER_WARPS) interpolate_gather(const gather_parameters a)
{
    typedef gather_space<real, DIM, PARTS, SLOPES> space;
    typedef gathered_cell<real, PARTS> cell;
    constexpr int LANES = LX * LY, AT_A_TIME = 32 / LANES;
    extern __shared__ __align__(16) unsigned char shared[];
    const int lane = threadIdx.x % 32, width = a.window.width, nc = a.window.n;
    space &own = ((space *)shared)[threadIdx.x / 32];
    real *coefficients = (real *)((space *)shared + GATHER_WARPS);
    const real *cells = (const real *)a.cells + blockIdx.y * a.cells_between;
    const int nx = (int)a.points.grid[0], ny = (int)a.points.grid[1], nz = (int)a.points.grid[2];
    /* lanes past the window read its last cell, with a weight of 0 */
    const int lx = lane % LX, ly = lane / LX % LY, group = lane / LANES;
    const int cx = min(lx, width - 1), row = (int)a.row;
    const int depth = DIM == 3 ? width : 1;
    if (!TABLE) lay_out_window<real, LX>(a.window, coefficients);
    enuf_chain_lead();
    if (!a.sorted) enuf_chain_follow();
    const uint64_t n = points_of(a.points), chunks = (n + a.chunk - 1) / a.chunk;
    __syncthreads();
    for (uint64_t chunk = (uint64_t)blockIdx.x * GATHER_WARPS + threadIdx.x / 32; chunk < chunks;
         chunk += (uint64_t)gridDim.x * GATHER_WARPS) {
        const uint64_t j = chunk * a.chunk + (uint64_t)lane;
        const int count = (int)min((uint64_t)a.chunk, n - chunk * a.chunk);
        __syncwarp();
        if (lane < count) {
            const point_record<real> r = ((const point_record<real> *)a.points.records)[j];
            int64_t origin[3];
            tile_origin(a.points, tile_of_record(a.points, j, n), origin);
            placed_point p;
            p.x = folded_once((int)origin[0] + offset_of(r, 0), nx);
            p.y = folded_once((int)origin[1] + offset_of(r, 1), ny);
            p.z = DIM == 3 ? folded_once((int)origin[2] + offset_of(r, 2), nz) : 0;
            p.index = (uint32_t)r.index;
            own.place[lane] = p;
            for (int d = 0; d < DIM; d++) own.variable[d][lane] = variable_of(r, d);
        }
        __syncwarp();
        if (a.sorted) enuf_chain_follow();
        for (int first = 0; first < count; first += AT_A_TIME) {
            /* past the last point, the last one again */
            const int i = min(first + group, count - 1);
            const placed_point p = own.place[i];
            real t[DIM], w[3], slope[3], wy[ROWS], sy[ROWS];
            int at[ROWS];
            for (int d = 0; d < DIM; d++) t[d] = own.variable[d][i];
            if constexpr (TABLE)
                cell_weights_of_table<real, DIM>(a.window, lx, t, w);
            else
                cell_weights<real, DIM, LX, SLOPES>(coefficients + lx, nc, t, w, slope);
            const int x = folded_once(p.x + cx, nx) * PARTS;
#pragma unroll
            for (int k = 0; k < ROWS; k++) {
                const int y = LY * k + ly;
                wy[k] = __shfl_sync(~0u, w[1], y, LX);
                sy[k] = SLOPES ? __shfl_sync(~0u, slope[1], y, LX) : (real)0;
                at[k] = folded_once(p.y + min(y, width - 1), ny) * row + x;
            }
            real sum[PARTS] = {0}, sum_y[PARTS] = {0}, sum_z[PARTS] = {0};
#pragma unroll 2
            for (int z = 0; z < depth; z++) {
                const real wz = __shfl_sync(~0u, w[2], z, LX);
                const real sz = SLOPES ? __shfl_sync(~0u, slope[2], z, LX) : (real)0;
                const real *plane = cells + folded_once(p.z + z, nz) * a.plane;
                real s[PARTS] = {0}, s_y[PARTS] = {0};
#pragma unroll
                for (int k = 0; k < ROWS; k++) {
                    const cell c = *(const cell *)(plane + at[k]);
#pragma unroll
                    for (int e = 0; e < PARTS; e++) {
                        s[e] += wy[k] * c.part[e];
                        if (SLOPES) s_y[e] += sy[k] * c.part[e];
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
            const int quarter = lane % LANES / (LANES / 4);
#pragma unroll
            for (int e = 0; e < PARTS; e++) {
                if (SLOPES) {
                    const real total = group_sum_four<LANES>(w[0] * sum[e], slope[0] * sum[e],
                                                             w[0] * sum_y[e], w[0] * sum_z[e]);
                    if (lane % (LANES / 4) == 0) own.result[SLOPES ? quarter : 0][e][i] = total;
                } else {
                    const real total = group_sum<LANES>(w[0] * sum[e]);
                    if (lane % LANES == 0) own.result[0][e][i] = total;
                }
            }
        }
        __syncwarp();
        if (lane >= count) continue;
        const int64_t index = blockIdx.y * a.n + (int64_t)own.place[lane].index;
        real value[PARTS];
        for (int e = 0; e < PARTS; e++) value[e] = own.result[0][e][lane];
        if constexpr (SLOPES)
            for (int e = 0; e < PARTS; e++) {
                const real slope[3] = {own.result[1][e][lane], own.result[2][e][lane],
                                       own.result[3][e][lane]};
                put_results<real>(a.out, index, e, value[e], slope);
            }
        else
            put_value<real, PARTS>(a.out, index, value);
    }
    enuf_chain_follow(); /* also without points: kernels behind wait for this one alone */
}

template <typename real, int DIM, int LX, int LY, int ROWS, int PARTS, bool SLOPES>
static auto kernel_of(const gather_parameters &a)
{
    if constexpr (DIM == 2 && !SLOPES)
        if (a.window.table) return interpolate_gather<real, DIM, LX, LY, ROWS, PARTS, false, true>;
    return interpolate_gather<real, DIM, LX, LY, ROWS, PARTS, SLOPES, false>;
}

template <typename real, int DIM, int LX, int LY, int ROWS, int PARTS, bool SLOPES>
static enuf_status launch(const enuf_nufft *plan, gather_parameters a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    auto kernel = kernel_of<real, DIM, LX, LY, ROWS, PARTS, SLOPES>(a);
    const int64_t at_a_time = 32 / (LX * LY), n = cuda->points.n;
    const int64_t most = (int64_t)cuda->multiprocessors * 16;
    /* fewer points a warp where that gives every multiprocessor some */
    a.chunk = 32;
    while (a.chunk > at_a_time && n / a.chunk < (int64_t)cuda->multiprocessors * 32) a.chunk /= 2;
    size_t bytes = (size_t)GATHER_WARPS * sizeof(gather_space<real, DIM, PARTS, SLOPES>) +
                   (size_t)a.window.n * LX * sizeof(real);
    int64_t blocks = (n + a.chunk * GATHER_WARPS - 1) / (a.chunk * GATHER_WARPS);
    enuf_chain(cuda->stream, kernel,
               dim3((unsigned)(blocks < most ? blocks : most), (unsigned)a.vectors),
               32 * GATHER_WARPS, bytes, a);
    return enuf_cuda_launched("interpolation, some lanes a point");
}

/* Points that do not fill the device with a few lanes each. */
static int few(const enuf_nufft *plan, int lanes)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    return cuda->points.n * lanes < (int64_t)cuda->multiprocessors * 512;
}

template <typename real, int DIM, int PARTS, bool SLOPES>
static enuf_status by_width(const enuf_nufft *plan, const gather_parameters &a)
{
    const int width = a.window.width;
    if (width <= 4 && few(plan, 4)) return launch<real, DIM, 4, 4, 1, PARTS, SLOPES>(plan, a);
    if (width <= 4) return launch<real, DIM, 4, 1, 4, PARTS, SLOPES>(plan, a);
    if (width <= 8 && few(plan, 8)) return launch<real, DIM, 8, 4, 2, PARTS, SLOPES>(plan, a);
    if (width > 8 && few(plan, 16)) return launch<real, DIM, 16, 2, 8, PARTS, SLOPES>(plan, a);
    if (width <= 5) return launch<real, DIM, 8, 1, 5, PARTS, SLOPES>(plan, a);
    if (width <= 6) return launch<real, DIM, 8, 1, 6, PARTS, SLOPES>(plan, a);
    if (width <= 7) return launch<real, DIM, 8, 1, 7, PARTS, SLOPES>(plan, a);
    if (width <= 8) return launch<real, DIM, 8, 1, 8, PARTS, SLOPES>(plan, a);
    if (width <= 10) return launch<real, DIM, 16, 1, 10, PARTS, SLOPES>(plan, a);
    if (width <= 12) return launch<real, DIM, 16, 1, 12, PARTS, SLOPES>(plan, a);
    if (width <= 14) return launch<real, DIM, 16, 1, 14, PARTS, SLOPES>(plan, a);
    return launch<real, DIM, 16, 1, 16, PARTS, SLOPES>(plan, a);
}

template <typename real, int DIM>
static enuf_status interpolate(const enuf_nufft *plan, const gather_parameters &a)
{
    if (a.out.parts == 1)
        return a.out.gradients ? by_width<real, DIM, 1, true>(plan, a)
                               : by_width<real, DIM, 1, false>(plan, a);
    return a.out.gradients ? by_width<real, DIM, 2, true>(plan, a)
                           : by_width<real, DIM, 2, false>(plan, a);
}

extern "C" enuf_status enuf_cuda_interpolate_gather(enuf_nufft *plan,
                                                    const enuf_interpolate_job *job, int vectors)
{
    gather_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.cells = job->cells;
    a.row = job->target.stride[1];
    a.plane = job->target.stride[2];
    a.chunk = 32;
    a.out = results_of(plan, job);
    a.vectors = vectors;
    /* A transform has filled the plan's grid, and its first kernel has waited for the sort. */
    a.sorted = job->cells == enuf_cuda_of(plan)->grid && !enuf_cuda_of(plan)->points.indexed;
    a.n = plan->n_points;
    a.cells_between = enuf_cuda_of(plan)->batch_cells;
    if (plan->options.dim == 2)
        return plan->options.precision == ENUF_FLOAT ? interpolate<float, 2>(plan, a)
                                                     : interpolate<double, 2>(plan, a);
    return plan->options.precision == ENUF_FLOAT ? interpolate<float, 3>(plan, a)
                                                 : interpolate<double, 3>(plan, a);
}
