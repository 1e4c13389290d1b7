/*
 * staged_copy.h - copies of large arrays between the device and memory that is not page-locked, by
 * way of page-locked memory of the object's own. Threads copy one piece while the device moves the
 * one before. The driver does the same with one thread. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_STAGED_COPY_H
#define ENUF_CUDA_STAGED_COPY_H

#include "error.h"

#include <cuda_runtime_api.h>

/** An object's page-locked memory: two pieces, made by the first large copy. All 0 at first. */
typedef struct enuf_staging {
    char *pages;
    cudaEvent_t moved[2]; /* the device has read or written the piece */
    int refused;          /* 1: the system locks no pages, copies go directly */
} enuf_staging;

/**
 * Copies `bytes` to the device, or from it, in order on the stream. Arrays that are small or
 * page-locked, and those of objects with one thread, are copied directly. copy_in has read `host`
 * when it returns, unless that is page-locked; what copy_out brings has arrived after a wait for
 * the stream. `what` names the copy in an error. Not during the recording of a graph.
 */
enuf_status enuf_staged_copy_in(enuf_staging *staging, cudaStream_t stream, int threads,
                                void *device, const void *host, size_t bytes, const char *what);
enuf_status enuf_staged_copy_out(enuf_staging *staging, cudaStream_t stream, int threads,
                                 void *host, const void *device, size_t bytes, const char *what);

/** Waits for copies that still read the pages, and frees them. */
void enuf_staging_free(enuf_staging *staging);

#endif
