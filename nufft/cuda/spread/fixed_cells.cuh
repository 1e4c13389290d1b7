/*
 * fixed_cells.cuh - floats and 64-bit integers without double, by their bits, for deterministic
 * float plans where double is slow. A scale is a power of two. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_FIXED_CELLS_CUH
#define ENUF_NUFFT_CUDA_FIXED_CELLS_CUH

#include "plain_float.cuh"

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
