/*
 * motion.h - a direction as a homogeneous strain of cell and positions, and what is left of the
 * displacements. Phases k.x stay under a strain, so that only k, V and distances change.
 * Read by C and by CUDA files. Source: docs/theory.md, section 1, "Second derivatives".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MOTION_H
#define ENUF_EWALD_MOTION_H

#include "enuf/ewald_derivatives.h"

#ifdef __CUDACC__
#define ENUF_SLOPE_INLINE static __host__ __device__ inline
#else
#define ENUF_SLOPE_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Totals of pairs: energy, U, dW (slope_sums.h). */
enum { SLOPE_ENERGY = 0, SLOPE_PRODUCT = 1, SLOPE_VIRIAL = 10, SLOPE_TOTALS = 16 };

typedef struct enuf_motion {
    const double *positions; /* x of the caller [n][stride]; on a device: of kernels */
    int64_t stride;
    const double *displacements; /* u of the caller [n][3], or NULL */
    const double *charges;       /* w of the caller [n], or NULL */
    int moves;                   /* 0: positions and cell stay */
    int strains;                 /* 0: the cell stays */
    double strain[9];            /* e = h^-1 g, rows: x (1 + t e) for row vectors */
    double trace;
} enuf_motion;

/** The motion of a checked direction. */
enuf_motion enuf_motion_of(const enuf_ewald *ewald, const double *positions, int64_t stride,
                           const enuf_ewald_direction *direction);

/** d e for a row vector d. */
ENUF_SLOPE_INLINE void enuf_motion_strain(const enuf_motion *m, const double d[3], double de[3])
{
    for (int b = 0; b < 3; b++)
        de[b] = d[0] * m->strain[b] + d[1] * m->strain[3 + b] + d[2] * m->strain[6 + b];
}

/** v = u - x e of the caller's atom i. */
ENUF_SLOPE_INLINE void enuf_motion_moved(const enuf_motion *m, int64_t i, double v[3])
{
    double strained[3] = {0, 0, 0};
    if (m->strains) enuf_motion_strain(m, m->positions + i * m->stride, strained);
    for (int a = 0; a < 3; a++)
        v[a] = (m->displacements ? m->displacements[3 * i + a] : 0) - strained[a];
}

/** w of the caller's atom i. */
ENUF_SLOPE_INLINE double enuf_motion_charge(const enuf_motion *m, int64_t i)
{
    return m->charges ? m->charges[i] : 0;
}

/** A charge, how it changes, its place, and v. */
typedef struct enuf_moving_charge {
    double q, w, x[3], v[3];
} enuf_moving_charge;

/** The caller's atom i of charge q. */
ENUF_SLOPE_INLINE enuf_moving_charge enuf_motion_atom(const enuf_motion *m, int64_t i, double q)
{
    enuf_moving_charge a;
    a.q = q;
    a.w = enuf_motion_charge(m, i);
    for (int d = 0; d < 3; d++) a.x[d] = m->positions[i * m->stride + d];
    enuf_motion_moved(m, i, a.v);
    return a;
}

#ifdef __cplusplus
}
#endif
#endif
