/*
 * mode_places.cuh - where the modes of an axis stand: enuf_mode_places on the device. Arithmetic
 * takes the place of tables: in 1D they would be as long as the modes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_MODE_PLACES_CUH
#define ENUF_CUDA_MODE_PLACES_CUH

#include "cuda/cuda.h"

/** The frequency of a stored mode. */
__device__ __forceinline__ int64_t frequency_of(const enuf_mode_places &a, int64_t stored)
{
    const int64_t mode = stored - a.zero;
    return mode >= 0 && mode < a.non_negative ? mode : stored - a.wrap + a.cells;
}

/** The stored mode of a frequency, -1: none. */
__device__ __forceinline__ int64_t stored_of(const enuf_mode_places &a, int64_t frequency)
{
    if (frequency < a.non_negative) return frequency + a.zero;
    return frequency >= a.cells - a.negative ? frequency - a.cells + a.wrap : -1;
}

/** The stored mode of minus a stored mode, of an axis that has both signs; -1: none. */
__device__ __forceinline__ int64_t opposite_of(const enuf_mode_places &a, int64_t stored)
{
    const int64_t frequency = frequency_of(a, stored);
    return stored_of(a, frequency == 0 ? 0 : a.cells - frequency);
}

#endif
