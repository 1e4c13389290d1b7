/*
 * accumulate.h - the inner loop of sums over a lattice: many complex sums at a time, short runs in
 * registers, runs added with their rounding errors carried along, so that the error of a sum does
 * not grow with the number of its terms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_ACCUMULATE_H
#define ENUF_DIRECT_ACCUMULATE_H

#include "carried.h"

/**
 * totals[k] += sum_i a[i] phase[i][k]: a [n] complex, interleaved; re, im [n][ENUF_LANES] with
 * `step` numbers between rows, 64-byte aligned.
 */
static inline void enuf_accumulate(int64_t n, const real *a, const real *re, const real *im,
                                   int64_t step, enuf_totals *totals)
{
    for (int64_t begin = 0; begin < n; begin += ENUF_RUN) {
        int64_t end = begin + ENUF_RUN < n ? begin + ENUF_RUN : n;
        vr sum_re[ENUF_VECTORS] = {{0}};
        vr sum_im[ENUF_VECTORS] = {{0}};
        for (int64_t i = begin; i < end; ++i) {
#pragma GCC unroll 8
            for (int v = 0; v < ENUF_VECTORS; ++v) {
                vr phase_re = vr_load(re + i * step + v * VR_LANES);
                vr phase_im = vr_load(im + i * step + v * VR_LANES);
                sum_re[v] += a[2 * i] * phase_re - a[2 * i + 1] * phase_im;
                sum_im[v] += a[2 * i] * phase_im + a[2 * i + 1] * phase_re;
            }
        }
        enuf_carry_vectors(totals, sum_re, sum_im);
    }
}

#endif
