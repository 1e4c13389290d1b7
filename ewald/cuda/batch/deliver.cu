/* deliver.cu - results of systems that several blocks share. SPDX-License-Identifier: BSD-3-Clause
 */
#include "deliver.cuh"

namespace
{

__global__ void __launch_bounds__(THREADS) deliver_systems(const enuf_batch_arguments a)
{
    __shared__ double room[WARPS * MOMENTS];
    __shared__ enuf_batch_system system;
    load_system(a, blockIdx.x, &system);
    if (system.parts > 1) deliver(a, system, blockIdx.x, room);
}

} // namespace

extern "C" enuf_status enuf_batch_deliver_launch(const enuf_batch_arguments *a, cudaStream_t stream)
{
    deliver_systems<<<(unsigned)a->n_systems, THREADS, 0, stream>>>(*a);
    return enuf_cuda_launched("results of a batch");
}
