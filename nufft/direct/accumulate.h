/*
 * accumulate.h - the inner loop of the direct sums: sixteen complex sums at a time, short runs in
 * registers, runs added with their rounding errors carried along, so that the error of a sum does
 * not grow with the number of its terms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_ACCUMULATE_H
#define ENUF_DIRECT_ACCUMULATE_H

#include "simd.h"

#include <stdint.h>

enum {
    ENUF_LANES = 16, /* sums done at once, */
    ENUF_VECTORS = ENUF_LANES / VD_LANES,
    ENUF_RUN = 64 /* terms summed plainly: their rounding stays below 2e-16 of the sum */
};

/* A sum and the rounding error of its additions. */
typedef struct enuf_carried {
    double sum;
    double lost;
} enuf_carried;

/* Knuth's two-sum: The Art of Computer Programming 2, section 4.2.2, theorem B. */
static inline void enuf_carry(enuf_carried *total, double x)
{
    double sum = total->sum + x;
    double back = sum - total->sum;
    total->lost += (total->sum - (sum - back)) + (x - back);
    total->sum = sum;
}

static inline double enuf_carried_value(enuf_carried total)
{
    return total.sum + total.lost;
}

/* Sixteen complex totals. */
typedef struct enuf_totals {
    enuf_carried re[ENUF_LANES];
    enuf_carried im[ENUF_LANES];
} enuf_totals;

/**
 * totals[k] += sum_i a[i] phase[i][k]: a [n] complex, interleaved; re, im [n][ENUF_LANES] with
 * `step` numbers between rows, 64-byte aligned.
 */
static inline void enuf_accumulate(int64_t n, const double *a, const double *re, const double *im,
                                   int64_t step, enuf_totals *totals)
{
    for (int64_t begin = 0; begin < n; begin += ENUF_RUN) {
        int64_t end = begin + ENUF_RUN < n ? begin + ENUF_RUN : n;
        vd sum_re[ENUF_VECTORS] = {{0}};
        vd sum_im[ENUF_VECTORS] = {{0}};
        for (int64_t i = begin; i < end; ++i) {
#pragma GCC unroll 8
            for (int v = 0; v < ENUF_VECTORS; ++v) {
                vd phase_re = vd_load(re + i * step + v * VD_LANES);
                vd phase_im = vd_load(im + i * step + v * VD_LANES);
                sum_re[v] += a[2 * i] * phase_re - a[2 * i + 1] * phase_im;
                sum_im[v] += a[2 * i] * phase_im + a[2 * i + 1] * phase_re;
            }
        }
        for (int k = 0; k < ENUF_LANES; ++k) {
            enuf_carry(&totals->re[k], sum_re[k / VD_LANES][k % VD_LANES]);
            enuf_carry(&totals->im[k], sum_im[k / VD_LANES][k % VD_LANES]);
        }
    }
}

#endif
