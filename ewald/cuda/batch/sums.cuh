/*
 * sums.cuh - the kernel of batches: a block has a share of a system. Pairs and modes use the same
 * shared memory, one after the other. SPDX-License-Identifier: BSD-3-Clause
 */
#include "deliver.cuh"
#include "modes.cuh"
#include "pairs.cuh"

namespace
{

template <class Real>
__global__ void __launch_bounds__(THREADS) sum_shares(const enuf_batch_arguments a)
{
    extern __shared__ double2 shared[];
    __shared__ double room[WARPS * 6];
    __shared__ enuf_batch_system system;
    const int s = a.owners[blockIdx.x];
    load_system(a, s, &system);
    const int part = (int)(blockIdx.x - system.slot);
    double *sums = a.sums + 4 * (system.sums + part * (int64_t)system.n);
    double virial[6] = {0, 0, 0, 0, 0, 0};
    for (int64_t k = threadIdx.x; k < 4 * (int64_t)system.n; k += THREADS) sums[k] = 0;
    __syncthreads();
    add_pairs(a, system, part, (pair_room<Real> *)shared, sums, virial);
    __syncthreads();
    add_modes(a, system, part, (mode_room<Real> *)shared, sums, virial);
    block_sum(virial, room);
    for (int k = 0; k < 6; k++)
        if (threadIdx.x == k) a.found[6 * (int64_t)blockIdx.x + k] = virial[k] / system.cutoff;
    __syncthreads();
    if (system.parts == 1) deliver(a, system, s, room);
}

template <class Real> int64_t shared_bytes(const enuf_batch_system &system, int64_t atoms)
{
    const int64_t rows =
        (int64_t)enuf_batch_columns(&system) + system.modes[1] + 1 + system.modes[2] + 1;
    const int64_t modes =
        (int64_t)sizeof(mode_room<Real>) + rows * (atoms | 1) * (int64_t)sizeof(complex_of<Real>);
    const int64_t pairs = (int64_t)sizeof(pair_room<Real>);
    return modes > pairs ? modes : pairs;
}

template <class Real> enuf_status prepare()
{
    ENUF_CUDA_TRY(cudaFuncSetAttribute(sum_shares<Real>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       ENUF_BATCH_SHARED),
                  "shared memory of batches");
    return ENUF_SUCCESS;
}

template <class Real> enuf_status launch(const enuf_batch_arguments *a, cudaStream_t stream)
{
    sum_shares<Real><<<(unsigned)a->slots, THREADS, (size_t)a->shared, stream>>>(*a);
    return enuf_cuda_launched("Ewald sums of a batch");
}

} // namespace
