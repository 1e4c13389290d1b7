/*
 * plain_float.cuh - what kernels of GPUs whose double is slow do in floats and integers instead
 * (fp64_rate.h): sums in pairs of floats, fractions, a float as a double. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CUDA_PLAIN_FLOAT_CUH
#define ENUF_CUDA_PLAIN_FLOAT_CUH

#include <stdint.h>

/** A sum of floats, and what it lost to rounding. */
struct enuf_float_pair {
    float high, low;
};

static __device__ __forceinline__ enuf_float_pair enuf_added(enuf_float_pair sum, float term)
{
    const float high = __fadd_rn(sum.high, term), part = __fadd_rn(high, -sum.high);
    const float lost =
        __fadd_rn(__fadd_rn(sum.high, -__fadd_rn(high, -part)), __fadd_rn(term, -part));
    return {high, __fadd_rn(sum.low, lost)};
}

static __device__ __forceinline__ enuf_float_pair enuf_added(enuf_float_pair a, enuf_float_pair b)
{
    const enuf_float_pair sum = enuf_added(a, b.high);
    return {sum.high, __fadd_rn(sum.low, b.low)};
}

static __device__ __forceinline__ double enuf_added(double sum, double term)
{
    return sum + term;
}

/** The sum as one number. */
static __device__ __forceinline__ double enuf_total(enuf_float_pair sum)
{
    return (double)sum.high + (double)sum.low;
}

static __device__ __forceinline__ double enuf_total(double sum)
{
    return sum;
}

/** A float as a double, by its bits; subnormal ones are 0. */
static __device__ __forceinline__ double enuf_widened(float x)
{
    const uint32_t bits = __float_as_uint(x), size = bits & 0x7fffffffu, sign = bits ^ size;
    if (size < 0x00800000u) return 0;
    const uint32_t exponent = size < 0x7f800000u ? 0x38000000u : 0x70000000u; /* or no number */
    return __hiloint2double((int)(sign | ((size >> 3) + exponent)), (int)(size << 29));
}

static __device__ __forceinline__ double enuf_widened(double x)
{
    return x;
}

/** mantissa 2^shift modulo 2^64. */
static __device__ __forceinline__ uint64_t enuf_shifted(uint64_t mantissa, int shift)
{
    if (shift >= 64 || shift <= -64) return 0;
    return shift >= 0 ? mantissa << shift : mantissa >> -shift;
}

/** The fraction of a number in units of 2^-64, cut off. False if the number is not finite. */
static __device__ __forceinline__ bool enuf_fraction(float x, uint64_t *fraction)
{
    const uint32_t bits = __float_as_uint(x);
    const int exponent = (int)(bits >> 23 & 0xff);
    const uint64_t size = enuf_shifted((bits & 0x7fffffu) | 0x800000u, exponent - 150 + 64);
    *fraction = bits >> 31 ? (uint64_t)0 - size : size;
    return exponent < 0xff;
}

static __device__ __forceinline__ bool enuf_fraction(double x, uint64_t *fraction)
{
    const uint64_t bits = (uint64_t)__double_as_longlong(x), one = (uint64_t)1 << 52;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    const uint64_t size = enuf_shifted((bits & (one - 1)) | one, exponent - 1075 + 64);
    *fraction = bits >> 63 ? (uint64_t)0 - size : size;
    return exponent < 0x7ff;
}

/** nearest(value 2^exponent), which is below 2^62. */
static __device__ __forceinline__ int64_t enuf_integer_of(float value, int exponent)
{
    const uint32_t bits = __float_as_uint(value);
    const int shift = (int)(bits >> 23 & 0xff) - 150 + exponent;
    const uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
    uint64_t size = 0;
    if (shift >= 0)
        size = mantissa << min(shift, 39);
    else if (shift >= -24)
        size = (mantissa + ((uint64_t)1 << (-shift - 1))) >> -shift;
    if (!(bits >> 23 & 0xff)) size = 0;
    return bits >> 31 ? -(int64_t)size : (int64_t)size;
}

#endif
