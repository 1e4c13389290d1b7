/*
 * occupancy.cuh - how many blocks of a kernel a multiprocessor holds. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_OCCUPANCY_CUH
#define ENUF_NUFFT_CUDA_OCCUPANCY_CUH

#include "cuda.h"

/** Up to so many bytes need no permission; the plan then asks once a kernel. */
static const size_t ENUF_CUDA_FEW_BYTES = 16 * 1024;

/**
 * Blocks of `threads` threads and `bytes` bytes of dynamic shared memory that a multiprocessor
 * holds. It lets the kernel use these bytes. The three questions to the driver take the host longer
 * than a launch, so the plan remembers the answers for few bytes. More bytes are asked for each
 * time: the permission is the device's, and another plan may have lowered it.
 */
template <typename parameters>
static enuf_status blocks_per_multiprocessor(const enuf_nufft *plan,
                                             void (*kernel)(const parameters), int threads,
                                             size_t bytes, const char *what, int *blocks)
{
    enuf_cuda_occupancy *known = enuf_cuda_of(plan)->occupancies,
                        *last = known + ENUF_CUDA_OCCUPANCIES;
    const bool few = bytes <= ENUF_CUDA_FEW_BYTES;
    for (; few && known < last && known->kernel; known++)
        if (known->kernel == (const void *)kernel && known->threads == threads &&
            known->bytes == bytes) {
            *blocks = known->blocks;
            return ENUF_SUCCESS;
        }
    if (!few)
        ENUF_CUDA_TRY(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
            what);
    /* without it there may be less shared memory than the occupancy below assumes */
    ENUF_CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared),
                  what);
    ENUF_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, bytes),
                  what);
    if (few && known < last) *known = {(const void *)kernel, bytes, threads, *blocks};
    return ENUF_SUCCESS;
}

#endif
