/*
 * floats.cu - the caller's arrays of floats in device memory, from and to doubles. A thread owns a
 * number. Bound by memory: 12 bytes a number. SPDX-License-Identifier: BSD-3-Clause
 */
#include "terms.cuh"

static __global__ void widen(int64_t n_numbers, int width, int64_t stride,
                             const float *__restrict__ from, double *__restrict__ to)
{
    const int64_t k = this_atom();
    if (k >= n_numbers) return;
    const int64_t at = stride == width ? k : k / width * stride + k % width;
    to[k] = (double)from[at];
}

static __global__ void narrow(int64_t n, const double *__restrict__ from, float *__restrict__ to)
{
    const int64_t k = this_atom();
    if (k < n) to[k] = __double2float_rn(from[k]);
}

extern "C" enuf_status enuf_cuda_widen(int64_t n, int width, int64_t stride, const float *from,
                                       double *to, cudaStream_t stream)
{
    const int64_t n_numbers = n * width;
    widen<<<atom_blocks(n_numbers), atom_threads, 0, stream>>>(n_numbers, width, stride, from, to);
    return enuf_cuda_launched("positions in float");
}

extern "C" enuf_status enuf_cuda_narrow(int64_t n, const double *from, float *to,
                                        cudaStream_t stream)
{
    narrow<<<atom_blocks(n), atom_threads, 0, stream>>>(n, from, to);
    return enuf_cuda_launched("results in float");
}
