/*
 * pairs_total.cu - energy and virial of all pairs from the sums of warps: one block, a warp a
 * total. SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "lattice/tensor.h"
#include "pair_sums.h"

/* The sum over the lanes of a warp, in lane 0. */
template <class T> static __device__ __forceinline__ T of_warp(T sum)
{
    for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(~0u, sum, by);
    return sum;
}

static __global__ void add_copies(const __grid_constant__ enuf_cuda_pair_arguments a,
                                  int deterministic, double *totals, long long *integers)
{
    enum { ALL = ENUF_CUDA_TOTALS * ENUF_CUDA_TOTAL_COPIES };
    __shared__ double sums[ENUF_CUDA_TOTALS];
    const int lane = threadIdx.x % 32, total = threadIdx.x / 32;
    enuf_chain_wait();
    if (deterministic) {
        /* exact integers up to the one rounding at the end */
        const long long *upper = (const long long *)a.out.totals, *lower = upper + ALL;
        long long high = 0, low = 0;
        for (int k = total + lane * ENUF_CUDA_TOTALS; k < ALL; k += 32 * ENUF_CUDA_TOTALS) {
            high += upper[k];
            low += lower[k];
        }
        high = of_warp(high);
        low = of_warp(low);
        if (integers && lane == 0) {
            integers[total] = high;
            integers[ENUF_CUDA_TOTALS + total] = low;
        }
        high += low >> 32;
        low &= 0xffffffffLL;
        if (lane == 0)
            sums[total] = 0.5 * enuf_fixed_units_of(&a.scales, a.grid.cutoff).energy *
                          fma((double)high, 0x1p32, (double)low);
    } else {
        double sum = 0;
        for (int k = total + lane * ENUF_CUDA_TOTALS; k < ALL; k += 32 * ENUF_CUDA_TOTALS)
            sum += ((const double *)a.out.totals)[k];
        sum = of_warp(sum);
        if (lane == 0) sums[total] = sum;
    }
    const int which = threadIdx.x;
    __syncthreads();
    if (which >= ENUF_CUDA_TOTALS) return;
    if (which == 0 || deterministic) {
        totals[which] = sums[which];
        return;
    }
    /* from the grid's frame to the caller's: F^T W F */
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const int of[9] = {1, 4, 5, 4, 2, 6, 5, 6, 3}; /* xx, yy, zz, xy, xz, yz behind the energy */
    double sum = 0;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            sum += a.grid.frame[3 * k + row[which - 1]] * sums[of[3 * k + l]] *
                   a.grid.frame[3 * l + column[which - 1]];
    totals[which] = sum;
}

extern "C" enuf_status enuf_cuda_pairs_total(const enuf_cuda_pair_arguments *a, int deterministic,
                                             double *totals, long long *integers,
                                             cudaStream_t stream)
{
    enuf_chain(stream, add_copies, dim3(1), 32 * ENUF_CUDA_TOTALS, 0, *a, deterministic, totals,
               integers);
    return enuf_cuda_launched("totals of pairs");
}

extern "C" double enuf_cuda_pairs_unit(const enuf_cuda_pair_arguments *a)
{
    return 0.5 * enuf_fixed_units_of(&a->scales, a->grid.cutoff).energy;
}

extern "C" double enuf_cuda_pairs_total_of(double unit, long long upper, long long lower)
{
    const long long high = upper + (lower >> 32), low = lower & 0xffffffffLL;
    return unit * fma((double)high, 0x1p32, (double)low);
}
