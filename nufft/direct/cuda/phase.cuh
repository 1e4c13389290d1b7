/*
 * phase.cuh - samples and pixels in registers, and the phase, decay and mean over a voxel of a
 * pair.
 *
 * The turns of a pair are the sum of up to four products, of the axes and of the field. They are
 * reduced to a fraction exactly before they are rounded: in float by split.h, in double by fused
 * operations (remainders of multiples of 2^-10 half turns, whose sum is exact).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_PHASE_CUH
#define ENUF_DIRECT_PHASE_CUH

#include "direct_cuda.h"
#include "direct/polynomials.h"
#include "direct/split.h"
#include "plain_float.cuh"

#include <math.h>

template <typename T> struct complex_of;
template <> struct complex_of<float> {
    typedef float2 type;
    typedef float4 word; /* 16 bytes */
    typedef enuf_float_pair total;
    enum { WORDS = 3 };
};
template <> struct complex_of<double> {
    typedef double2 type;
    typedef double2 word;
    typedef double total;
    enum { WORDS = 5 };
};
template <typename T> using complex = typename complex_of<T>::type;
template <typename T> using word = typename complex_of<T>::word;
template <typename T> using total = typename complex_of<T>::total;

/**
 * A sample or a pixel. Words of member i of n: word w at [w * n + i].
 *
 *          float                                double
 *   word 0 x: whole, part; y: whole, part       x, y
 *   word 1 z: whole, part; field: whole, part   z, field
 *   word 2 decay, voxel[3]                      low, decay
 *   word 3                                      voxel[0], voxel[1]
 *   word 4                                      voxel[2], 0
 *
 * Of a sample: x, y, z is k, field, low and decay the time, voxel k times the edges. Of a pixel: x,
 * y, z its place, field and low its turns per second in two numbers, decay that of the logarithm to
 * base 2, voxel the gradients.
 */
template <typename T> struct member;
template <> struct member<float> {
    uint32_t whole[4];
    float part[4];
    float decay, voxel[3];
};
template <> struct member<double> {
    double turn[4], low;
    double decay, voxel[3];
};

static __device__ __forceinline__ float value_of(enuf_float_pair sum)
{
    return sum.high + sum.low;
}

static __device__ __forceinline__ double value_of(double sum)
{
    return sum;
}

/** Turns for a product of 1 along an axis. */
template <typename T>
static __device__ __forceinline__ T unit_of_axis(const enuf_direct_extent *extent, int d)
{
    if (sizeof(T) == sizeof(double)) return 1;
    return (T)enuf_split_unit(__longlong_as_double((long long)extent->most[d]));
}

enum { TERM_FIELD = 1, TERM_DECAY = 2, TERM_VOXEL = 4 };

template <int TERMS>
static __device__ __forceinline__ void load(const float4 *words, int64_t n, int64_t i,
                                            member<float> *m)
{
    const float4 a = words[i], b = words[n + i];
    m->whole[0] = __float_as_uint(a.x), m->part[0] = a.y;
    m->whole[1] = __float_as_uint(a.z), m->part[1] = a.w;
    m->whole[2] = __float_as_uint(b.x), m->part[2] = b.y;
    m->whole[3] = __float_as_uint(b.z), m->part[3] = b.w;
    if constexpr ((TERMS & (TERM_DECAY | TERM_VOXEL)) != 0) {
        const float4 c = words[2 * n + i];
        m->decay = c.x, m->voxel[0] = c.y, m->voxel[1] = c.z, m->voxel[2] = c.w;
    }
}

template <int TERMS>
static __device__ __forceinline__ void load(const double2 *words, int64_t n, int64_t i,
                                            member<double> *m)
{
    const double2 a = words[i], b = words[n + i];
    m->turn[0] = a.x, m->turn[1] = a.y, m->turn[2] = b.x, m->turn[3] = b.y;
    if constexpr (TERMS != 0) {
        const double2 c = words[2 * n + i];
        m->low = c.x, m->decay = c.y;
    }
    if constexpr ((TERMS & TERM_VOXEL) != 0) {
        const double2 d = words[3 * n + i];
        m->voxel[0] = d.x, m->voxel[1] = d.y, m->voxel[2] = words[4 * n + i].x;
    }
}

/** Multiplies one of both sides by the sign, and by what makes radians of its parts in float, half
 * turns of it in double. */
static __device__ __forceinline__ void scale(member<float> *m, int sign)
{
    for (int d = 0; d < 4; d++) {
        m->whole[d] *= (uint32_t)sign;
        m->part[d] *= 6.28318531f * (float)sign;
    }
}

static __device__ __forceinline__ void scale(member<double> *m, int sign)
{
    for (int d = 0; d < 4; d++) m->turn[d] *= 2.0 * sign;
    m->low *= 2.0 * sign;
}

/**
 * cos and sin of products FIRST ... END - 1 of a pair, of which one side is scaled.
 *
 * Float: a product is one IMAD and one FFMA. The fraction of the whole products, in [-1/2, 1/2)
 * with 23 bits, takes a shift with addition (LEA.HI) and an FADD; then an FFMA, an FMUL and two
 * special functions, whose error is 5e-7 at most.
 */
