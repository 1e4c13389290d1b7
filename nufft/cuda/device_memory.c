/* device_memory.c - see device_memory.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/device_memory.h"
#include "device_array.h"
#include "memory.h"

#include <string.h>

enuf_status enuf_cuda_check_limit(const enuf_nufft *plan, double bytes, const char *what)
{
    double limit = (double)plan->options.memory_limit;
    double held = (double)enuf_nufft_bytes(plan) - (double)enuf_cuda_of(plan)->to_release;
    if (limit == 0 || held + bytes <= limit) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "%s takes %.3g GB, with what the plan holds %.3g GB; memory_limit is %.3g GB",
                     what, bytes / 1e9, (held + bytes) / 1e9, limit / 1e9);
}

enuf_status enuf_cuda_allocate(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                               const char *what)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    void *block = NULL;
    memcpy(pointer, &block, sizeof block);
    double bytes = (double)count * (double)size;
    if (count < 0 || bytes > 1e18) return enuf_cuda_no_memory(bytes, what);
    int slot = 0;
    while (slot < ENUF_CUDA_ALLOCATIONS && cuda->allocation[slot].at) slot++;
    if (slot == ENUF_CUDA_ALLOCATIONS)
        return enuf_fail(ENUF_INTERNAL, "more than %d arrays of a plan on the GPU",
                         ENUF_CUDA_ALLOCATIONS);
    ENUF_TRY(enuf_cuda_check_limit(plan, bytes, what));
    if (enuf_allocation_fails()) return enuf_cuda_no_memory(bytes, what);
    size_t asked = (size_t)count * size + ENUF_CUDA_ARRAY_SPARE; /* 0 gives a pointer too */
    cudaError_t error = cudaMalloc(&block, asked);
    if (error == cudaErrorMemoryAllocation) return enuf_cuda_no_memory(bytes, what);
    ENUF_CUDA_TRY(error, what);
    cuda->allocation[slot].at = block;
    cuda->allocation[slot].bytes = (int64_t)asked;
    cuda->bytes += (int64_t)asked;
    memcpy(pointer, &block, sizeof block);
    return ENUF_SUCCESS;
}

void enuf_cuda_release(enuf_nufft *plan, void *pointer)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    void *block, *none = NULL;
    memcpy(&block, pointer, sizeof block);
    memcpy(pointer, &none, sizeof none);
    for (int slot = 0; block && slot < ENUF_CUDA_ALLOCATIONS; slot++) {
        if (cuda->allocation[slot].at != block) continue;
        if (cudaFree(block) != cudaSuccess) cudaGetLastError(); /* clears the error */
        cuda->bytes -= cuda->allocation[slot].bytes;
        cuda->allocation[slot].at = NULL;
        cuda->allocation[slot].bytes = 0;
    }
}

int64_t enuf_cuda_allocated(const enuf_cuda *cuda, const void *array)
{
    for (int slot = 0; array && slot < ENUF_CUDA_ALLOCATIONS; slot++)
        if (cuda->allocation[slot].at == array) return cuda->allocation[slot].bytes;
    return 0;
}
