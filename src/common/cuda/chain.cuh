/*
 * chain.cuh - kernels that start while the kernel before them on the stream ends: programmatic
 * dependent launch, from compute capability 9 on. It hides the time of a launch, about a
 * microsecond, of which the kernels of a small system have a dozen one after the other.
 *
 * A chained kernel calls enuf_chain_wait() or enuf_chain_follow() before it reads or writes what
 * other kernels write. Before that it may read tables that no kernel of the chain writes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_CHAIN_CUH
#define ENUF_CUDA_CHAIN_CUH

#include "chain.h"

#include <cuda_runtime.h>

/** Lets the next kernel take free multiprocessors, once all threads have called it or ended.
 * Without it that kernel starts when this one has ended. */
static __device__ __forceinline__ void enuf_chain_lead(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/** Waits until the kernels before this one have ended and their writes are visible. All threads
 * call it. Without chaining it returns at once. */
static __device__ __forceinline__ void enuf_chain_follow(void)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/** Both. Kernels behind this one may start while those before it are at work. */
static __device__ __forceinline__ void enuf_chain_wait(void)
{
    enuf_chain_lead();
    enuf_chain_follow();
}

/** Launches a kernel that calls enuf_chain_wait(), chained to the kernel before it where the device
 * can. Errors: enuf_cuda_launched(). */
template <class... Parameters, class... Arguments>
static void enuf_chain(cudaStream_t stream, void (*kernel)(Parameters...), dim3 blocks,
                       dim3 threads, size_t bytes, const Arguments &...arguments)
{
    cudaLaunchAttribute chained = {};
    chained.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    chained.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &chained;
    config.numAttrs = enuf_cuda_chains() ? 1 : 0;
    cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

#endif
