/* gram_rows.cuh - threads over rows of cells or of modes: a block has a piece of a row, so that no
 * thread divides by a length along x. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CUDA_GRAM_ROWS_CUH
#define ENUF_CUDA_GRAM_ROWS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

enum { MOST_ROW_THREADS = 256 };

/** Blocks of a launch over rows: grid.x pieces of rows, grid.y parts. */
struct gram_rows {
    int threads, pieces; /* of a row */
    int64_t rows;
};

static inline gram_rows gram_rows_of(int length, int64_t rows)
{
    const int whole = (length + 31) / 32 * 32;
    const int threads = whole < MOST_ROW_THREADS ? whole : MOST_ROW_THREADS;
    return {threads, (length + threads - 1) / threads, rows};
}

static inline dim3 gram_grid_of(const gram_rows &rows, int parts)
{
    return dim3((unsigned int)(rows.rows * rows.pieces), (unsigned int)parts);
}

/** The place of a thread in rows of an array [n3][n2][n1]; x may be past the row's end. */
struct gram_place {
    int x, y, z;
};

static __device__ __forceinline__ gram_place gram_place_of(int pieces, int n2)
{
    const unsigned int row = blockIdx.x / pieces, piece = blockIdx.x - row * pieces;
    const unsigned int z = row / n2;
    return {(int)(piece * blockDim.x + threadIdx.x), (int)(row - z * n2), (int)z};
}

#endif
