/*
 * spread_plane.cu - spreading in 1D and 2D: a warp holds a tile's cells in registers and streams
 * the points of a sub-problem, as products of matrices.
 *
 * A tile's sum over its points, sum_j (q_j wx_j[x]) wy_j[y], is a product of matrices with the
 * points as inner index, 16 x 8 x 8 on the double-precision matrix units, for float plans too.
 * plane.cuh says how 1D is a case of it. There are neither atomics nor barriers until the tile's
 * last point; then atomics add the tile to the grid. The parts of a strength, and two vectors of a
 * batch, share the weights of a point.
 *
 * Operations: eight points take ACROSS/16 * ALONG/8 products for each number of a strength.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/plane.cuh"
#include "cuda/plane_share.cuh"
#include "cuda/strategies.h"
#include "spread_parameters.cuh"

struct plane_spread_parameters {
    spread_parameters common;
    int vectors;              /* of the batch */
    int64_t strengths, cells; /* numbers from one vector to the next */
};

/** The numbers that a warp holds, PARTS of VECTORS strengths. */
template <typename real, typename held, int DIM, bool WIDE, int PARTS, int VECTORS>
struct plane_spread_shape {
    typedef plane_shape<DIM, WIDE> tile;
    enum {
        M = tile::ACROSS / 16,
        N = tile::ALONG / 8,
        NUMBERS = PARTS * VECTORS,
        HELD = (int)sizeof(held) * NUMBERS * M * N, /* registers that hold cells */
        /* warps of a multiprocessor that registers are kept free for, multiples of four, as
         * registers go to its four parts; rows leave shared memory for 11 to 19 */
        RESIDENT = WIDE || HELD > 32                              ? 12
                   : sizeof(real) == 4 && SPREAD_MOST_BLOCKS > 16 ? 20
                                                                  : 16,
        FEW_SHARES = sizeof(real) * PARTS == 16 /* of a crowd */
    };
    static size_t bytes(const window_view &w)
    {
        const size_t row = (size_t)plane_row_of<DIM, WIDE>(w.width).length + NUMBERS;
        return 32 * (row * sizeof(held) + sizeof(plane_place)) +
               (size_t)w.n * (size_t)w.step * sizeof(real);
    }
};

/* The strengths of a point, 0 for vectors behind the last. */
template <typename real, int PARTS, int VECTORS>
__device__ __forceinline__ void fetch_strengths(const plane_spread_parameters &a, int64_t index,
                                                real q[PARTS * VECTORS])
{
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
        const int vector = VECTORS * (int)blockIdx.y + v;
        spread_parameters of_vector = a.common;
        of_vector.strengths = (const real *)a.common.strengths + vector * a.strengths;
#pragma unroll
        for (int p = 0; p < PARTS; p++) q[v * PARTS + p] = 0;
        if (VECTORS == 1 || vector < a.vectors)
            fetch_strength<real, PARTS>(of_vector, index, q + v * PARTS);
    }
}

/* The weights of 32 points in shared memory. */
template <typename held> struct plane_weights {
    const held *rows, *strengths; /* strengths [32][NUMBERS], 0 behind the last point */
    const plane_place *places;
};

/* Adds the first `here` points to a warp's cells: on the matrix units. */
template <int NUMBERS, int M, int N>
__device__ __forceinline__ void add_points(const plane_weights<double> &from, int here,
                                           double (&c)[NUMBERS][M][N][4])
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int j = t; j < here + t; j += 8) {
        const plane_place p0 = from.places[j], p1 = from.places[j + 4];
        const double *y0 = from.rows + p0.along + g, *y1 = from.rows + p1.along + g;
        double b0[N], b1[N];
#pragma unroll
        for (int b = 0; b < N; b++) {
            b0[b] = y0[8 * b];
            b1[b] = y1[8 * b];
        }
        const double *x0 = from.rows + p0.across + g, *x1 = from.rows + p1.across + g;
#pragma unroll
        for (int m = 0; m < M; m++) {
            const double w[4] = {x0[16 * m], x0[16 * m + 8], x1[16 * m], x1[16 * m + 8]};
#pragma unroll
            for (int i = 0; i < NUMBERS; i++) {
                const double q0 = from.strengths[j * NUMBERS + i];
                const double q1 = from.strengths[(j + 4) * NUMBERS + i];
                const double factor[4] = {w[0] * q0, w[1] * q0, w[2] * q1, w[3] * q1};
#pragma unroll
                for (int b = 0; b < N; b++) multiply_add(c[i][m][b], factor, b0[b], b1[b]);
            }
        }
    }
}

