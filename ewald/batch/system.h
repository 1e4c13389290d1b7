/*
 * system.h - a system of a batch: its lattice and the parameters of its sums. Read by C and by CUDA
 * files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_SYSTEM_H
#define ENUF_BATCH_SYSTEM_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define ENUF_BATCH_INLINE static __host__ __device__ __forceinline__
#else
#define ENUF_BATCH_INLINE static inline
#endif

/** The pairs are those with r <= cutoff of all images, the modes those with 0 < |k| <= band. */
typedef struct enuf_batch_system {
    int64_t first; /* its first atom */
    int32_t n;     /* its atoms */
    int32_t parts; /* shares of its work */
    int64_t slot;  /* of its first share among those of all systems */
    int64_t sums;  /* place of its sums among those of all systems, in atoms */

    /* rows: the shortest vectors of the lattice, as sums of two numbers: multiples of a row then
     * keep their digits */
    double cell[9], cell_low[9];
    double inverse[9]; /* s_d = sum_e x_e inverse[e*3+d] */
    double volume;

    double alpha, cutoff, band;
    int32_t modes[3];  /* |m_d| in the box around the sphere of modes */
    int32_t images[3]; /* whole cells along d to the images of an atom within the cutoff, at most,
                          from a distance whose fractions lie in [-1/2, 1/2] */
    double reach;      /* images farther than this from their atom are beyond the cutoff */
} enuf_batch_system;

/** Columns of a table of exp(2 pi i m s_1), m = 0 ... modes[0] + 1: a row reaches one beyond the
 * sphere, because it is summed on both sides of its middle alike. */
ENUF_BATCH_INLINE int32_t enuf_batch_columns(const enuf_batch_system *system)
{
    return system->modes[0] + 2;
}

/** Modes (m1, m2, m3), |m1 - middle| <= reach: all those of the sphere, and one beyond it. */
typedef struct enuf_batch_row {
    int32_t m2, m3, middle, reach; /* reach < 0: no mode */
    double k[3];                   /* wave vector of the middle */
} enuf_batch_row;

/** Wave vectors k = 2 pi H^-1 m: K_d is that of m_d = 1. */
ENUF_BATCH_INLINE double enuf_batch_wave(const enuf_batch_system *system, int d, int axis)
{
    return 6.283185307179586476925 * system->inverse[3 * axis + d];
}

/** The row of m2, m3. */
ENUF_BATCH_INLINE enuf_batch_row enuf_batch_row_of(const enuf_batch_system *system, int32_t m2,
                                                   int32_t m3)
{
    enuf_batch_row row = {m2, m3, 0, -1, {0, 0, 0}};
    double k2 = 0, along = 0, step2 = 0;
    for (int a = 0; a < 3; a++) {
        const double step = enuf_batch_wave(system, 0, a);
        row.k[a] = m2 * enuf_batch_wave(system, 1, a) + m3 * enuf_batch_wave(system, 2, a);
        k2 += row.k[a] * row.k[a];
        along += row.k[a] * step;
        step2 += step * step;
    }
    const double centre = -along / step2;
    const double rest = system->band * system->band - (k2 - along * along / step2);
    if (!(rest >= 0)) return row;
    const double middle = rint(centre);
    const int32_t reach = (int32_t)floor(sqrt(rest / step2) + fabs(centre - middle));
    row.middle = (int32_t)middle;
    row.reach = reach <= system->modes[0] ? reach : system->modes[0] + 1;
    for (int a = 0; a < 3; a++) row.k[a] += middle * enuf_batch_wave(system, 0, a);
    return row;
}

/** Rows of the half space in the box: m3 > 0, or m3 = 0 and m2 >= 0. The row m2 = m3 = 0 is its own
 * mirror image. */
ENUF_BATCH_INLINE int64_t enuf_batch_rows(const enuf_batch_system *system)
{
    return (int64_t)system->modes[2] * (2 * system->modes[1] + 1) + system->modes[1] + 1;
}

ENUF_BATCH_INLINE enuf_batch_row enuf_batch_row_at(const enuf_batch_system *system, int64_t r)
{
    const int32_t across = 2 * system->modes[1] + 1;
    if (r <= system->modes[1]) return enuf_batch_row_of(system, (int32_t)r, 0);
    r -= system->modes[1] + 1;
    return enuf_batch_row_of(system, (int32_t)(r % across) - system->modes[1],
                             (int32_t)(r / across) + 1);
}

/** The closed forms: phi_i = -self q_i + background + 2 sphere M . x_i, M = sum q x. Without the
 * Coulomb constant. */
typedef struct enuf_batch_closed {
    double self, background, sphere;
} enuf_batch_closed;

ENUF_BATCH_INLINE enuf_batch_closed enuf_batch_closed_of(const enuf_batch_system *system,
                                                         double charge, double surroundings)
{
    const double pi = 3.14159265358979323846;
    const enuf_batch_closed closed = {
        2 * system->alpha / sqrt(pi),
        -pi * charge / (system->alpha * system->alpha * system->volume),
        surroundings != 0 ? 2 * pi / ((2 * surroundings + 1) * system->volume) : 0};
    return closed;
}

/** Net charges up to this part of the sum of |q| are rounding. */
#define ENUF_BATCH_NEUTRAL          1e-9
#define ENUF_BATCH_NEUTRAL_IN_FLOAT 1e-5

#endif
