/*
 * functions.h - vectors of phases, powers of two and sincs. Polynomials are minimax polynomials
 * (Remez) on the ranges named; their errors are below half a unit in the last place.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_FUNCTIONS_H
#define ENUF_DIRECT_FUNCTIONS_H

#include "precision.h"

/* x + NEAREST is rounded to a whole number, which then stands in the lowest bits: 1.5 2^52, 2^23.
 */
#ifdef ENUF_SINGLE
static const real NEAREST = 12582912.0F;
static const int32_t ONE = 0x3f800000;
static const real TINY = 0x1p-13F, POWER_MOST = 300;
#define SIN_TERMS                                                                                  \
    3.14159265F, -5.16770968F, 2.55006973F, -0.598242128F, 0.0775603879F /* error 5e-9 */
#define COS_TERMS                                                                                  \
    1, -4.93480214F, 4.05870916F, -1.33521206F, 0.234937559F, -0.0243967167F /* 2e-10 */
#define SLOPE_TERMS                                                                                \
    -3.28986813F, 3.24696970F, -1.14451079F, 0.209180192F, -0.0234407517F, 0.00170933597F
#define POWER_TERMS                                                                                \
    1, 0.693147206F, 0.240226469F, 0.0555032877F, 0.00961848907F, 0.00133999321F, 0.000153457884F
#else
static const real NEAREST = 6755399441055744.0;
static const int64_t ONE = 0x3ff0000000000000;
static const real TINY = 0x1p-30, POWER_MOST = 2200;
#define SIN_TERMS                                                                                  \
    3.1415926535897932377, -5.1677127800499695287, 2.5501640398772939382, -0.5992645293187382163,  \
        0.082145886569892609519, -0.0073704304787624609946, 0.0004662996887731735553,              \
        -0.000021903185420805376773, 7.6947273283067904961e-7 /* error 3e-19 */
#define COS_TERMS                                                                                  \
    1, -4.9348022005446767737, 4.0587121264164975449, -1.3352627688434645931,                      \
        0.23533063012980844886, -0.02580688873935804581, 0.0019295562836343032185,                 \
        -0.00010456658087273931286, 4.1495918670635268621e-6 /* 4e-18 */
#define SLOPE_TERMS                                                                                \
    -3.2898681336964528728, 3.2469697011334145115, -1.1445109447324985506, 0.20918278254096176971, \
        -0.023460810348862767865, 0.0017811454504877309475, -0.000097661783357429757286,           \
        4.048171539330229988e-6, -1.2767706040097350847e-7
#define POWER_TERMS                                                                                \
    1, 0.69314718055994533044, 0.24022650695910156212, 0.05550410866481992237,                     \
        0.0096181291075883331897, 0.0013333558146789800949, 0.00015403530462516258033,             \
        0.000015252733490069100644, 1.3215433088993676069e-6, 1.0178197998487428673e-7,            \
        7.0741057060664003995e-9, 4.4352850172076517295e-10
#endif

static const real SIN_OF[] = {SIN_TERMS};     /* sin(pi y) / y, |y| <= 1/2, in y^2 */
static const real COS_OF[] = {COS_TERMS};     /* cos(pi y) */
static const real SLOPE_OF[] = {SLOPE_TERMS}; /* sinc'(y) / y */
static const real POWER_OF[] = {POWER_TERMS}; /* 2^y, in y */

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

/* 2^x, infinite or 0 beyond the range of numbers */
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
