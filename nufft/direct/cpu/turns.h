/*
 * turns.h - the phase of a pair: four products that add up to its turns, reduced exactly before
 * they are rounded. One side is in registers, a lane for each of its members, the other is read
 * member by member. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_TURNS_H
#define ENUF_DIRECT_TURNS_H

#include "functions.h"
#include "kernels.h"

SIMD_INLINE real number_at(const enuf_pair_numbers *numbers, int64_t i)
{
    return ((const real *)numbers->at)[i * numbers->step];
}

#ifdef ENUF_SINGLE

typedef uint32_t vu __attribute__((vector_size(SIMD_BYTES))); /* overflow takes whole turns away */

/* A factor of each lane: a whole number or a fraction in units of 2^-32, and the part that is
 * multiplied as a float, in half turns. */
typedef struct lane_factor {
    vu whole;
    vf part;
} lane_factor;

SIMD_INLINE lane_factor lane_factor_of(const enuf_pair_numbers *numbers, const int64_t *member,
                                       int sign)
{
    uint32_t whole[VF_LANES];
    float part[VF_LANES];
    for (int k = 0; k < VF_LANES; ++k) {
        const enuf_split split = ((const enuf_split *)numbers->at)[member[k] * numbers->step];
        whole[k] = (uint32_t)sign * (uint32_t)split.whole;
        part[k] = 2.0F * (float)sign * split.part;
    }
    lane_factor factor = {.part = vf_load(part)};
    memcpy(&factor.whole, whole, sizeof whole);
    return factor;
}

/* The member's place in units of `unit`, a float. */
SIMD_INLINE real place_at(const enuf_pair_numbers *numbers, int64_t i)
{
    return ((const enuf_split *)numbers->at)[i * numbers->step].part;
}

SIMD_INLINE void phase_of(const lane_factor lane[4], const lane_factor *low,
                          const enuf_pair_side *from, int64_t i, int products, vr *c, vr *s)
{
    vu whole = {0};
    vf part = {0};
    (void)low;
#pragma GCC unroll 4
    for (int d = 0; d < products; ++d) {
        const enuf_split *split = (const enuf_split *)from->turns[d].at + i * from->turns[d].step;
        whole += lane[d].whole * (uint32_t)split->whole;
        part += lane[d].part * split->part;
    }
    phase_of_half_turns(__builtin_convertvector((vi)whole, vf) * 0x1p-31F + part, vf_set(0), c, s);
}

#else

typedef struct lane_factor {
    vd factor; /* in half turns */
} lane_factor;

SIMD_INLINE lane_factor lane_factor_of(const enuf_pair_numbers *numbers, const int64_t *member,
                                       int sign)
{
    double factor[VD_LANES];
    for (int k = 0; k < VD_LANES; ++k)
        factor[k] = 2.0 * sign * ((const double *)numbers->at)[member[k] * numbers->step];
    return (lane_factor){vd_load(factor)};
}

SIMD_INLINE real place_at(const enuf_pair_numbers *numbers, int64_t i)
{
    return number_at(numbers, i);
}

/* a b - near, for a number near a b, rounded once. Without fused operations the error of
 * a b is Dekker's: Numer. Math. 18 (1971) 224. */
SIMD_INLINE vd remainder_of(vd a, vd b, vd near)
{
#if defined(SIMD_AVX512)
    return (vd)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)near);
#elif defined(SIMD_AVX2) && defined(__FMA__)
    return (vd)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)near);
#elif defined(__FP_FAST_FMA)
    for (int k = 0; k < VD_LANES; ++k) a[k] = __builtin_fma(a[k], b[k], -near[k]);
    return a;
#else
    const double split = 0x1p27 + 1;
    const vd wide_a = split * a, wide_b = split * b, product = a * b;
    const vd high_a = wide_a - (wide_a - a), high_b = wide_b - (wide_b - b);
    const vd low_a = a - high_a, low_b = b - high_b;
    const vd error =
        ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
    return (product - near) + error;
#endif
}

/* A product is a multiple of 2^-10 half turns, which x + FINE leaves, and a remainder. The sum of
 * the former is exact up to 2^42 half turns, that of the latter to 2^-63. */
static const double FINE = 0x1.8p42;

SIMD_INLINE void phase_of(const lane_factor lane[4], const lane_factor *low,
                          const enuf_pair_side *from, int64_t i, int products, vr *c, vr *s)
{
    vd coarse = {0}, rest = {0};
    if (products > 3) rest = low->factor * number_at(&from->low, i);
#pragma GCC unroll 4
    for (int d = 0; d < products; ++d) {
        const vd a = lane[d].factor, b = vd_set(number_at(&from->turns[d], i));
        const vd multiple = (a * b + FINE) - FINE;
        coarse += multiple;
        rest += remainder_of(a, b, multiple);
    }
    phase_of_half_turns(coarse, rest, c, s);
}

#endif

#endif
