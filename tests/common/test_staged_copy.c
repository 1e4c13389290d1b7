/*
 * test_staged_copy.c - arrays copied to the device and back by way of page-locked memory keep their
 * bytes: sizes about those of a piece, copies behind each other without a wait, one thread and
 * several, ordinary and page-locked memory. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "staged_copy.h"

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 3 };

static unsigned char byte_of(size_t k, unsigned turn)
{
    const uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u + turn * 0xbf58476d1ce4e5b9u;
    return (unsigned char)(x >> 56);
}

/* Copies arrays in, one behind the other, and out again. The first copies of the host are
 * overwritten at once: copy_in has read them, unless they are page-locked. */
static void there_and_back(enuf_staging *staging, cudaStream_t stream, int threads, size_t bytes,
                           int locked)
{
    unsigned char *host = NULL, *back = malloc(bytes);
    char *device[ARRAYS] = {0};
    size_t wrong = 0;
    if (locked)
        CHECK(cudaMallocHost((void **)&host, bytes) == cudaSuccess);
    else
        host = malloc(bytes);
    CHECK(host && back);
    if (!host || !back) return;
    for (unsigned a = 0; a < ARRAYS; a++) {
        CHECK(cudaMalloc((void **)&device[a], bytes) == cudaSuccess);
        for (size_t k = 0; k < bytes; k++) host[k] = byte_of(k, a);
        CHECK_STATUS(
            enuf_staged_copy_in(staging, stream, threads, device[a], host, bytes, "a copy in"),
            ENUF_SUCCESS);
        if (locked) CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    }
    for (unsigned a = 0; a < ARRAYS; a++) {
        memset(back, 0, bytes);
        CHECK_STATUS(
            enuf_staged_copy_out(staging, stream, threads, back, device[a], bytes, "a copy out"),
            ENUF_SUCCESS);
        CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
        for (size_t k = 0; k < bytes; k++) wrong += back[k] != byte_of(k, a);
        cudaFree(device[a]);
    }
    printf("  %zu bytes, %d threads, %s memory: %zu wrong\n", bytes, threads,
           locked ? "page-locked" : "ordinary", wrong);
    CHECK(wrong == 0);
    CHECK(threads == 1 || locked || bytes < (size_t)1 << 20 || staging->pages);
    if (locked)
        cudaFreeHost(host);
    else
        free(host);
    free(back);
}

int main(void)
{
    static const size_t sizes[] = {1, 1000, 1048575, 1048576, 1048577, 2097152, 3145731, 9000001};
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return check_skip("no GPU");
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    for (int threads = 1; threads <= 8; threads += 7)
        for (int locked = 0; locked < 2; locked++) {
            enuf_staging staging = {0};
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                there_and_back(&staging, stream, threads, sizes[k], locked);
            CHECK(threads > 1 || !staging.pages);
            enuf_staging_free(&staging);
            CHECK(!staging.pages && !staging.moved[0]);
        }
    cudaStreamDestroy(stream);
    return check_result();
}
