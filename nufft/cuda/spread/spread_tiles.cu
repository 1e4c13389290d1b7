/*
 * spread_tiles.cu - output-driven spreading in 3D: threads own cells of a tile, in registers, and
 * stream the points of its neighbourhood.
 *
 * A tile's sum over its points, sum_j (q_j wx_j[x] wy_j[y]) wz_j[z], is a product of matrices with
 * the points as inner index, and goes through the double-precision matrix units, for float plans
 * too: their rate is that of plain float arithmetic. Where double is slow, float plans hold their
 * cells in float and take plain outer products. A block owns a tile of 8 NX x 2 PAIRS x 8 NZ
 * cells of a vector, a warp every WARPS-th pair of rows in y of it; no other warp writes them. So
 * there are neither atomics nor reads until the end, when atomics add the tile to the grid. The
 * points of a sub-problem are ordered by y first: then eight neighbours meet few rows beyond the
 * window's width, and the others are skipped.
 *
 * Weights of 32 points at a time are evaluated into shared memory, a thread a point and axis, into
 * rows padded with zeros, so that a row has a weight for every cell of the tile. Rows have two
 * buffers, so that one barrier serves, and the next points are fetched meanwhile; a block of one
 * warp has one.
 *
 * Deterministic plans hold integers, and take outer products of which each term is rounded.
 *
 * Operations: eight points take (width + 2 or so)/2 pairs of rows, each NX * NZ products of
 * matrices, 16 x 8 x 8. SPDX-License-Identifier: BSD-3-Clause
 */
#include "fixed_cells.cuh"
#include "spread_parameters.cuh"
#include "cuda/strategies.h"

#include <type_traits>

/* Warps of a block, blocks of a multiprocessor that registers are kept free for. Measured (H100,
 * November 2026; 1.67e7 points on 512^3 cells, width 6, float): 4 warps in 4 blocks 3.6 ms, 2 in 4
 * 4.4, 4 in 5 5.0, 3 in 4 with tiles of 18 rows 3.7, 8 in 2 with 32 rows 5.6. */
static const int SMALL_WARPS = 1, SMALL_BLOCKS = 14;
static const int MIDDLE_WARPS = 4, MIDDLE_BLOCKS = 4;
static const int LARGE_WARPS = 12, LARGE_BLOCKS = 1;

static const int BATCH = 32; /* points with weights in a buffer */

/* What a thread holds of a cell: a number, or a deterministic sum of integers. */
struct integers {
};

/* Weights and cells in registers, and cells of the grid. */
template <typename real, typename held> struct od_types {
    typedef held weight, cell;
    typedef real grid_cell;
};
template <typename real> struct od_types<real, integers> {
    typedef double weight;
    typedef int64_t cell;
    typedef unsigned long long grid_cell;
};

/* Numbers of a row of weights: the window, and zeros wherever it may stand in a tile of `cells`.
 * Odd: rows begin in different banks. */
__host__ __device__ __forceinline__ int padded_row(int cells, int width)
{
    return (2 * cells - width) | 1;
}

template <typename weight, int NX, int NZ, int PAIRS, int WARPS> struct od_shape {
    enum { BUFFERS = WARPS > 1 ? 2 : 1, THREADS = 32 * WARPS };
    /* numbers of a buffer */
    __host__ __device__ static int buffer(int width)
    {
        return BATCH * (padded_row(8 * NX, width) + padded_row(2 * PAIRS, width) +
                        padded_row(8 * NZ, width));
    }
    /* bytes of shared memory, in this order */
    static size_t bytes(const window_view &w, size_t number)
    {
        return BUFFERS * (size_t)buffer(w.width) * sizeof(weight) +
               (size_t)w.n * (size_t)w.step * number + 256 * sizeof(int) +
               BUFFERS * 3 * BATCH * sizeof(int) + 2048 * sizeof(uint16_t);
    }
};

/* The data of a point that a thread fetches ahead. */
template <typename real> struct fetched_point {
    typename point_record<real>::fixed at;
    real strength;
    bool here;
};

/* A point's weight as it is kept: along y times the strength, for integers in their units. */
template <typename held, typename real>
__device__ __forceinline__ typename od_types<real, held>::weight
kept_weight(real w, const fetched_point<real> &p, int d, double scale)
{
    if constexpr (std::is_same<held, integers>::value)
        return (double)w * (d == 1 ? (double)p.strength * scale : 1.0);
    else
        return (held)(w * p.strength);
}

