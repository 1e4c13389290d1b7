/*
 * carried.h - complex sums whose rounding errors are carried along: in double, of some lanes of
 * numbers. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_CARRIED_H
#define ENUF_DIRECT_CARRIED_H

#include "precision.h"

enum {
    ENUF_RUN = 64, /* terms summed plainly: their rounding stays below 3e-16 of the sum, in float
                      below 2e-7 */
    ENUF_LANES = 128 / sizeof(real), /* sums done at once, */
    ENUF_VECTORS = ENUF_LANES / VR_LANES
};

/** Sums and the rounding errors of their additions. */
typedef struct enuf_totals {
    double re[ENUF_LANES], im[ENUF_LANES];
    double lost_re[ENUF_LANES], lost_im[ENUF_LANES];
} enuf_totals;

/* Knuth's two-sum: The Art of Computer Programming 2, section 4.2.2, theorem B. */
SIMD_INLINE void enuf_carry_part(double *restrict total, double *restrict lost,
                                 const double *restrict x)
{
    for (int k = 0; k < ENUF_LANES; ++k) {
        const double sum = total[k] + x[k], back = sum - total[k];
        lost[k] += (total[k] - (sum - back)) + (x[k] - back);
        total[k] = sum;
    }
}

SIMD_INLINE void enuf_carry(enuf_totals *totals, const double *re, const double *im)
{
    enuf_carry_part(totals->re, totals->lost_re, re);
    enuf_carry_part(totals->im, totals->lost_im, im);
}

SIMD_INLINE void enuf_carry_vectors(enuf_totals *totals, const vr *sum_re, const vr *sum_im)
{
    double re[ENUF_LANES], im[ENUF_LANES];
    for (int k = 0; k < ENUF_LANES; ++k) {
        re[k] = (double)sum_re[k / VR_LANES][k % VR_LANES];
        im[k] = (double)sum_im[k / VR_LANES][k % VR_LANES];
    }
    enuf_carry(totals, re, im);
}

/** Writes total k as complex number `at` of an array. */
SIMD_INLINE void enuf_put_total(const enuf_totals *totals, int k, real *array, int64_t at)
{
    array[2 * at] = (real)(totals->re[k] + totals->lost_re[k]);
    array[2 * at + 1] = (real)(totals->im[k] + totals->lost_im[k]);
}

#endif
