/*
 * placing_home.cu - copies results of a domain's rows to their atoms; one thread for each atom.
 * Memory is the limit: sums of pairs are read in sorted order.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "placing.h"

namespace
{

enum { THREADS = ENUF_PLACING_THREADS };

/* Force of a row from the field of half pairs. */
__device__ __forceinline__ void force_of_row(const enuf_cuda_sorted_field &pairs, int64_t row,
                                             const enuf_device_row *__restrict__ rows,
                                             double force[3], enuf_cuda_pair_record *record)
{
    const int at = pairs.place[row];
    const double q = rows[row].q;
    double f[3] = {0, 0, 0};
    for (int k = 0; k < 3 && at >= 0; k++) f[k] = pairs.sums[k * pairs.n + at];
    if (!(fabs(f[0]) + fabs(f[1]) + fabs(f[2]) < pairs.suspicious)) record->suspicious = 1;
    for (int e = 0; e < 3; e++)
        force[e] =
            q * (f[0] * pairs.frame[e] + f[1] * pairs.frame[3 + e] + f[2] * pairs.frame[6 + e]);
}

__global__ void forces_of_rows(const __grid_constant__ enuf_cuda_sorted_field pairs, int64_t first,
                               int64_t behind, const enuf_device_row *__restrict__ rows,
                               double *forces, enuf_cuda_pair_record *record)
{
    const int64_t i = first + (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < behind) force_of_row(pairs, i, rows, forces + 3 * i, record);
}

/* Threads exchange vector components before they write, so that neighbours write to neighbours. */
__global__ void __launch_bounds__(THREADS)
    bring_forces(int64_t n, const int *__restrict__ slot,
                 const __grid_constant__ enuf_cuda_sorted_field pairs,
                 const enuf_device_row *__restrict__ rows, const double *__restrict__ back,
                 double *__restrict__ home, enuf_cuda_pair_record *record)
{
    __shared__ double room[3 * THREADS];
    const int64_t first = (int64_t)blockIdx.x * THREADS, i = first + threadIdx.x;
    double force[3] = {0, 0, 0};
    if (i < n) {
        const int64_t at = slot[i];
        if (at >= 0)
            force_of_row(pairs, at, rows, force, record);
        else
            for (int e = 0; e < 3; e++) force[e] = back[3 * (-1 - at) + e];
    }
    for (int e = 0; e < 3; e++) room[3 * threadIdx.x + e] = force[e];
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * THREADS; k += THREADS)
        if (3 * first + k < 3 * n) home[3 * first + k] = room[k];
}

__global__ void bring_home(int64_t n, int width, const int *__restrict__ slot,
                           const double *__restrict__ stayed, const double *__restrict__ back,
                           double *__restrict__ home)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= n * width) return;
    const int64_t i = at / width, c = at - i * width, to = slot[i];
    home[at] = to >= 0 ? stayed[to * width + c] : back[(-1 - to) * width + c];
}

__global__ void pick(int64_t n, const int64_t *__restrict__ index,
                     const double *__restrict__ values, double *__restrict__ packed)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < 3 * n) packed[at] = values[3 * index[at / 3] + at % 3];
}

unsigned blocks_for(int64_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

} // namespace

extern "C" enuf_status enuf_placing_forces(const enuf_cuda_sorted_field *field, int64_t first,
                                           int64_t behind, const enuf_device_row *rows,
                                           double *forces, enuf_cuda_pair_record *record,
                                           cudaStream_t stream)
{
    if (first >= behind) return ENUF_SUCCESS;
    forces_of_rows<<<blocks_for(behind - first), THREADS, 0, stream>>>(*field, first, behind, rows,
                                                                       forces, record);
    return enuf_cuda_launched("forces of a domain");
}

extern "C" enuf_status enuf_placing_bring_forces(int64_t n, const int *slot,
                                                 const enuf_cuda_sorted_field *field,
                                                 const enuf_device_row *rows, const double *back,
                                                 double *home, enuf_cuda_pair_record *record,
                                                 cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    bring_forces<<<blocks_for(n), THREADS, 0, stream>>>(n, slot, *field, rows, back, home, record);
    return enuf_cuda_launched("bring forces home");
}

extern "C" enuf_status enuf_placing_bring_home(int64_t n, int width, const int *slot,
                                               const double *stayed, const double *back,
                                               double *home, cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    bring_home<<<blocks_for(n * width), THREADS, 0, stream>>>(n, width, slot, stayed, back, home);
    return enuf_cuda_launched("bring results home");
}

extern "C" enuf_status enuf_placing_pick(int64_t n, const int64_t *index, const double *values,
                                         double *packed, cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    pick<<<blocks_for(3 * n), THREADS, 0, stream>>>(n, index, values, packed);
    return enuf_cuda_launched("pick positions of partners");
}