template <int FIRST, int END>
static __device__ __forceinline__ void phase_of(const member<float> &a, const member<float> &b,
                                                float *c, float *s)
{
    /* half a turn, and half a unit of what the shift cuts off */
    uint32_t turns = 0x80000000u + 0x100u;
    float part = 0;
#pragma unroll
    for (int d = FIRST; d < END; d++) {
        turns += a.whole[d] * b.whole[d];
        part = d == FIRST ? a.part[d] * b.part[d] : fmaf(a.part[d], b.part[d], part);
    }
    const float fraction = __uint_as_float((turns >> 9) + 0x3f800000u) - 1.5f;
    __sincosf(fmaf(fraction, 6.28318531f, part), s, c);
}

/** Double: a product takes 5 operations; the reduction 5, and sincospi() about 25. */
template <int FIRST, int END>
static __device__ __forceinline__ void phase_of(const member<double> &a, const member<double> &b,
                                                double *c, double *s)
{
    const double fine = 0x1.8p42, nearest = 0x1.8p52;
    double coarse = 0, rest = 0;
    if (END == 4) rest = a.low * b.low;
#pragma unroll
    for (int d = FIRST; d < END; d++) {
        const double multiple = __dadd_rn(__fma_rn(a.turn[d], b.turn[d], fine), -fine);
        coarse += multiple;
        rest += __fma_rn(a.turn[d], b.turn[d], -multiple);
    }
    const double turns = __dadd_rn(__fma_rn(0.5, coarse, nearest), -nearest);
    sincospi(__fma_rn(-2.0, turns, coarse) + rest, s, c);
}

static __device__ __forceinline__ float power_of_two(float x)
{
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

static __device__ __forceinline__ double power_of_two(double x)
{
    return exp2(x);
}

template <typename T, int N>
static __device__ __forceinline__ T polynomial(const T (&terms)[N], T u)
{
    T sum = terms[N - 1];
#pragma unroll
    for (int k = N - 2; k >= 0; k--) sum = sum * u + terms[k];
    return sum;
}

/* sin(pi y) / y, cos(pi y), sinc'(y) / y for u = y^2, |y| <= 1/2 */
static __device__ __forceinline__ float sine_over(float u)
{
    constexpr float terms[] = {ENUF_SIN_TERMS_F32};
    return polynomial(terms, u);
}

static __device__ __forceinline__ double sine_over(double u)
{
    constexpr double terms[] = {ENUF_SIN_TERMS_F64};
    return polynomial(terms, u);
}

static __device__ __forceinline__ float cosine_of(float u)
{
    constexpr float terms[] = {ENUF_COS_TERMS_F32};
    return polynomial(terms, u);
}

static __device__ __forceinline__ double cosine_of(double u)
{
    constexpr double terms[] = {ENUF_COS_TERMS_F64};
    return polynomial(terms, u);
}

static __device__ __forceinline__ float slope_over(float u)
{
    constexpr float terms[] = {ENUF_SLOPE_TERMS_F32};
    return polynomial(terms, u);
}

static __device__ __forceinline__ double slope_over(double u)
{
    constexpr double terms[] = {ENUF_SLOPE_TERMS_F64};
    return polynomial(terms, u);
}

/* x changes its sign where the lowest bit of `odd` is set. */
static __device__ __forceinline__ float turned(float x, float odd)
{
    return __uint_as_float(__float_as_uint(x) ^ __float_as_uint(odd) << 31);
}

static __device__ __forceinline__ double turned(double x, double odd)
{
    return __longlong_as_double(__double_as_longlong(x) ^ __double_as_longlong(odd) << 63);
}

static __device__ __forceinline__ float quotient(float a, float b)
{
    return __fdividef(a, b);
}

static __device__ __forceinline__ double quotient(double a, double b)
{
    return a / b;
}

/** sinc(x) = top / bottom, and sinc'(x); |x| is at least TINY, where sinc is 1. */
template <typename T> struct sinc_parts {
    T top, bottom, slope;
};

template <typename T, bool SLOPE> static __device__ __forceinline__ sinc_parts<T> sinc_of(T x)
{
    constexpr bool single = sizeof(T) == sizeof(float);
    constexpr T nearest = single ? (T)12582912.0 : (T)6755399441055744.0; /* 1.5 2^23, 2^52 */
    const T size = fmax(fabs(x), single ? (T)0x1p-13 : (T)0x1p-30), shifted = size + nearest;
    const T y = size - (shifted - nearest), u = y * y;
    sinc_parts<T> sinc;
    sinc.top = turned(y * sine_over(u), shifted);
    sinc.bottom = (T)3.14159265358979323846 * size;
    if constexpr (SLOPE) {
        const T away =
            quotient(turned(cosine_of(u), shifted) - quotient(sinc.top, sinc.bottom), size);
        const T slope = size < (T)0.5 ? size * slope_over(u) : away;
        sinc.slope = x < 0 ? -slope : slope;
    }
    return sinc;
}

#endif
