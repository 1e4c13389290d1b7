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

/* sin(pi x) / (pi x) */
__device__ __forceinline__ float sinc(float x)
{
    return x == 0 ? 1 : sinf(3.14159265f * x) / (3.14159265f * x);
}

/* A thread owns an output and reads all inputs from global memory. */
__global__ void plain_kernel(const bench_plain_sum s)
{
    const float turn = 6.28318531f;
    const int64_t o = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t outputs = s.adjoint ? s.pixels : s.samples;
    const int64_t inputs = s.adjoint ? s.samples : s.pixels;
    const float *const *to = s.adjoint ? s.r : s.k, *const *from = s.adjoint ? s.k : s.r;
    const float *to_field = s.adjoint ? s.omega : s.times,
                *from_field = s.adjoint ? s.times : s.omega;
    float scaled[3] = {0, 0, 0}, re = 0, im = 0;
    if (o >= outputs) return;
    for (int d = 0; d < s.dim; d++) scaled[d] = turn * to[d][o];
    const float field = s.omega ? to_field[o] : 0;
    for (int64_t i = 0; i < inputs; i++) {
        float angle = s.omega ? field * from_field[i] : 0, sine, cosine;
        for (int d = 0; d < s.dim; d++) angle += scaled[d] * from[d][i];
        sincosf(s.adjoint ? angle : -angle, &sine, &cosine);
        float weight = 1;
        for (int d = 0; d < s.dim && s.gradient[0]; d++) {
            const int64_t j = s.adjoint ? i : o, pixel = s.adjoint ? o : i;
            weight *= sinc(s.k[d][j] * s.voxel[d] + s.gradient[d][pixel] * s.times[j]);
        }
        const float a = weight * s.input[2 * i], b = weight * s.input[2 * i + 1];
        re += a * cosine - b * sine;
        im += a * sine + b * cosine;
    }
    s.output[2 * o] = re;
    s.output[2 * o + 1] = im;
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
        plain_kernel<<<(unsigned int)((outputs + threads - 1) / threads), threads>>>(*sum);
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
