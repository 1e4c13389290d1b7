/*
 * real.h - the precision that a kernel file is compiled for, and the vectors of its tiles.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_REAL_H
#define ENUF_NUFFT_REAL_H

#include "simd.h"

#include <stdint.h>

/* Of a vector that reads or updates a row of a tile, at any address. 64 bytes would cross a line of
 * the cache nearly always, and pad a window's row with more zeros. The loop over rows in double, 64
 * and 32 bytes, ns a point (EPYC, Zen 4, November 2026): width 4 real 16 and 10, width 5 complex 38
 * and 28, width 10 complex 240 and 190. Aligned accesses with shifted weights cost as much as they
 * save. */
enum { ROW_VECTOR_BYTES = SIMD_BYTES < 32 ? SIMD_BYTES : 32 };

#ifdef ENUF_SINGLE
typedef float real;
typedef int32_t lane_number;
#define ENUF_SUFFIXED(name) name##_f32
#else
typedef double real;
typedef int64_t lane_number;
#define ENUF_SUFFIXED(name) name##_f64
#endif

typedef real vreal __attribute__((vector_size(ROW_VECTOR_BYTES)));
typedef lane_number vlane __attribute__((vector_size(ROW_VECTOR_BYTES))); /* numbers of lanes */
typedef real vreal_anywhere
    __attribute__((vector_size(ROW_VECTOR_BYTES), aligned(sizeof(real)), may_alias));

enum {
    LANES = ROW_VECTOR_BYTES / sizeof(real),
    ROW_PAD = SIMD_BYTES / sizeof(real), /* tiles' rows are whole vectors of the machine */
    ROW_MAX = 2 * 32, /* of the widest window's row, complex: a multiple of LANES */
    MOST_VECTORS = ROW_MAX / LANES
};

/** v[0] v[0] v[1] v[1] ... of the lower half of the lanes (half 0) or of the upper one (1). */
static inline __attribute__((always_inline)) vreal each_twice(vreal v, int half)
{
#ifdef __clang__
    vreal twice;
    for (int k = 0; k < LANES; k++) twice[k] = v[half * LANES / 2 + k / 2];
    return twice;
#else
    vlane from;
    for (int k = 0; k < LANES; k++) from[k] = half * LANES / 2 + k / 2;
    return __builtin_shuffle(v, from);
#endif
}

static inline __attribute__((always_inline)) vreal vload(const real *p)
{
    return (vreal)(*(const vreal_anywhere *)p);
}

static inline __attribute__((always_inline)) void vstore(real *p, vreal x)
{
    *(vreal_anywhere *)p = (vreal_anywhere)x;
}

/* Vectors of the machine, in which polynomials are evaluated. */
typedef real vwide __attribute__((vector_size(SIMD_BYTES), may_alias));
enum { WIDE = SIMD_BYTES / sizeof(real) };

/** Part k of a vector of the machine. */
static inline __attribute__((always_inline)) vreal part_of(vwide x, int k)
{
#if SIMD_AVX512 && defined(ENUF_SINGLE)
    return (vreal)(k ? _mm512_extractf32x8_ps((__m512)x, 1) : _mm512_castps512_ps256((__m512)x));
#elif SIMD_AVX512
    return (vreal)(k ? _mm512_extractf64x4_pd((__m512d)x, 1) : _mm512_castpd512_pd256((__m512d)x));
#else
    (void)k;
    return x;
#endif
}

#if SIMD_AVX512

/* Vectors of whole cache lines, for rows of a tile that are updated at addresses of lines. */
typedef real vline __attribute__((vector_size(64), may_alias));
enum { LINE = 64 / sizeof(real), MOST_LINES = 5 };

/** A row of `width` weights in w, padded with zeros to 16 of them, twice each if complex, `shift`
 * numbers from the begin of the first of n lines. */
static inline __attribute__((always_inline)) void lines_of(int n, int complex, const vreal *w,
                                                           int64_t shift, vline *line)
{
#ifdef ENUF_SINGLE
    const __m512 all = _mm512_insertf32x8(_mm512_castps256_ps512((__m256)w[0]), (__m256)w[1], 1);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int v = 0; v < n; v++) {
        __m512i from = _mm512_add_epi32(lane, _mm512_set1_epi32((int)(v * LINE - shift)));
        if (complex) from = _mm512_srai_epi32(from, 1);
        const __mmask16 inside = _mm512_cmplt_epu32_mask(from, _mm512_set1_epi32(16));
        line[v] = (vline)_mm512_maskz_permutexvar_ps(inside, from, all);
    }
#else
    const __m512d low = _mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)w[0]), (__m256d)w[1], 1);
    const __m512d high =
        _mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)w[2]), (__m256d)w[3], 1);
    const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    for (int v = 0; v < n; v++) {
        __m512i from = _mm512_add_epi64(lane, _mm512_set1_epi64(v * LINE - shift));
        if (complex) from = _mm512_srai_epi64(from, 1);
        const __mmask8 inside = _mm512_cmplt_epu64_mask(from, _mm512_set1_epi64(16));
        line[v] = (vline)_mm512_maskz_permutex2var_pd(inside, low, from, high);
    }
#endif
}

/** Lines that a row of `width` cells touches at most. */
static inline __attribute__((always_inline)) int lines_across(int width, int complex)
{
    const int numbers = complex ? 2 : 1;
    return (numbers * width + LINE - numbers + LINE - 1) / LINE;
}

/** 1 if a row that begins `shift` numbers into a line ends a line before the last of `lines`, which
 * are those it touches at most. */
static inline __attribute__((always_inline)) int spares_line(int width, int complex, int lines,
                                                             int64_t shift)
{
    return lines > 1 && shift + (complex ? 2 : 1) * width <= (lines - 1) * LINE;
}

#endif

/** Clears the upper halves of vector registers, as compilers do at the end of functions: else each
 * SSE instruction of the caller's program waits for the last one. */
static inline void clear_upper_halves(void)
{
#if defined(__AVX__)
    __builtin_ia32_vzeroupper();
#endif
}

#endif
