/* sort_scan.h - see sort_scan.cu. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_NUFFT_CUDA_SORT_SCAN_H
#define ENUF_NUFFT_CUDA_SORT_SCAN_H

#include "cuda/cuda.h"

enum {
    ENUF_CUDA_SCAN_BLOCKS = 1024, /* at most: numbers in points.published */
    ENUF_CUDA_MOST_BINS = 32      /* of a tile */
};

#ifdef __cplusplus
extern "C"
#endif
    /** Computes start, bin_start and list from count. Sub-problems have `most` points at most.
     * published and state->ticket must be 0; the last kernel of the sort sets them to 0 again. If
     * state->bad is set, of these arrays only start[n_tiles] changes: it becomes 0. */
    enuf_status
    enuf_cuda_sort_scan(enuf_cuda *cuda, uint32_t most);

#endif
