/* device_arguments.c - see device_arguments.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_arguments.h"
#include "device.h"

/* The device of a stream; -1: CUDA before 12.8, and drivers before it, do not tell. */
static int device_of(cudaStream_t stream)
{
#if CUDART_VERSION >= 12080
    int device;
    if (cudaStreamGetDevice(stream, &device) == cudaSuccess) return device;
    cudaGetLastError(); /* a driver without this query */
#else
    (void)stream;
#endif
    return -1;
}

enuf_status enuf_cuda_device_choose(const char *caller, int ordinal, cudaStream_t stream,
                                    int *device)
{
    /* a default stream belongs to the current device */
    const int owned = stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
    const int of_stream = owned ? device_of(stream) : -1;
    ENUF_TRY(enuf_cuda_device_find(ordinal == -1 ? of_stream : ordinal, device));
    if (of_stream != -1 && of_stream != *device)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: the stream belongs to GPU %d, device is %d",
                         caller, of_stream, *device);
    return ENUF_SUCCESS;
}

static enuf_status check_device(const struct cudaPointerAttributes *where, int device,
                                const char *name)
{
    if (where->device == device) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_MEMORY, "%s lives on GPU %d, but GPU %d works", name, where->device,
                     device);
}

enuf_status enuf_cuda_check_place(const void *at, enuf_memory memory, int device, const char *name)
{
    struct cudaPointerAttributes where;
    if (!at) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaPointerGetAttributes(&where, at), "looking at a pointer");
    const int on_device = where.type == cudaMemoryTypeDevice;
    if (where.type == cudaMemoryTypeManaged) return ENUF_SUCCESS;
    if (on_device != (memory == ENUF_DEVICE))
        return enuf_fail(ENUF_BAD_MEMORY, "%s lives in %s memory, but the option memory says %s",
                         name, on_device ? "device" : "host", on_device ? "host" : "device");
    return on_device ? check_device(&where, device, name) : ENUF_SUCCESS;
}

enuf_status enuf_cuda_find_place(const void *at, int device, const char *name, enuf_memory *place)
{
    struct cudaPointerAttributes where;
    ENUF_CUDA_TRY(cudaPointerGetAttributes(&where, at), "looking at a pointer");
    *place = where.type == cudaMemoryTypeDevice || where.type == cudaMemoryTypeManaged ? ENUF_DEVICE
                                                                                       : ENUF_HOST;
    return where.type == cudaMemoryTypeDevice ? check_device(&where, device, name) : ENUF_SUCCESS;
}
