/*
 * small_planes.cuh - planes of a small grid: numbers to modes of x and y, and back. A block has a
 * plane in shared memory; two rows of real numbers are transformed as one of complex ones.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_SMALL_PLANES_CUH
#define ENUF_CUDA_SMALL_PLANES_CUH

#include "small_lines.cuh"

/* A plane in shared memory. Rows that threads side by side walk along begin in different banks. */
template <class T> struct small_plane {
    enuf_complex<T> *cells;   /* rows or columns [large][small] with gaps, between two radices */
    enuf_complex<T> *numbers; /* [pair of rows][frequency of x], or [y][mode of x] */
    const enuf_complex<T> *by_x, *by_y; /* twiddles */
};

template <class T>
static __host__ __device__ __forceinline__ int pairs_of_rows(const small_filter<T> &a)
{
    return shares(a.n[1], 2);
}

template <class T>
static __host__ __device__ __forceinline__ int plane_cells(const small_filter<T> &a)
{
    return max(pairs_of_rows(a) * line_cells(a, 0), a.modes[0] * line_cells(a, 1));
}

/* The block's plane, whose `numbers` have a given count; starts to fetch the twiddles. */
template <class T>
static __device__ __forceinline__ small_plane<T> plane_of_block(const small_filter<T> &a,
                                                                int numbers)
{
    extern __shared__ __align__(16) unsigned char memory[];
    enuf_complex<T> *by_x = (enuf_complex<T> *)memory, *by_y = by_x + a.n[0];
    fetch<T>(a.n[0], a.twiddle[0], by_x);
    fetch<T>(a.n[1], a.twiddle[1], by_y);
    small_plane<T> p;
    p.by_x = by_x;
    p.by_y = by_y;
    p.numbers = by_y + a.n[1];
    p.cells = p.numbers + numbers;
    return p;
}

/* ---- Planes to modes of x and y ---- */

