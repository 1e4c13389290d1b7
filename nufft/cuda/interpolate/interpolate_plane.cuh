/*
 * interpolate_plane.cuh - values and gradients in 1D (few values: interpolate_line.cu) and 2D: a
 * warp holds a tile's cells in registers and streams the points of a sub-problem, as products of
 * matrices.
 *
 * Along x, sum_x wx_j[x] c[x][y] is a product of matrices, 16 points x 8 cells x 8 rows of cells on
 * the double-precision matrix units, for float plans too; its second factor, the cells, stays in
 * registers. Each lane then multiplies its part by wy_j[y] and adds. A slope along x takes a
 * product of its own, one along y only other weights at the end. plane.cuh says how 1D is a case of
 * it. Two vectors of a batch share the weights of a point. Where double is slow, float plans hold
 * the cells in float: lanes multiply, and add up eight points at a time.
 *
 * Operations: sixteen points take ACROSS/8 * ALONG/8 products for each number of a cell. Results at
 * random places are 4 or 8 bytes of a sector of 32: with 4e7 points warps then wait for memory (62
 * % of their cycles in float, at 28 % of its bandwidth). Where points are sorted by way of buckets,
 * results go back the same way (sort_buckets_deliver.cu): set points and a type 2 of 4.2e7 real
 * values take 4.24 ms in place of 5.73 in float, 5.63 in place of 6.82 in double. Tried: records
 * asked for 64 points ahead and those of the next sub-problem brought to the second cache, 2 to 10
 * % slower (H100, November 2026). SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_INTERPOLATE_PLANE_CUH
#define ENUF_NUFFT_CUDA_INTERPOLATE_PLANE_CUH

#include "chain.cuh"
#include "cuda/plane.cuh"
#include "cuda/plane_share.cuh"
#include "cuda/occupancy.cuh"
#include "cuda/results.cuh"
#include "cuda/sort/sort_buckets.h"
#include "cuda/strategies.h"

struct plane_parameters {
    sorted_view points;
    window_view window;
    const void *cells;
    int64_t row;
    results out;
    int to_buckets;           /* 1: results go to the places of sort_buckets_deliver.cu */
    int vectors;              /* of the batch */
    int64_t n, cells_between; /* values and numbers of the grid from one vector to the next */
};

/** The numbers that a warp holds, PARTS of VECTORS grids. */
template <typename held, int DIM, bool WIDE, int PARTS, int VECTORS, bool SLOPES>
struct plane_gather_shape {
    typedef plane_shape<DIM, WIDE> tile;
    enum {
        X = tile::ACROSS / 8, /* blocks of cells */
        Y = tile::ALONG / 8,
        NUMBERS = PARTS * VECTORS,
        HELD = (int)sizeof(held) / 2 * NUMBERS * X * Y, /* registers that hold cells */
        /* warps of a multiprocessor that registers are kept free for, multiples of four, as
         * registers go to its four parts; rows leave shared memory for 5 to 19 */
        RESIDENT = HELD > 64                     ? 8
                   : SLOPES || WIDE || HELD > 32 ? 12
                                                 : 16
    };
    static size_t bytes(const window_view &w, size_t number)
    {
        const size_t row = (size_t)plane_row_of<DIM, WIDE>(w.width).length;
        return 32 * (row * (SLOPES ? 2 : 1) * sizeof(held) + sizeof(plane_place) +
                     sizeof(uint32_t)) +
               (size_t)w.n * (size_t)w.step * number;
    }
};

/** Sums over four neighbouring lanes: of N numbers, the k-th quarter in the k-th of these lanes;
 * of two, the k-th in the k-th pair. */
