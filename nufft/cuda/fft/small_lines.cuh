/*
 * small_lines.cuh - what the kernels of a small grid's filter have in common: parameters, and
 * lines of two radices. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_SMALL_LINES_CUH
#define ENUF_CUDA_SMALL_LINES_CUH

#include "chain.cuh"
#include "line_butterfly.cuh"

#include <cuda_pipeline_primitives.h>

enum { MOST_RADIX = 12, MOST_THREADS = 512 };

/* body<R>(arguments) of a radix */
#define BY_RADIX(radix, body, ...)                                                                 \
    switch (radix) {                                                                               \
        LINE_RADIX(2, body, __VA_ARGS__)                                                           \
        LINE_RADIX(3, body, __VA_ARGS__)                                                           \
        LINE_RADIX(4, body, __VA_ARGS__)                                                           \
        LINE_RADIX(5, body, __VA_ARGS__)                                                           \
        LINE_RADIX(6, body, __VA_ARGS__)                                                           \
        LINE_RADIX(7, body, __VA_ARGS__)                                                           \
        LINE_RADIX(8, body, __VA_ARGS__)                                                           \
        LINE_RADIX(9, body, __VA_ARGS__)                                                           \
        LINE_RADIX(10, body, __VA_ARGS__)                                                          \
    default:                                                                                       \
        body<12>(__VA_ARGS__);                                                                     \
        break;                                                                                     \
    }

/* enuf_mode_places in few instructions: the way of a small grid's filter through a kernel is as
 * long as its code, which a multiprocessor fetches anew for each launch. */
struct small_places {
    int non_negative, negative_from, zero, wrapped;
};

/* The stored mode of a frequency; negative: none. */
static __device__ __forceinline__ int stored_at(const small_places &a, int frequency)
{
    return frequency < a.non_negative     ? frequency + a.zero
           : frequency >= a.negative_from ? frequency + a.wrapped
                                          : -1;
}

/* What the three kernels share, by value. Modes of x have the frequencies 0, 1, ... */
template <class T> struct small_filter {
    enuf_cuda_axis axis[3];
    small_places places[3];
    int n[3], modes[3], large[3], small[3];
    const enuf_complex<T> *twiddle[3]; /* [large][small] exp(-2 pi i j k/n) */
    enuf_complex<T> *columns;          /* [batch][z][modes of y][modes of x] */
    T *grid;
    int64_t row, plane, batch_cells; /* of the grid, in numbers */
};

static __host__ __device__ __forceinline__ int odd(int n)
{
    return n | 1;
}

static __host__ __device__ __forceinline__ int shares(int n, int parts)
{
    return (n + parts - 1) / parts;
}

/* Cells of a line, between its radices. */
template <class T>
static __host__ __device__ __forceinline__ int line_cells(const small_filter<T> &a, int d)
{
    return odd(a.large[d] * odd(a.small[d]));
}

/* Registers times every step-th factor, or in a SIGN of 1 its conjugate. The first one is 1. */
template <int R, int SIGN, class T>
static __device__ __forceinline__ void turn(const enuf_complex<T> *factors, int step,
                                            enuf_complex<T> v[R])
{
#pragma unroll
    for (int q = 1; q < R; q++) {
        const enuf_complex<T> w = factors[q * step];
        v[q] = line_times<T>(v[q], SIGN < 0 ? w : line_conjugate<T>(w));
    }
}

/* Starts copies to shared memory; arrived() waits for all of them. */
template <class T>
static __device__ __forceinline__ void fetch(int n, const enuf_complex<T> *from,
                                             enuf_complex<T> *to)
{
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        __pipeline_memcpy_async(to + k, from + k, sizeof *to);
}

static __device__ __forceinline__ void arrived(void)
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

#endif
