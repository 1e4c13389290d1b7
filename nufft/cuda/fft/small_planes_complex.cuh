/*
 * small_planes_complex.cuh - planes of a small grid of complex numbers: numbers to modes of x and
 * y, and back. A block keeps the modes of x of a plane in shared memory, and takes some of its
 * lines at a time: between two radices these have a place of their own.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_SMALL_PLANES_COMPLEX_CUH
#define ENUF_CUDA_SMALL_PLANES_COMPLEX_CUH

#include "small_lines.cuh"

/* A plane in shared memory, and the lines that are on their way. */
template <class T> struct complex_plane {
    enuf_complex<T> *numbers;           /* [y][mode of x], odd(modes of x) apart */
    enuf_complex<T> *cells;             /* [line][large][small] with gaps */
    const enuf_complex<T> *by_x, *by_y; /* twiddles */
    int first, lines;                   /* rows of y, or modes of x */
};

/* The block's plane; starts to fetch the twiddles. */
template <class T>
static __device__ __forceinline__ complex_plane<T> complex_plane_of_block(const small_filter<T> &a)
{
    extern __shared__ __align__(16) unsigned char memory[];
    enuf_complex<T> *by_x = (enuf_complex<T> *)memory, *by_y = by_x + a.n[0];
    fetch<T>(a.n[0], a.twiddle[0], by_x);
    fetch<T>(a.n[1], a.twiddle[1], by_y);
    complex_plane<T> p;
    p.by_x = by_x;
    p.by_y = by_y;
    p.numbers = by_y + a.n[1];
    p.cells = p.numbers + a.n[1] * odd(a.modes[0]);
    p.first = p.lines = 0;
    return p;
}

/* Numbers of a complex plane without its lines on the way, and of each of these. */
template <class T>
static __host__ __device__ __forceinline__ int complex_plane_numbers(const small_filter<T> &a)
{
    return a.n[0] + a.n[1] + a.n[1] * odd(a.modes[0]);
}

template <class T>
static __host__ __device__ __forceinline__ int complex_line_numbers(const small_filter<T> &a)
{
    return max(line_cells(a, 0), line_cells(a, 1));
}

/* ---- To modes ---- */