template <int N> __device__ __forceinline__ void sum_over_four(double (&sum)[N])
{
    const bool upper = threadIdx.x & 2;
    [[maybe_unused]] const bool odd = threadIdx.x & 1;
#pragma unroll
    for (int i = 0; i < N / 2; i++) {
        const double keep = upper ? sum[i + N / 2] : sum[i];
        const double give = upper ? sum[i] : sum[i + N / 2];
        sum[i] = keep + __shfl_xor_sync(~0u, give, 2);
    }
    if constexpr (N == 2) {
        sum[0] += __shfl_xor_sync(~0u, sum[0], 1);
    } else {
#pragma unroll
        for (int i = 0; i < N / 4; i++) {
            const double keep = odd ? sum[i + N / 4] : sum[i];
            const double give = odd ? sum[i] : sum[i + N / 4];
            sum[i] = keep + __shfl_xor_sync(~0u, give, 1);
        }
    }
}

/** The weights of 32 points in shared memory. */
template <typename held> struct plane_weights {
    const held *rows;
    int64_t to_slopes; /* numbers from a weight to its slope */
    const plane_place *places;
    const uint32_t *indices;
};

/** Sixteen points, or fewer, by the matrix units: lane (g, t) begins with point g. */
template <typename real, int DIM, int PARTS, int VECTORS, bool SLOPES, int X, int Y>
__device__ __forceinline__ void take_points(const plane_parameters &a,
                                            const plane_weights<double> &from, int here,
                                            const double (&c)[PARTS * VECTORS][X][Y][2])
{
    constexpr int NUMBERS = PARTS * VECTORS;
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int j = g; j < here + g; j += 16) { /* points j and j + 8 */
        const plane_place p0 = from.places[j], p1 = from.places[j + 8];
        const double *x0 = from.rows + p0.across + t, *x1 = from.rows + p1.across + t;
        const double *y0 = from.rows + p0.along + 2 * t, *y1 = from.rows + p1.along + 2 * t;
        double value[2 * NUMBERS] = {0};
        double slope_x[2 * NUMBERS] = {0}, slope_y[2 * NUMBERS] = {0};
#pragma unroll
        for (int y = 0; y < Y; y++) {
            double s[NUMBERS][4], s_x[NUMBERS][4];
#pragma unroll
            for (int i = 0; i < NUMBERS * 4; i++) (&s[0][0])[i] = (&s_x[0][0])[i] = 0;
#pragma unroll
            for (int x = 0; x < X; x++) {
                const double w[4] = {x0[8 * x], x1[8 * x], x0[8 * x + 4], x1[8 * x + 4]};
#pragma unroll
                for (int i = 0; i < NUMBERS; i++)
                    multiply_add(s[i], w, c[i][x][y][0], c[i][x][y][1]);
                if (!SLOPES) continue;
                const double *of_0 = x0 + from.to_slopes, *of_1 = x1 + from.to_slopes;
                const double change[4] = {of_0[8 * x], of_1[8 * x], of_0[8 * x + 4],
                                          of_1[8 * x + 4]};
#pragma unroll
                for (int i = 0; i < NUMBERS; i++)
                    multiply_add(s_x[i], change, c[i][x][y][0], c[i][x][y][1]);
            }
#pragma unroll
            for (int e = 0; e < 4; e++) { /* points j, j, j + 8, j + 8 */
                const double *of_y = (e < 2 ? y0 : y1) + 8 * y + e % 2;
                const double w = of_y[0];
                const double change = SLOPES && DIM == 2 ? of_y[from.to_slopes] : 0;
#pragma unroll
                for (int i = 0; i < NUMBERS; i++) {
                    const int to = e / 2 * NUMBERS + i;
                    value[to] = fma(w, s[i][e], value[to]);
                    if (SLOPES) slope_x[to] = fma(w, s_x[i][e], slope_x[to]);
                    if (SLOPES && DIM == 2) slope_y[to] = fma(change, s[i][e], slope_y[to]);
                }
            }
        }
        sum_over_four(value);
        if (SLOPES) sum_over_four(slope_x);
        if (SLOPES && DIM == 2) sum_over_four(slope_y);
        /* lanes 0 and 1 of four have the numbers of point j, lanes 2 and 3 of j + 8 */
        const int mine = j + 8 * (t / 2);
        constexpr int EACH = NUMBERS > 1 ? NUMBERS / 2 : 1;
        const bool has = mine < here && (NUMBERS > 1 || t % 2 == 0);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int number = t % 2 * EACH + i;
            const int vector = VECTORS * (int)blockIdx.y + number / PARTS;
            const real slope[3] = {(real)slope_x[i], (real)slope_y[i], 0};
            if (has && (VECTORS == 1 || vector < a.vectors))
                put_results<real>(a.out, vector * a.n + (int64_t)from.indices[mine], number % PARTS,
                                  (real)value[i], slope);
        }
        __syncwarp();
    }
}

