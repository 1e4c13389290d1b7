/*
 * to_device.h - arrays of tests, copied to a GPU. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TESTS_TO_DEVICE_H
#define ENUF_TESTS_TO_DEVICE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#define CHECK_CUDA(call) CHECK((call) == cudaSuccess)

/** Copies from the host, and waits for it: cudaMemcpy() may return while bytes of pageable memory
 * are on their way, and streams of their own do not wait for those. */
static inline cudaError_t to_device(void *to, const void *from, size_t bytes)
{
    const cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

#endif
