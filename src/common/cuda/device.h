/*
 * device.h - finds usable GPUs, makes a GPU current, converts CUDA's errors to statuses.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_DEVICE_H
#define ENUF_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "error.h"
#include "private.h"

/** Returns 1 if a GPU can be used; *reason is then its name. The current GPU comes first. Returns 0
 * otherwise; *reason then says why the current GPU cannot be used. */
ENUF_PRIVATE int enuf_cuda_device_usable(const char **reason);

/** Checks a device's ordinal; -1 selects the caller's current device. */
enuf_status enuf_cuda_device_find(int ordinal, int *device);

/** enter() makes a device current and stores the caller's device; leave() makes that one current
 * again. */
ENUF_PRIVATE enuf_status enuf_cuda_enter(int device, int *callers);
ENUF_PRIVATE void enuf_cuda_leave(int device, int callers);

/** The status of a CUDA error; `what` names the operation. A sticky error's text says that the
 * process' CUDA context is lost. */
ENUF_PRIVATE enuf_status enuf_cuda_status(cudaError_t error, const char *what);

/** Returns from the calling function if a CUDA call fails. */
#define ENUF_CUDA_TRY(call, what)                                                                  \
    do {                                                                                           \
        cudaError_t enuf_cuda_error = (call);                                                      \
        if (enuf_cuda_error != cudaSuccess) return enuf_cuda_status(enuf_cuda_error, what);        \
    } while (0)

/** Status of a kernel launch; call it directly after the launch. */
static inline enuf_status enuf_cuda_launched(const char *kernel)
{
    cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, kernel);
}

#ifdef __cplusplus
}
#endif
#endif