template <int R, class T>
static __device__ __forceinline__ void complex_rows_in(const small_filter<T> &a,
                                                       const complex_plane<T> &p, const T *from)
{
    const int large = a.large[0], cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < p.lines * large; i += blockDim.x) {
        const int line = i / large, j = i - line * large;
        enuf_complex<T> v[R];
        line_get<R, T>((const enuf_complex<T> *)(from + (p.first + line) * a.row) + j, large, v);
        line_butterfly<R, -1, T>::run(v);
        line_put<R, T>(p.cells + line * cells + j * odd(R), 1, v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void complex_row_modes(const small_filter<T> &a,
                                                         const complex_plane<T> &p)
{
    const int small = a.small[0], cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < p.lines * small; i += blockDim.x) {
        const int line = i / small, k = i - line * small;
        enuf_complex<T> *row = p.numbers + (p.first + line) * odd(a.modes[0]), v[R];
        line_get<R, T>(p.cells + line * cells + k, odd(small), v);
        turn<R, -1, T>(p.by_x + k, small, v);
        line_butterfly<R, -1, T>::run(v);
#pragma unroll
        for (int q = 0; q < R; q++) {
            const int m = stored_at(a.places[0], k + q * small);
            if (m >= 0) row[m] = v[q];
        }
    }
}

template <int R, class T>
static __device__ __forceinline__ void complex_columns_in(const small_filter<T> &a,
                                                          const complex_plane<T> &p)
{
    const int large = a.large[1], step = odd(a.modes[0]), cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < p.lines * large; i += blockDim.x) {
        const int j = i / p.lines, line = i - j * p.lines;
        enuf_complex<T> v[R];
        line_get<R, T>(p.numbers + j * step + p.first + line, large * step, v);
        line_butterfly<R, -1, T>::run(v);
        line_put<R, T>(p.cells + line * cells + j * odd(R), 1, v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void
complex_column_modes(const small_filter<T> &a, const complex_plane<T> &p, enuf_complex<T> *to)
{
    const int small = a.small[1], cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < p.lines * small; i += blockDim.x) {
        const int k = i / p.lines, line = i - k * p.lines;
        enuf_complex<T> v[R];
        line_get<R, T>(p.cells + line * cells + k, odd(small), v);
        turn<R, -1, T>(p.by_y + k, small, v);
        line_butterfly<R, -1, T>::run(v);
#pragma unroll
        for (int q = 0; q < R; q++) {
            const int c = stored_at(a.places[1], k + q * small);
            if (c >= 0) to[c * a.modes[0] + p.first + line] = v[q];
        }
    }
}

/* Block (z, vector). lines: that fit on their way at once. */
template <class T>
static __global__ void __launch_bounds__(MOST_THREADS)
    complex_planes_in(const __grid_constant__ small_filter<T> a, int lines)
{
    complex_plane<T> p = complex_plane_of_block(a);
    const int64_t z = (int64_t)blockIdx.y * a.n[2] + blockIdx.x;
    const T *from = a.grid + blockIdx.y * a.batch_cells + blockIdx.x * a.plane;
    enuf_complex<T> *to = a.columns + z * a.modes[1] * a.modes[0];
    enuf_chain_follow();
    enuf_chain_lead(); /* interpolation reads the points before it waits: they are sorted */
    for (p.first = 0; p.first < a.n[1]; p.first += lines) {
        p.lines = min(lines, a.n[1] - p.first);
        BY_RADIX(a.small[0], complex_rows_in, a, p, from);
        arrived();
        BY_RADIX(a.large[0], complex_row_modes, a, p);
        __syncthreads();
    }
    for (p.first = 0; p.first < a.modes[0]; p.first += lines) {
        p.lines = min(lines, a.modes[0] - p.first);
        BY_RADIX(a.small[1], complex_columns_in, a, p);
        __syncthreads();
        BY_RADIX(a.large[1], complex_column_modes, a, p, to);
        __syncthreads();
    }
}

/* ---- From modes ---- */

template <int R, class T>
static __device__ __forceinline__ void complex_columns_back(const small_filter<T> &a,
                                                            const complex_plane<T> &p,
                                                            const enuf_complex<T> *from)
{
    const int small = a.small[1], cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < p.lines * small; i += blockDim.x) {
        const int k = i / p.lines, line = i - k * p.lines;
        enuf_complex<T> v[R];
#pragma unroll
        for (int q = 0; q < R; q++) {
            const int c = stored_at(a.places[1], k + q * small);
            v[q] = enuf_make_complex<T>(0, 0);
            if (c >= 0) v[q] = from[c * a.modes[0] + p.first + line];
        }
        line_butterfly<R, 1, T>::run(v);
        turn<R, 1, T>(p.by_y + k, small, v);
        line_put<R, T>(p.cells + line * cells + k, odd(small), v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void complex_columns_out(const small_filter<T> &a,
                                                           const complex_plane<T> &p)
{
    const int large = a.large[1], step = odd(a.modes[0]), cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < p.lines * large; i += blockDim.x) {
        const int j = i / p.lines, line = i - j * p.lines;
        enuf_complex<T> v[R];
        line_get<R, T>(p.cells + line * cells + j * odd(R), 1, v);
        line_butterfly<R, 1, T>::run(v);
        line_put<R, T>(p.numbers + j * step + p.first + line, large * step, v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void complex_rows_back(const small_filter<T> &a,
                                                         const complex_plane<T> &p)
{
    const int small = a.small[0], cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < p.lines * small; i += blockDim.x) {
        const int line = i / small, k = i - line * small;
        const enuf_complex<T> *row = p.numbers + (p.first + line) * odd(a.modes[0]);
        enuf_complex<T> v[R];
#pragma unroll
        for (int q = 0; q < R; q++) {
            const int m = stored_at(a.places[0], k + q * small);
            v[q] = enuf_make_complex<T>(0, 0);
            if (m >= 0) v[q] = row[m];
        }
        line_butterfly<R, 1, T>::run(v);
        turn<R, 1, T>(p.by_x + k, small, v);
        line_put<R, T>(p.cells + line * cells + k, odd(small), v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void complex_rows_out(const small_filter<T> &a,
                                                        const complex_plane<T> &p, T *to)
{
    const int large = a.large[0], cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < p.lines * large; i += blockDim.x) {
        const int line = i / large, j = i - line * large;
        enuf_complex<T> v[R];
        line_get<R, T>(p.cells + line * cells + j * odd(R), 1, v);
        line_butterfly<R, 1, T>::run(v);
        line_put<R, T>((enuf_complex<T> *)(to + (p.first + line) * a.row) + j, large, v);
    }
}

/* Block (z, vector). */
template <class T>
static __global__ void __launch_bounds__(MOST_THREADS)
    complex_planes_out(const __grid_constant__ small_filter<T> a, int lines)
{
    complex_plane<T> p = complex_plane_of_block(a);
    const int64_t z = (int64_t)blockIdx.y * a.n[2] + blockIdx.x;
    const enuf_complex<T> *from = a.columns + z * a.modes[1] * a.modes[0];
    T *to = a.grid + blockIdx.y * a.batch_cells + blockIdx.x * a.plane;
    enuf_chain_wait();
    arrived(); /* the twiddles */
    for (p.first = 0; p.first < a.modes[0]; p.first += lines) {
        p.lines = min(lines, a.modes[0] - p.first);
        BY_RADIX(a.large[1], complex_columns_back, a, p, from);
        __syncthreads();
        BY_RADIX(a.small[1], complex_columns_out, a, p);
        __syncthreads();
    }
    for (p.first = 0; p.first < a.n[1]; p.first += lines) {
        p.lines = min(lines, a.n[1] - p.first);
        BY_RADIX(a.large[0], complex_rows_back, a, p);
        __syncthreads();
        BY_RADIX(a.small[0], complex_rows_out, a, p, to);
        __syncthreads();
    }
}

#endif
