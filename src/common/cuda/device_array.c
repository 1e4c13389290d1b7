/* device_array.c - see device_array.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_array.h"
#include "device.h"
#include "memory.h"

enuf_status enuf_device_array_reserve(enuf_device_memory *memory, enuf_device_array *array,
                                      int64_t count, size_t size, const char *what)
{
    const double bytes = (double)count * (double)size;
    if (array->at && bytes <= (double)array->bytes) return ENUF_SUCCESS;
    if (count < 0 || bytes > 1e18) return enuf_cuda_no_memory(bytes, what);
    /* an array that grows often grows again: add an eighth, if memory suffices */
    const size_t least = (size_t)bytes + 256; /* 0 gives a pointer too */
    size_t reserved = array->at ? least + least / 8 : least;
    enuf_device_array_release(memory, array);
    if (enuf_allocation_fails()) return enuf_cuda_no_memory(bytes, what);
    void *block = NULL;
    cudaError_t error = cudaMalloc(&block, reserved);
    if (error == cudaErrorMemoryAllocation && reserved > least) {
        cudaGetLastError();
        reserved = least;
        error = cudaMalloc(&block, reserved);
    }
    if (error == cudaErrorMemoryAllocation) return enuf_cuda_no_memory(bytes, what);
    ENUF_CUDA_TRY(error, what);
    array->at = block;
    array->bytes = (int64_t)reserved;
    memory->held += array->bytes;
    memory->allocations++;
    return ENUF_SUCCESS;
}

void enuf_device_array_release(enuf_device_memory *memory, enuf_device_array *array)
{
    if (!array->at) return;
    cudaFree(array->at);
    memory->held -= array->bytes;
    memory->allocations++;
    array->at = NULL;
    array->bytes = 0;
}