/** Sums over all lanes of eight numbers, each: number k in lane k, and in every eighth from it. */
__device__ __forceinline__ float sum_of_eight(const float (&of)[8])
{
    const int lane = threadIdx.x;
    float four[4], two[2];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float kept = lane & 4 ? of[k + 4] : of[k], sent = lane & 4 ? of[k] : of[k + 4];
        four[k] = kept + __shfl_xor_sync(~0u, sent, 4);
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const float kept = lane & 2 ? four[k + 2] : four[k],
                    sent = lane & 2 ? four[k] : four[k + 2];
        two[k] = kept + __shfl_xor_sync(~0u, sent, 2);
    }
    const float kept = lane & 1 ? two[1] : two[0], sent = lane & 1 ? two[0] : two[1];
    float sum = kept + __shfl_xor_sync(~0u, sent, 1);
    sum += __shfl_xor_sync(~0u, sum, 8);
    return sum + __shfl_xor_sync(~0u, sum, 16);
}

/** The same where cells are held in float: eight points at a time, each lane those of its cells. */
template <typename real, int DIM, int PARTS, int VECTORS, bool SLOPES, int X, int Y>
__device__ __forceinline__ void take_points(const plane_parameters &a,
                                            const plane_weights<float> &from, int here,
                                            const float (&c)[PARTS * VECTORS][X][Y][2])
{
    constexpr int NUMBERS = PARTS * VECTORS;
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    for (int first = 0; first < here; first += 8) {
        float value[NUMBERS][8], slope_x[NUMBERS][8], slope_y[NUMBERS][8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const plane_place p = from.places[first + k];
            const float *x = from.rows + p.across + t, *y = from.rows + p.along + g;
#pragma unroll
            for (int i = 0; i < NUMBERS; i++) value[i][k] = slope_x[i][k] = slope_y[i][k] = 0;
#pragma unroll
            for (int b = 0; b < Y; b++) {
                const float wy = y[8 * b], sy = SLOPES && DIM == 2 ? y[from.to_slopes + 8 * b] : 0;
                float s[NUMBERS] = {0}, s_x[NUMBERS] = {0};
#pragma unroll
                for (int h = 0; h < 2 * X; h++) {
                    const float wx = x[4 * h], sx = SLOPES ? x[from.to_slopes + 4 * h] : 0;
#pragma unroll
                    for (int i = 0; i < NUMBERS; i++) {
                        s[i] = fmaf(wx, c[i][h / 2][b][h % 2], s[i]);
                        if (SLOPES) s_x[i] = fmaf(sx, c[i][h / 2][b][h % 2], s_x[i]);
                    }
                }
#pragma unroll
                for (int i = 0; i < NUMBERS; i++) {
                    value[i][k] = fmaf(wy, s[i], value[i][k]);
                    if (SLOPES) slope_x[i][k] = fmaf(wy, s_x[i], slope_x[i][k]);
                    if (SLOPES && DIM == 2) slope_y[i][k] = fmaf(sy, s[i], slope_y[i][k]);
                }
            }
        }
        const int mine = first + lane;
#pragma unroll
        for (int i = 0; i < NUMBERS; i++) {
            const float total = sum_of_eight(value[i]);
            const real slope[3] = {SLOPES ? sum_of_eight(slope_x[i]) : 0,
                                   SLOPES && DIM == 2 ? sum_of_eight(slope_y[i]) : 0, 0};
            const int vector = VECTORS * (int)blockIdx.y + i / PARTS;
            if (lane < 8 && mine < here && (VECTORS == 1 || vector < a.vectors))
                put_results<real, SLOPES, true>(a.out, vector * a.n + (int64_t)from.indices[mine],
                                                i % PARTS, total, slope);
        }
    }
}

