/*
 * device_memory.h - the plan's memory on the device. Every stage uses it. Read by C and by CUDA
 * files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_DEVICE_MEMORY_H
#define ENUF_NUFFT_CUDA_DEVICE_MEMORY_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that an array takes beside its elements. */
enum { ENUF_CUDA_ARRAY_SPARE = 256 };

/**
 * Device memory for `count` elements into *pointer (NULL on failure), not zeroed; freed with the
 * plan, or by enuf_cuda_release(). Keeps to memory_limit; the error text gives the requested and
 * the free bytes.
 */
enuf_status enuf_cuda_allocate(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                               const char *what);
void enuf_cuda_release(enuf_nufft *plan, void *pointer);

/** Bytes that an array of the plan's takes; 0 for NULL. */
int64_t enuf_cuda_allocated(const enuf_cuda *cuda, const void *array);

/** ENUF_OUT_OF_MEMORY if `bytes` more, on the device or of copies on the host, exceed
 * memory_limit. */
enuf_status enuf_cuda_check_limit(const enuf_nufft *plan, double bytes, const char *what);

#ifdef __cplusplus
}
#endif
#endif
