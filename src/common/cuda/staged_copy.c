/* staged_copy.c - see staged_copy.h. SPDX-License-Identifier: BSD-3-Clause */
#include "staged_copy.h"
#include "device.h"
#include "parallel.h"

#include <string.h>

/* Bytes of a piece, of what a thread copies at a time, and of arrays that are worth it. */
#define PIECE ((size_t)1 << 20)
#define GRAIN ((size_t)1 << 16)
#define LEAST ((size_t)1 << 20)

enum { MOST_THREADS = 8 }; /* as many copy as fast as the bus moves */

typedef struct piece {
    char *to;
    const char *from;
    size_t bytes;
} piece;

static void copy_part(void *context, int64_t begin, int64_t end, int thread)
{
    const piece *p = context;
    const size_t from = (size_t)begin * GRAIN;
    const size_t behind = (size_t)end * GRAIN < p->bytes ? (size_t)end * GRAIN : p->bytes;
    (void)thread;
    memcpy(p->to + from, p->from + from, behind - from);
}

static void copy(int threads, void *to, const void *from, size_t bytes)
{
    piece p = {to, from, bytes};
    enuf_parallel_for(threads < MOST_THREADS ? threads : MOST_THREADS,
                      (int64_t)((bytes + GRAIN - 1) / GRAIN), 1, copy_part, &p);
}

static void make(enuf_staging *staging)
{
    if (staging->pages || staging->refused) return;
    cudaError_t error = cudaMallocHost((void **)&staging->pages, 2 * PIECE);
    for (int k = 0; k < 2 && error == cudaSuccess; k++)
        error = cudaEventCreateWithFlags(&staging->moved[k], cudaEventDisableTiming);
    if (error == cudaSuccess) return;
    cudaGetLastError(); /* clears the error */
    enuf_staging_free(staging);
    staging->refused = 1;
}

void enuf_staging_free(enuf_staging *staging)
{
    for (int k = 0; k < 2; k++) {
        if (staging->moved[k]) cudaEventSynchronize(staging->moved[k]);
        if (staging->moved[k]) cudaEventDestroy(staging->moved[k]);
    }
    if (staging->pages) cudaFreeHost(staging->pages);
    *staging = (enuf_staging){0};
    cudaGetLastError(); /* after a sticky error all of these fail, and there is nothing to free */
}

static enuf_status is_staged(enuf_staging *staging, int threads, const void *host, size_t bytes,
                             int *staged)
{
    struct cudaPointerAttributes attributes;
    *staged = 0;
    if (bytes < LEAST || threads < 2) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaPointerGetAttributes(&attributes, host), "looking at a pointer");
    if (attributes.type != cudaMemoryTypeUnregistered) return ENUF_SUCCESS;
    make(staging);
    *staged = staging->pages != NULL;
    return ENUF_SUCCESS;
}

static size_t length_of(size_t bytes, size_t at)
{
    return bytes - at < PIECE ? bytes - at : PIECE;
}

enuf_status enuf_staged_copy_in(enuf_staging *staging, cudaStream_t stream, int threads,
                                void *device, const void *host, size_t bytes, const char *what)
{
    int staged, turn = 0;
    ENUF_TRY(is_staged(staging, threads, host, bytes, &staged));
    if (!staged) {
        ENUF_CUDA_TRY(cudaMemcpyAsync(device, host, bytes, cudaMemcpyDefault, stream), what);
        return ENUF_SUCCESS;
    }
    for (size_t at = 0; at < bytes; at += PIECE, turn = !turn) {
        char *page = staging->pages + (size_t)turn * PIECE;
        const size_t length = length_of(bytes, at);
        ENUF_CUDA_TRY(cudaEventSynchronize(staging->moved[turn]), what);
        copy(threads, page, (const char *)host + at, length);
        ENUF_CUDA_TRY(
            cudaMemcpyAsync((char *)device + at, page, length, cudaMemcpyHostToDevice, stream),
            what);
        ENUF_CUDA_TRY(cudaEventRecord(staging->moved[turn], stream), what);
    }
    return ENUF_SUCCESS;
}

/* Has the device write a piece into the pages. */
static enuf_status fetch(enuf_staging *staging, cudaStream_t stream, int turn, const char *from,
                         size_t length, const char *what)
{
    ENUF_CUDA_TRY(cudaMemcpyAsync(staging->pages + (size_t)turn * PIECE, from, length,
                                  cudaMemcpyDeviceToHost, stream),
                  what);
    ENUF_CUDA_TRY(cudaEventRecord(staging->moved[turn], stream), what);
    return ENUF_SUCCESS;
}

enuf_status enuf_staged_copy_out(enuf_staging *staging, cudaStream_t stream, int threads,
                                 void *host, const void *device, size_t bytes, const char *what)
{
    const char *from = device;
    int staged, turn = 0;
    ENUF_TRY(is_staged(staging, threads, host, bytes, &staged));
    if (!staged) {
        ENUF_CUDA_TRY(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDefault, stream), what);
        return ENUF_SUCCESS;
    }
    /* copies in that still read the pages come before on the stream */
    for (int k = 0; k < 2 && (size_t)k * PIECE < bytes; k++)
        ENUF_TRY(fetch(staging, stream, k, from + (size_t)k * PIECE,
                       length_of(bytes, (size_t)k * PIECE), what));
    for (size_t at = 0; at < bytes; at += PIECE, turn = !turn) {
        const size_t next = at + 2 * PIECE;
        ENUF_CUDA_TRY(cudaEventSynchronize(staging->moved[turn]), what);
        copy(threads, (char *)host + at, staging->pages + (size_t)turn * PIECE,
             length_of(bytes, at));
        if (next < bytes)
            ENUF_TRY(fetch(staging, stream, turn, from + next, length_of(bytes, next), what));
    }
    return ENUF_SUCCESS;
}
