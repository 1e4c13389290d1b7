/* nufft_gpu_direct.cu - see nufft_gpu_direct.h. SPDX-License-Identifier: BSD-3-Clause */
#include "nufft_gpu_direct.h"

#include <cuda_runtime.h>
#include <math.h>

static const int THREADS = 256, BLOCKS = 1056;

__device__ __forceinline__ uint64_t mixed(uint64_t s)
{
    s ^= s >> 30;
    s *= 0xbf58476d1ce4e5b9ull;
    s ^= s >> 27;
    s *= 0x94d049bb133111ebull;
    return s ^ s >> 31;
}

template <typename real>
__global__ void fill(real *array, int64_t n, uint64_t seed, double low, double high)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x) {
        const double x =
            (double)(mixed((uint64_t)i * 0x9e3779b97f4a7c15ull + seed) >> 11) * 0x1p-53;
        array[i] = (real)(low + (high - low) * x);
    }
}

template <typename real> __global__ void to_radians(const real *x, real *radians, int64_t n)
{
    const double turn = 6.283185307179586;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x) {
        const double s = (double)x[i];
        real r = (real)(turn * (s < 0.5 ? s : s - 1));
        radians[i] = r;
    }
}

/* Modes, points or targets to check: places in the result, and mode numbers or coordinates. */
struct checked {
    int64_t at[BENCH_CHECKED];
    double k[BENCH_CHECKED][3];
};

