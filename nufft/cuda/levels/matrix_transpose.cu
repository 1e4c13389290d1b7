/*
 * matrix_transpose.cu - level MATRIX: the rows of the cells, gathered from those of the points.
 *
 * Rows of points are sorted by first cells. So the points whose windows hold a cell are, for each
 * line of the window, those whose first cells are the cell and the W - 1 before it: a run, or
 * several where it goes around the grid. The counts of a cell's entries follow from the runs' ends,
 * and no entry is sorted. Four passes: the place of each cell's first point (find_starts), sums of
 * entries over shares of the cells (sum_rows), pointers (place_rows), entries (write_entries).
 *
 * Bytes: an entry's value at a random place in (a sector of 32), S + 4 out side by side; two places
 * of points for each line of each cell, from the caches. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/point.cuh"
#include "cuda/precision.cuh"
#include "cuda/sort/sort_scan.cuh"
#include "matrix.h"
#include "row_groups.cuh"

struct transpose_parameters {
    sorted_view points;
    enuf_cuda_matrix_order order;
    enuf_cuda_kept kept;
    uint32_t *start; /* [rows] the first point with this first cell or a later one; in the grid */
    int64_t *row_start, *sums;
    int64_t rows, pitch, share; /* share: rows of a block */
    int width, lines, lines_of_plane, lanes;
};

/* The first point with this first cell or a later one. */
__device__ __forceinline__ int64_t start_of(const transpose_parameters &a, int64_t cell, int64_t n)
{
    return cell < a.rows ? (int64_t)a.start[cell] : n;
}

/* A run of points whose windows hold a cell, of one line: points [begin, end), of which the one
 * with first cell f has the cell at x0 - f. */
struct cell_run {
    int64_t begin, end, x0;
};

/* The runs of a line of windows that hold the cell at x; next() is false after the last. */
struct cell_runs {
    const transpose_parameters &a;
    int64_t line, high, x0, n; /* high: last first cell of the next run */
    int left;                  /* first cells that are left */

    __device__ __forceinline__ cell_runs(const transpose_parameters &parameters, int64_t of_line,
                                         int64_t x, int64_t points)
        : a(parameters), line(of_line), high(x), x0(x), n(points), left(parameters.width)
    {
    }

    __device__ __forceinline__ bool next(cell_run *run)
    {
        if (left == 0) return false;
        const int64_t low = high >= left ? high - left + 1 : 0;
        run->begin = start_of(a, line + low, n);
        run->end = start_of(a, line + high + 1, n);
        run->x0 = x0;
        left -= (int)(high - low + 1);
        x0 += a.points.grid[0]; /* windows that began one period lower */
        high = a.points.grid[0] - 1;
        return true;
    }
};

/* A cell, and the lines of first cells whose windows hold it. */
struct cell_place {
    int64_t x, y, z;

    __device__ __forceinline__ cell_place(const transpose_parameters &a, int64_t row)
        : x(row % a.pitch), y(row / a.pitch % a.points.grid[1]), z(row / a.pitch / a.points.grid[1])
    {
    }

    /* The first cells of windows whose line k holds the cell, without x. */
    __device__ __forceinline__ int64_t line(const transpose_parameters &a, int k) const
    {
        int64_t line_y = y - k % a.lines_of_plane, line_z = z - k / a.lines_of_plane;
        while (line_y < 0) line_y += a.points.grid[1];
        while (line_z < 0) line_z += a.points.grid[2];
        return (line_z * a.points.grid[1] + line_y) * a.pitch;
    }
};

__device__ __forceinline__ int64_t entries_of_line(const transpose_parameters &a,
                                                   const cell_place &cell, int k, int64_t n)
{
    cell_runs runs(a, cell.line(a, k), cell.x, n);
    cell_run run;
    int64_t count = 0;
    while (runs.next(&run)) count += run.end - run.begin;
    return count;
}

/* Entries of a row; the padding of a line has none. */
__device__ __forceinline__ int64_t entries_of_row(const transpose_parameters &a, int64_t row,
                                                  int64_t n)
{
    const cell_place cell(a, row);
    int64_t count = 0;
    if (cell.x >= a.points.grid[0]) return 0;
    for (int k = 0; k < a.lines; k++) count += entries_of_line(a, cell, k, n);
    return count;
}

/* A thread a cell, by bisection. After a refused sort there are no points, and all kernels of this
 * file leave what the earlier ones have. */
__global__ void __launch_bounds__(ROW_THREADS) find_starts(const transpose_parameters a)
{
    const int64_t n = (int64_t)points_of(a.points), step = (int64_t)gridDim.x * ROW_THREADS;
    if (n == 0) return;
    for (int64_t cell = (int64_t)blockIdx.x * ROW_THREADS + threadIdx.x; cell < a.rows;
         cell += step) {
        int64_t low = 0, high = n; /* points before low: of lower cells; from high on: not */
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            if ((int64_t)a.order.cell[middle] < cell)
                low = middle + 1;
            else
                high = middle;
        }
        a.start[cell] = (uint32_t)low;
    }
}

