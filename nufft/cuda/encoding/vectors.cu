/*
 * vectors.cu - sums and products of long arrays, a thread a number. Bytes: each number once in, and
 * once out: memory bounds all of them. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/block_sum.cuh"
#include "cuda/encoding/encoding.h"
#include "cuda/precision.cuh"

enum { THREADS = 256 };

template <class T> __global__ void multiply_kernel(const enuf_complex_product p)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    const enuf_complex<T> *factors = (const enuf_complex<T> *)p.factors;
    const enuf_complex<T> *from = (const enuf_complex<T> *)p.from;
    enuf_complex<T> *to = (enuf_complex<T> *)p.to;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < p.n; i += step) {
        const T c = factors[i].x, s = p.conjugate ? -factors[i].y : factors[i].y;
        enuf_complex<T> product =
            enuf_make_complex<T>(from[i].x * c - from[i].y * s, from[i].x * s + from[i].y * c);
        if (p.add) {
            product.x += to[i].x;
            product.y += to[i].y;
        }
        to[i] = product;
    }
}

template <class T> static void multiply(const enuf_nufft *plan, const enuf_complex_product *product)
{
    multiply_kernel<T>
        <<<enuf_cuda_blocks(plan, product->n, THREADS), THREADS, 0, enuf_cuda_of(plan)->stream>>>(
            *product);
}

enuf_status enuf_cuda_multiply(enuf_nufft *plan, const enuf_complex_product *product)
{
    if (product->n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, multiply, plan, product);
    return enuf_cuda_launched("a product of arrays");
}

template <class T>
__global__ void weigh_kernel(int64_t n, const T *weights, const enuf_complex<T> *from,
                             enuf_complex<T> *to)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        to[i] = enuf_make_complex<T>(from[i].x * weights[i], from[i].y * weights[i]);
}

template <class T>
static void weigh(const enuf_nufft *plan, int64_t n, const void *weights, const void *from,
                  void *to)
{
    weigh_kernel<T><<<enuf_cuda_blocks(plan, n, THREADS), THREADS, 0, enuf_cuda_of(plan)->stream>>>(
        n, (const T *)weights, (const enuf_complex<T> *)from, (enuf_complex<T> *)to);
}

enuf_status enuf_cuda_weigh(enuf_nufft *plan, int64_t n, const void *weights, const void *from,
                            void *to)
{
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, weigh, plan, n, weights, from, to);
    return enuf_cuda_launched("weights of samples");
}

template <class T>
__global__ void combine_kernel(int64_t n, T a, const T *x, T b, const T *y, T *to)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        to[i] = a * x[i] + b * y[i];
}

template <class T>
static void combine(const enuf_nufft *plan, int64_t n, double a, const void *x, double b,
                    const void *y, void *to)
{
    combine_kernel<T>
        <<<enuf_cuda_blocks(plan, n, THREADS), THREADS, 0, enuf_cuda_of(plan)->stream>>>(
            n, (T)a, (const T *)x, (T)b, (const T *)y, (T *)to);
}

enuf_status enuf_cuda_combine(enuf_nufft *plan, int64_t n, double a, const void *x, double b,
                              const void *y, void *to)
{
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, combine, plan, n, a, x, b, y, to);
    return enuf_cuda_launched("a sum of arrays");
}

/* A block leaves its sum, the last block adds them in their order. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    dot_kernel(int64_t n, const T *x, const T *y, double *partial, unsigned int *arrived,
               double *total)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    double sum = 0;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        sum += (double)x[i] * (double)y[i];
    sum = enuf_block_sum<THREADS, enuf_plus>(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
    if (!enuf_last_block(arrived, gridDim.x)) return;
    sum = 0;
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += THREADS) sum += partial[b];
    sum = enuf_block_sum<THREADS, enuf_plus>(sum);
    if (threadIdx.x == 0) *total = sum;
}

template <class T>
static void dot(const enuf_nufft *plan, int64_t n, const void *x, const void *y, double *total)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t wanted = (n + THREADS - 1) / THREADS, most = ENUF_REDUCE_BLOCKS;
    const int64_t blocks = wanted < 1 ? 1 : wanted < most ? wanted : most;
    dot_kernel<T><<<(unsigned int)blocks, THREADS, 0, cuda->stream>>>(
        n, (const T *)x, (const T *)y, cuda->partial, cuda->arrived, total);
}

enuf_status enuf_cuda_dot(enuf_nufft *plan, int64_t n, const void *x, const void *y, double **sum)
{
    /* room for partial sums of moments: the blocks' sums, and behind them the total */
    *sum = enuf_cuda_of(plan)->partial + ENUF_REDUCE_BLOCKS;
    ENUF_CUDA_BY_PRECISION(plan, dot, plan, n, x, y, *sum);
    return enuf_cuda_launched("a sum over arrays");
}
