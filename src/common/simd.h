/*
 * simd.h - vectors of the machine's width, and the few operations that C's operators lack.
 *
 * vd, vf: vectors of double and float; vl, vi: 64- and 32-bit integers of as many lanes. + - * /
 * and comparisons are the compiler's own (GCC, clang). Width: 64 bytes with AVX-512, 32 with AVX2,
 * else 16. A mask (vd_mask, vf_mask) is the result of a comparison: a bit register or a vector,
 * depending on the machine. Each operation rounds every lane in the same way.
 *
 * To be included only by sources that are compiled with the kernel flags (-march).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SIMD_H
#define ENUF_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define SIMD_AVX512 1
#define SIMD_BYTES  64
#include <immintrin.h>
#elif defined(__AVX2__)
#define SIMD_AVX2  1
#define SIMD_BYTES 32
#include <immintrin.h>
#else
#define SIMD_BYTES 16
#endif

#define SIMD_INLINE static inline __attribute__((always_inline, unused))

typedef double vd __attribute__((vector_size(SIMD_BYTES)));
typedef int64_t vl __attribute__((vector_size(SIMD_BYTES)));
typedef float vf __attribute__((vector_size(SIMD_BYTES)));
typedef int32_t vi __attribute__((vector_size(SIMD_BYTES)));

enum { VD_LANES = SIMD_BYTES / 8, VF_LANES = SIMD_BYTES / 4 };

/* The same types at any address, for loads and stores. */
typedef double vd_anywhere __attribute__((vector_size(SIMD_BYTES), aligned(8), may_alias));
typedef int64_t vl_anywhere __attribute__((vector_size(SIMD_BYTES), aligned(8), may_alias));
typedef float vf_anywhere __attribute__((vector_size(SIMD_BYTES), aligned(4), may_alias));
typedef int32_t vi_anywhere __attribute__((vector_size(SIMD_BYTES), aligned(4), may_alias));

/* load, store, set (all lanes x), sum (pairwise from the ends, the same on every machine of a
 * width), least of all lanes */
