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

/** Blocks of a kernel that walks over n items, `threads` of them a block at a time. */
static inline unsigned int enuf_cuda_blocks(const enuf_nufft *plan, int64_t n, int threads)
{
    int64_t most = (int64_t)enuf_cuda_of(plan)->multiprocessors * 32;
    int64_t blocks = (n + threads - 1) / threads;
    return (unsigned int)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

#endif
