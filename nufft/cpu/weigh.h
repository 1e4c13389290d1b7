/*
 * weigh.h - the caller's weights, multiplied as numbers are read or written.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CPU_WEIGH_H
#define ENUF_NUFFT_CPU_WEIGH_H

#include "plan/target.h"
#include "real.h"

/** q times weight j; q is real, or complex of two parts. */
static inline void weigh(const enuf_weighting *weighting, int64_t j, int parts, real *q)
{
    const real *w = weighting->numbers;
    if (!w) return;
    if (!weighting->is_complex) {
        for (int c = 0; c < parts; c++) q[c] *= w[j];
        return;
    }
    const real re = w[2 * j], im = weighting->conjugate_weights ? -w[2 * j + 1] : w[2 * j + 1];
    const real product = q[0] * re - q[1] * im;
    q[1] = q[0] * im + q[1] * re;
    q[0] = product;
}

/** A strength as it is spread. */
static inline void weigh_strength(const enuf_weighting *weighting, int64_t j, int parts, real *q)
{
    weigh(weighting, j, parts, q);
    if (weighting->conjugate) q[1] = -q[1];
}

/** A result as the caller gets it. */
static inline void weigh_result(const enuf_weighting *weighting, int64_t j, int parts, real *value)
{
    if (weighting->conjugate) value[1] = -value[1];
    weigh(weighting, j, parts, value);
}

#endif