/* Two rows: the second one is the imaginary part; 0 behind the last one. */
template <int R, class T>
static __device__ __forceinline__ void rows_in(const small_filter<T> &a, const small_plane<T> &p,
                                               const T *from)
{
    const int large = a.large[0], pairs = pairs_of_rows(a), cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < pairs * large; i += blockDim.x) {
        const int pair = i / large, j = i - pair * large;
        const T *row = from + 2 * pair * a.row + j;
        const bool both = 2 * pair + 1 < a.n[1];
        enuf_complex<T> v[R];
#pragma unroll
        for (int q = 0; q < R; q++)
            v[q] = enuf_make_complex<T>(row[q * large], both ? row[a.row + q * large] : 0);
        line_butterfly<R, -1, T>::run(v);
        line_put<R, T>(p.cells + pair * cells + j * odd(R), 1, v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void row_frequencies(const small_filter<T> &a,
                                                       const small_plane<T> &p)
{
    const int small = a.small[0], pairs = pairs_of_rows(a), cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < pairs * small; i += blockDim.x) {
        const int pair = i / small, k = i - pair * small;
        enuf_complex<T> v[R];
        line_get<R, T>(p.cells + pair * cells + k, odd(small), v);
        turn<R, -1, T>(p.by_x + k, small, v);
        line_butterfly<R, -1, T>::run(v);
        line_put<R, T>(p.numbers + pair * odd(a.n[0]) + k, small, v);
    }
}

/* Columns of modes of x. The frequency f of a row is (Z(f) + conj Z(-f)) / 2, that of the row which
 * is the imaginary part (Z(f) - conj Z(-f)) / 2i. */
template <int R, class T>
static __device__ __forceinline__ void columns_in(const small_filter<T> &a, const small_plane<T> &p)
{
    const int large = a.large[1], mx = a.modes[0], cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < mx * large; i += blockDim.x) {
        const int j = i / mx, m = i - j * mx;
        const int minus = m == 0 ? 0 : a.n[0] - m;
        enuf_complex<T> v[R];
#pragma unroll
        for (int q = 0; q < R; q++) {
            const int y = j + q * large;
            const enuf_complex<T> *row = p.numbers + (y >> 1) * odd(a.n[0]);
            const enuf_complex<T> z = row[m], w = row[minus];
            v[q] = y & 1 ? enuf_make_complex<T>((z.y + w.y) / 2, (w.x - z.x) / 2)
                         : enuf_make_complex<T>((z.x + w.x) / 2, (z.y - w.y) / 2);
        }
        line_butterfly<R, -1, T>::run(v);
        line_put<R, T>(p.cells + m * cells + j * odd(R), 1, v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void column_modes(const small_filter<T> &a,
                                                    const small_plane<T> &p, enuf_complex<T> *to)
{
    const int small = a.small[1], mx = a.modes[0], cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < mx * small; i += blockDim.x) {
        const int k = i / mx, m = i - k * mx;
        enuf_complex<T> v[R];
        line_get<R, T>(p.cells + m * cells + k, odd(small), v);
        turn<R, -1, T>(p.by_y + k, small, v);
        line_butterfly<R, -1, T>::run(v);
#pragma unroll
        for (int q = 0; q < R; q++) {
            const int c = stored_at(a.places[1], k + q * small);
            if (c >= 0) to[c * mx + m] = v[q];
        }
    }
}

/* Block (z, vector). */
template <class T>
static __global__ void __launch_bounds__(MOST_THREADS)
    planes_in(const __grid_constant__ small_filter<T> a)
{
    const small_plane<T> p = plane_of_block(a, pairs_of_rows(a) * odd(a.n[0]));
    const int64_t z = (int64_t)blockIdx.y * a.n[2] + blockIdx.x;
    enuf_chain_follow();
    enuf_chain_lead(); /* interpolation reads the points before it waits: they are sorted */
    BY_RADIX(a.small[0], rows_in, a, p, a.grid + blockIdx.y * a.batch_cells + blockIdx.x * a.plane);
    arrived();
    BY_RADIX(a.large[0], row_frequencies, a, p);
    __syncthreads();
    BY_RADIX(a.small[1], columns_in, a, p);
    __syncthreads();
    BY_RADIX(a.large[1], column_modes, a, p, a.columns + z * a.modes[1] * a.modes[0]);
}

/* ---- Planes from modes of x and y ---- */

template <int R, class T>
static __device__ __forceinline__ void
columns_back(const small_filter<T> &a, const small_plane<T> &p, const enuf_complex<T> *from)
{
    const int small = a.small[1], mx = a.modes[0], cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < mx * small; i += blockDim.x) {
        const int k = i / mx, m = i - k * mx;
        enuf_complex<T> v[R];
#pragma unroll
        for (int q = 0; q < R; q++) {
            const int c = stored_at(a.places[1], k + q * small);
            v[q] = enuf_make_complex<T>(0, 0);
            if (c >= 0) v[q] = from[c * mx + m];
        }
        line_butterfly<R, 1, T>::run(v);
        turn<R, 1, T>(p.by_y + k, small, v);
        line_put<R, T>(p.cells + m * cells + k, odd(small), v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void columns_out(const small_filter<T> &a,
                                                   const small_plane<T> &p)
{
    const int large = a.large[1], mx = a.modes[0], cells = line_cells(a, 1);
    for (int i = threadIdx.x; i < mx * large; i += blockDim.x) {
        const int j = i / mx, m = i - j * mx;
        enuf_complex<T> v[R];
        line_get<R, T>(p.cells + m * cells + j * odd(R), 1, v);
        line_butterfly<R, 1, T>::run(v);
        line_put<R, T>(p.numbers + j * odd(mx) + m, (int64_t)large * odd(mx), v);
    }
}

/* Z(f) of two rows A and B is A(f) + i B(f), Z(-f) is conj A(f) + i conj B(f). Of frequencies that
 * are their own opposites the real parts count. */
template <class T>
static __device__ __forceinline__ enuf_complex<T>
pair_at(const small_filter<T> &a, const enuf_complex<T> *row, bool both, int f)
{
    const int opposite = f == 0 ? 0 : a.n[0] - f, m = min(f, opposite), mx = a.modes[0];
    if (m >= mx) return enuf_make_complex<T>(0, 0);
    enuf_complex<T> x = row[m], y = enuf_make_complex<T>(0, 0);
    if (both) y = row[odd(mx) + m];
    const T sign = f == opposite ? 0 : f == m ? 1 : -1;
    return enuf_make_complex<T>(x.x - sign * y.y, sign * x.y + y.x);
}

template <int R, class T>
static __device__ __forceinline__ void rows_back(const small_filter<T> &a, const small_plane<T> &p)
{
    const int small = a.small[0], pairs = pairs_of_rows(a), cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < pairs * small; i += blockDim.x) {
        const int pair = i / small, k = i - pair * small;
        const enuf_complex<T> *row = p.numbers + 2 * pair * odd(a.modes[0]);
        const bool both = 2 * pair + 1 < a.n[1];
        enuf_complex<T> v[R];
#pragma unroll
        for (int q = 0; q < R; q++) v[q] = pair_at(a, row, both, k + q * small);
        line_butterfly<R, 1, T>::run(v);
        turn<R, 1, T>(p.by_x + k, small, v);
        line_put<R, T>(p.cells + pair * cells + k, odd(small), v);
    }
}

template <int R, class T>
static __device__ __forceinline__ void rows_out(const small_filter<T> &a, const small_plane<T> &p,
                                                T *to)
{
    const int large = a.large[0], pairs = pairs_of_rows(a), cells = line_cells(a, 0);
    for (int i = threadIdx.x; i < pairs * large; i += blockDim.x) {
        const int pair = i / large, j = i - pair * large;
        T *row = to + 2 * pair * a.row + j;
        enuf_complex<T> v[R];
        line_get<R, T>(p.cells + pair * cells + j * odd(R), 1, v);
        line_butterfly<R, 1, T>::run(v);
#pragma unroll
        for (int q = 0; q < R; q++) {
            row[q * large] = v[q].x;
            if (2 * pair + 1 < a.n[1]) row[a.row + q * large] = v[q].y;
        }
    }
}

/* Block (z, vector). */
template <class T>
static __global__ void __launch_bounds__(MOST_THREADS)
    planes_out(const __grid_constant__ small_filter<T> a)
{
    const small_plane<T> p = plane_of_block(a, a.n[1] * odd(a.modes[0]));
    const int64_t z = (int64_t)blockIdx.y * a.n[2] + blockIdx.x;
    enuf_chain_wait();
    arrived(); /* the twiddles */
    BY_RADIX(a.large[1], columns_back, a, p,
             (const enuf_complex<T> *)a.columns + z * a.modes[1] * a.modes[0]);
    __syncthreads();
    BY_RADIX(a.small[1], columns_out, a, p);
    __syncthreads();
    BY_RADIX(a.large[0], rows_back, a, p);
    __syncthreads();
    BY_RADIX(a.small[0], rows_out, a, p,
             a.grid + blockIdx.y * a.batch_cells + blockIdx.x * a.plane);
}

#endif
