/* device_array.c - see device_array.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_array.h"
#include "device.h"
#include "memory.h"

enuf_status enuf_cuda_no_memory(double bytes, const char *what)
{
    size_t free_bytes = 0, total = 0;
    cudaGetLastError();
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) cudaGetLastError();
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "the GPU has no memory for %s: %.3g GB asked for, %.3g of %.3g GB are free",
                     what, bytes / 1e9, (double)free_bytes / 1e9, (double)total / 1e9);
}

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
