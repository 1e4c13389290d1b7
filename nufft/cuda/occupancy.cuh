/*
 * occupancy.cuh - how many blocks of a kernel a multiprocessor holds. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_OCCUPANCY_CUH
#define ENUF_NUFFT_CUDA_OCCUPANCY_CUH

#include "cuda.h"

/** Threads that a multiprocessor holds: a kernel's bound of a launch is within them. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800 && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100)
enum { MULTIPROCESSOR_THREADS = 1536 };
#else
enum { MULTIPROCESSOR_THREADS = 2048 };
#endif

/**
 * Blocks of `threads` threads and `bytes` bytes of dynamic shared memory that a multiprocessor
 * holds. It lets the kernel use all the shared memory of a block. The questions to the driver take
 * the host longer than a launch, so the plan remembers the answers.
 */
template <typename parameters>
static enuf_status blocks_per_multiprocessor(const enuf_nufft *plan,
                                             void (*kernel)(const parameters), int threads,
                                             size_t bytes, const char *what, int *blocks)
{
    enuf_cuda_occupancy *known = enuf_cuda_of(plan)->occupancies,
                        *last = known + ENUF_CUDA_OCCUPANCIES;
    for (; known < last && known->kernel; known++)
        if (known->kernel == (const void *)kernel && known->threads == threads &&
            known->bytes == bytes) {
            *blocks = known->blocks;
            return ENUF_SUCCESS;
        }
    cudaFuncAttributes kernels;
    ENUF_CUDA_TRY(cudaFuncGetAttributes(&kernels, kernel), what);
    /* the permission is the device's: all plans ask for the same, so none lowers another's */
    const size_t most =
        (size_t)enuf_cuda_of(plan)->shared_bytes_per_block - kernels.sharedSizeBytes;
    ENUF_CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int)(bytes < most ? most : bytes)),
                  what);
    /* without it there may be less shared memory than the occupancy below assumes */
    ENUF_CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared),
                  what);
    ENUF_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, bytes),
                  what);
    if (known < last) *known = {(const void *)kernel, bytes, threads, *blocks};
    return ENUF_SUCCESS;
}

#endif
