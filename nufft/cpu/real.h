/*
 * real.h - the precision that a kernel file is compiled for, and the vectors of its tiles.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_REAL_H
#define ENUF_NUFFT_REAL_H

#include "simd.h"

/* Of a vector that reads or updates a row of a tile, at any address. 64 bytes would cross a line of
 * the cache nearly always, and pad a window's row with more zeros. The loop over rows in double, 64
 * and 32 bytes, ns a point (EPYC, Zen 4, November 2026): width 4 real 16 and 10, width 5 complex 38
 * and 28, width 10 complex 240 and 190. Aligned accesses with shifted weights cost as much as they
 * save. */
enum { ROW_VECTOR_BYTES = SIMD_BYTES < 32 ? SIMD_BYTES : 32 };

#ifdef ENUF_SINGLE
typedef float real;
#define ENUF_SUFFIXED(name) name##_f32
#else
typedef double real;
#define ENUF_SUFFIXED(name) name##_f64
#endif

typedef real vreal __attribute__((vector_size(ROW_VECTOR_BYTES)));
typedef real vreal_anywhere
    __attribute__((vector_size(ROW_VECTOR_BYTES), aligned(sizeof(real)), may_alias));

enum {
    LANES = ROW_VECTOR_BYTES / sizeof(real),
    ROW_MAX = 2 * 32, /* of the widest window's row, complex: a multiple of LANES */
    MOST_VECTORS = ROW_MAX / LANES
};

static inline __attribute__((always_inline)) vreal vload(const real *p)
{
    return (vreal)(*(const vreal_anywhere *)p);
}

static inline __attribute__((always_inline)) void vstore(real *p, vreal x)
{
    *(vreal_anywhere *)p = (vreal_anywhere)x;
}

#endif
