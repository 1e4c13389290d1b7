/*
 * invariant_sum.h - sums over atoms whose bits depend neither on the order nor on the threads.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_INVARIANT_SUM_H
#define ENUF_INVARIANT_SUM_H

#include <math.h>
#include <stdint.h>

typedef double (*enuf_term)(int64_t i, const void *context);

typedef void (*enuf_vector_term)(int64_t i, const void *context, double terms[3]);

/**
 * Combines maxima and sums of several processes, each of which holds some of the terms (ewald/mpi).
 * Every process calls with its own terms and gets the same sums, with the bits that one process
 * would get from all terms.
 */
typedef struct enuf_reduction {
    int64_t n;                                                 /* terms of all processes */
    void (*largest)(void *context, int64_t n, double *values); /* of each value over all */
    void (*add)(void *context, int64_t n, int64_t *sums);
    void (*add_doubles)(void *context, int64_t n, double *sums); /* the same bits for all */
    void *context;
} enuf_reduction;

/**
 * sum_i term(i, context), i < n. Two passes: the largest |term| fixes a power of two, in units of
 * which all terms are rounded to 64-bit integers and added. The unit is below 2^-61 n max|term|;
 * numbers of few digits, such as charges of 0.4238, add up to exactly 0 or to within units of it.
 * NaN if a term is not finite. `term` is called from several threads. `reduction` adds the terms of
 * other processes; NULL: there are none.
 */
double enuf_invariant_sum(const enuf_reduction *reduction, int64_t n, enuf_term term,
                          const void *context, int threads);
/** Three such sums, of the components of a vector, in the same two passes. Each has the bits that
 * it would have alone. */
void enuf_invariant_vector_sum(const enuf_reduction *reduction, int64_t n, enuf_vector_term term,
                               const void *context, int threads, double sums[3]);

#ifdef __CUDACC__
#define ENUF_INVARIANT_INLINE static __host__ __device__ __forceinline__
#else
#define ENUF_INVARIANT_INLINE static inline
#endif

/** The exponent e of that unit, 2^e, for n terms up to `largest` > 0. */
ENUF_INVARIANT_INLINE int enuf_invariant_unit(int64_t n, double largest)
{
    int exponent;
    frexp((double)n * largest, &exponent); /* n largest < 2^exponent */
    return exponent - 62;                  /* the sum stays below 2^62 units, roundings included */
}

/** The sum of n terms up to `largest`, from its integer in that unit; NaN if n largest overflows.
 */
ENUF_INVARIANT_INLINE double enuf_invariant_value(int64_t n, double largest, int64_t integer)
{
    if (largest == 0) return 0;
    if (!isfinite((double)n * largest)) return NAN;
    return ldexp((double)integer, enuf_invariant_unit(n, largest));
}

#endif
