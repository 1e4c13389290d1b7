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
    const int64_t n = terms.samples.n, step = (int64_t)gridDim.x * THREADS;
    for (int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x; j < n; j += step) {
        const enuf_sample sample = enuf_sample_at(&terms.samples, j);
        const double value[2] = {sample.time, 0};
        double factor[2];
        enuf_sample_factor(&terms, &sample, factor);
        put_terms<T>(terms.at, value, factor, n, to + j);
    }
}

template <class T>
static void put_samples(const enuf_nufft *plan, const enuf_sample_terms *terms, void *to)
{
    sample_kernel<T><<<enuf_cuda_blocks(plan, terms->samples.n, THREADS), THREADS, 0,
                       enuf_cuda_of(plan)->stream>>>(*terms, (enuf_complex<T> *)to);
}

enuf_status enuf_cuda_sample_terms(enuf_nufft *plan, const enuf_sample_terms *terms, void *to)
{
    if (terms->samples.n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, put_samples, plan, terms, to);
    return enuf_cuda_launched("interpolators of samples");
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    pixel_kernel(const enuf_pixel_terms terms, enuf_complex<T> *to)
{
    const int64_t n = terms.maps.n, step = (int64_t)gridDim.x * THREADS;
    for (int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += step) {
        const enuf_pixel pixel = enuf_pixel_at(&terms.maps, k);
        const double value[2] = {pixel.omega, pixel.decay};
        double factor[2];
        enuf_pixel_factor(&terms, &pixel, factor);
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

/*
 * Combinations of drawn elements: a thread owns some terms of a sample or pixel, and adds up the
 * drawn in registers. Each thread of a sample computes all elements again: as many sines as
 * multiply-adds take the same time.
 */
enum { TERMS_OF_THREAD = 16 };

/* element [n] gives the drawn elements one by one. */
template <class T, class Element>
static __device__ void put_sums(int n, int count, const double *matrix, int first,
                                const Element &element, int64_t step, enuf_complex<T> *to)
{
    double re[TERMS_OF_THREAD] = {}, im[TERMS_OF_THREAD] = {};
    const int own = count - first < TERMS_OF_THREAD ? count - first : TERMS_OF_THREAD;
    for (int p = 0; p < n; p++) {
        const double *row = matrix + 2 * (int64_t)p * count + first;
        double e[2];
        element(p, e);
#pragma unroll
        for (int l = 0; l < TERMS_OF_THREAD; l++) {
            if (l >= own) continue;
            re[l] += e[0] * row[l] - e[1] * row[count + l];
            im[l] += e[0] * row[count + l] + e[1] * row[l];
        }
    }
#pragma unroll
    for (int l = 0; l < TERMS_OF_THREAD; l++)
        if (l < own) to[(first + l) * step] = enuf_make_complex<T>((T)re[l], (T)im[l]);
}

/* Parts of the terms of each of n samples or pixels: threads of a warp have the same part. */
static __host__ __device__ inline int parts_of(int count)
{
    return (count + TERMS_OF_THREAD - 1) / TERMS_OF_THREAD;
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    drawn_sample_kernel(const enuf_drawn_sample_terms terms, enuf_complex<T> *to)
{
    const int64_t n = terms.samples.n, step = (int64_t)gridDim.x * THREADS;
    const int first = (int)blockIdx.y * TERMS_OF_THREAD;
    for (int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x; j < n; j += step) {
        const enuf_sample sample = enuf_sample_at(&terms.samples, j);
        const auto element = [&](int p, double e[2]) {
            enuf_element(terms.samples.dim, &sample, &terms.pixels[p], e);
        };
        put_sums<T>(terms.n, terms.count, terms.matrix, first, element, n, to + j);
    }
}

template <class T>
static void put_drawn_samples(const enuf_nufft *plan, const enuf_drawn_sample_terms *terms,
                              void *to)
{
    const dim3 blocks(enuf_cuda_blocks(plan, terms->samples.n, THREADS),
                      (unsigned int)parts_of(terms->count));
    drawn_sample_kernel<T>
        <<<blocks, THREADS, 0, enuf_cuda_of(plan)->stream>>>(*terms, (enuf_complex<T> *)to);
}

enuf_status enuf_cuda_drawn_sample_terms(enuf_nufft *plan, const enuf_drawn_sample_terms *terms,
                                         void *to)
{
    if (terms->samples.n == 0 || terms->count == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, put_drawn_samples, plan, terms, to);
    return enuf_cuda_launched("interpolators of samples");
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    drawn_pixel_kernel(const enuf_drawn_pixel_terms terms, enuf_complex<T> *to)
{
    const int64_t n = terms.maps.n, step = (int64_t)gridDim.x * THREADS;
    const int first = (int)blockIdx.y * TERMS_OF_THREAD;
    for (int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += step) {
        const enuf_pixel pixel = enuf_pixel_at(&terms.maps, k);
        const auto element = [&](int q, double e[2]) {
            enuf_element(terms.dim, &terms.samples[q], &pixel, e);
        };
        put_sums<T>(terms.n, terms.count, terms.matrix, first, element, n, to + k);
    }
}

template <class T>
static void put_drawn_pixels(const enuf_nufft *plan, const enuf_drawn_pixel_terms *terms, void *to)
{
    const dim3 blocks(enuf_cuda_blocks(plan, terms->maps.n, THREADS),
                      (unsigned int)parts_of(terms->count));
    drawn_pixel_kernel<T>
        <<<blocks, THREADS, 0, enuf_cuda_of(plan)->stream>>>(*terms, (enuf_complex<T> *)to);
}

enuf_status enuf_cuda_drawn_pixel_terms(enuf_nufft *plan, const enuf_drawn_pixel_terms *terms,
                                        void *to)
{
    if (terms->maps.n == 0 || terms->count == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, put_drawn_pixels, plan, terms, to);
    return enuf_cuda_launched("interpolators of pixels");
}
