/*
 * block.cuh - what a block of a batch's kernels shares: sums and queues of its threads, atoms of
 * the caller's arrays. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_BLOCK_CUH
#define ENUF_BATCH_BLOCK_CUH

#include "batch_sums.h"

enum { THREADS = ENUF_BATCH_THREADS, LANES = 32, WARPS = THREADS / LANES };

/** A complex number that is loaded at once. */
template <class Real> struct alignas(2 * sizeof(Real)) complex_of {
    Real re, im;
};

static __device__ __forceinline__ double number_at(const enuf_batch_arguments &a, const void *array,
                                                   int64_t i)
{
    return a.in_float ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static __device__ __forceinline__ void put_number(const enuf_batch_arguments &a, void *array,
                                                  int64_t i, double value)
{
    if (!array) return;
    if (a.in_float)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

/** Copies system s to shared memory. */
static __device__ void load_system(const enuf_batch_arguments &a, int64_t s,
                                   enuf_batch_system *system)
{
    const int *from = (const int *)(a.systems + s);
    const int words = (int)(sizeof *system / sizeof *from);
    for (int k = threadIdx.x; k < words; k += THREADS) ((int *)system)[k] = from[k];
    __syncthreads();
}

/** The image of an atom in the middle cell, high + low. */
struct batch_atom {
    double high[3], low[3], charge;
};

/* Products and sums whose rounding errors go to the low parts (Dekker's and Knuth's). */
static __device__ __forceinline__ batch_atom folded_atom(const enuf_batch_arguments &a,
                                                         const enuf_batch_system &system, int64_t i)
{
    const int64_t at = (system.first + i) * a.stride;
    const double *g = system.inverse;
    batch_atom atom;
    double x[3];
    for (int d = 0; d < 3; d++) {
        atom.high[d] = x[d] = number_at(a, a.positions, at + d);
        atom.low[d] = 0;
    }
    for (int d = 0; d < 3; d++) {
        const double whole = rint(x[0] * g[d] + x[1] * g[3 + d] + x[2] * g[6 + d]);
        for (int e = 0; e < 3; e++) {
            const double row = system.cell[3 * d + e], step = __dmul_rn(whole, row);
            const double step_low = fma(whole, row, -step) + whole * system.cell_low[3 * d + e];
            const double moved = __dsub_rn(atom.high[e], step);
            const double part = __dsub_rn(moved, atom.high[e]);
            const double lost =
                __dsub_rn(__dsub_rn(atom.high[e], __dsub_rn(moved, part)), __dadd_rn(step, part));
            atom.high[e] = moved;
            atom.low[e] += lost - step_low;
        }
    }
    atom.charge = number_at(a, a.charges, system.first + i);
    return atom;
}

/** Sums of COUNT numbers of all threads, always in the same order, for all threads. `room`: [WARPS]
 * [COUNT]. */
template <int COUNT> static __device__ void block_sum(double (&x)[COUNT], double *room)
{
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    for (int k = 0; k < COUNT; k++)
        for (int step = LANES / 2; step > 0; step /= 2) x[k] += __shfl_xor_sync(~0u, x[k], step);
    __syncthreads();
    for (int k = 0; k < COUNT && lane == 0; k++) room[warp * COUNT + k] = x[k];
    __syncthreads();
    for (int k = 0; k < COUNT; k++) {
        x[k] = 0;
        for (int w = 0; w < WARPS; w++) x[k] += room[w * COUNT + k];
    }
}

/** Place of this thread's element behind a list of *length elements, in the order of threads; adds
 * to the length those of all threads that have one. */
static __device__ __forceinline__ int place_in_list(bool has_one, int *length)
{
    __shared__ int of_warp[WARPS];
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const unsigned which = __ballot_sync(~0u, has_one);
    int place = *length + __popc(which & ((1u << lane) - 1));
    __syncthreads();
    if (lane == 0) of_warp[warp] = __popc(which);
    __syncthreads();
    for (unsigned w = 0; w < WARPS; w++) {
        if (w < warp) place += of_warp[w];
        *length += of_warp[w];
    }
    return place;
}

#endif
