/*
 * sort_scan.cu - computes the places of tiles, bins and sub-problems from the counts of bins, in
 * one launch.
 *
 * A block takes a share of the tiles. It adds up its counts, publishes the sum, and reads the sums
 * of all blocks before it. Blocks take their numbers as they start, and publish before they wait.
 * So a block waits only for blocks that run. Then it goes through its tiles again, a thread a tile,
 * and writes the places and the sub-problems.
 *
 * Bytes: counts are read once or, in large grids, twice; 4 written a bin, 8 a tile, 16 a
 * sub-problem. SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "sort_scan.cuh"

/* Tiles of a block at a time: few, because the time of a block is the latency of its steps. */
static const int TILES = 32;
static const uint64_t PUBLISHED = (uint64_t)1 << 63;

__global__ void __launch_bounds__(SCAN_THREADS) scan_tiles(const scan_parameters a)
{
    __shared__ uint32_t number;
    __shared__ scan_space<TILES> space;
    enuf_chain_wait();
    const uint32_t bad = a.state->bad; /* loaded while the number is on its way */
    if (threadIdx.x == 0) number = atomicAdd(&a.state->ticket, 1u);
    __syncthreads();
    if (threadIdx.x == 0 && number == 0) a.state->refused = bad;
    if (bad) {
        if (threadIdx.x == 0 && number == 0) a.start[a.n_tiles] = 0;
        return;
    }
    const uint64_t first = (uint64_t)number * a.share;
    const uint64_t end = first + a.share < a.n_tiles ? first + a.share : a.n_tiles;

    uint64_t mine = 0, total, before;
    for (uint64_t tile = first; tile < end; tile += TILES) {
        fetch<TILES>(a, tile, end, space.counts);
        mine += pack<TILES>(a, tile, end, space.counts);
    }
    sum_before(mine, space.of_warp, &total);
    volatile uint64_t *published = a.published;
    if (threadIdx.x == 0) published[number] = total | PUBLISHED;
    mine = 0;
    for (uint32_t b = threadIdx.x; b < number; b += SCAN_THREADS) {
        uint64_t other;
        do other = published[b];
        while (!(other & PUBLISHED));
        mine += other & ~PUBLISHED;
    }
    sum_before(mine, space.of_warp, &before);
    before = place_tiles<TILES>(a, first, end, before, end - first <= TILES, space);
    if (end == a.n_tiles && first < end && threadIdx.x == 0) a.start[a.n_tiles] = before;
}

scan_parameters enuf_cuda_scan_of(const enuf_cuda *cuda, uint32_t most)
{
    const enuf_cuda_points *p = &cuda->points;
    const uint32_t least = p->n_tiles / ENUF_CUDA_SCAN_BLOCKS + 1;
    scan_parameters a;
    a.count = p->count;
    a.start = p->start;
    a.published = p->published;
    a.bin_start = p->bin_start;
    a.state = p->state;
    a.list = p->list;
    a.n_tiles = p->n_tiles;
    a.share = (least + TILES - 1) / TILES * TILES;
    a.bins = p->bins;
    a.most = most;
    return a;
}

extern "C" enuf_status enuf_cuda_sort_scan(enuf_cuda *cuda, uint32_t most)
{
    const scan_parameters a = enuf_cuda_scan_of(cuda, most);
    const uint32_t blocks = (a.n_tiles - 1) / a.share + 1;
    enuf_chain(cuda->stream, scan_tiles, dim3(blocks), SCAN_THREADS, 0, a);
    return enuf_cuda_launched("scan of the tiles");
}
