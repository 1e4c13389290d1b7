/*
 * terms.cu - interpolators at samples and in pixels, a thread a sample or pixel. It keeps the
 * weights of the nodes and walks over the interpolators, whose tables the caches hold. Sine, cosine
 * and exponential in double, and count * nodes multiply-adds in double bound it; it runs once for a
 * field. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/encoding/encoding.h"
#include "cuda/precision.cuh"

enum { THREADS = 128 };

/* All interpolators at a value, times a factor, to to[l n]. */
template <class T>
static __device__ void put_terms(const enuf_interpolators &at, const double value[2],
                                 const double factor[2], int64_t n, enuf_complex<T> *to)
{
    double w0[ENUF_MOST_NODES], w1[ENUF_MOST_NODES], f[2];
    const enuf_cell *cell = enuf_cell_of(&at, value);
    enuf_node_weights(&at, cell, 0, value, w0);
    enuf_node_weights(&at, cell, 1, value, w1);
    for (int l = 0; l < at.count; l++) {
        enuf_interpolate_at(&at, cell, l, w0, w1, f);
        to[l * n] = enuf_make_complex<T>((T)(f[0] * factor[0] - f[1] * factor[1]),
                                         (T)(f[0] * factor[1] + f[1] * factor[0]));
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    sample_kernel(const enuf_sample_terms terms, enuf_complex<T> *to)
{
    const double none[3] = {0, 0, 0};
    const int64_t n = terms.times.n, step = (int64_t)gridDim.x * THREADS;
    for (int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x; j < n; j += step) {
        double value[2], factor[2];
        enuf_value_at(&terms.times, j, none, value);
        enuf_sample_factor(&terms, j, value[0], factor);
        put_terms<T>(terms.at, value, factor, n, to + j);
    }
}

template <class T>
static void put_samples(const enuf_nufft *plan, const enuf_sample_terms *terms, void *to)
{
    sample_kernel<T><<<enuf_cuda_blocks(plan, terms->times.n, THREADS), THREADS, 0,
                       enuf_cuda_of(plan)->stream>>>(*terms, (enuf_complex<T> *)to);
}

enuf_status enuf_cuda_sample_terms(enuf_nufft *plan, const enuf_sample_terms *terms, void *to)
{
    if (terms->times.n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, put_samples, plan, terms, to);
    return enuf_cuda_launched("interpolators of samples");
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    pixel_kernel(const enuf_pixel_terms terms, enuf_complex<T> *to)
{
    const int64_t n = terms.maps.n, step = (int64_t)gridDim.x * THREADS;
    for (int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += step) {
        double value[2], factor[2];
        enuf_value_at(&terms.maps, k, terms.slope, value);
        enuf_pixel_factor(&terms, value, factor);
        put_terms<T>(terms.at, value, factor, n, to + k);
    }
}

template <class T>
static void put_pixels(const enuf_nufft *plan, const enuf_pixel_terms *terms, void *to)
{
    pixel_kernel<T><<<enuf_cuda_blocks(plan, terms->maps.n, THREADS), THREADS, 0,
                      enuf_cuda_of(plan)->stream>>>(*terms, (enuf_complex<T> *)to);
}

enuf_status enuf_cuda_pixel_terms(enuf_nufft *plan, const enuf_pixel_terms *terms, void *to)
{
    if (terms->maps.n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, put_pixels, plan, terms, to);
    return enuf_cuda_launched("interpolators of pixels");
}