template <typename real>
__device__ __forceinline__ fetched_point<real>
fetch(const spread_parameters &a, const point_record<real> *records, const uint16_t *order, int j,
      int count, int d, int part)
{
    fetched_point<real> p;
    const point_record<real> *r = records + order[min(j, count - 1)];
    p.at = r->at[d];
    p.strength = 1;
    p.here = j < count;
    if (d == 1) {
        p.strength = strength_of<real>(a, strengths_before(a) + (int64_t)r->index, part);
        if (!p.here) p.strength = 0;
    }
    return p;
}

/**
 * Adds a tile's row y to the grid, x and z; c as multiply_add() leaves it, `odd` its lower half.
 * Lanes that hold neighbours in z swap with each other where there are two blocks in x, so that 16
 * cells side by side go out together: the fewer sectors the atomics touch, the faster they are.
 */
template <typename real, typename cell, int NX, int NZ>
__device__ __forceinline__ void add_row(const cell (&c)[NX][NZ][4], int odd, real *row,
                                        int64_t plane, int parts, int x0, int z0, int nx, int nz)
{
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
    for (int z = 0; z < NZ; z++)
#pragma unroll
        for (int x = 0; x < NX; x += 2) {
            real a = (real)c[x][z][2 * odd], b = (real)c[x][z][2 * odd + 1];
            int za = z0 + 8 * z + 2 * t, zb = za + 1, at = x0 + 8 * x + g;
            if (x + 1 < NX) {
                const real a1 = (real)c[x + 1 < NX ? x + 1 : x][z][2 * odd];
                const real b1 = (real)c[x + 1 < NX ? x + 1 : x][z][2 * odd + 1];
                const bool upper = t % 2;
                /* the lower lane gives away its cells of the second block, the upper of the first
                 */
                const real from_a = __shfl_xor_sync(~0u, upper ? a : a1, 1);
                const real from_b = __shfl_xor_sync(~0u, upper ? b : b1, 1);
                const int z_lower = z0 + 8 * z + 2 * (t & 2);
                const real ua = upper ? from_a : a, ub = upper ? from_b : b;
                const real va = upper ? a1 : from_a, vb = upper ? b1 : from_b;
                const int x_here = folded_once(at + (upper ? 8 : 0), nx) * parts;
                const int64_t p0 = (int64_t)folded_once(z_lower, nz) * plane + x_here;
                const int64_t p1 = (int64_t)folded_once(z_lower + 1, nz) * plane + x_here;
                const int64_t p2 = (int64_t)folded_once(z_lower + 2, nz) * plane + x_here;
                const int64_t p3 = (int64_t)folded_once(z_lower + 3, nz) * plane + x_here;
                if (ua != 0) atomicAdd(row + p0, ua);
                if (ub != 0) atomicAdd(row + p1, ub);
                if (va != 0) atomicAdd(row + p2, va);
                if (vb != 0) atomicAdd(row + p3, vb);
            } else {
                const int x_here = folded_once(at, nx) * parts;
                if (a != 0) atomicAdd(row + (int64_t)folded_once(za, nz) * plane + x_here, a);
                if (b != 0) atomicAdd(row + (int64_t)folded_once(zb, nz) * plane + x_here, b);
            }
        }
}

/* Eight points of a batch, where their rows of weights begin, and the lane's first cell along y. */
template <typename weight> struct od_points {
    const weight *weights; /* of the batch */
    const int *offset;     /* [3][BATCH] */
    const int *rows, *begins;
    int first, warp;
    int low, high; /* rows of y that the points meet */

    __device__ __forceinline__ const weight *row_of(int d, int j) const
    {
        return weights + begins[d] + j * rows[d] + offset[d * BATCH + j];
    }
};

/* Their products, on the matrix units. */
template <int NX, int NZ, int MINE, int WARPS>
__device__ __forceinline__ void add_points(const od_points<double> &p, double (&c)[MINE][NX][NZ][4])
{
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, j0 = p.first + t, j1 = j0 + 4;
    double wx[NX][2], wz[NZ][2];
    const double *x0 = p.row_of(0, j0) + g, *x1 = p.row_of(0, j1) + g;
    const double *z0 = p.row_of(2, j0) + g, *z1 = p.row_of(2, j1) + g;
#pragma unroll
    for (int x = 0; x < NX; x++) {
        wx[x][0] = x0[8 * x];
        wx[x][1] = x1[8 * x];
    }
#pragma unroll
    for (int z = 0; z < NZ; z++) {
        wz[z][0] = z0[8 * z];
        wz[z][1] = z1[8 * z];
    }
    const double *y0 = p.row_of(1, j0) + 2 * p.warp, *y1 = p.row_of(1, j1) + 2 * p.warp;
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        const int y = 2 * (p.warp + WARPS * i);
        if (y + 1 < p.low || y >= p.high) continue;
        const double e0 = y0[2 * WARPS * i], f0 = y0[2 * WARPS * i + 1];
        const double e1 = y1[2 * WARPS * i], f1 = y1[2 * WARPS * i + 1];
#pragma unroll
        for (int x = 0; x < NX; x++) {
            const double m[4] = {wx[x][0] * e0, wx[x][0] * f0, wx[x][1] * e1, wx[x][1] * f1};
#pragma unroll
            for (int z = 0; z < NZ; z++) multiply_add(c[i][x][z], m, wz[z][0], wz[z][1]);
        }
    }
}

