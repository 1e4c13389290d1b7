/*
 * recordings.h - sequences of kernels of recent calls, as CUDA graphs. A key holds all that
 * determines what a call enqueues. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_RECORDINGS_H
#define ENUF_EWALD_CUDA_RECORDINGS_H

#include "error.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* Callers want forces, sometimes energy and virial too; some alternate between two sets of
 * arrays. */
enum { RECORDINGS = 4, ENUF_CUDA_KEY_BYTES = 512 };

/** A recent call. It has a graph from its second time on. */
typedef struct enuf_cuda_recording {
    unsigned char key[ENUF_CUDA_KEY_BYTES];
    cudaGraphExec_t graph;
    int64_t uses, latest; /* number of uses; the count of all calls at the last one */
} enuf_cuda_recording;

typedef struct enuf_cuda_recordings {
    enuf_cuda_recording of[RECORDINGS];
    int64_t calls;
} enuf_cuda_recordings;

/** Enqueues on a stream, and on others that it forks and joins. It neither allocates nor waits, nor
 * copies from or to pageable memory. */
typedef struct enuf_cuda_sequence {
    enuf_status (*enqueue)(void *context);
    void *context;
    cudaStream_t stream;
    int *recording;   /* 1 meanwhile */
    const char *what; /* for error texts */
} enuf_cuda_sequence;

/** Counts a use of the recording of a key, of at most ENUF_CUDA_KEY_BYTES, compared as bytes. A new
 * key replaces the oldest recording. At the second use it records the sequence: the first time
 * libraries load kernels and allocate. *graph: NULL at the first use. */
enuf_status enuf_cuda_find_graph(enuf_cuda_recordings *recordings, const void *key, size_t bytes,
                                 const enuf_cuda_sequence *sequence, cudaGraphExec_t *graph);
void enuf_cuda_forget_recordings(enuf_cuda_recordings *recordings);

#endif
