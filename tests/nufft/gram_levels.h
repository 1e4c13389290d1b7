/* gram_levels.h - which levels have a plan's Gram operator, where the test runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_GRAM_LEVELS_H
#define ENUF_GRAM_LEVELS_H

#include "conformance.h"

static inline int gram_levels_on_gpu(void)
{
    return conformance_options(1, 1, 0, 0).backend == ENUF_BACKEND_CUDA;
}

static inline int gram_level_serves(const enuf_nufft_options *o, enuf_level level)
{
    if (level == ENUF_LEVEL_GRAM && o->strengths == ENUF_REAL_STRENGTHS) return 0;
    return !gram_levels_on_gpu() || level != ENUF_LEVEL_NONE;
}

#endif
