/* slope_totals.cu - the second step of slope_totals.cuh: a block sums one number of all rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "slope_totals.cuh"

static __global__ void __launch_bounds__(atom_threads)
    sum_rows(const double *partial, int64_t rows, int width, double *totals)
{
    __shared__ double of_thread[atom_threads];
    double sum = 0;
    for (int64_t row = threadIdx.x; row < rows; row += atom_threads)
        sum += partial[row * width + blockIdx.x];
    of_thread[threadIdx.x] = sum;
    __syncthreads();
    for (int half = atom_threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) of_thread[threadIdx.x] += of_thread[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) totals[blockIdx.x] = of_thread[0];
}

extern "C" enuf_status enuf_cuda_sum_partial(const double *partial, int64_t rows, int width,
                                             int count, double *totals, cudaStream_t stream)
{
    sum_rows<<<count, atom_threads, 0, stream>>>(partial, rows, width, totals);
    return enuf_cuda_launched("totals of slopes");
}