template <typename real, typename held, int DIM, bool WIDE, int PARTS, int VECTORS, bool SLOPES,
          bool TABLE>
__global__ void
    __launch_bounds__(32, (plane_gather_shape<held, DIM, WIDE, PARTS, VECTORS, SLOPES>::RESIDENT))
        interpolate_plane(const plane_parameters a)
{
    typedef plane_gather_shape<held, DIM, WIDE, PARTS, VECTORS, SLOPES> shape;
    typedef point_value<real, PARTS> cell;
    constexpr int X = shape::X, Y = shape::Y, NUMBERS = shape::NUMBERS;
    extern __shared__ __align__(16) unsigned char shared[];
    const plane_row row = plane_row_of<DIM, WIDE>(a.window.width);
    real *coefficients = (real *)shared;
    held *rows = (held *)(coefficients + a.window.n * a.window.step);
    held *slopes = rows + 32 * row.length; /* only where SLOPES */
    plane_place *places = (plane_place *)(slopes + (SLOPES ? 32 * row.length : 0));
    uint32_t *indices = (uint32_t *)(places + 32);
    const plane_weights<held> weights = {rows, slopes - rows, places, indices};
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    load_window(a.window, coefficients);
    if (SLOPES) clear_rows<2>(row, slopes, places);
    clear_rows<DIM>(row, rows, places);
    enuf_chain_wait();
    if (blockIdx.x >= subproblems_of(a.points)) return;

    enuf_cuda_subproblem sub;
    for (plane_share<false> share(a.points); share.take(a.points, &sub);) {
        const point_record<real> *records =
            (const point_record<real> *)a.points.records + sub.first;
        const int count = (int)sub.count;
        if (count == 0) continue;
        point_record<real> r = records[min(lane, count - 1)];

        held c[NUMBERS][X][Y][2]; /* cells 8 x + t and 8 x + t + 4 along x, 8 y + g along y */
        const plane_cells<DIM, WIDE> cells(a.points, sub.tile, a.row);
#pragma unroll
        for (int x = 0; x < X; x++)
#pragma unroll
            for (int y = 0; y < Y; y++)
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    const int64_t at =
                        cells.place(8 * x + 4 * half + t, 8 * y + g, a.window.width, PARTS);
#pragma unroll
                    for (int v = 0; v < VECTORS; v++) {
                        /* behind the last vector, the last one again */
                        const int vector = min(VECTORS * (int)blockIdx.y + v, a.vectors - 1);
                        const cell here =
                            *(const cell *)((const real *)a.cells + vector * a.cells_between + at);
#pragma unroll
                        for (int p = 0; p < PARTS; p++)
                            c[v * PARTS + p][x][y][half] = (held)here.part[p];
                    }
                }

        for (int first = 0; first < count; first += 32) {
            const int here = min(count - first, 32);
            const point_record<real> now = r;
            __syncwarp(); /* the last points' weights are no longer needed */
            if (first + 32 < count) r = records[min(first + 32 + lane, count - 1)];
            put_row<real, DIM, WIDE, SLOPES, TABLE>(a.window, coefficients, now, row, rows, slopes,
                                                    places);
            indices[lane] = (uint32_t)(a.to_buckets ? now.at[2] : now.index);
            __syncwarp();
            take_points<real, DIM, PARTS, VECTORS, SLOPES, X, Y>(a, weights, here, c);
        }
    }
}