/* Entries of a block's share of the rows. */
__global__ void __launch_bounds__(SCAN_THREADS) sum_rows(const transpose_parameters a)
{
    __shared__ uint64_t of_warp[SCAN_WARPS + 1];
    const int64_t n = (int64_t)points_of(a.points);
    const int64_t first = blockIdx.x * a.share, end = min(first + a.share, a.rows);
    uint64_t mine = 0, total;
    if (n == 0) return;
    for (int64_t row = first + threadIdx.x; row < end; row += SCAN_THREADS)
        mine += (uint64_t)entries_of_row(a, row, n);
    sum_before(mine, of_warp, &total);
    if (threadIdx.x == 0) a.sums[blockIdx.x] = (int64_t)total;
}

/* The pointers of a block's share of the rows, SCAN_THREADS of them at a time. */
__global__ void __launch_bounds__(SCAN_THREADS) place_rows(const transpose_parameters a)
{
    __shared__ uint64_t of_warp[SCAN_WARPS + 1];
    const int64_t n = (int64_t)points_of(a.points);
    const int64_t first = blockIdx.x * a.share, end = min(first + a.share, a.rows);
    uint64_t mine = 0, before, total;
    if (n == 0) return;
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += SCAN_THREADS) mine += (uint64_t)a.sums[b];
    sum_before(mine, of_warp, &before);
    for (int64_t row = first; row < end; row += SCAN_THREADS) {
        const int64_t at = row + threadIdx.x;
        mine = at < end ? (uint64_t)entries_of_row(a, at, n) : 0;
        const uint64_t here = before + sum_before(mine, of_warp, &total);
        if (at < end) a.row_start[at] = (int64_t)here;
        before += total;
    }
    if (threadIdx.x == 0 && end == a.rows) a.row_start[a.rows] = (int64_t)before;
}

/* The entries of one line, from this place on. */
template <typename real>
__device__ __forceinline__ void write_line(const transpose_parameters &a, const cell_place &cell,
                                           int k, int64_t n, int64_t to)
{
    const int64_t cells = (int64_t)a.lines * a.width, before = (int64_t)k * a.width;
    cell_runs runs(a, cell.line(a, k), cell.x, n);
    cell_run run;
    while (runs.next(&run))
        for (int64_t s = run.begin; s < run.end; s++, to++) {
            const int64_t at = s * cells + before + run.x0 - a.kept.first[s];
            ((real *)a.kept.entry)[to] = ((const real *)a.kept.values)[at];
            a.kept.entry_point[to] = (uint32_t)s;
        }
}

/* A group of lanes a cell, a lane a line. */
template <typename real>
__global__ void __launch_bounds__(ROW_THREADS) write_entries(const transpose_parameters a)
{
    const int64_t n = (int64_t)points_of(a.points);
    const row_group g(a.lanes);
    if (n == 0) return;
    for (int64_t row = g.first; g.warp_has(row, a.rows); row += g.step) {
        const bool is_row = row < a.rows;
        const cell_place cell(a, is_row ? row : 0);
        const bool has_points = is_row && cell.x < a.points.grid[0];
        int64_t to = is_row ? a.row_start[row] : 0;
        for (int first = 0; first < a.lines; first += a.lanes) {
            const int k = first + g.lane;
            const bool has_line = has_points && k < a.lines;
            const int64_t mine = has_line ? entries_of_line(a, cell, k, n) : 0;
            int64_t sum = mine;
            for (int step = 1; step < a.lanes; step *= 2) {
                const int64_t other = __shfl_up_sync(~0u, sum, step, a.lanes);
                if (g.lane >= step) sum += other;
            }
            if (has_line) write_line<real>(a, cell, k, n, to + sum - mine);
            to += __shfl_sync(~0u, sum, a.lanes - 1, a.lanes);
        }
    }
}

template <typename real> static void write(const enuf_nufft *plan, const transpose_parameters &a)
{
    write_entries<real><<<enuf_cuda_blocks(plan, a.rows * a.lanes, ROW_THREADS), ROW_THREADS, 0,
                          enuf_cuda_of(plan)->stream>>>(a);
}

extern "C" enuf_status enuf_cuda_matrix_transpose(enuf_nufft *plan,
                                                  const enuf_cuda_matrix_order *order)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    transpose_parameters a;
    a.points = sorted_view_of(plan);
    a.order = *order;
    a.kept = cuda->points.kept;
    a.start = (uint32_t *)cuda->grid; /* a number of the grid has 4 bytes or more */
    a.row_start = cuda->row_start;
    a.sums = cuda->row_sums;
    a.rows = enuf_cuda_matrix_rows(plan);
    a.pitch = enuf_cuda_matrix_pitch(plan);
    const int64_t least = (a.rows - 1) / ENUF_CUDA_ROW_SUMS + 1;
    a.share = (least + SCAN_THREADS - 1) / SCAN_THREADS * SCAN_THREADS;
    a.width = plan->method.fit.width;
    a.lines = enuf_cuda_matrix_lines(plan);
    a.lines_of_plane = plan->options.dim > 1 ? a.width : 1;
    a.lanes = lanes_for(a.lines);
    const unsigned shares = (unsigned)((a.rows - 1) / a.share + 1);
    find_starts<<<enuf_cuda_blocks(plan, a.rows, ROW_THREADS), ROW_THREADS, 0, cuda->stream>>>(a);
    sum_rows<<<shares, SCAN_THREADS, 0, cuda->stream>>>(a);
    place_rows<<<shares, SCAN_THREADS, 0, cuda->stream>>>(a);
    ENUF_CUDA_BY_PRECISION(plan, write, plan, a);
    return enuf_cuda_launched("transposing the matrix");
}
