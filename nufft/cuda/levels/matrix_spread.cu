/*
 * matrix_spread.cu - level MATRIX: spreading as a product with the transposed matrix, a group of
 * lanes a cell, without atomics: the order of a sum is fixed. Strengths are sorted to the order of
 * the rows of points first, those of a batch side by side.
 *
 * Bytes: S + 4 of an entry, once for up to TOGETHER numbers of a batch and from the caches for
 * more; the strengths of a point from the caches, W^d times; 8 and the cells of a row. Memory
 * bounds it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/point.cuh"
#include "cuda/precision.cuh"
#include "cuda/spread/cell_terms.cuh"
#include "lane_sum.cuh"
#include "matrix.h"
#include "row_groups.cuh"

enum { TOGETHER = 8 };

struct product_parameters {
    sorted_view points;
    enuf_cuda_kept kept;
    const int64_t *row_start;
    const void *strengths; /* [batch][n_points][parts] */
    int64_t n_points, rows, batch_cells;
    void *cells;
    const double *scale;       /* fixed point */
    int numbers, parts, lanes; /* numbers: of a point, in all vectors */
};

/* A thread a number. */
template <typename real>
__global__ void __launch_bounds__(ROW_THREADS) sort_strengths(const product_parameters a)
{
    const int64_t n = (int64_t)points_of(a.points), step = (int64_t)gridDim.x * ROW_THREADS;
    for (int64_t i = (int64_t)blockIdx.x * ROW_THREADS + threadIdx.x; i < n * a.numbers;
         i += step) {
        const int64_t s = i / a.numbers, number = i - s * a.numbers, b = number / a.parts;
        const int64_t from = (b * a.n_points + a.kept.index[s]) * a.parts + number - b * a.parts;
        ((real *)a.kept.strengths)[i] = ((const real *)a.strengths)[from];
    }
}

/* A cell's sum, and its terms. */
template <typename real, int CELLS> struct cell_sum {
    typedef int64_t type;
};
template <typename real> struct cell_sum<real, NUMBERS> {
    typedef real type;
};

template <typename real, int CELLS>
__device__ __forceinline__ typename cell_sum<real, CELLS>::type
term_of(real weight, real q, typename cell_scale<CELLS>::type scale)
{
    if constexpr (CELLS == FIXED_BY_BITS)
        return enuf_integer_of((float)(weight * q), (int)scale);
    else if constexpr (CELLS == FIXED_POINT)
        return integer_of_product((double)q * scale, (double)weight);
    else
        return weight * q;
}

/* Numbers first ... first + COUNT - 1 of a cell, by its entries [begin, end). All lanes of a warp
 * call it; without a row, with no entries. */
template <typename real, int CELLS, int COUNT>
__device__ __forceinline__ void sum_row(const product_parameters &a, const row_group &g,
                                        int64_t row, int64_t begin, int64_t end, int first,
                                        typename cell_scale<CELLS>::type scale)
{
    typedef typename cell_sum<real, CELLS>::type number;
    number sum[COUNT] = {};
    for (int64_t e = begin + g.lane; e < end; e += a.lanes) {
        const real weight = ((const real *)a.kept.entry)[e];
        const real *q = (const real *)a.kept.strengths + a.kept.entry_point[e] * (int64_t)a.numbers;
        for (int c = 0; c < COUNT; c++) sum[c] += term_of<real, CELLS>(weight, q[first + c], scale);
    }
    for (int c = 0; c < COUNT; c++) sum[c] = lane_sum(sum[c], a.lanes);
    if (g.lane != 0 || row >= a.rows) return;
    for (int c = 0; c < COUNT; c++) {
        const int64_t vector = (first + c) / a.parts, part = (first + c) % a.parts;
        ((number *)a.cells)[vector * a.batch_cells + row * a.parts + part] = sum[c];
    }
}

/* Writes every cell, those without points and the padding of lines too. */
template <typename real, int CELLS>
__global__ void __launch_bounds__(ROW_THREADS) sum_cells(const product_parameters a)
{
    const row_group g(a.lanes);
    /* without points there may be no pointers; bad strengths: a NaN would become an integer */
    const bool empty = points_of(a.points) == 0 || (CELLS != NUMBERS && *a.scale == 0);
    const auto scale = scale_of<CELLS>(a.scale);
    for (int64_t row = g.first; g.warp_has(row, a.rows); row += g.step) {
        const bool has_entries = row < a.rows && !empty;
        const int64_t begin = has_entries ? a.row_start[row] : 0;
        const int64_t end = has_entries ? a.row_start[row + 1] : 0;
        int first = 0;
        for (; first + TOGETHER <= a.numbers; first += TOGETHER)
            sum_row<real, CELLS, TOGETHER>(a, g, row, begin, end, first, scale);
        for (; first + 2 <= a.numbers; first += 2)
            sum_row<real, CELLS, 2>(a, g, row, begin, end, first, scale);
        if (first < a.numbers) sum_row<real, CELLS, 1>(a, g, row, begin, end, first, scale);
    }
}

template <typename real, int CELLS>
static enuf_status spread(const enuf_nufft *plan, product_parameters a)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t n = cuda->points.n;
    double cells = 1;
    for (int d = 0; d < plan->options.dim; d++) cells *= (double)plan->method.grid[d];
    const double entries = (double)enuf_cuda_matrix_lines(plan) * plan->method.fit.width;
    a.lanes = lanes_for((double)n * entries / cells);
    if (n > 0)
        sort_strengths<real>
            <<<enuf_cuda_blocks(plan, n * a.numbers, ROW_THREADS), ROW_THREADS, 0, cuda->stream>>>(
                a);
    sum_cells<real, CELLS>
        <<<enuf_cuda_blocks(plan, a.rows * a.lanes, ROW_THREADS), ROW_THREADS, 0, cuda->stream>>>(
            a);
    return enuf_cuda_launched("spreading by the matrix");
}

extern "C" enuf_status enuf_cuda_matrix_spread(enuf_nufft *plan, const void *strengths, void *cells)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    product_parameters a;
    a.points = sorted_view_of(plan);
    a.kept = cuda->points.kept;
    a.row_start = cuda->row_start;
    a.strengths = strengths;
    a.n_points = plan->n_points;
    a.rows = enuf_cuda_matrix_rows(plan);
    a.batch_cells = cuda->batch_cells;
    a.cells = cells;
    a.scale = cuda->fixed_scale;
    a.parts = plan->real ? 1 : 2;
    a.numbers = plan->options.batch * a.parts;
    a.lanes = 1;
    const int single = plan->options.precision == ENUF_FLOAT;
    if (!plan->options.deterministic)
        return single ? spread<float, NUMBERS>(plan, a) : spread<double, NUMBERS>(plan, a);
    if (cuda->avoids_fp64) return spread<float, FIXED_BY_BITS>(plan, a);
    return single ? spread<float, FIXED_POINT>(plan, a) : spread<double, FIXED_POINT>(plan, a);
}
