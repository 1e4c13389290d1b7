/*
 * weights.cuh - the caller's weights as kernels read them. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_WEIGHTS_CUH
#define ENUF_NUFFT_CUDA_WEIGHTS_CUH

#include "cuda/precision.cuh"

/** Weights of points or modes; passed to kernels by value. */
struct weight_table {
    const void *numbers; /* [sets][n] in the plan's precision; NULL: 1 */
    int64_t step;        /* weights from one vector's set to the next: n, or 0 */
    int is_complex;
    int conjugate; /* 1: takes their conjugate */
};

static inline weight_table weight_table_of(const enuf_nufft *plan, const enuf_weights *weights)
{
    const weight_table table = {weights->numbers, weights->sets > 1 ? weights->n : 0,
                                weights->kind == ENUF_COMPLEX, plan->adjoint};
    return table;
}

/** A complex number times weight j of vector b. */
template <class T>
static __device__ __forceinline__ enuf_complex<T> weighted(const weight_table &weights, int64_t b,
                                                           int64_t j, enuf_complex<T> number)
{
    if (!weights.numbers) return number;
    const int64_t at = b * weights.step + j;
    if (!weights.is_complex) {
        const T w = ((const T *)weights.numbers)[at];
        return enuf_make_complex<T>(number.x * w, number.y * w);
    }
    const enuf_complex<T> w = ((const enuf_complex<T> *)weights.numbers)[at];
    const T im = weights.conjugate ? -w.y : w.y;
    return enuf_make_complex<T>(number.x * w.x - number.y * im, number.x * im + number.y * w.x);
}

#endif
