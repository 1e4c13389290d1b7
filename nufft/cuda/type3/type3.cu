/*
 * type3.cu - passes over the points and targets of type 3, a thread a point. Bytes: each coordinate
 * and each number once in and once out. Memory bounds them, but for the factors, which sine, cosine
 * and exponential in double bound. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/type3/type3.h"
#include "cuda/block_sum.cuh"
#include "cuda/precision.cuh"
#include "plan/turns.h"

enum { THREADS = 256 };

/* One axis. All blocks write their extent, those without points too. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    pack_kernel(int64_t n, const T *from, int64_t stride, double *packed, double *high,
                double *minus_low, unsigned long long *bad)
{
    double most = -INFINITY, least = -INFINITY;
    for (int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x; j < n;
         j += (int64_t)gridDim.x * THREADS) {
        const double x = (double)from[j * stride];
        if (packed) packed[j] = x;
        most = enuf_larger::of(most, x);
        least = enuf_larger::of(least, -x);
        if (!isfinite(x)) atomicMin(bad, (unsigned long long)j);
    }
    most = enuf_block_sum<THREADS, enuf_larger>(most);
    least = enuf_block_sum<THREADS, enuf_larger>(least);
    if (threadIdx.x > 0) return;
    high[blockIdx.x] = most;
    minus_low[blockIdx.x] = least;
}

template <class T>
static void pack(const enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                 enuf_cuda_extent *extent)
{
    for (int d = 0; d < plan->options.dim; d++)
        pack_kernel<T><<<ENUF_CUDA_EXTENT_BLOCKS, THREADS, 0, enuf_cuda_of(plan)->stream>>>(
            from->n, (const T *)from->axis[d], from->stride, packed ? packed + d * from->n : NULL,
            extent->high[d], extent->minus_low[d], &extent->bad);
}

enuf_status enuf_cuda_type3_pack(enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                                 enuf_cuda_extent *extent)
{
    if (from->precision == ENUF_FLOAT)
        pack<float>(plan, from, packed, extent);
    else
        pack<double>(plan, from, packed, extent);
    return enuf_cuda_launched("packing coordinates");
}

/* 2^logarithm times cosine and sine of `turns` turns. */
static __device__ __forceinline__ void factor_of(double logarithm, double turns, double *re,
                                                 double *im)
{
    double s, c;
    const double size = exp2(logarithm);
    sincospi(2 * (turns - rint(turns)), &s, &c);
    *re = size * c;
    *im = size * s;
}

/* The same in float, but for the two numbers: where double is slow. */
static __device__ __forceinline__ void factor_of(double logarithm, double turns, float *re,
                                                 float *im)
{
    float s, c;
    const double whole = rint(logarithm);
    const float size = exp2f((float)whole) * exp2f((float)(logarithm - whole));
    sincospif(2 * (float)(turns - rint(turns)), &s, &c);
    *re = size * c;
    *im = size * s;
}

template <class T, class N>
__global__ void factors_kernel(int64_t n, const double *packed, enuf_type3_factors spec,
                               enuf_complex<T> *factors)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; j < n; j += step) {
        double turns = spec.turns, logarithm = 0;
        for (int d = 0; d < spec.dim; d++) {
            const double x = packed[d * n + j];
            const double at = (x - spec.centre[d]) * spec.scale[d], t = 2 * at * at - 1;
            double sum = 0;
            turns += enuf_turns_of_product(spec.wave[d], x);
            for (int k = spec.n_terms - 1; k >= 0; k--) sum = sum * t + spec.terms[k];
            logarithm += sum;
        }
        N re, im;
        factor_of(logarithm, turns, &re, &im);
        factors[j] = enuf_make_complex<T>((T)re, (T)im);
    }
}

template <class T, class N>
static void make_factors(const enuf_nufft *plan, int64_t n, const double *packed,
                         const enuf_type3_factors *spec, void *factors)
{
    factors_kernel<T, N>
        <<<enuf_cuda_blocks(plan, n, THREADS), THREADS, 0, enuf_cuda_of(plan)->stream>>>(
            n, packed, *spec, (enuf_complex<T> *)factors);
}

enuf_status enuf_cuda_type3_factors(enuf_nufft *plan, int64_t n, const double *packed,
                                    const enuf_type3_factors *spec, void *factors)
{
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISIONS(plan, make_factors, plan, n, packed, spec, factors);
    return enuf_cuda_launched("factors of points");
}

/* A factor (1 without factors) times weight `at` (1 without weights). */
template <class T>
static __device__ __forceinline__ enuf_complex<T>
factor_with_weight(const enuf_type3_product &p, enuf_complex<T> factor, int64_t at)
{
    if (!p.weights) return factor;
    if (!p.complex_weights) {
        const T w = ((const T *)p.weights)[at];
        return enuf_make_complex<T>(factor.x * w, factor.y * w);
    }
    const enuf_complex<T> w = ((const enuf_complex<T> *)p.weights)[at];
    return enuf_make_complex<T>(factor.x * w.x - factor.y * w.y, factor.x * w.y + factor.y * w.x);
}

/* A thread a point: it reads the point's factor once, for all vectors. */
template <class T> __global__ void multiply_kernel(enuf_type3_product p)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; j < p.n; j += step) {
        const enuf_complex<T> factor =
            p.factors ? ((const enuf_complex<T> *)p.factors)[j] : enuf_make_complex<T>(1, 0);
        for (int b = 0; b < p.vectors; b++) {
            const int64_t at = b * p.n + j;
            const enuf_complex<T> from = p.from_real
                                             ? enuf_make_complex<T>(((const T *)p.from)[at], 0)
                                             : ((const enuf_complex<T> *)p.from)[at];
            const enuf_complex<T> w = factor_with_weight<T>(p, factor, at);
            const T s = p.conjugate ? -w.y : w.y;
            const T re = from.x * w.x - from.y * s, im = from.x * s + from.y * w.x;
            if (p.to_real)
                ((T *)p.to)[at] = re;
            else
                ((enuf_complex<T> *)p.to)[at] = enuf_make_complex<T>(re, im);
        }
    }
}

template <class T> static void multiply(const enuf_nufft *plan, const enuf_type3_product *product)
{
    multiply_kernel<T>
        <<<enuf_cuda_blocks(plan, product->n, THREADS), THREADS, 0, enuf_cuda_of(plan)->stream>>>(
            *product);
}

enuf_status enuf_cuda_type3_multiply(enuf_nufft *plan, const enuf_type3_product *product)
{
    if (product->n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, multiply, plan, product);
    return enuf_cuda_launched("factors of points");
}
