/*
 * device_memory.h - the device memory that a plan takes, as the driver counts it, so that enuf and
 * a peer are measured alike. Of memory pools (cudaMallocAsync) the peak counts, because a library
 * may hold such memory only while it executes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_DEVICE_MEMORY_H
#define BENCH_DEVICE_MEMORY_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/** The state at the start: the pool, and the bytes taken outside it. */
typedef struct bench_device_memory {
    cudaMemPool_t pool;
    double before;
} bench_device_memory;

/* Bytes taken outside the pool. Waits for running work and lets the pool return its unused memory.
 */
static inline double bench_outside_pool(cudaMemPool_t pool)
{
    size_t available = 0, total = 0;
    uint64_t reserved = 0;
    cudaDeviceSynchronize();
    cudaMemPoolTrimTo(pool, 0);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
    cudaMemGetInfo(&available, &total);
    return (double)(total - available) - (double)reserved;
}

static inline bench_device_memory bench_device_memory_start(void)
{
    bench_device_memory memory = {0};
    uint64_t mark = 0;
    int device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetDefaultMemPool(&memory.pool, device);
    memory.before = bench_outside_pool(memory.pool);
    cudaMemPoolSetAttribute(memory.pool, cudaMemPoolAttrReservedMemHigh, &mark);
    return memory;
}

/** Peak of the bytes taken since the start, provided that memory outside the pool is still held. */
static inline double bench_device_memory_peak(const bench_device_memory *memory)
{
    uint64_t high = 0;
    const double outside = bench_outside_pool(memory->pool) - memory->before;
    cudaMemPoolGetAttribute(memory->pool, cudaMemPoolAttrReservedMemHigh, &high);
    return outside + (double)high;
}

#endif