/* Slopes are those of polynomials, with a table too. */
template <typename real, typename held, int DIM, bool WIDE, int PARTS, int VECTORS, bool SLOPES>
static auto plane_kernel(const plane_parameters &a)
{
    if constexpr (!SLOPES)
        if (a.window.table)
            return interpolate_plane<real, held, DIM, WIDE, PARTS, VECTORS, false, true>;
    return interpolate_plane<real, held, DIM, WIDE, PARTS, VECTORS, SLOPES, false>;
}

template <typename real, typename held, int DIM, bool WIDE, int PARTS, int VECTORS, bool SLOPES>
static enuf_status launch_plane(const enuf_nufft *plan, const plane_parameters &a)
{
    typedef plane_gather_shape<held, DIM, WIDE, PARTS, VECTORS, SLOPES> shape;
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    auto kernel = plane_kernel<real, held, DIM, WIDE, PARTS, VECTORS, SLOPES>(a);
    const size_t bytes = shape::bytes(a.window, sizeof(real));
    int each = 0;
    ENUF_TRY(blocks_per_multiprocessor(plan, +kernel, 32, bytes, "shared memory for interpolation",
                                       &each));
    const dim3 blocks((unsigned)(each * cuda->multiprocessors),
                      (unsigned)((a.vectors + VECTORS - 1) / VECTORS));
    enuf_chain(cuda->stream, kernel, blocks, 32, bytes, a);
    return enuf_cuda_launched("interpolation in 1D and 2D");
}

template <typename real, typename held, int DIM, int PARTS>
static enuf_status plane_by_width(const enuf_nufft *plan, const plane_parameters &a)
{
    if (a.window.width > ENUF_CUDA_MIDDLE_WIDTH)
        return a.out.gradients ? launch_plane<real, held, DIM, true, PARTS, 1, true>(plan, a)
                               : launch_plane<real, held, DIM, true, PARTS, 1, false>(plan, a);
    if (a.out.gradients) return launch_plane<real, held, DIM, false, PARTS, 1, true>(plan, a);
    return a.vectors == 1 ? launch_plane<real, held, DIM, false, PARTS, 1, false>(plan, a)
                          : launch_plane<real, held, DIM, false, PARTS, 2, false>(plan, a);
}

template <typename real, typename held>
static enuf_status plane_by_shape(const enuf_nufft *plan, const plane_parameters &a)
{
    if (plan->options.dim == 1)
        return plan->real ? plane_by_width<real, held, 1, 1>(plan, a)
                          : plane_by_width<real, held, 1, 2>(plan, a);
    return plan->real ? plane_by_width<real, held, 2, 1>(plan, a)
                      : plane_by_width<real, held, 2, 2>(plan, a);
}

template <typename real, typename held>
static enuf_status interpolate_in_plane(const enuf_nufft *plan, const enuf_interpolate_job *job,
                                        int vectors)
{
    plane_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    if (a.window.table && !job->gradients) a.window.n = 0; /* no polynomials in shared memory */
    a.cells = job->cells;
    a.row = job->target.stride[1];
    a.out = results_of(plan, job);
    a.vectors = vectors;
    a.n = plan->n_points;
    a.cells_between = enuf_cuda_of(plan)->batch_cells;
    a.to_buckets = enuf_cuda_buckets_hold(plan, job, vectors);
    if (!a.to_buckets) return plane_by_shape<real, held>(plan, a);
    a.n = enuf_cuda_buckets_records(plan);
    a.out.values = enuf_cuda_of(plan)->points.taken;
    a.out.factors = NULL;
    a.out.add = 0;
    ENUF_TRY((plane_by_shape<real, held>(plan, a)));
    return enuf_cuda_buckets_deliver(plan, job, vectors);
}

#endif
