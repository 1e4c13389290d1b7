/*
 * real.cuh - the two precisions of kernels. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_REAL_CUH
#define ENUF_EWALD_CUDA_REAL_CUH

#include "plain_float.cuh"

/** Four numbers that are loaded at once. */
template <class Real> struct alignas(16) real4 {
    Real x, y, z, w;
};

/** 1/sqrt(s), s > 0 and in the range of float; 0 gives infinity or not a number. */
static __device__ __forceinline__ float inverse_root(float s)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(s));
    return y;
}

/* one step of third order on 22 bits gives the digits of double */
static __device__ __forceinline__ double improved_root(double s, double y)
{
    const double e = fma(-s * y, y, 1.0);
    return fma(y * e, fma(0.375, e, 0.5), y);
}

static __device__ __forceinline__ double inverse_root(double s)
{
    return improved_root(s, (double)inverse_root((float)s));
}

/** 1/sqrt(s) up to `most`; for smaller s improved_root(s, most), which is below 15/8 most. In float
 * there is no bound. If `counts`, `largest` becomes at least the first guess, without its bound. */
static __device__ __forceinline__ double bounded_root(double s, float most, bool counts,
                                                      float &largest)
{
    const float guess = inverse_root((float)s);
    if (counts) largest = fmaxf(largest, guess);
    return improved_root(s, (double)fminf(guess, most));
}

static __device__ __forceinline__ float bounded_root(float s, float, bool, float &)
{
    return inverse_root(s);
}

/** sqrt(x), x >= 0, to six digits, never below the exact value. */
static __device__ __forceinline__ float root_above(float x)
{
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y * (1 + 2e-6f) + 1e-7f;
}

static __device__ __forceinline__ float multiply_add(float a, float b, float c)
{
    return fmaf(a, b, c);
}

static __device__ __forceinline__ double multiply_add(double a, double b, double c)
{
    return fma(a, b, c);
}

/** What sums are held in beyond a list: double; PLAIN: pairs of floats. */
template <bool PLAIN> struct wide_sum {
    typedef double type;
};
template <> struct wide_sum<true> {
    typedef enuf_float_pair type;
};

/** A sum of another lane. */
static __device__ __forceinline__ double of_lane(double sum, int by)
{
    return __shfl_xor_sync(~0u, sum, by);
}

static __device__ __forceinline__ enuf_float_pair of_lane(enuf_float_pair sum, int by)
{
    return {__shfl_xor_sync(~0u, sum.high, by), __shfl_xor_sync(~0u, sum.low, by)};
}

#endif
