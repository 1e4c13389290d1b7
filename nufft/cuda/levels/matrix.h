/*
 * matrix.h - level MATRIX: the interpolation matrix of the points, its transpose, and products with
 * both.
 *
 * Rows of points stand in the order of their windows' first cells, and of the caller's indices
 * where these are equal: the order does not depend on the run. A row has the width^dim values of a
 * window, and a column index for each line along x (blocked ELL). Rows of cells are compressed
 * (CSR), with 64-bit pointers. Their entries are in ascending order of the window's lines and, in a
 * line, of the rows of points. So a sum has a fixed order, and needs no atomics.
 *
 * The products are kernels of ours and not of cuSPARSE, by the bytes that bound them. A CSR of the
 * points' rows has a column index of 4 bytes for each entry, where a line of W entries shares one
 * here: in float 8 W^d bytes of matrix a point in place of 4 W^d (1 + 1/W), in double 12 W^d in
 * place of 8 W^d (1 + 1/(2 W)). From W = 4 to 8 these are 1.3 to 1.8 times as many in type 2. In
 * type 1 they are equal. A product with several vectors wants the numbers of a cell side by side,
 * but the transform has its grids one behind the other: a copy of all cells, in and out. Sums in
 * integers, for options.deterministic, it has not.
 *
 * Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_MATRIX_H
#define ENUF_NUFFT_CUDA_MATRIX_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Blocks that sum up the rows' entries: numbers in enuf_cuda.row_sums. */
enum { ENUF_CUDA_ROW_SUMS = 1024 };

/** The sorted points of the matrix: record and window's first cell of row s. In kept.sorting. */
typedef struct enuf_cuda_matrix_order {
    const uint32_t *record, *cell;
} enuf_cuda_matrix_order;

/** Rows of cells, or cells of a vector: those of the grid with the padding of its lines. */
static inline int64_t enuf_cuda_matrix_rows(const enuf_nufft *plan)
{
    return enuf_cuda_of(plan)->batch_cells / (plan->real ? 1 : 2);
}

/** Cells from one line of x to the next. */
static inline int64_t enuf_cuda_matrix_pitch(const enuf_nufft *plan)
{
    return enuf_cuda_of(plan)->row / (plan->real ? 1 : 2);
}

/** Lines of a window. */
static inline int enuf_cuda_matrix_lines(const enuf_nufft *plan)
{
    const int width = plan->method.fit.width, dim = plan->options.dim;
    return (dim > 1 ? width : 1) * (dim > 2 ? width : 1);
}

/* ---- matrix_sort.cu ---- */

/** Bytes of kept.sorting for so many points. */
enuf_status enuf_cuda_matrix_sorting_bytes(const enuf_nufft *plan, int64_t points, int64_t *bytes);

/** Sorts the points that the last sort has left by their first cells. */
enuf_status enuf_cuda_matrix_sort(enuf_nufft *plan, enuf_cuda_matrix_order *order);

/* ---- matrix_rows.cu, matrix_transpose.cu ---- */

enuf_status enuf_cuda_matrix_make_rows(enuf_nufft *plan, const enuf_cuda_matrix_order *order);

/** The rows of cells, from those of the points. The fine grid's memory is room for it. */
enuf_status enuf_cuda_matrix_transpose(enuf_nufft *plan, const enuf_cuda_matrix_order *order);

/* ---- matrix_spread.cu, matrix_interpolate.cu: the whole batch ---- */

/** Strengths [batch][points] to all cells of the grid: integers of deterministic plans. */
enuf_status enuf_cuda_matrix_spread(enuf_nufft *plan, const void *strengths, void *cells);

enuf_status enuf_cuda_matrix_interpolate(enuf_nufft *plan, void *values);

#ifdef __cplusplus
}
#endif
#endif
