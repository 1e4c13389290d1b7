/*
 * device_memory.h - how much of the GPU's memory a plan takes, by the driver's own count: the same
 * for enuf and for a peer, whatever either says of itself. Memory of pools (cudaMallocAsync) counts
 * by its highest mark, as it may be taken for the time of an execute alone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_DEVICE_MEMORY_H
#define BENCH_DEVICE_MEMORY_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/** Starts from what is taken now. */
typedef struct bench_device_memory {
    cudaMemPool_t pool;
    double before;
} bench_device_memory;

/* Bytes taken outside the pool: what runs has ended, the pool has given back what it can. */
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

/** Bytes at most since the start, if what is outside the pool is still held. */
static inline double bench_device_memory_peak(const bench_device_memory *memory)
{
    uint64_t high = 0;
    const double outside = bench_outside_pool(memory->pool) - memory->before;
    cudaMemPoolGetAttribute(memory->pool, cudaMemPoolAttrReservedMemHigh, &high);
    return outside + (double)high;
}

#endif
