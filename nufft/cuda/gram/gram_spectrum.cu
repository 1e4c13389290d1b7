/* gram_spectrum.cu - the spectrum of T, in double: see gram.h and cpu/gram_spectrum.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/precision.cuh"
#include "gram.h"
#include "gram_rows.cuh"

enum { THREADS = 256 };

/* T of a mode |m| < n: that of -m is its conjugate. */
static __device__ double2 kernel_at(const enuf_cuda_gram_cells &gram, const double2 *kernel,
                                    const int m[3])
{
    const enuf_cuda_gram_axis *axis = gram.axis;
    const int sign = m[0] < 0 ? -1 : 1;
    const int64_t y = gram.dim > 1 ? sign * m[1] + axis[1].n : 0;
    const int64_t z = gram.dim > 2 ? sign * m[2] + axis[2].n : 0;
    double2 value = kernel[(z * 2 * axis[1].n + y) * axis[0].n + sign * m[0]];
    value.y *= sign;
    return value;
}

/* Modes |m| < n at a place of an axis: at most two. */
static __device__ int modes_at(const enuf_cuda_gram_axis &axis, int place, int m[2])
{
    int count = 0;
    if (place < axis.n) m[count++] = place;
    if (place > axis.length - axis.n) m[count++] = place - axis.length;
    return count;
}

__global__ void fold_kernel(const __grid_constant__ enuf_cuda_gram_cells gram, int pieces, int part,
                            const double2 *kernel, double2 *cells)
{
    const enuf_cuda_gram_axis *axis = gram.axis;
    const gram_place at = gram_place_of(pieces, axis[1].length);
    if (at.x >= axis[0].length) return;
    const int place[3] = {at.x, at.y, at.z};
    int modes[3][2], count[3];
    for (int d = 0; d < 3; d++) count[d] = modes_at(axis[d], place[d], modes[d]);
    double2 sum = {0, 0};
    for (int c = 0; c < count[2]; c++)
        for (int b = 0; b < count[1]; b++)
            for (int a = 0; a < count[0]; a++) {
                const int m[3] = {modes[0][a], modes[1][b], modes[2][c]};
                const double2 t = kernel_at(gram, kernel, m);
                double turns = 0, s, co;
                for (int d = 0; d < 3; d++)
                    if (part >> d & 1) turns -= (double)m[d] / axis[d].length;
                sincospi(turns, &s, &co);
                sum.x += t.x * co - t.y * s;
                sum.y += t.x * s + t.y * co;
            }
    cells[((int64_t)at.z * axis[1].length + at.y) * axis[0].length + at.x] = sum;
}

enuf_status enuf_cuda_gram_fold(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int part,
                                const double *kernel, double *cells)
{
    const enuf_cuda_gram_axis *axis = gram->axis;
    const gram_rows rows = gram_rows_of(axis[0].length, (int64_t)axis[1].length * axis[2].length);
    fold_kernel<<<gram_grid_of(rows, 1), rows.threads, 0, enuf_cuda_of(base)->stream>>>(
        *gram, rows.pieces, part, (const double2 *)kernel, (double2 *)cells);
    return enuf_cuda_launched("a part of T");
}

template <class T>
__global__ void keep_kernel(int64_t n, double scale, const double2 *cells, T *spectrum)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        spectrum[i] = (T)(scale * cells[i].x);
}

template <class T>
static void keep(const enuf_nufft *base, const enuf_cuda_gram_cells *gram, int part,
                 const double *cells)
{
    const double scale = 1 / ((double)gram->parts * (double)gram->cells);
    keep_kernel<T>
        <<<enuf_cuda_blocks(base, gram->cells, THREADS), THREADS, 0, enuf_cuda_of(base)->stream>>>(
            gram->cells, scale, (const double2 *)cells, (T *)gram->spectrum + part * gram->cells);
}

enuf_status enuf_cuda_gram_keep(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int part,
                                const double *cells)
{
    ENUF_CUDA_BY_PRECISION(base, keep, base, gram, part, cells);
    return enuf_cuda_launched("a spectrum");
}

template <class T> __global__ void weights_kernel(int64_t n, const T *weights, double *strengths)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        strengths[i] = weights ? (double)weights[i] : 1;
}

template <class T>
static void fill(const enuf_nufft *base, int64_t n, const void *weights, double *strengths)
{
    weights_kernel<T>
        <<<enuf_cuda_blocks(base, n, THREADS), THREADS, 0, enuf_cuda_of(base)->stream>>>(
            n, (const T *)weights, strengths);
}

enuf_status enuf_cuda_gram_weights(enuf_nufft *base, int64_t n, const void *weights,
                                   double *strengths)
{
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(base, fill, base, n, weights, strengths);
    return enuf_cuda_launched("weights of points");
}
