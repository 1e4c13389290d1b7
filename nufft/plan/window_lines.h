/*
 * window_lines.h - which windows the CPU's kernels take by whole lines of the cache, where there is
 * AVX-512 (spread.c, interpolate.c); the cost model counts their lines. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_PLAN_WINDOW_LINES_H
#define ENUF_NUFFT_PLAN_WINDOW_LINES_H

#include "enuf/nufft.h"

enum { ENUF_WIDEST_IN_LINES = 16 };

/** Narrower windows gain nothing by it (Xeon, Sapphire Rapids class, November 2026). */
static inline int enuf_window_in_lines(const enuf_nufft_options *options, int width)
{
    const int least = options->strengths == ENUF_REAL_STRENGTHS ? 8 : 7;
    return options->dim == 3 && width >= least && width <= ENUF_WIDEST_IN_LINES;
}

#endif
