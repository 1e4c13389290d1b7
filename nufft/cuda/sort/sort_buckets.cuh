/*
 * sort_buckets.cuh - what the kernels of a sort by way of buckets share: sort_buckets.cu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SORT_BUCKETS_CUH
#define ENUF_NUFFT_CUDA_SORT_BUCKETS_CUH

#include "cuda/point.cuh"
#include "sort_buckets.h"

enum {
    MOST_BUCKETS = 1024,
    WANTED_FLOAT = 384, /* buckets: sort_buckets.cu */
    WANTED_DOUBLE = 256,
    MOST_BINS = 4096, /* of a bucket: a place among them has 12 bits */
    BIN_BITS = 12,
    BIN_MASK = (1 << BIN_BITS) - 1,
    STRIDE = 32, /* numbers from one bucket's counter to the next: lines of their own */
    PART = 4096  /* records of a part: a power of two */
};

/** The points of each bucket lie in parts of PART records, the last of a bucket partly empty. A
 * bucket takes a part whenever the one before is full. */
struct buckets {
    uint32_t n, size;      /* bins of a bucket */
    uint64_t inverse_size; /* 2^40/size, rounded up */
    uint32_t n_bins;
    uint32_t row; /* most parts of a bucket */
    uint32_t most_parts;
    uint32_t *next;    /* [MOST_BUCKETS][STRIDE] points of a bucket so far */
    uint32_t *parts;   /* [STRIDE], of which the first: the number of parts taken */
    uint32_t *part_of; /* [n][row] 1 + its parts in order; 0: not taken yet */
    uint4 *list;       /* [most_parts] the parts, bucket by bucket: find_part() */
    uint32_t *place;   /* 1D and 2D: [2][capacity], place_of() */
    uint4 *records;    /* [most_parts][PART] records; double in 1D and 2D: at[0] and at[1] alone */
    uint32_t *index;   /* [most_parts][PART] behind these, double in 1D and 2D alone */
    int64_t capacity;
};

/** Bins of a bucket: those of some whole tiles. */
static inline uint32_t bins_of_bucket(const enuf_nufft *plan, const enuf_cuda_points *p)
{
    const uint32_t wanted = plan->options.precision == ENUF_FLOAT ? WANTED_FLOAT : WANTED_DOUBLE;
    uint32_t tiles = (p->n_tiles + wanted - 1) / wanted;
    if (tiles * p->bins > MOST_BINS) tiles = MOST_BINS / p->bins;
    return tiles * p->bins;
}

/** Of n points, up to the capacity. */
static inline buckets buckets_of(const enuf_nufft *plan, const enuf_cuda_points *p, int64_t n)
{
    buckets b;
    b.size = bins_of_bucket(plan, p);
    b.n_bins = p->n_tiles * p->bins;
    b.n = (b.n_bins + b.size - 1) / b.size;
    b.inverse_size = (((uint64_t)1 << 40) + b.size - 1) / b.size;
    b.row = (uint32_t)(n / PART) + 1;
    b.most_parts = (uint32_t)(n / PART) + b.n;
    b.next = p->bucket;
    b.parts = b.next + MOST_BUCKETS * STRIDE;
    b.part_of = b.parts + STRIDE;
    b.list = (uint4 *)(b.part_of + ((size_t)b.n * b.row + 3) / 4 * 4); /* 16 bytes aligned */
    b.place = p->bucket_place;
    b.records = (uint4 *)p->taken;
    b.index = (uint32_t *)(b.records + (size_t)b.most_parts * PART);
    b.capacity = p->capacity;
    return b;
}

/** The places of the caller's points in the order of the buckets. There are two such arrays: a
 * sort writes one, and if a point is bad, the other one still serves. */
__device__ __forceinline__ uint32_t *place_of(const buckets &b, uint32_t which)
{
    return b.place + (which & 1) * b.capacity;
}

/** bin / size without a division: bins have 22 bits, sizes 12, so the quotient's error is below
 * 2^-18 and never reaches the next integer. */
__device__ __forceinline__ uint32_t bucket_of(const buckets &b, uint32_t bin)
{
    return (uint32_t)(bin * b.inverse_size >> 40);
}

/** The sum of the values of the threads before this one. All threads of a block of up to 1024. */
__device__ __forceinline__ uint32_t sum_before(uint32_t value, uint32_t *of_warp)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t sum = value, before = 0;
    for (int step = 1; step < 32; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++) before += of_warp[w];
    __syncthreads();
    return before + sum - value;
}

/** A part that holds points. */
struct bucket_part {
    uint32_t first_bin, n_bins; /* its bucket's */
    uint64_t from;              /* its first record */
    uint32_t n;                 /* points */
};

/** The part that is the block's turn; false if there is none. Parts of a bucket follow each other:
 * what blocks write at a time stays in the second cache until its sectors are whole. */
__device__ __forceinline__ bool find_part(const buckets &b, bucket_part *p)
{
    const uint4 turn = b.list[blockIdx.x]; /* bucket, part, points */
    p->first_bin = turn.x * b.size;
    p->n_bins = min(b.size, b.n_bins - p->first_bin);
    p->from = (uint64_t)turn.y * PART;
    p->n = turn.z;
    return p->n > 0;
}

#endif
