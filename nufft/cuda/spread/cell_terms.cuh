/*
 * cell_terms.cuh - terms that global atomics add to the cells of a grid, in floating point or,
 * deterministic, in 64-bit integers. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_CELL_TERMS_CUH
#define ENUF_NUFFT_CUDA_CELL_TERMS_CUH

#include "fixed_cells.cuh"

/** Sums of cells: numbers; integers; integers of terms in float, where double is slow. */
enum { NUMBERS, FIXED_POINT, FIXED_BY_BITS };

/** The scale of integers: its exponent, where terms become integers by their bits. */
template <int CELLS> struct cell_scale {
    typedef double type;
};
template <> struct cell_scale<FIXED_BY_BITS> {
    typedef int type;
};

/** Adds a term to a cell's sum. Integers: rounded one by one, so that the sum has no order. */
template <typename real, int CELLS>
__device__ __forceinline__ void add_term(void *cells, int64_t at, real wx, real wy, real wz, real q,
                                         typename cell_scale<CELLS>::type scale)
{
    if (CELLS == FIXED_BY_BITS) {
        const int64_t term = enuf_integer_of((float)(wx * wy * wz * q), (int)scale);
        atomicAdd((unsigned long long *)cells + at, (unsigned long long)term);
    } else if (CELLS == FIXED_POINT) {
        const double plane =
            (double)wx * ((double)wy * ((double)q * scale)); /* as spread_tiles.cu */
        const int64_t term = integer_of_product(plane, (double)wz);
        atomicAdd((unsigned long long *)cells + at, (unsigned long long)term);
    } else {
        atomicAdd((real *)cells + at, wx * wy * wz * q);
    }
}

/** The scale as terms take it. */
template <int CELLS>
__device__ __forceinline__ typename cell_scale<CELLS>::type scale_of(const double *scale)
{
    if constexpr (CELLS == FIXED_BY_BITS)
        return fixed_exponent(*scale);
    else
        return CELLS == FIXED_POINT ? *scale : 0;
}

#endif
