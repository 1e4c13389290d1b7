/*
 * fixed_cells.cuh - the 64-bit integers of deterministic grids: terms of a cell's sum as integers,
 * and integers as floats without double, by their bits, where double is slow. A scale is a power of
 * two. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_FIXED_CELLS_CUH
#define ENUF_NUFFT_CUDA_FIXED_CELLS_CUH

#include "plain_float.cuh"

/** The integer nearest to a product below 2^51: the sum rounds the exact product to units of 1. */
__device__ __forceinline__ int64_t small_integer_of(double x, double y)
{
    return __double_as_longlong(fma(x, y, 0x1.8p52)) - 0x4338000000000000; /* bits of 0x1.8p52 */
}

/** The same for any product below 2^63. Where both serve, both give the same integer. */
__device__ __forceinline__ int64_t integer_of_product(double x, double y)
{
    const double product = __dmul_rn(x, y);
    return fabs(product) < 0x1p51 ? small_integer_of(x, y) : __double2ll_rn(product);
}

/** Whether every term is below 2^51: a strength times the scale, and three weights of 1 or a bit
 * more. */
__device__ __forceinline__ bool terms_are_small(double largest_strength, double scale)
{
    return largest_strength * scale < 0x1p50;
}

/** The exponent of a scale, 0 for the scale 0. */
__device__ __forceinline__ int fixed_exponent(double scale)
{
    const int exponent = __double2hiint(scale) >> 20 & 0x7ff;
    return exponent ? exponent - 1023 : 0;
}

/** fixed 2^-exponent. */
__device__ __forceinline__ float number_of_fixed(int64_t fixed, int exponent)
{
    const uint64_t size = fixed < 0 ? (uint64_t)0 - (uint64_t)fixed : (uint64_t)fixed;
    if (size == 0) return 0;
    const int zeros = __clzll((long long)size);
    const float value =
        ldexpf(__uint2float_rn((uint32_t)(size << zeros >> 32)), 32 - zeros - exponent);
    return fixed < 0 ? -value : value;
}

#endif
