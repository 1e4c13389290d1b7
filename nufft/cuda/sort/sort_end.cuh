/*
 * sort_end.cuh - what the last kernel of a sort leaves behind. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SORT_END_CUH
#define ENUF_NUFFT_CUDA_SORT_END_CUH

#include "cuda/cuda.h"
#include "sort_scan.h"

/** Arrays that the last kernel clears for the next sort, and the state that it writes. */
struct sort_end {
    uint32_t *count;
    uint64_t n_bins;
    uint64_t *published;
    enuf_cuda_sort_state *state;
    int64_t set;
    const uint64_t *total; /* start[n_tiles] */
};

static inline sort_end sort_end_of(const enuf_nufft *plan)
{
    const enuf_cuda_points *p = &enuf_cuda_of(plan)->points;
    return {p->count,   (uint64_t)p->n_tiles * p->bins, p->published, p->state,
            plan->sets, p->start + p->n_tiles};
}

/** All threads of the last kernel call it; n points are sorted. */
static __device__ __forceinline__ void end_sort(const sort_end &c, int64_t n, bool refused)
{
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t k = thread; k < c.n_bins; k += threads) c.count[k] = 0;
    for (uint64_t k = thread; k < ENUF_CUDA_SCAN_BLOCKS; k += threads) c.published[k] = 0;
    if (thread != 0) return;
    c.state->counted = c.state->ticket = c.state->bad = 0;
    if (refused) return;
    c.state->n = n;
    c.state->set = c.set;
    c.state->total = *c.total;
    c.state->places++;
}

#endif
