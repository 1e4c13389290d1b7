/*
 * simd_pack.h - the lanes of a mask packed to the front of memory, and back.
 *
 * _pack writes the lanes that a mask keeps, one after another, and a whole vector in all; _unpack
 * reads them back into the mask's lanes, 0 into the others, and reads a whole vector too; _count is
 * their number. With AVX-512 these are instructions, with AVX2 permutations by a table.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_SIMD_PACK_H
#define ENUF_EWALD_CPU_SIMD_PACK_H

#include "simd.h"

#if SIMD_AVX512

SIMD_INLINE int vd_count(vd_mask m)
{
    return __builtin_popcount(m);
}
SIMD_INLINE int vf_count(vf_mask m)
{
    return __builtin_popcount(m);
}
SIMD_INLINE void vd_pack(double *out, vd_mask m, vd x)
{
    _mm512_storeu_pd(out, _mm512_maskz_compress_pd(m, (__m512d)x));
}
SIMD_INLINE void vl_pack(int64_t *out, vd_mask m, vl x)
{
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(m, (__m512i)x));
}
SIMD_INLINE void vf_pack(float *out, vf_mask m, vf x)
{
    _mm512_storeu_ps(out, _mm512_maskz_compress_ps(m, (__m512)x));
}
SIMD_INLINE vd vd_unpack(const double *in, vd_mask m)
{
    return (vd)_mm512_maskz_expand_pd(m, _mm512_loadu_pd(in));
}
SIMD_INLINE vf vf_unpack(const float *in, vf_mask m)
{
    return (vf)_mm512_maskz_expand_ps(m, _mm512_loadu_ps(in));
}

#elif SIMD_AVX2

/* For each mask of four lanes: the set lanes in their order; the number of set lanes before each
 * lane. */
static const int32_t simd_set_lanes[16][4] __attribute__((unused)) = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
static const int32_t simd_set_before[16][4] __attribute__((unused)) = {
    {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2}, {0, 0, 0, 1}, {0, 1, 1, 2},
    {0, 0, 1, 2}, {0, 1, 2, 3}, {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2},
    {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3}};

/* lane k of the result is lane order[k] of x */
SIMD_INLINE vd vd_reorder(vd x, const int32_t order[4])
{
    const vl from =
        (vl)_mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)order));
    /* in halves of a lane: 2 order[k], 2 order[k] + 1 */
    const vl halves = (from << 1) + (from << 33) + vl_set(INT64_C(1) << 32);
    return (vd)_mm256_permutevar8x32_epi32((__m256i)x, (__m256i)halves);
}
SIMD_INLINE __m128 simd_reorder_four(__m128 x, const int32_t order[4])
{
    return _mm_permutevar_ps(x, _mm_loadu_si128((const __m128i *)(const void *)order));
}
SIMD_INLINE int vd_count(vd_mask m)
{
    return __builtin_popcount((unsigned)_mm256_movemask_pd((__m256d)m));
}
SIMD_INLINE int vf_count(vf_mask m)
{
    return __builtin_popcount((unsigned)_mm256_movemask_ps((__m256)m));
}
SIMD_INLINE void vd_pack(double *out, vd_mask m, vd x)
{
    vd_store(out, vd_reorder(x, simd_set_lanes[_mm256_movemask_pd((__m256d)m)]));
}
SIMD_INLINE void vl_pack(int64_t *out, vd_mask m, vl x)
{
    vl_store(out, (vl)vd_reorder((vd)x, simd_set_lanes[_mm256_movemask_pd((__m256d)m)]));
}
SIMD_INLINE vd vd_unpack(const double *in, vd_mask m)
{
    const int lanes = _mm256_movemask_pd((__m256d)m);
    return vd_keep(m, vd_reorder(vd_load(in), simd_set_before[lanes]));
}
SIMD_INLINE void vf_pack(float *out, vf_mask m, vf x)
{
    const int lanes = _mm256_movemask_ps((__m256)m), low = lanes & 15, high = lanes >> 4;
    const __m128 first = _mm256_castps256_ps128((__m256)x),
                 last = _mm256_extractf128_ps((__m256)x, 1);
    _mm_storeu_ps(out, simd_reorder_four(first, simd_set_lanes[low]));
    _mm_storeu_ps(out + __builtin_popcount((unsigned)low),
                  simd_reorder_four(last, simd_set_lanes[high]));
}
SIMD_INLINE vf vf_unpack(const float *in, vf_mask m)
{
    const int lanes = _mm256_movemask_ps((__m256)m), low = lanes & 15, high = lanes >> 4;
    const float *rest = in + __builtin_popcount((unsigned)low);
    const __m128 first = simd_reorder_four(_mm_loadu_ps(in), simd_set_before[low]),
                 last = simd_reorder_four(_mm_loadu_ps(rest), simd_set_before[high]);
    return vf_keep(m, (vf)_mm256_set_m128(last, first));
}

#else

SIMD_INLINE int vd_count(vd_mask m)
{
    return (int)-vl_sum(m);
}
SIMD_INLINE int vf_count(vf_mask m)
{
    return (int)-vi_sum(m);
}
SIMD_INLINE void vd_pack(double *out, vd_mask m, vd x)
{
    for (int k = 0, to = 0; k < VD_LANES; k++) {
        out[to] = x[k];
        to -= (int)m[k];
    }
}
SIMD_INLINE void vl_pack(int64_t *out, vd_mask m, vl x)
{
    for (int k = 0, to = 0; k < VD_LANES; k++) {
        out[to] = x[k];
        to -= (int)m[k];
    }
}
SIMD_INLINE void vf_pack(float *out, vf_mask m, vf x)
{
    for (int k = 0, to = 0; k < VF_LANES; k++) {
        out[to] = x[k];
        to -= (int)m[k];
    }
}
SIMD_INLINE vd vd_unpack(const double *in, vd_mask m)
{
    double lane[VD_LANES];
    for (int k = 0, from = 0; k < VD_LANES; k++) {
        lane[k] = in[from];
        from -= (int)m[k];
    }
    return vd_keep(m, vd_load(lane));
}
SIMD_INLINE vf vf_unpack(const float *in, vf_mask m)
{
    float lane[VF_LANES];
    for (int k = 0, from = 0; k < VF_LANES; k++) {
        lane[k] = in[from];
        from -= (int)m[k];
    }
    return vf_keep(m, vf_load(lane));
}

#endif
#endif
