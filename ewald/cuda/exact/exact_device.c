/* exact_device.c - see exact_device.h. SPDX-License-Identifier: BSD-3-Clause */
#include "exact_device.h"

#include <string.h>

enuf_status enuf_exact_device_open(int device, enuf_exact_device *made)
{
    memset(made, 0, sizeof *made);
    ENUF_TRY(enuf_cuda_device_find(device, &made->device));
    ENUF_TRY(enuf_cuda_enter(made->device, &made->callers));
    made->is_open = 1;
    ENUF_CUDA_TRY(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking),
                  "making a stream");
    return ENUF_SUCCESS;
}

void enuf_exact_device_close(enuf_exact_device *device)
{
    if (!device->is_open) return;
    if (device->stream) cudaStreamDestroy(device->stream);
    cudaGetLastError();
    enuf_cuda_leave(device->device, device->callers);
}

enuf_status enuf_exact_upload(enuf_exact_device *device, enuf_device_array *to, const void *from,
                              int64_t count, size_t size, const char *what)
{
    ENUF_TRY(enuf_device_array_reserve(&device->memory, to, count, size, what));
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(to->at, from, (size_t)count * size, cudaMemcpyHostToDevice, device->stream),
        what);
    ENUF_CUDA_TRY(cudaStreamSynchronize(device->stream), what);
    return ENUF_SUCCESS;
}

enuf_status enuf_exact_download(enuf_exact_device *device, const enuf_device_array *from, void *to,
                                size_t bytes, const char *what)
{
    ENUF_CUDA_TRY(cudaMemcpyAsync(to, from->at, bytes, cudaMemcpyDeviceToHost, device->stream),
                  what);
    ENUF_CUDA_TRY(cudaStreamSynchronize(device->stream), what);
    return ENUF_SUCCESS;
}