#define SIMD_TYPE(type, element, lanes)                                                            \
    SIMD_INLINE type type##_load(const element *p)                                                 \
    {                                                                                              \
        return (type)(*(const type##_anywhere *)p);                                                \
    }                                                                                              \
    SIMD_INLINE void type##_store(element *p, type x)                                              \
    {                                                                                              \
        *(type##_anywhere *)p = (type##_anywhere)x;                                                \
    }                                                                                              \
    SIMD_INLINE type type##_set(element x)                                                         \
    {                                                                                              \
        return x - (type){0};                                                                      \
    }                                                                                              \
    SIMD_INLINE element type##_sum(type x)                                                         \
    {                                                                                              \
        element lane[lanes];                                                                       \
        memcpy(lane, &x, sizeof lane);                                                             \
        for (int half = (lanes) / 2; half > 0; half /= 2)                                          \
            for (int k = 0; k < half; k++) lane[k] += lane[k + half];                              \
        return lane[0];                                                                            \
    }                                                                                              \
    SIMD_INLINE element type##_least(type x)                                                       \
    {                                                                                              \
        element lane[lanes];                                                                       \
        memcpy(lane, &x, sizeof lane);                                                             \
        for (int half = (lanes) / 2; half > 0; half /= 2)                                          \
            for (int k = 0; k < half; k++)                                                         \
                lane[k] = lane[k] < lane[k + half] ? lane[k] : lane[k + half];                     \
        return lane[0];                                                                            \
    }
SIMD_TYPE(vd, double, VD_LANES)
SIMD_TYPE(vl, int64_t, VD_LANES)
SIMD_TYPE(vf, float, VF_LANES)
SIMD_TYPE(vi, int32_t, VF_LANES)
#undef SIMD_TYPE

/* 0, 1, 2, ... */
SIMD_INLINE vi vi_iota(void)
{
    int32_t lane[VF_LANES];
    for (int k = 0; k < VF_LANES; k++) lane[k] = k;
    return vi_load(lane);
}

SIMD_INLINE vl vl_iota(void)
{
    int64_t lane[VD_LANES];
    for (int k = 0; k < VD_LANES; k++) lane[k] = k;
    return vl_load(lane);
}

/* |x| < 2^51 */
SIMD_INLINE vd vd_from_integer(vl x)
{
    const vd rounder = vd_set(0x1.8p52);
    return (vd)(x + (vl)rounder) - rounder;
}

#if SIMD_AVX512

typedef __mmask8 vd_mask;
typedef __mmask16 vf_mask;

SIMD_INLINE vd_mask vd_less_equal(vd a, vd b)
{
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
}
SIMD_INLINE vd_mask vd_less(vd a, vd b)
{
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
}
SIMD_INLINE vf_mask vf_less_equal(vf a, vf b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}
/* lanes k < n */
SIMD_INLINE vd_mask vd_first(int64_t n)
{
    return (vd_mask)(n >= VD_LANES ? 0xff : (1u << n) - 1);
}
SIMD_INLINE vd_mask vd_both(vd_mask a, vd_mask b)
{
    return (vd_mask)(a & b);
}
SIMD_INLINE int vd_any(vd_mask m)
{
    return m != 0;
}
SIMD_INLINE int vf_any(vf_mask m)
{
    return m != 0;
}
/* x where the mask is set, else 0 (also where x is NaN) */
SIMD_INLINE vd vd_keep(vd_mask m, vd x)
{
    return (vd)_mm512_maskz_mov_pd(m, (__m512d)x);
}
SIMD_INLINE vf vf_keep(vf_mask m, vf x)
{
    return (vf)_mm512_maskz_mov_ps(m, (__m512)x);
}
/* lanes k > n, n < the number of lanes */
SIMD_INLINE vd_mask vd_after(int n)
{
    return (vd_mask)(0xffu << (n + 1));
}
SIMD_INLINE vf_mask vf_after(int n)
{
    return (vf_mask)(0xffffu << (n + 1));
}
SIMD_INLINE vf_mask vf_both(vf_mask a, vf_mask b)
{
    return (vf_mask)(a & b);
}
/* min(a, b) where the mask is set, else a */
SIMD_INLINE vd vd_min_where(vd_mask m, vd a, vd b)
{
    return (vd)_mm512_mask_min_pd((__m512d)a, m, (__m512d)a, (__m512d)b);
}
SIMD_INLINE vf vf_min_where(vf_mask m, vf a, vf b)
{
    return (vf)_mm512_mask_min_ps((__m512)a, m, (__m512)a, (__m512)b);
}
SIMD_INLINE vd vd_min(vd a, vd b)
{
    return (vd)_mm512_min_pd((__m512d)a, (__m512d)b);
}
SIMD_INLINE vd vd_max(vd a, vd b)
{
    return (vd)_mm512_max_pd((__m512d)a, (__m512d)b);
}
SIMD_INLINE vf vf_min(vf a, vf b)
{
    return (vf)_mm512_min_ps((__m512)a, (__m512)b);
}
/* 1/sqrt(x), x normal: 14 bits, then Newton's steps (28, 53 bits; 1 to 2 units in the last place)
 */
SIMD_INLINE vd vd_rsqrt(vd x)
{
    vd y = (vd)_mm512_rsqrt14_pd((__m512d)x), half = vd_set(0.5), one = vd_set(1);
    for (int step = 0; step < 2; step++) {
        vd residual = one - x * y * y;
        y += half * y * residual;
    }
    return y;
}
SIMD_INLINE vf vf_rsqrt(vf x)
{
    vf y = (vf)_mm512_rsqrt14_ps((__m512)x);
    vf residual = vf_set(1) - x * y * y;
    return y + vf_set(0.5f) * y * residual;
}
/* table[i & 7], i the lowest bits of the lane's representation */
SIMD_INLINE vd vd_lookup(const double table[8], vd i)
{
    return (vd)_mm512_permutexvar_pd((__m512i)i, _mm512_loadu_pd(table));
}
SIMD_INLINE vf vf_lookup(const float table[8], vf i)
{
    return (vf)_mm512_permutexvar_ps((__m512i)i, _mm512_broadcast_f32x8(_mm256_loadu_ps(table)));
}
/* nearest integer, ties to even */
SIMD_INLINE vd vd_round(vd x)
{
    return (vd)_mm512_roundscale_pd((__m512d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/* the same as an integer, |x| < 2^63 */
SIMD_INLINE vl vd_to_integer(vd x)
{
    return (vl)_mm512_cvtpd_epi64((__m512d)x);
}

#else

typedef vl vd_mask;
typedef vi vf_mask;

SIMD_INLINE vd_mask vd_less_equal(vd a, vd b)
{
    return (vd_mask)(a <= b);
}
SIMD_INLINE vd_mask vd_less(vd a, vd b)
{
    return (vd_mask)(a < b);
}
SIMD_INLINE vf_mask vf_less_equal(vf a, vf b)
{
    return (vf_mask)(a <= b);
}
SIMD_INLINE vd_mask vd_first(int64_t n)
{
    return (vd_mask)(vl_iota() < vl_set(n));
}
SIMD_INLINE vd_mask vd_both(vd_mask a, vd_mask b)
{
    return a & b;
}
SIMD_INLINE vd vd_keep(vd_mask m, vd x)
{
    return (vd)((vl)x & m);
}
SIMD_INLINE vf vf_keep(vf_mask m, vf x)
{
    return (vf)((vi)x & m);
}
SIMD_INLINE vd vd_min(vd a, vd b)
{
    vl less = (vl)(a < b);
    return (vd)(((vl)a & less) | ((vl)b & ~less));
}
SIMD_INLINE vd_mask vd_after(int n)
{
    return (vd_mask)(vl_iota() > vl_set(n));
}
SIMD_INLINE vf_mask vf_after(int n)
{
    return (vf_mask)(vi_iota() > vi_set(n));
}
SIMD_INLINE vf_mask vf_both(vf_mask a, vf_mask b)
{
    return a & b;
}
SIMD_INLINE vd vd_min_where(vd_mask m, vd a, vd b)
{
    vl less = (vl)(b < a) & m;
    return (vd)(((vl)b & less) | ((vl)a & ~less));
}
SIMD_INLINE vf vf_min_where(vf_mask m, vf a, vf b)
{
    vi less = (vi)(b < a) & m;
    return (vf)(((vi)b & less) | ((vi)a & ~less));
}
SIMD_INLINE vd vd_max(vd a, vd b)
{
    vl more = (vl)(a > b);
    return (vd)(((vl)a & more) | ((vl)b & ~more));
}
SIMD_INLINE vf vf_min(vf a, vf b)
{
    vi less = (vi)(a < b);
    return (vf)(((vi)a & less) | ((vi)b & ~less));
}
#if SIMD_AVX2

SIMD_INLINE int vd_any(vd_mask m)
{
    return _mm256_movemask_pd((__m256d)m) != 0;
}
SIMD_INLINE int vf_any(vf_mask m)
{
    return _mm256_movemask_ps((__m256)m) != 0;
}
SIMD_INLINE vd vd_rsqrt(vd x)
{
    return 1 / (vd)_mm256_sqrt_pd((__m256d)x);
}
SIMD_INLINE vf vf_rsqrt(vf x)
{
    vf y = (vf)_mm256_rsqrt_ps((__m256)x);
    vf residual = vf_set(1) - x * y * y;
    return y + vf_set(0.5f) * y * residual;
}
SIMD_INLINE vd vd_lookup(const double table[8], vd i)
{
    /* halves 2k, 2k + 1 of entry k of each four entries; bit 2 says which four. A gather takes
     * several times as long */
    const vl lower = ((vl)i & vl_set(3)) << 1;
    const __m256i halves = (__m256i)(lower + (lower << 32) + vl_set(INT64_C(1) << 32));
    const __m256i first = _mm256_loadu_si256((const __m256i *)(const void *)table);
    const __m256i last = _mm256_loadu_si256((const __m256i *)(const void *)(table + 4));
    return (vd)_mm256_blendv_pd((__m256d)_mm256_permutevar8x32_epi32(first, halves),
                                (__m256d)_mm256_permutevar8x32_epi32(last, halves),
                                (__m256d)((vl)i << 61));
}
SIMD_INLINE vf vf_lookup(const float table[8], vf i)
{
    return (vf)_mm256_permutevar8x32_ps(_mm256_loadu_ps(table), (__m256i)i);
}
SIMD_INLINE vd vd_round(vd x)
{
    return (vd)_mm256_round_pd((__m256d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/* A multiple of 2^32 and the rest, both without rounding. Adding 1.5 2^52 to a number leaves its
 * nearest integer in the lowest bits. The products are fused here, not with what x comes from. */
SIMD_INLINE vl vd_to_integer(vd x)
{
    const vd rounder = vd_set(0x1.8p52);
    const vd upper = (vd)_mm256_fmadd_pd((__m256d)x, (__m256d)vd_set(0x1p-32), (__m256d)rounder);
    const vd rest =
        (vd)_mm256_fnmadd_pd((__m256d)(upper - rounder), (__m256d)vd_set(0x1p32), (__m256d)x);
    return ((vl)upper << 32) + ((vl)(rest + rounder) - (vl)rounder);
}

#else

SIMD_INLINE int vd_any(vd_mask m)
{
    return vl_sum(m) != 0;
}
SIMD_INLINE int vf_any(vf_mask m)
{
    return vi_sum(m) != 0;
}
SIMD_INLINE vd vd_rsqrt(vd x)
{
    for (int k = 0; k < VD_LANES; k++) x[k] = 1 / sqrt(x[k]);
    return x;
}
SIMD_INLINE vf vf_rsqrt(vf x)
{
    for (int k = 0; k < VF_LANES; k++) x[k] = 1 / sqrtf(x[k]);
    return x;
}
SIMD_INLINE vd vd_lookup(const double table[8], vd i)
{
    for (int k = 0; k < VD_LANES; k++) i[k] = table[((vl)i)[k] & 7];
    return i;
}
SIMD_INLINE vf vf_lookup(const float table[8], vf i)
{
    for (int k = 0; k < VF_LANES; k++) i[k] = table[((vi)i)[k] & 7];
    return i;
}
SIMD_INLINE vd vd_round(vd x)
{
    for (int k = 0; k < VD_LANES; k++) x[k] = rint(x[k]);
    return x;
}
SIMD_INLINE vl vd_to_integer(vd x)
{
#if defined(__SSE2__) && !defined(__FMA__)
    /* as with AVX2; nothing is fused here */
    const vd rounder = vd_set(0x1.8p52), upper = x * 0x1p-32 + rounder;
    const vd rest = x - (upper - rounder) * 0x1p32;
    return ((vl)upper << 32) + ((vl)(rest + rounder) - (vl)rounder);
#else
    int64_t lane[VD_LANES];
    for (int k = 0; k < VD_LANES; k++) lane[k] = (int64_t)rint(x[k]);
    return vl_load(lane);
#endif
}

#endif
#endif
#endif
