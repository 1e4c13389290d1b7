/*
 * precision.cuh - the plan's precision as a template argument, and its complex numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_PRECISION_CUH
#define ENUF_CUDA_PRECISION_CUH

#include "cuda.h"

template <class T> struct enuf_complex_of;
template <> struct enuf_complex_of<float> {
    typedef float2 type;
};
template <> struct enuf_complex_of<double> {
    typedef double2 type;
};

/** An interleaved complex number of reals T, read and written at once. */
template <class T> using enuf_complex = typename enuf_complex_of<T>::type;

template <class T> static __host__ __device__ inline enuf_complex<T> enuf_make_complex(T re, T im)
{
    enuf_complex<T> value;
    value.x = re;
    value.y = im;
    return value;
}

/** call<float>(...) or call<double>(...), as the plan's precision is. */
#define ENUF_CUDA_BY_PRECISION(plan, call, ...)                                                    \
    ((plan)->options.precision == ENUF_FLOAT ? call<float>(__VA_ARGS__) : call<double>(__VA_ARGS__))

/** The same with a second argument, the precision of factors and sums: double, but float where a
 * float plan avoids double. */
#define ENUF_CUDA_BY_PRECISIONS(plan, call, ...)                                                   \
    (enuf_cuda_of(plan)->avoids_fp64           ? call<float, float>(__VA_ARGS__)                   \
     : (plan)->options.precision == ENUF_FLOAT ? call<float, double>(__VA_ARGS__)                  \
                                               : call<double, double>(__VA_ARGS__))

/** Deconvolution factors and mode numbers of an axis in such a precision. */
template <class N> static __device__ __forceinline__ const N *enuf_inverse(const enuf_cuda_axis &a);
template <> __device__ __forceinline__ const double *enuf_inverse<double>(const enuf_cuda_axis &a)
{
    return a.inverse;
}
template <> __device__ __forceinline__ const float *enuf_inverse<float>(const enuf_cuda_axis &a)
{
    return a.inverse_float;
}

template <class N> static __device__ __forceinline__ const N *enuf_number(const enuf_cuda_axis &a);
template <> __device__ __forceinline__ const double *enuf_number<double>(const enuf_cuda_axis &a)
{
    return a.number;
}
template <> __device__ __forceinline__ const float *enuf_number<float>(const enuf_cuda_axis &a)
{
    return a.number_float;
}

/** Blocks of a kernel that walks over n items, `threads` of them a block at a time. */
static inline unsigned int enuf_cuda_blocks(const enuf_nufft *plan, int64_t n, int threads)
{
    int64_t most = (int64_t)enuf_cuda_of(plan)->multiprocessors * 32;
    int64_t blocks = (n + threads - 1) / threads;
    return (unsigned int)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

#endif