/* The same where cells are held in float, by outer products: double is slow. */
template <int NX, int NZ, int MINE, int WARPS>
__device__ __forceinline__ void add_points(const od_points<float> &p, float (&c)[MINE][NX][NZ][4])
{
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    for (int j = p.first; j < p.first + 8; j++) {
        const float *x0 = p.row_of(0, j) + g, *y0 = p.row_of(1, j) + 2 * p.warp;
        const float *z0 = p.row_of(2, j) + 2 * t;
        float wx[NX], wz[NZ][2];
#pragma unroll
        for (int x = 0; x < NX; x++) wx[x] = x0[8 * x];
#pragma unroll
        for (int z = 0; z < NZ; z++) {
            wz[z][0] = z0[8 * z];
            wz[z][1] = z0[8 * z + 1];
        }
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            const int y = 2 * (p.warp + WARPS * i);
            if (y + 1 < p.low || y >= p.high) continue;
            const float wy[2] = {y0[2 * WARPS * i], y0[2 * WARPS * i + 1]};
#pragma unroll
            for (int x = 0; x < NX; x++) {
                const float m[2] = {wx[x] * wy[0], wx[x] * wy[1]};
#pragma unroll
                for (int k = 0; k < 4 * NZ; k++) {
                    float &cell = c[i][x][k / 4][k % 4];
                    cell = fmaf(m[k % 4 / 2], wz[k / 4][k % 2], cell);
                }
            }
        }
    }
}

/* The same in integers, each term rounded by itself, so that a sum has no order. Blocks of cells
 * that a point does not meet are left out. SMALL: terms_are_small(). */
template <int NX, int NZ, int MINE, int WARPS, bool SMALL>
__device__ __forceinline__ void add_integers(const od_points<double> &p, int width,
                                             int64_t (&c)[MINE][NX][NZ][4])
{
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    for (int j = p.first; j < p.first + 8; j++) {
        const double *x0 = p.row_of(0, j) + g, *y0 = p.row_of(1, j) + 2 * p.warp;
        const double *z0 = p.row_of(2, j) + 2 * t;
        const int from_x = 8 * NX - width - p.offset[j];
        const int from_z = 8 * NZ - width - p.offset[2 * BATCH + j];
#pragma unroll
        for (int z = 0; z < NZ; z++) {
            if (from_z >= 8 * z + 8 || from_z + width <= 8 * z) continue;
            const double wz[2] = {z0[8 * z], z0[8 * z + 1]};
#pragma unroll
            for (int x = 0; x < NX; x++) {
                if (from_x >= 8 * x + 8 || from_x + width <= 8 * x) continue;
                const double wx = x0[8 * x];
#pragma unroll
                for (int i = 0; i < MINE; i++) {
                    const int y = 2 * (p.warp + WARPS * i);
                    if (y + 1 < p.low || y >= p.high) continue;
#pragma unroll
                    for (int e = 0; e < 4; e++) {
                        const double plane = __dmul_rn(wx, y0[2 * WARPS * i + e / 2]);
                        c[i][x][z][e] += SMALL ? small_integer_of(plane, wz[e % 2])
                                               : integer_of_product(plane, wz[e % 2]);
                    }
                }
            }
        }
    }
}

