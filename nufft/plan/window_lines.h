/*
 * window_lines.h - which windows the CPU's kernels take by whole lines of the cache, where there is
 * AVX-512 (spread.c, interpolate.c); the cost model counts their lines. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_PLAN_WINDOW_LINES_H
#define ENUF_NUFFT_PLAN_WINDOW_LINES_H

#include "enuf/nufft.h"

enum { ENUF_WIDEST_IN_LINES = 16 };

/** Interpolation; narrower windows gain nothing by it (Xeon, Sapphire Rapids class, and EPYC, Zen
 * 5, November 2026). */
static inline int enuf_window_read_in_lines(const enuf_nufft_options *options, int width)
{
    return options->dim == 3 && width >= 7 && width <= ENUF_WIDEST_IN_LINES;
}

/** Spreading: a real window of width 7 takes 37 ns in vectors of 32 bytes, 40 in lines (Zen 5). */
static inline int enuf_window_in_lines(const enuf_nufft_options *options, int width)
{
    const int least = options->strengths == ENUF_REAL_STRENGTHS ? 8 : 7;
    return width >= least && enuf_window_read_in_lines(options, width);
}

#endif
