/*
 * jax_kernels.cu - see jax_kernels.h. A thread takes a number, or every so many atoms; all kernels
 * are bound by memory. SPDX-License-Identifier: BSD-3-Clause
 */
#include "jax_kernels.h"

#include "device.h"
#include "jax_cell_slope.h"

static const int threads = 256;

/* Blocks of kernels whose threads take several items each, `step` apart; at least one. */
static unsigned blocks_of(int64_t n)
{
    const int64_t most = JAX_MOST_ROWS, blocks = (n + threads - 1) / threads;
    if (blocks < 1) return 1;
    return (unsigned)(blocks < most ? blocks : most);
}

static __device__ __forceinline__ int64_t first_item()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ int64_t step()
{
    return (int64_t)gridDim.x * blockDim.x;
}

static __device__ __forceinline__ double number_at(const enuf_jax_array &array, int64_t i)
{
    return array.single ? (double)((const float *)array.at)[i] : ((const double *)array.at)[i];
}

static __device__ __forceinline__ void write(const enuf_jax_array &array, int64_t i, double number)
{
    if (array.single)
        ((float *)array.at)[i] = (float)number;
    else
        ((double *)array.at)[i] = number;
}

static __global__ void __launch_bounds__(threads)
    convert(int64_t n, double factor, enuf_jax_array from, enuf_jax_array to)
{
    for (int64_t i = first_item(); i < n; i += step()) write(to, i, factor * number_at(from, i));
}

extern "C" enuf_status enuf_jax_convert(int64_t n, double factor, enuf_jax_array from,
                                        enuf_jax_array to, cudaStream_t stream)
{
    convert<<<blocks_of(n), threads, 0, stream>>>(n, factor, from, to);
    return enuf_cuda_launched("conversion for JAX");
}

static __global__ void __launch_bounds__(threads)
    compare(int64_t n, const double *a, const double *b, int *differ)
{
    for (int64_t i = first_item(); i < n; i += step())
        if (!(a[i] == (b ? b[i] : 0))) *differ = 1; /* the same number from every thread */
}

extern "C" enuf_status enuf_jax_compare(int64_t n, const double *a, const double *b, int *differ,
                                        cudaStream_t stream)
{
    compare<<<blocks_of(n), threads, 0, stream>>>(n, a, b, differ);
    return enuf_cuda_launched("comparison for JAX");
}

/* Travels with the launch, so that nothing on the host has to stay. */
struct few_numbers {
    double at[JAX_MOST_NUMBERS];
};

static __global__ void put(int n, few_numbers numbers, enuf_jax_array to)
{
    if ((int)threadIdx.x < n) write(to, threadIdx.x, numbers.at[threadIdx.x]);
}

extern "C" enuf_status enuf_jax_put(int n, const double *numbers, enuf_jax_array to,
                                    cudaStream_t stream)
{
    few_numbers copy = {};
    for (int k = 0; k < n; k++) copy.at[k] = numbers[k];
    put<<<1, 32, 0, stream>>>(n, copy, to);
    return enuf_cuda_launched("numbers for JAX");
}

/* A block writes the sums of its threads to its row. */
static __global__ void __launch_bounds__(threads)
    sum_forces_x(int64_t n, const double *forces, const double *x, double *partial)
{
    __shared__ double of_warp[9][threads / 32];
    double sums[9] = {};
    for (int64_t i = first_item(); i < n; i += step())
        for (int c = 0; c < 9; c++) sums[c] += forces[3 * i + c / 3] * x[3 * i + c % 3];
    for (int c = 0; c < 9; c++) {
        for (int by = 16; by > 0; by /= 2) sums[c] += __shfl_xor_sync(~0u, sums[c], by);
        if (threadIdx.x % 32 == 0) of_warp[c][threadIdx.x / 32] = sums[c];
    }
    __syncthreads();
    if (threadIdx.x >= 9) return;
    double sum = 0;
    for (int warp = 0; warp < threads / 32; warp++) sum += of_warp[threadIdx.x][warp];
    partial[9 * blockIdx.x + threadIdx.x] = sum;
}

/* One block: a warp sums each column of the rows, a thread does the rest. */
static __global__ void __launch_bounds__(9 * 32)
    put_slope(int rows, const double *partial, few_numbers virial, const double *h,
              enuf_jax_array slope)
{
    __shared__ double forces_x[9];
    const int column = threadIdx.x / 32;
    double sum = 0, found[9];
    for (int row = threadIdx.x % 32; row < rows; row += 32) sum += partial[9 * row + column];
    for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
    if (threadIdx.x % 32 == 0) forces_x[column] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    enuf_jax_cell_slope(forces_x, virial.at, h, found);
    for (int k = 0; k < 9; k++) write(slope, k, found[k]);
}

extern "C" enuf_status enuf_jax_put_cell_slope(int64_t n, const double *forces, const double *x,
                                               const double w[6], const double *h, double *partial,
                                               enuf_jax_array slope, cudaStream_t stream)
{
    const unsigned rows = blocks_of(n);
    few_numbers virial = {};
    for (int k = 0; k < 6; k++) virial.at[k] = w[k];
    sum_forces_x<<<rows, threads, 0, stream>>>(n, forces, x, partial);
    ENUF_TRY(enuf_cuda_launched("sums for JAX"));
    put_slope<<<1, 9 * 32, 0, stream>>>((int)rows, partial, virial, h, slope);
    return enuf_cuda_launched("slope of the cell for JAX");
}