template <typename real, typename held, int NX, int NZ, int PAIRS, int WARPS, int BLOCKS>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS) spread_tiles(const spread_parameters a)
{
    typedef typename od_types<real, held>::weight weight;
    typedef typename od_types<real, held>::cell cell;
    typedef typename od_types<real, held>::grid_cell grid_cell;
    typedef od_shape<weight, NX, NZ, PAIRS, WARPS> shape;
    constexpr bool INTEGERS = std::is_same<held, integers>::value;
    static_assert(PAIRS % WARPS == 0, "every warp has as many pairs of rows");
    constexpr int MINE = PAIRS / WARPS, AXES = (3 + WARPS - 1) / WARPS; /* of a thread */
    extern __shared__ double space[];
    weight *shared = (weight *)space;
    const int width = a.window.width, step = a.window.step;
    const int rows[3] = {padded_row(8 * NX, width), padded_row(2 * PAIRS, width),
                         padded_row(8 * NZ, width)};
    const int begins[3] = {0, BATCH * rows[0], BATCH * (rows[0] + rows[1])};
    const int buffer = shape::buffer(width);
    real *coefficients = (real *)(shared + shape::BUFFERS * buffer);
    int *bins = (int *)(coefficients + a.window.n * step);
    int *offsets = bins + 256; /* [BUFFERS][3][BATCH] place of the tile's first cell in the row */
    uint16_t *order = (uint16_t *)(offsets + shape::BUFFERS * 3 * BATCH);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int part = blockIdx.y;
    load_window(a.window, coefficients);
    for (int i = threadIdx.x; i < shape::BUFFERS * buffer; i += shape::THREADS) shared[i] = 0;
    join_chain(a);
    const uint32_t n = subproblems_of(a.points);
    if (blockIdx.x >= n) return;
    double scale = 0;
    bool small = false;
    if constexpr (INTEGERS) {
        scale = a.scale[0];
        small = terms_are_small(a.scale[1], scale);
        if (scale == 0) return; /* bad strengths: a NaN would become an integer */
    }

    for (uint32_t k = blockIdx.x; k < n; k += gridDim.x) {
        const enuf_cuda_subproblem sub = a.points.list[k];
        const point_record<real> *records =
            (const point_record<real> *)a.points.records + sub.first;
        const int count = (int)sub.count;
        cell c[MINE][NX][NZ][4];
#pragma unroll
        for (int i = 0; i < MINE; i++)
#pragma unroll
            for (int x = 0; x < NX; x++)
#pragma unroll
                for (int z = 0; z < NZ; z++)
#pragma unroll
                    for (int e = 0; e < 4; e++) c[i][x][z][e] = 0;
        order_by_y(records, count, order, bins);

        fetched_point<real> next[AXES];
        /* A batch takes its chunks of eight from all over the order, so that its warps have equally
         * much to do: chunk i of batch b is the (i batches + b)-th. */
        const int batches = (count + BATCH - 1) / BATCH;
        auto place_in_order = [&](int begin, int j) {
            return ((j / 8) * batches + begin / BATCH) * 8 + j % 8;
        };
        auto fetch_batch = [&](int begin) {
#pragma unroll
            for (int i = 0; i < AXES; i++)
                if (warp + WARPS * i < 3)
                    next[i] = fetch(a, records, order, place_in_order(begin, lane), count,
                                    warp + WARPS * i, part);
        };
        auto evaluate_batch = [&](int which) {
#pragma unroll
            for (int i = 0; i < AXES; i++) {
                const int d = warp + WARPS * i;
                if (d >= 3) continue;
                typedef point_record<real> record;
                const int cells = d == 0 ? 8 * NX : d == 1 ? 2 * PAIRS : 8 * NZ;
                const int before = cells - width; /* zeros */
                weight *to = shared + which * buffer +
                             (d == 0   ? begins[0]
                              : d == 1 ? begins[1]
                                       : begins[2]) +
                             lane * (d == 0   ? rows[0]
                                     : d == 1 ? rows[1]
                                              : rows[2]) +
                             before;
                const typename record::fixed one = 1;
                const typename record::fixed fraction = next[i].at & ((one << record::BITS) - 1);
                const real variable =
                    (real)fraction * (real)(1.0 / (double)(one << (record::BITS - 1))) - 1;
                offsets[(3 * which + d) * BATCH + lane] =
                    before - (int)(next[i].at >> record::BITS);
                for (int p = 0; p < width; p += 4) {
                    real w[4];
                    four_weights(coefficients + p, a.window.n, step, variable, w);
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        if (p + e < width) to[p + e] = kept_weight<held>(w[e], next[i], d, scale);
                }
            }
        };
        fetch_batch(0);
        evaluate_batch(0);
        fetch_batch(BATCH);
        __syncthreads();
        for (int begin = 0, which = 0; begin < count; begin += BATCH) {
            if (shape::BUFFERS == 2 && begin + BATCH < count) {
                evaluate_batch(1 - which);
                fetch_batch(begin + 2 * BATCH);
            }
            const weight *weights = shared + which * buffer;
            const int *offset = offsets + 3 * which * BATCH;
            for (int chunk = 0; chunk < BATCH / 8; chunk++) {
                if (place_in_order(begin, 8 * chunk) >= count) break;
                const int low = 2 * PAIRS - width - offset[BATCH + 8 * chunk];
                const int high = 2 * PAIRS - offset[BATCH + 8 * chunk + 7];
                const od_points<weight> eight = {weights,   offset, rows, begins,
                                                 8 * chunk, warp,   low,  high};
                if constexpr (!INTEGERS)
                    add_points<NX, NZ, MINE, WARPS>(eight, c);
                else if (small)
                    add_integers<NX, NZ, MINE, WARPS, true>(eight, width, c);
                else
                    add_integers<NX, NZ, MINE, WARPS, false>(eight, width, c);
            }
            __syncthreads();
            if (shape::BUFFERS == 1 && begin + BATCH < count) {
                evaluate_batch(0);
                fetch_batch(begin + 2 * BATCH);
                __syncthreads();
            }
            if (shape::BUFFERS == 2) which = 1 - which;
        }

        int64_t origin[3];
        tile_origin(a.points, sub.tile, origin);
        grid_cell *cells = (grid_cell *)a.cells + cells_before(a) + part;
        const int nx = (int)a.points.grid[0], ny = (int)a.points.grid[1],
                  nz = (int)a.points.grid[2];
#pragma unroll
        for (int i = 0; i < MINE; i++)
#pragma unroll
            for (int odd = 0; odd < 2; odd++) {
                const int y = 2 * (warp + WARPS * i) + odd;
                grid_cell *row = cells + folded_once((int)origin[1] + y, ny) * a.row;
                add_row(c[i], odd, row, a.plane, a.parts, (int)origin[0], (int)origin[2], nx, nz);
            }
        __syncthreads();
    }
}

