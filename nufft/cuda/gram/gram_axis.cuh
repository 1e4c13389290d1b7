/* gram_axis.cuh - modes of an axis and their places in a line. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_CUDA_GRAM_AXIS_CUH
#define ENUF_CUDA_GRAM_AXIS_CUH

#include "gram.h"

/** The mode at a place of an axis, or -1. */
static __device__ __forceinline__ int mode_at(const enuf_cuda_gram_axis &axis, int place)
{
    if (place < axis.low) return place;
    const int mode = place - axis.length + axis.n;
    return mode >= axis.low ? mode : -1;
}

static __device__ __forceinline__ int place_of(const enuf_cuda_gram_axis &axis, int mode)
{
    return mode < axis.low ? mode : mode + axis.length - axis.n;
}

#endif
