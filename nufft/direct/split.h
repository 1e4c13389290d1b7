/*
 * split.h - numbers whose product is a number of turns, split so that floats and 32-bit integers
 * give its fraction. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 *
 * Let k be a number and |r| <= 1. k is a whole number n and c, |c| <= 1/2, so that
 *
 *     k r = n r + c r
 *
 * n r modulo 1 is n times the integer nearest 2^32 r, modulo 2^32, in units of 2^-32 turns: one
 * multiplication of 32-bit integers, whose overflow takes the whole turns away. |c r| <= 1/2 is one
 * multiplication of floats. The error is n 2^-33 turns at most of the first, and 2^-25 of the
 * second: about 1e-7 turns in a product of 1000 turns, where a product of floats has 6e-5.
 */
#ifndef ENUF_DIRECT_SPLIT_H
#define ENUF_DIRECT_SPLIT_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define ENUF_SPLIT_INLINE static __host__ __device__ __forceinline__
#else
#define ENUF_SPLIT_INLINE static inline
#endif

/** n and c of a factor k; 2^32 r modulo 2^32, and r, of a fraction. */
typedef struct enuf_split {
    int32_t whole;
    float part;
} enuf_split;

/** k + low. A k of 2^62 or more has no fraction that a double can hold: its c is NaN. */
ENUF_SPLIT_INLINE enuf_split enuf_split_factor(double k, double low)
{
    const enuf_split none = {0, NAN};
    if (!(fabs(k) < 4611686018427387904.0)) return none;
    const double n = rint(k);
    const enuf_split split = {(int32_t)(uint32_t)(uint64_t)(int64_t)n, (float)(k - n + low)};
    return split;
}

ENUF_SPLIT_INLINE enuf_split enuf_split_fraction(double r)
{
    const enuf_split split = {(int32_t)(uint32_t)(uint64_t)(int64_t)rint(r * 4294967296.0),
                              (float)r};
    return split;
}

/** The unit that makes fractions of numbers up to `most`: a power of two. */
ENUF_SPLIT_INLINE double enuf_split_unit(double most)
{
    int exponent = 0;
    if (!(most > 0)) return 1;
    frexp(most, &exponent); /* most < 2^exponent */
    return ldexp(1.0, exponent);
}

#endif