template <typename real, typename held, int NX, int NZ, int PAIRS, int WARPS, int BLOCKS>
static enuf_status launch(const enuf_nufft *plan, const spread_parameters &a, int vectors)
{
    return launch_spreading(
        plan, a, spread_tiles<real, held, NX, NZ, PAIRS, WARPS, BLOCKS>, 32 * WARPS,
        od_shape<typename od_types<real, held>::weight, NX, NZ, PAIRS, WARPS>::bytes(a.window,
                                                                                     sizeof(real)),
        a.parts, vectors, "output-driven spreading");
}

template <typename real, typename held>
static enuf_status spread(const enuf_nufft *plan, const spread_parameters &a, int vectors)
{
    if (a.window.width <= ENUF_CUDA_SMALL_WIDTH)
        return launch<real, held, ENUF_CUDA_SMALL / 8, ENUF_CUDA_SMALL / 8, ENUF_CUDA_SMALL_Y / 2,
                      SMALL_WARPS, SMALL_BLOCKS>(plan, a, vectors);
    if (a.window.width <= ENUF_CUDA_MIDDLE_WIDTH)
        return launch<real, held, ENUF_CUDA_MIDDLE / 8, ENUF_CUDA_MIDDLE / 8,
                      ENUF_CUDA_MIDDLE_Y / 2, MIDDLE_WARPS, MIDDLE_BLOCKS>(plan, a, vectors);
    if constexpr (std::is_same<held, integers>::value)
        return enuf_fail(ENUF_INTERNAL, "a window too wide for tiles of integers");
    else
        return launch<real, held, ENUF_CUDA_LARGE / 8, ENUF_CUDA_LARGE / 8, ENUF_CUDA_LARGE_Y / 2,
                      LARGE_WARPS, LARGE_BLOCKS>(plan, a, vectors);
}

extern "C" enuf_status enuf_cuda_spread_tiles_fixed(enuf_nufft *plan, const enuf_spread_job *job)
{
    const spread_parameters a = spread_parameters_of(plan, job);
    return plan->options.precision == ENUF_FLOAT ? spread<float, integers>(plan, a, 1)
                                                 : spread<double, integers>(plan, a, 1);
}

extern "C" enuf_status enuf_cuda_spread_tiles(enuf_nufft *plan, const enuf_spread_job *job,
                                              int vectors)
{
    const spread_parameters a = spread_parameters_of(plan, job);
    if (enuf_cuda_of(plan)->avoids_fp64) return spread<float, float>(plan, a, vectors);
    return plan->options.precision == ENUF_FLOAT ? spread<float, double>(plan, a, vectors)
                                                 : spread<double, double>(plan, a, vectors);
}