/* The same where cells are held in float, by outer products. */
template <int NUMBERS, int M, int N>
__device__ __forceinline__ void add_points(const plane_weights<float> &from, int here,
                                           float (&c)[NUMBERS][M][N][4])
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
#pragma unroll 2
    for (int j = 0; j < here; j++) {
        const plane_place p = from.places[j];
        const float *y = from.rows + p.along + 2 * t, *x = from.rows + p.across + g;
        float wy[N][2];
#pragma unroll
        for (int b = 0; b < 2 * N; b++) wy[b / 2][b % 2] = y[8 * (b / 2) + b % 2];
#pragma unroll
        for (int m = 0; m < M; m++) {
            const float wx[2] = {x[16 * m], x[16 * m + 8]};
#pragma unroll
            for (int i = 0; i < NUMBERS; i++) {
                const float q = from.strengths[j * NUMBERS + i];
                const float factor[2] = {wx[0] * q, wx[1] * q};
#pragma unroll
                for (int k = 0; k < 4 * N; k++) {
                    float &cell = c[i][m][k / 4][k % 4];
                    cell = fmaf(factor[k % 4 / 2], wy[k / 4][k % 2], cell);
                }
            }
        }
    }
}

template <typename real, typename held, int DIM, bool WIDE, int PARTS, int VECTORS, bool TABLE>
__global__ void
    __launch_bounds__(32, (plane_spread_shape<real, held, DIM, WIDE, PARTS, VECTORS>::RESIDENT))
        spread_plane(const plane_spread_parameters a)
{
    typedef plane_spread_shape<real, held, DIM, WIDE, PARTS, VECTORS> shape;
    constexpr int M = shape::M, N = shape::N, NUMBERS = shape::NUMBERS;
    extern __shared__ __align__(16) unsigned char shared[];
    const window_view window = a.common.window;
    const sorted_view points = a.common.points;
    const plane_row row = plane_row_of<DIM, WIDE>(window.width);
    real *coefficients = (real *)shared;
    held *rows = (held *)(coefficients + window.n * window.step);
    held *strengths = rows + 32 * row.length; /* [32][NUMBERS] */
    plane_place *places = (plane_place *)(strengths + 32 * NUMBERS);
    const plane_weights<held> weights = {rows, strengths, places};
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    load_window(window, coefficients);
    clear_rows<DIM>(row, rows, places);
    join_chain(a.common);
    if (blockIdx.x >= subproblems_of(points)) return;

    enuf_cuda_subproblem sub;
    for (plane_share<shape::FEW_SHARES> share(points); share.take(points, &sub);) {
        const point_record<real> *records = (const point_record<real> *)points.records + sub.first;
        const int count = (int)sub.count;
        if (count == 0) continue;
        held c[NUMBERS][M][N][4];
#pragma unroll
        for (int i = 0; i < NUMBERS * M * N * 4; i++) (&c[0][0][0][0])[i] = 0;

        /* The strength of a point is asked for 32 points ahead, and its record, which names the
         * strength, 64 points ahead. */
        point_record<real> r = records[min(lane, count - 1)], r_next = r;
        real q[NUMBERS], q_next[NUMBERS] = {0};
        fetch_strengths<real, PARTS, VECTORS>(a, (int64_t)r.index, q);
        if (32 < count) r_next = records[min(32 + lane, count - 1)];
        for (int first = 0; first < count; first += 32) {
            const int here = min(count - first, 32);
            __syncwarp(); /* the last points' weights are no longer needed */
            point_record<real> r_last = r_next;
            if (first + 32 < count)
                fetch_strengths<real, PARTS, VECTORS>(a, (int64_t)r_next.index, q_next);
            if (first + 64 < count) r_last = records[min(first + 64 + lane, count - 1)];
            put_row<real, DIM, WIDE, false, TABLE, held>(window, coefficients, r, row, rows,
                                                         nullptr, places);
#pragma unroll
            for (int i = 0; i < NUMBERS; i++)
                strengths[lane * NUMBERS + i] = lane < here ? (held)q[i] : 0;
            __syncwarp();
            add_points<NUMBERS, M, N>(weights, here, c);
            r = r_next;
            r_next = r_last;
#pragma unroll
            for (int i = 0; i < NUMBERS; i++) q[i] = q_next[i];
        }

        const plane_cells<DIM, WIDE> cells(points, sub.tile, a.common.row);
#pragma unroll
        for (int b = 0; b < N; b++)
#pragma unroll
            for (int m = 0; m < M; m++)
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    const int x = 16 * m + 8 * (e / 2) + g, y = 8 * b + 2 * t + e % 2;
                    real *to = (real *)a.common.cells + cells.place(x, y, window.width, PARTS);
#pragma unroll
                    for (int v = 0; v < VECTORS; v++) {
                        const int vector = VECTORS * (int)blockIdx.y + v;
                        real value[PARTS];
#pragma unroll
                        for (int p = 0; p < PARTS; p++) value[p] = (real)c[v * PARTS + p][m][b][e];
                        if (VECTORS == 1 || vector < a.vectors)
                            add_cell<real, PARTS>(to + vector * a.cells, value);
                    }
                }
    }
}

