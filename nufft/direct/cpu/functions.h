/*
 * functions.h - vectors of phases, powers of two and sincs. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_FUNCTIONS_H
#define ENUF_DIRECT_FUNCTIONS_H

#include "precision.h"
#include "direct/polynomials.h"

/* x + NEAREST is rounded to a whole number, which then stands in the lowest bits: 1.5 2^52, 2^23.
 */
#ifdef ENUF_SINGLE
static const real NEAREST = 12582912.0F, TINY = 0x1p-13F, POWER_MOST = 250;
static const int32_t ONE = 0x3f800000;
static const real SIN_OF[] = {ENUF_SIN_TERMS_F32}, COS_OF[] = {ENUF_COS_TERMS_F32};
static const real SLOPE_OF[] = {ENUF_SLOPE_TERMS_F32}, POWER_OF[] = {ENUF_POWER_TERMS_F32};
#else
static const real NEAREST = 6755399441055744.0, TINY = 0x1p-30, POWER_MOST = 2040;
static const int64_t ONE = 0x3ff0000000000000;
static const real SIN_OF[] = {ENUF_SIN_TERMS_F64}, COS_OF[] = {ENUF_COS_TERMS_F64};
static const real SLOPE_OF[] = {ENUF_SLOPE_TERMS_F64}, POWER_OF[] = {ENUF_POWER_TERMS_F64};
#endif

SIMD_INLINE vr polynomial(const real *terms, int n, vr u)
{
    vr sum = vr_set(terms[n - 1]);
#pragma GCC unroll 16
    for (int k = n - 2; k >= 0; --k) sum = sum * u + vr_set(terms[k]);
    return sum;
}
#define POLYNOMIAL(terms, u) polynomial(terms, (int)(sizeof(terms) / sizeof(real)), u)

/* x changes its sign where the lowest bit of `odd` is set. */
SIMD_INLINE vr turned(vr x, vb odd)
{
    return (vr)((vb)x ^ (odd << VR_SIGN));
}

/* cos and sin of pi (x + rest), |rest| < 2^-9 */
SIMD_INLINE void phase_of_half_turns(vr x, vr rest, vr *c, vr *s)
{
    const vr shifted = x + NEAREST;
    const vr y = (x - (shifted - NEAREST)) + rest, u = y * y;
    *c = turned(POLYNOMIAL(COS_OF, u), (vb)shifted);
    *s = turned(y * POLYNOMIAL(SIN_OF, u), (vb)shifted);
}

SIMD_INLINE vr power_of_whole(vr shifted)
{
    return (vr)(((vb)shifted << VR_EXPONENT) + ONE);
}

/* 2^x, infinite or 0 beyond the range of numbers. Half of POWER_MOST is an exponent of a number,
 * and POWER_MOST is not. */
SIMD_INLINE vr power_of_two(vr x)
{
    x = -vr_min(-vr_min(x, vr_set(POWER_MOST)), vr_set(POWER_MOST));
    const vr whole = (x + NEAREST) - NEAREST;
    const vr half = (real)0.5 * whole + NEAREST;
    return POLYNOMIAL(POWER_OF, x - whole) * power_of_whole(half) *
           power_of_whole(whole - (half - NEAREST) + NEAREST);
}

/* sinc(x) = top / bottom, sinc'(x); |x| is at least TINY, where sinc is 1 */
typedef struct vr_sinc {
    vr top, bottom, slope;
} vr_sinc;

SIMD_INLINE vr_sinc sinc_of(vr x, int with_slope)
{
    const vb sign = (vb)x & (vb_set(1) << VR_SIGN);
    vr size = -vr_min(-(vr)((vb)x ^ sign), vr_set(-TINY));
    const vr shifted = size + NEAREST;
    const vr y = size - (shifted - NEAREST), u = y * y;
    vr_sinc sinc = {.top = turned(y * POLYNOMIAL(SIN_OF, u), (vb)shifted),
                    .bottom = (real)3.14159265358979323846 * size};
    if (!with_slope) return sinc;
    const vr away = (turned(POLYNOMIAL(COS_OF, u), (vb)shifted) - sinc.top / sinc.bottom) / size;
    const vb near = (vb)(size < (real)0.5);
    const vr slope = (vr)(((vb)(size * POLYNOMIAL(SLOPE_OF, u)) & near) | ((vb)away & ~near));
    sinc.slope = (vr)((vb)slope ^ sign);
    return sinc;
}

#endif
