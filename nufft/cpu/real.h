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

#endif