template <typename real, typename held, int DIM, bool WIDE, int PARTS, int VECTORS>
static enuf_status launch(const enuf_nufft *plan, const plane_spread_parameters &a)
{
    typedef plane_spread_shape<real, held, DIM, WIDE, PARTS, VECTORS> shape;
    auto kernel = a.common.window.table
                      ? spread_plane<real, held, DIM, WIDE, PARTS, VECTORS, true>
                      : spread_plane<real, held, DIM, WIDE, PARTS, VECTORS, false>;
    return launch_spreading(plan, a, kernel, 32, shape::bytes(a.common.window),
                            (a.vectors + VECTORS - 1) / VECTORS, 1, "spreading in 1D and 2D");
}

template <typename real, typename held, int DIM, int PARTS>
static enuf_status by_width(const enuf_nufft *plan, const plane_spread_parameters &a)
{
    if (a.common.window.width > ENUF_CUDA_MIDDLE_WIDTH)
        return launch<real, held, DIM, true, PARTS, 1>(plan, a);
    return a.vectors == 1 ? launch<real, held, DIM, false, PARTS, 1>(plan, a)
                          : launch<real, held, DIM, false, PARTS, 2>(plan, a);
}

template <typename real, typename held>
static enuf_status spread(const enuf_nufft *plan, const plane_spread_parameters &a)
{
    if (plan->options.dim == 1)
        return plan->real ? by_width<real, held, 1, 1>(plan, a)
                          : by_width<real, held, 1, 2>(plan, a);
    return plan->real ? by_width<real, held, 2, 1>(plan, a) : by_width<real, held, 2, 2>(plan, a);
}

extern "C" enuf_status enuf_cuda_spread_plane(enuf_nufft *plan, const enuf_spread_job *job,
                                              int vectors)
{
    plane_spread_parameters a;
    a.common = spread_parameters_of(plan, job);
    if (a.common.window.table) a.common.window.n = 0; /* no polynomials in shared memory */
    a.vectors = vectors;
    a.strengths = plan->n_points * a.common.parts;
    a.cells = enuf_cuda_of(plan)->batch_cells;
    if (enuf_cuda_of(plan)->avoids_fp64) return spread<float, float>(plan, a);
    return plan->options.precision == ENUF_FLOAT ? spread<float, double>(plan, a)
                                                 : spread<double, double>(plan, a);
}
