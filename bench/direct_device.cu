/* direct_device.cu - see direct_device.h. SPDX-License-Identifier: BSD-3-Clause */
#include "direct_device.h"

#include <cuda_runtime.h>
#include <math.h>

extern "C" int bench_device_built(void)
{
    return 1;
}

extern "C" void *bench_device_array(size_t bytes, const void *from)
{
    void *array = NULL;
    if (cudaMalloc(&array, bytes + 256) != cudaSuccess) return NULL;
    if (from && cudaMemcpy(array, from, bytes, cudaMemcpyHostToDevice) != cudaSuccess) return NULL;
    return array;
}

extern "C" void bench_device_read(void *to, const void *array, size_t bytes)
{
    cudaMemcpy(to, array, bytes, cudaMemcpyDeviceToHost);
}

extern "C" void bench_device_free(void *array)
{
    cudaFree(array);
}

template <typename real> struct turn_of {
    static constexpr real PI = (real)3.14159265358979324;
};

__device__ __forceinline__ void sine_and_cosine(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}

__device__ __forceinline__ void sine_and_cosine(double x, double *sine, double *cosine)
{
    sincos(x, sine, cosine);
}

/* sin(pi x) / (pi x) */
template <typename real> __device__ __forceinline__ real sinc(real x)
{
    real sine, cosine;
    sine_and_cosine(turn_of<real>::PI * x, &sine, &cosine);
    return x == 0 ? 1 : sine / (turn_of<real>::PI * x);
}

template <typename real> __device__ __forceinline__ real at(const void *array, int64_t i)
{
    return ((const real *)array)[i];
}

/* A thread owns an output and reads all inputs from global memory. */
template <typename real> __global__ void plain_kernel(const bench_plain_sum s)
{
    const int64_t o = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t outputs = s.adjoint ? s.pixels : s.samples;
    const int64_t inputs = s.adjoint ? s.samples : s.pixels;
    const void *const *to = s.adjoint ? s.r : s.k, *const *from = s.adjoint ? s.k : s.r;
    const void *to_field = s.adjoint ? s.omega : s.times;
    const void *from_field = s.adjoint ? s.times : s.omega;
    real scaled[3] = {0, 0, 0}, re = 0, im = 0, *output = (real *)s.output;
    if (o >= outputs) return;
    for (int d = 0; d < s.dim; d++) scaled[d] = 2 * turn_of<real>::PI * at<real>(to[d], o);
    const real field = s.omega ? at<real>(to_field, o) : 0;
    for (int64_t i = 0; i < inputs; i++) {
        real angle = s.omega ? field * at<real>(from_field, i) : 0, sine, cosine;
        for (int d = 0; d < s.dim; d++) angle += scaled[d] * at<real>(from[d], i);
        sine_and_cosine(s.adjoint ? angle : -angle, &sine, &cosine);
        real weight = 1;
        for (int d = 0; d < s.dim && s.gradient[0]; d++) {
            const int64_t j = s.adjoint ? i : o, pixel = s.adjoint ? o : i;
            weight *= sinc<real>(at<real>(s.k[d], j) * (real)s.voxel[d] +
                                 at<real>(s.gradient[d], pixel) * at<real>(s.times, j));
        }
        const real a = weight * at<real>(s.input, 2 * i);
        const real b = weight * at<real>(s.input, 2 * i + 1);
        re += a * cosine - b * sine;
        im += a * sine + b * cosine;
    }
    output[2 * o] = re;
    output[2 * o + 1] = im;
}

extern "C" double bench_plain_time(const bench_plain_sum *sum, int repeats)
{
    const int threads = 256;
    const int64_t outputs = sum->adjoint ? sum->pixels : sum->samples;
    double best = HUGE_VAL;
    cudaEvent_t begin, end;
    if (cudaEventCreate(&begin) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess) return -1;
    for (int k = 0; k < repeats; k++) {
        float ms = 0;
        cudaEventRecord(begin);
        const unsigned int blocks = (unsigned int)((outputs + threads - 1) / threads);
        if (sum->in_double)
            plain_kernel<double><<<blocks, threads>>>(*sum);
        else
            plain_kernel<float><<<blocks, threads>>>(*sum);
        cudaEventRecord(end);
        if (cudaEventSynchronize(end) != cudaSuccess || cudaGetLastError() != cudaSuccess)
            return -1;
        cudaEventElapsedTime(&ms, begin, end);
        best = fmin(best, 1e-3 * (double)ms);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}
