/*
 * terms.cuh - sums over atoms with bits that do not depend on the order. The largest term fixes a
 * unit; terms are added as integers in that unit. As ewald/sums/invariant_sum.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_TERMS_CUH
#define ENUF_EWALD_CUDA_TERMS_CUH

#include "evaluation.h"

#include <limits.h>

static const int atom_threads = 256;

static inline unsigned atom_blocks(int64_t n)
{
    return (unsigned)((n + atom_threads - 1) / atom_threads);
}

/** Blocks of a kernel whose threads sum several atoms each, atom_step() apart. */
static inline unsigned summing_blocks(int64_t n)
{
    const unsigned most = 1024, blocks = atom_blocks(n);
    return blocks < most ? blocks : most;
}

static __device__ __forceinline__ int64_t atom_step()
{
    return (int64_t)gridDim.x * blockDim.x;
}

static __device__ __forceinline__ int64_t this_atom()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ int term_unit(int64_t n, unsigned long long largest)
{
    return enuf_invariant_unit(n, __longlong_as_double((long long)largest));
}

static __device__ __forceinline__ bool term_finite(int64_t n, unsigned long long largest)
{
    return isfinite((double)n * __longlong_as_double((long long)largest));
}

/** Size of a term as bits that compare like it; NaN is larger than all numbers. */
static __device__ __forceinline__ unsigned long long term_size(double t)
{
    return (unsigned long long)__double_as_longlong(fabs(t));
}

/* Exponent of a sum that is 0 or not finite: its terms count as 0. */
enum { NO_EXPONENT = INT_MIN };

/** The exponent of the units in which n terms up to this size are summed up. */
static __device__ __forceinline__ int size_exponent(unsigned long long largest, int64_t n)
{
    return largest > 0 && term_finite(n, largest) ? term_unit(n, largest) : NO_EXPONENT;
}

static __device__ __forceinline__ int term_exponent(const enuf_cuda_scalars *scalars, int term,
                                                    int64_t n)
{
    return size_exponent(scalars->largest[term], n);
}

static __device__ __forceinline__ unsigned long long term_in_units(double t, int exponent)
{
    return exponent == NO_EXPONENT ? 0 : (unsigned long long)__double2ll_rn(ldexp(t, -exponent));
}

/*
 * Joins the shares of a block's threads in COUNT terms. Thread k < COUNT gets the result of term k.
 * All blocks then add to the same few addresses, so each block should add once. Called by all
 * threads of a block, once in a kernel for each COUNT and Join.
 */
template <int COUNT, typename Join>
static __device__ unsigned long long join_block(const unsigned long long (&shares)[COUNT],
                                                Join join)
{
    static_assert(COUNT <= 32, "a lane for each term");
    __shared__ unsigned long long part[COUNT][atom_threads / 32];
    for (int k = 0; k < COUNT; k++) {
        unsigned long long share = shares[k];
        for (int by = 16; by > 0; by /= 2) share = join(share, __shfl_xor_sync(~0u, share, by));
        if (threadIdx.x % 32 == 0) part[k][threadIdx.x / 32] = share;
    }
    __syncthreads();
    if (threadIdx.x >= COUNT) return 0;
    unsigned long long all = part[threadIdx.x][0];
    for (int warp = 1; warp < atom_threads / 32; warp++) all = join(all, part[threadIdx.x][warp]);
    return all;
}

struct join_largest {
    __device__ unsigned long long operator()(unsigned long long a, unsigned long long b) const
    {
        return max(a, b);
    }
};

struct join_sum { /* two's complement: it sums signed numbers too */
    __device__ unsigned long long operator()(unsigned long long a, unsigned long long b) const
    {
        return a + b;
    }
};

/** sizes: the largest term_size() among a thread's atoms, for terms first ... first + COUNT - 1. */
template <int COUNT>
static __device__ void raise_largest(enuf_cuda_scalars *scalars, int first,
                                     const unsigned long long (&sizes)[COUNT])
{
    const unsigned long long all = join_block(sizes, join_largest());
    if (threadIdx.x < COUNT && all > 0) atomicMax(&scalars->largest[first + threadIdx.x], all);
}

/** sums: over a thread's atoms, in units of the term, see term_in_units(). */
template <int COUNT>
static __device__ void add_terms(enuf_cuda_scalars *scalars, int first,
                                 const unsigned long long (&sums)[COUNT])
{
    const unsigned long long all = join_block(sums, join_sum());
    if (threadIdx.x < COUNT && all != 0)
        atomicAdd((unsigned long long *)&scalars->total[first + threadIdx.x], all);
}

/**
 * Sums COUNT terms over all atoms; terms_of(i, t) gives the terms of one. Pass 0 finds the largest
 * terms, pass 1 the sums. The body of a kernel with summing_blocks() blocks.
 */
template <int COUNT, typename Terms>
static __device__ void sum_terms(const enuf_cuda_atoms &atoms, int first, int pass,
                                 enuf_cuda_scalars *scalars, Terms terms_of)
{
    unsigned long long shares[COUNT] = {};
    int exponent[COUNT];
    for (int k = 0; k < COUNT && pass == 1; k++)
        exponent[k] = term_exponent(scalars, first + k, atoms.n_all);
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        double t[COUNT];
        terms_of(i, t);
        for (int k = 0; k < COUNT; k++) {
            if (pass == 0)
                shares[k] = max(shares[k], term_size(t[k]));
            else
                shares[k] += term_in_units(t[k], exponent[k]);
        }
    }
    if (pass == 0)
        raise_largest(scalars, first, shares);
    else
        add_terms(scalars, first, shares);
}

static __device__ __forceinline__ double real_at(const void *array, int single, int64_t at)
{
    return single ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

static __device__ __forceinline__ void set_real(void *array, int single, int64_t at, double value)
{
    if (single)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

#endif
