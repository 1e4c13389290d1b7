/*
 * weigh_points.cu - strengths, values and gradients times the weights of the points, a thread a
 * number. Bytes: each number once in and once out, its weight once in: memory bounds it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/weights/weights.cuh"

enum { THREADS = 256 };

/* [batch][n][per] real numbers; `to` may be `from`. A product that is not finite sets *bad. */
template <class T>
__global__ void weigh_real(weight_table weights, int64_t n, int per, int64_t count, const T *from,
                           T *to, int *bad)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const int64_t point = i / per, b = point / n, j = point - b * n;
        const T product = from[i] * ((const T *)weights.numbers)[b * weights.step + j];
        if (bad && !isfinite(product)) *bad = 1;
        to[i] = product;
    }
}

/* The same of complex numbers. Terms of a sum all read the first vector. */
template <class T>
__global__ void weigh_complex(weight_table weights, int64_t n, int per, int64_t count, int terms,
                              const enuf_complex<T> *from, enuf_complex<T> *to, int *bad)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const int64_t point = i / per, b = point / n, j = point - b * n;
        const enuf_complex<T> product = weighted<T>(weights, b, j, from[terms ? j : i]);
        if (bad && (!isfinite(product.x) || !isfinite(product.y))) *bad = 1;
        to[i] = product;
    }
}

template <class T>
static void weigh(const enuf_nufft *plan, int per, const void *from, void *to, int *bad)
{
    const cudaStream_t stream = enuf_cuda_of(plan)->stream;
    const weight_table weights = weight_table_of(plan, &plan->point_weights);
    const int64_t n = plan->n_points, count = n * plan->options.batch * per;
    const unsigned int blocks = enuf_cuda_blocks(plan, count, THREADS);
    if (plan->real)
        weigh_real<T>
            <<<blocks, THREADS, 0, stream>>>(weights, n, per, count, (const T *)from, (T *)to, bad);
    else
        weigh_complex<T><<<blocks, THREADS, 0, stream>>>(weights, n, per, count, plan->terms,
                                                         (const enuf_complex<T> *)from,
                                                         (enuf_complex<T> *)to, bad);
}

enuf_status enuf_cuda_weigh_points(enuf_nufft *plan, int per, const void *from, void *to, int *bad)
{
    if (plan->n_points == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, weigh, plan, per, from, to, bad);
    return enuf_cuda_launched("weights of the points");
}

/* Adds the values of all terms, times their weights, a thread a point. */
template <class T>
__global__ void add_terms_kernel(weight_table weights, int64_t n, int batch,
                                 const enuf_complex<T> *from, enuf_complex<T> *to, int *bad)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; j < n; j += step) {
        enuf_complex<T> sum = to[j];
        for (int b = 0; b < batch; b++) {
            const enuf_complex<T> term = weighted<T>(weights, b, j, from[b * n + j]);
            sum.x += term.x;
            sum.y += term.y;
        }
        if (!isfinite(sum.x) || !isfinite(sum.y)) *bad = 1;
        to[j] = sum;
    }
}

template <class T> static void add_terms(const enuf_nufft *plan, const void *from, void *to)
{
    const int64_t n = plan->n_points;
    add_terms_kernel<T>
        <<<enuf_cuda_blocks(plan, n, THREADS), THREADS, 0, enuf_cuda_of(plan)->stream>>>(
            weight_table_of(plan, &plan->point_weights), n, plan->options.batch,
            (const enuf_complex<T> *)from, (enuf_complex<T> *)to,
            &enuf_cuda_of(plan)->record->bad_value);
}

enuf_status enuf_cuda_add_terms(enuf_nufft *plan, const void *from, void *to)
{
    if (plan->n_points == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, add_terms, plan, from, to);
    return enuf_cuda_launched("sums over terms");
}