/* One direct sum for each blockIdx.y; out [BENCH_CHECKED][2]. */
template <typename real> __global__ void sum_points(const bench_sum s, const checked c, double *out)
{
    const int which = blockIdx.y;
    const double scale = -2 / s.period;
    double re = 0, im = 0;
    for (int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; j < s.n;
         j += (int64_t)gridDim.x * blockDim.x) {
        double phase = 0, sine, cosine;
        for (int d = 0; d < s.dim; d++) phase += c.k[which][d] * (double)((const real *)s.x[d])[j];
        sincospi(scale * phase, &sine, &cosine);
        const real *q = (const real *)s.strengths;
        const double a = (double)q[s.real ? j : 2 * j], b = s.real ? 0 : (double)q[2 * j + 1];
        re += a * cosine - b * sine;
        im += a * sine + b * cosine;
    }
    for (int step = 16; step > 0; step /= 2) {
        re += __shfl_down_sync(~0u, re, step);
        im += __shfl_down_sync(~0u, im, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(out + 2 * which, re);
        atomicAdd(out + 2 * which + 1, im);
    }
}

template <typename real> __global__ void sum_modes(const bench_sum s, const checked c, double *out)
{
    const int which = blockIdx.y;
    const double scale = 2 / s.period;
    const int64_t h = s.real ? (s.m + 1) / 2 : s.m, m = s.m;
    const int64_t rows2 = s.dim > 1 ? m : 1, total = h * rows2 * (s.dim > 2 ? m : 1);
    const bool even_half = s.real && m % 2 == 0;
    double x[3], re = 0, im = 0;
    for (int d = 0; d < 3; d++) x[d] = d < s.dim ? (double)((const real *)s.x[d])[c.at[which]] : 0;
    for (int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; at < total;
         at += (int64_t)gridDim.x * blockDim.x) {
        const double k1 = (double)(s.real ? at % h : at % h - m / 2);
        const int64_t i2 = at / h % rows2, i3 = at / h / rows2;
        if (even_half && ((s.dim > 1 && i2 == 0) || (s.dim > 2 && i3 == 0)))
            continue; /* unpaired */
        double sine, cosine;
        sincospi(scale * (k1 * x[0] + (double)(i2 - m / 2) * x[1] + (double)(i3 - m / 2) * x[2]),
                 &sine, &cosine);
        const double w = s.real && k1 > 0 ? 2 : 1;
        const double a = w * (double)((const real *)s.spectrum)[2 * at];
        const double b = w * (double)((const real *)s.spectrum)[2 * at + 1];
        re += a * cosine - b * sine;
        im += s.real ? 0 : a * sine + b * cosine;
    }
    for (int step = 16; step > 0; step /= 2) {
        re += __shfl_down_sync(~0u, re, step);
        im += __shfl_down_sync(~0u, im, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(out + 2 * which, re);
        atomicAdd(out + 2 * which + 1, im);
    }
}

extern "C" int bench_fill(void *array, int single, int64_t n, uint64_t seed, double low,
                          double high)
{
    if (n == 0) return 0;
    if (single)
        fill<<<BLOCKS, THREADS>>>((float *)array, n, seed, low, high);
    else
        fill<<<BLOCKS, THREADS>>>((double *)array, n, seed, low, high);
    return cudaGetLastError() != cudaSuccess;
}

extern "C" int bench_radians(const void *x, void *radians, int single, int64_t n)
{
    if (n == 0) return 0;
    if (single)
        to_radians<<<BLOCKS, THREADS>>>((const float *)x, (float *)radians, n);
    else
        to_radians<<<BLOCKS, THREADS>>>((const double *)x, (double *)radians, n);
    return cudaGetLastError() != cudaSuccess;
}

/* One number of an array. */
static double result_at(const void *array, int single, int64_t at)
{
    float f = 0;
    double d = 0;
    if (single)
        cudaMemcpy(&f, (const float *)array + at, sizeof f, cudaMemcpyDeviceToHost);
    else
        cudaMemcpy(&d, (const double *)array + at, sizeof d, cudaMemcpyDeviceToHost);
    return single ? (double)f : d;
}

/* Random targets, the same for every library. */
static checked choose_targets(const bench_sum *s)
{
    checked c;
    uint64_t state = 78;
    for (int k = 0; k < BENCH_CHECKED; k++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        c.at[k] = (int64_t)((state >> 11) % (uint64_t)s->n);
        for (int d = 0; d < s->dim; d++) c.k[k][d] = result_at(s->targets[d], s->single, c.at[k]);
    }
    return c;
}

/* Random modes or points, the same for every library. */
static checked choose_checked(const bench_sum *s)
{
    checked c;
    if (s->type == 3) return choose_targets(s);
    const int64_t m = s->m, h = s->real ? (m + 1) / 2 : m;
    uint64_t state = 77;
    for (int k = 0; k < BENCH_CHECKED; k++) {
        int64_t place = 0, stride = 1;
        for (int d = 0; d < 3; d++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            const int64_t most = d == 0 ? h : m - 1;
            if (d >= s->dim) continue;
            const int64_t i = (int64_t)((state >> 33) % (uint64_t)most) + (d > 0);
            c.k[k][d] = (double)(s->real && d == 0 ? i : i - m / 2);
            place += stride * i;
            stride *= d == 0 ? h : m;
        }
        c.at[k] = s->type == 1 ? place : (int64_t)((double)(state >> 11) * 0x1p-53 * (double)s->n);
    }
    return c;
}

extern "C" double bench_error(const bench_sum *s)
{
    const checked c = choose_checked(s);
    double *out, sums[BENCH_CHECKED][2], error = 0, scale = 0;
    if (cudaMalloc((void **)&out, sizeof sums) != cudaSuccess) return -1;
    cudaMemset(out, 0, sizeof sums);
    const dim3 blocks(64, BENCH_CHECKED);
    if (s->type != 2 && s->single)
        sum_points<float><<<blocks, THREADS>>>(*s, c, out);
    else if (s->type != 2)
        sum_points<double><<<blocks, THREADS>>>(*s, c, out);
    else if (s->single)
        sum_modes<float><<<blocks, THREADS>>>(*s, c, out);
    else
        sum_modes<double><<<blocks, THREADS>>>(*s, c, out);
    cudaError_t failed = cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(out);
    if (failed != cudaSuccess) return -1;
    const void *result = s->type == 1 ? s->spectrum : s->values;
    const int pairs = s->type != 2 || !s->real;
    for (int k = 0; k < BENCH_CHECKED; k++) {
        const double re = result_at(result, s->single, pairs ? 2 * c.at[k] : c.at[k]);
        const double im = pairs ? result_at(result, s->single, 2 * c.at[k] + 1) : 0;
        const double exact_im = pairs ? sums[k][1] : 0;
        error += (re - sums[k][0]) * (re - sums[k][0]) + (im - exact_im) * (im - exact_im);
        scale += sums[k][0] * sums[k][0] + exact_im * exact_im;
    }
    return sqrt(error / scale);
}
