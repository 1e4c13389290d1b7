/*
 * sort_buckets.cu - sorts very many points: first into buckets of neighbouring bins, then each
 * bucket.
 *
 * In random order each access to a bin's counter, a bin's start and a record's place is a request
 * of its own to the second cache, which serves 40 of them a nanosecond (H200, November 2026). Here
 * most of them stay in shared memory. The bins are cut into buckets, few enough that a block counts
 * its points of each bucket in shared memory, and small enough that it can count one bucket's
 * points of each bin there.
 *
 *   count_buckets   counts the points of each bucket
 *   start_buckets   adds up: the places of buckets, and of their parts, each ordered by a block
 *   fill_buckets    writes records and bins, bucket by bucket: a block orders its points in shared
 *                   memory first, so that those of one bucket are written side by side
 *   count_parts     counts the points of each bin, a block a part; then the scan
 *   write_...       writes each record to its place: at random in double, in float in runs
 *
 * In 1D and 2D results of interpolation go back the same way. At random places in the caller's
 * array each is a part of a sector, which memory reads and writes whole. So interpolation writes
 * them in the order of the buckets, where those of a bucket stay in the second cache; deliver reads
 * them in runs and writes them side by side. They take the place of the buckets' records.
 *
 * Bytes a point (float coordinates and records in 2D): 8, 8 + 20, 4, 20 + 16. 4e7 points in 2D,
 * double: 0.32, 1.06, 0.16 and 0.94 ms, together 2.53 where the sort without buckets takes 3.37
 * (H200, November 2026). Float: 2.12 ms; with records written one by one 3.22, since each is half a
 * sector of the cache (H100; the same double takes 2.94).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sort_buckets.h"
#include "cuda/fold_fixed.cuh"
#include "cuda/results.cuh"
#include "sort_end.cuh"

enum {
    THREADS = 512,
    MOST_BUCKETS = 1024,
    WANTED_BUCKETS = 512,
    MOST_BINS = 4096,   /* of a bucket */
    STRIDE = 32,        /* numbers from one bucket's counter to the next: lines of their own */
    COUNTED = 8192,     /* points of a block of count_buckets */
    ORDERED = 64 * 1024 /* bytes of records that a block orders in shared memory */
};

/* Bins of a bucket: those of some whole tiles. */
static uint32_t bins_of_bucket(const enuf_cuda_points *p)
{
    uint32_t tiles = (p->n_tiles + WANTED_BUCKETS - 1) / WANTED_BUCKETS;
    if (tiles * p->bins > MOST_BINS) tiles = MOST_BINS / p->bins;
    return tiles * p->bins;
}

extern "C" int64_t enuf_cuda_buckets_size(const enuf_cuda_points *p, int dim, int64_t n)
{
    const uint64_t bins = (uint64_t)p->n_tiles * p->bins, size = bins_of_bucket(p);
    if ((bins + size - 1) / size > MOST_BUCKETS) return 0;
    return MOST_BUCKETS * STRIDE + 2 * (MOST_BUCKETS + 1) + (dim < 3 ? n : 0);
}

struct buckets {
    uint32_t n, size;      /* bins of a bucket */
    uint64_t inverse_size; /* 2^40/size, rounded up */
    uint32_t n_bins;
    uint32_t most;   /* points of a part */
    uint32_t *next;  /* [n][STRIDE] points in it; then the place of the next one */
    uint32_t *start; /* [n + 1] place of its first point */
    uint32_t *part;  /* [n + 1] its first part */
    uint32_t *place; /* 1D and 2D: [points] of the caller's points in the order of the buckets */
};

template <typename real> static buckets buckets_of(const enuf_cuda_points *p)
{
    buckets b;
    b.size = bins_of_bucket(p);
    b.n_bins = p->n_tiles * p->bins;
    b.n = (b.n_bins + b.size - 1) / b.size;
    b.inverse_size = (((uint64_t)1 << 40) + b.size - 1) / b.size;
    b.most = ORDERED / sizeof(point_record<real>);
    b.next = p->bucket;
    b.start = b.next + MOST_BUCKETS * STRIDE;
    b.part = b.start + MOST_BUCKETS + 1;
    b.place = b.part + MOST_BUCKETS + 1;
    return b;
}

/* bin / size without a division: bins have 22 bits, sizes 12, so the quotient's error is below
 * 2^-18 and never reaches the next integer. */
__device__ __forceinline__ uint32_t bucket_of(const buckets &b, uint32_t bin)
{
    return (uint32_t)(bin * b.inverse_size >> 40);
}

template <typename source>
__global__ void __launch_bounds__(THREADS, 3)
    count_buckets(const fold_parameters f, const buckets b, enuf_cuda_sort_state *state,
                  enuf_cuda_record *record)
{
    __shared__ uint32_t count[MOST_BUCKETS];
    for (uint32_t k = threadIdx.x; k < b.n; k += THREADS) count[k] = 0;
    __syncthreads();
    const int64_t first = (int64_t)blockIdx.x * COUNTED;
    const int64_t end = first + COUNTED < f.n ? first + COUNTED : f.n;
    for (int64_t j = first + threadIdx.x; j < end; j += THREADS) {
        folded_from<source> p;
        if (fold(source(), f, j, &p)) {
            atomicAdd(&count[bucket_of(b, bin_of(f, p))], 1);
        } else {
            atomicMin(&record->bad_point, (unsigned long long)j);
            state->bad = 1;
        }
    }
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < b.n; k += THREADS)
        if (count[k]) atomicAdd(&b.next[k * STRIDE], count[k]);
}

/* The sum of the values of the threads before this one, in a block of MOST_BUCKETS. */
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

/* One block, a thread a bucket. */
__global__ void __launch_bounds__(MOST_BUCKETS) start_buckets(const buckets b)
{
    __shared__ uint32_t of_warp[MOST_BUCKETS / 32];
    const uint32_t k = threadIdx.x;
    const uint32_t points = k < b.n ? b.next[k * STRIDE] : 0,
                   parts = (points + b.most - 1) / b.most;
    const uint32_t start = sum_before(points, of_warp), part = sum_before(parts, of_warp);
    if (k >= b.n) return;
    b.start[k] = b.next[k * STRIDE] = start;
    b.part[k] = part;
    if (k + 1 < b.n) return;
    b.start[b.n] = start + points;
    b.part[b.n] = part + parts;
}

/* What a block of fill_buckets holds in shared memory. */
template <typename real> struct ordered_points {
    enum { N = ORDERED / sizeof(point_record<real>), PER_THREAD = N / THREADS };
    point_record<real> record[N];
    uint32_t bin[N];
    uint32_t first[MOST_BUCKETS]; /* count of a bucket's points; then the place of the first */
    uint32_t to[MOST_BUCKETS];    /* what to add to a place for the place in the array */
    uint16_t order[N];            /* the points by places */
};

template <typename source, typename real>
__global__ void __launch_bounds__(THREADS, 2)
    fill_buckets(const fold_parameters f, const buckets b, point_record<real> *records,
                 uint32_t *bins, const enuf_cuda_sort_state *state)
{
    typedef ordered_points<real> ordered;
    extern __shared__ __align__(16) unsigned char memory[];
    ordered &o = *(ordered *)memory;
    __shared__ uint32_t of_warp[THREADS / 32];
    const int64_t begin = (int64_t)blockIdx.x * ordered::N;
    const int n = f.n - begin < ordered::N ? (int)(f.n - begin) : ordered::N;
    uint32_t nth[ordered::PER_THREAD]; /* of the block's points in its bucket */
    if (state->bad) return;
    for (int k = threadIdx.x; k < MOST_BUCKETS; k += THREADS) o.first[k] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ordered::PER_THREAD; i++) {
        const int k = i * THREADS + (int)threadIdx.x;
        folded_from<source> p;
        if (k >= n) continue;
        fold(source(), f, begin + k, &p);
        o.record[k] = record_of<real>(p, begin + k);
        o.bin[k] = bin_of(f, p);
        nth[i] = atomicAdd(&o.first[bucket_of(b, o.bin[k])], 1);
    }
    __syncthreads();
    static_assert(MOST_BUCKETS == 2 * THREADS, "two buckets a thread");
    const int two = 2 * (int)threadIdx.x;
    const uint32_t count[2] = {o.first[two], o.first[two + 1]};
    uint32_t at = sum_before(count[0] + count[1], of_warp);
    for (int i = 0; i < 2; i++) {
        if (count[i]) o.to[two + i] = atomicAdd(&b.next[(two + i) * STRIDE], count[i]) - at;
        o.first[two + i] = at;
        at += count[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ordered::PER_THREAD; i++) {
        const int k = i * THREADS + (int)threadIdx.x;
        if (k >= n) continue;
        const uint32_t bucket = bucket_of(b, o.bin[k]), nth_here = o.first[bucket] + nth[i];
        o.order[nth_here] = (uint16_t)k;
        if (f.dim == 3) continue;
        o.record[k].at[2] = b.place[begin + k] = o.to[bucket] + nth_here;
    }
    __syncthreads();
    const int words = sizeof(point_record<real>) / sizeof(uint4);
    for (int w = threadIdx.x; w < n * words; w += THREADS) {
        const int at_place = w / words, k = o.order[at_place];
        const uint32_t bin = o.bin[k], to = o.to[bucket_of(b, bin)] + (uint32_t)at_place;
        ((uint4 *)records)[(uint64_t)to * words + w % words] =
            ((const uint4 *)o.record)[k * words + w % words];
        if (w % words == 0) bins[to] = bin;
    }
}

/* A part of a bucket. */
struct bucket_part {
    uint32_t first_bin, n_bins, from, to; /* its bucket's bins; its points */
};

__device__ __forceinline__ bool find_part(const buckets &b, bucket_part *p)
{
    if (blockIdx.x >= b.part[b.n]) return false;
    uint32_t low = 0, high = b.n; /* part[low] <= block < part[high] */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (b.part[middle] <= blockIdx.x)
            low = middle;
        else
            high = middle;
    }
    p->first_bin = low * b.size;
    p->n_bins = min(b.size, b.n_bins - p->first_bin);
    p->from = b.start[low] + (blockIdx.x - b.part[low]) * b.most;
    p->to = min(b.start[low + 1], p->from + b.most);
    return true;
}

/* The points of each bin in the part. */
__device__ __forceinline__ void count_part(const bucket_part &p, const uint32_t *bins,
                                           uint32_t *count)
{
    for (uint32_t k = threadIdx.x; k < p.n_bins; k += THREADS) count[k] = 0;
    __syncthreads();
    for (uint32_t j = p.from + threadIdx.x; j < p.to; j += THREADS)
        atomicAdd(&count[bins[j] - p.first_bin], 1);
    __syncthreads();
}

/* A block a part. */
__global__ void __launch_bounds__(THREADS)
    count_parts(const buckets b, const uint32_t *bins, uint32_t *count,
                const enuf_cuda_sort_state *state)
{
    __shared__ uint32_t of_part[MOST_BINS];
    bucket_part p;
    if (state->bad || !find_part(b, &p)) return;
    count_part(p, bins, of_part);
    for (uint32_t k = threadIdx.x; k < p.n_bins; k += THREADS)
        if (of_part[k]) atomicAdd(&count[p.first_bin + k], of_part[k]);
}

/* Where to write sorted records. */
struct sorted_records {
    uint32_t *bin_next; /* where a bin's next point goes */
    void *records;
    uint32_t *tile_at, bins_of_tile;
};

__device__ __forceinline__ void note_tile(const sorted_records &to, uint32_t place, uint32_t bin)
{
    if (place % 32 == 0) to.tile_at[place / 32] = bin / to.bins_of_tile;
}

/* What a block of write_half_sectors holds in shared memory. */
struct ordered_part {
    enum { N = ORDERED / sizeof(point_record<float>) };
    uint4 record[N];          /* by bins */
    uint16_t bin[N];          /* of the record, from the bucket's first on */
    uint32_t next[MOST_BINS]; /* count of a bin's points; then the place of the next one */
    uint32_t to[MOST_BINS];   /* what to add to a place for the place in the array */
};

/* Records of float, a block a part. They are put in order in shared memory first: the cache takes
 * much longer for half a sector than for a whole one, and records of a bin, 2 to 4 of a part, lie
 * side by side. */
__global__ void __launch_bounds__(THREADS, 2)
    write_half_sectors(const buckets b, const uint4 *from, const uint32_t *bins,
                       const sorted_records to, int64_t n, const sort_end c)
{
    extern __shared__ __align__(16) unsigned char memory[];
    ordered_part &o = *(ordered_part *)memory;
    __shared__ uint32_t of_warp[THREADS / 32];
    const bool refused = c.state->refused;
    bucket_part p;
    if (!refused && find_part(b, &p)) {
        count_part(p, bins, o.next);
        const uint32_t each = (p.n_bins + THREADS - 1) / THREADS; /* bins of a thread */
        const uint32_t first = threadIdx.x * each, end = min(first + each, p.n_bins);
        uint32_t points = 0;
        for (uint32_t k = first; k < end; k++) points += o.next[k];
        uint32_t at = sum_before(points, of_warp);
        for (uint32_t k = first; k < end; k++) {
            const uint32_t count = o.next[k];
            if (count) o.to[k] = atomicAdd(&to.bin_next[p.first_bin + k], count) - at;
            o.next[k] = at;
            at += count;
        }
        __syncthreads();
        for (uint32_t j = p.from + threadIdx.x; j < p.to; j += THREADS) {
            const uint32_t bin = bins[j] - p.first_bin, place = atomicAdd(&o.next[bin], 1);
            o.record[place] = from[j];
            o.bin[place] = (uint16_t)bin;
        }
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < p.to - p.from; k += THREADS) {
            const uint32_t bin = o.bin[k], place = o.to[bin] + k;
            ((uint4 *)to.records)[place] = o.record[k];
            note_tile(to, place, p.first_bin + bin);
        }
    }
    end_sort(c, n, refused);
}

/* Records of double, a block a part. They are whole sectors, which the cache takes in any order. A
 * record takes two threads: one request to the cache. */
__global__ void __launch_bounds__(THREADS)
    write_sectors(const buckets b, const uint4 *from, const uint32_t *bins, const sorted_records to,
                  int64_t n, const sort_end c)
{
    __shared__ uint32_t next[MOST_BINS];
    const bool refused = c.state->refused;
    bucket_part p;
    if (!refused && find_part(b, &p)) {
        count_part(p, bins, next);
        for (uint32_t k = threadIdx.x; k < p.n_bins; k += THREADS)
            if (next[k]) next[k] = atomicAdd(&to.bin_next[p.first_bin + k], next[k]);
        __syncthreads();
        const uint32_t words = 2 * (p.to - p.from), word = threadIdx.x % 2;
        for (uint32_t k = threadIdx.x; k - threadIdx.x % 32 < words; k += THREADS) {
            const uint32_t j = p.from + k / 2;
            uint32_t place = 0;
            if (k < words && word == 0) {
                const uint32_t bin = bins[j];
                place = atomicAdd(&next[bin - p.first_bin], 1);
                note_tile(to, place, bin);
            }
            place = __shfl_sync(~0u, place, (int)(threadIdx.x % 32 - word));
            if (k < words)
                ((uint4 *)to.records)[2 * (uint64_t)place + word] = from[2 * (uint64_t)j + word];
        }
    }
    end_sort(c, n, refused);
}

/* Most parts of n points in so many buckets. */
static unsigned most_parts(const buckets &b, int64_t n)
{
    return (unsigned)(n / b.most + b.n);
}

template <typename source, typename real>
static enuf_status count(const enuf_nufft *plan, const enuf_coordinates *c)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const buckets b = buckets_of<real>(p);
    const fold_parameters f = fold_of(plan, c);
    const int shared = (int)sizeof(ordered_points<real>);
    const int64_t ordered = ordered_points<real>::N;
    ENUF_CUDA_TRY(cudaMemsetAsync(b.next, 0, MOST_BUCKETS * STRIDE * sizeof *b.next, cuda->stream),
                  "clearing the counts of buckets");
    count_buckets<source><<<(unsigned)((c->n + COUNTED - 1) / COUNTED), THREADS, 0, cuda->stream>>>(
        f, b, p->state, cuda->record);
    start_buckets<<<1, MOST_BUCKETS, 0, cuda->stream>>>(b);
    ENUF_TRY(enuf_cuda_launched("counting points in buckets"));
    ENUF_CUDA_TRY(cudaFuncSetAttribute(fill_buckets<source, real>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                  "shared memory of buckets");
    fill_buckets<source, real>
        <<<(unsigned)((c->n + ordered - 1) / ordered), THREADS, shared, cuda->stream>>>(
            f, b, (point_record<real> *)p->taken, p->taken_bin, p->state);
    ENUF_TRY(enuf_cuda_launched("filling buckets"));
    count_parts<<<most_parts(b, c->n), THREADS, 0, cuda->stream>>>(b, p->taken_bin, p->count,
                                                                   p->state);
    return enuf_cuda_launched("counting points");
}

template <typename coordinate>
static enuf_status count_of(const enuf_nufft *plan, const enuf_coordinates *c)
{
    if (enuf_cuda_of(plan)->avoids_fp64) return count<in_integers<coordinate>, float>(plan, c);
    return plan->options.precision == ENUF_FLOAT ? count<coordinate, float>(plan, c)
                                                 : count<coordinate, double>(plan, c);
}

extern "C" enuf_status enuf_cuda_buckets_count(const enuf_nufft *plan, const enuf_coordinates *c)
{
    return c->precision == ENUF_FLOAT ? count_of<float>(plan, c) : count_of<double>(plan, c);
}

/* ---- Results ---- */

extern "C" int enuf_cuda_buckets_hold(const enuf_nufft *plan, const enuf_interpolate_job *job,
                                      int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const size_t number = enuf_cuda_number(plan), bytes = number * (plan->real ? 1 : 2);
    const size_t record =
        number == sizeof(float) ? sizeof(point_record<float>) : sizeof(point_record<double>);
    return plan->options.dim < 3 && cuda->points.n > cuda->most_taken && cuda->points.bucket &&
           !job->gradients && (size_t)vectors * bytes <= record;
}

/* A block the points of a block of fill_buckets: what it reads lies in runs, so that the first
 * cache serves most of it. `sorted`: in its low bits the number of sorted points; none after a
 * refusal. */
template <typename real, int PARTS>
__global__ void __launch_bounds__(THREADS)
    deliver(const results out, const uint32_t *place, const point_value<real, PARTS> *held,
            int64_t n, const uint64_t *sorted)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    const int64_t first = (int64_t)blockIdx.x * ordered_points<real>::N;
    const int64_t end = min(first + ordered_points<real>::N, n), vector = blockIdx.y;
    if ((*sorted & points) != (uint64_t)n) return;
    for (int64_t j = first + threadIdx.x; j < end; j += THREADS) {
        const point_value<real, PARTS> value = held[vector * n + place[j]];
        for (int part = 0; part < PARTS; part++)
            put_results<real, false>(out, vector * n + j, part, value.part[part], NULL);
    }
}

template <typename real>
static enuf_status deliver_all(const enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const int64_t n = plan->n_points, each = ordered_points<real>::N;
    const dim3 blocks((unsigned)((n + each - 1) / each), (unsigned)vectors);
    const uint64_t *sorted = p->start + p->n_tiles;
    const uint32_t *place = buckets_of<real>(p).place;
    const results out = results_of(plan, job);
    if (plan->real)
        deliver<real, 1><<<blocks, THREADS, 0, cuda->stream>>>(
            out, place, (const point_value<real, 1> *)p->taken, n, sorted);
    else
        deliver<real, 2><<<blocks, THREADS, 0, cuda->stream>>>(
            out, place, (const point_value<real, 2> *)p->taken, n, sorted);
    return enuf_cuda_launched("delivering results from buckets");
}

extern "C" enuf_status enuf_cuda_buckets_deliver(const enuf_nufft *plan,
                                                 const enuf_interpolate_job *job, int vectors)
{
    return plan->options.precision == ENUF_FLOAT ? deliver_all<float>(plan, job, vectors)
                                                 : deliver_all<double>(plan, job, vectors);
}

extern "C" enuf_status enuf_cuda_buckets_write(const enuf_nufft *plan, int64_t n)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const sorted_records to = {p->bin_start, p->records, p->tile_at, p->bins};
    const uint4 *from = (const uint4 *)p->taken;
    if (plan->options.precision == ENUF_FLOAT) {
        const buckets b = buckets_of<float>(p);
        ENUF_CUDA_TRY(cudaFuncSetAttribute(write_half_sectors,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)sizeof(ordered_part)),
                      "shared memory of parts");
        write_half_sectors<<<most_parts(b, n), THREADS, sizeof(ordered_part), cuda->stream>>>(
            b, from, p->taken_bin, to, n, sort_end_of(plan));
    } else {
        const buckets b = buckets_of<double>(p);
        write_sectors<<<most_parts(b, n), THREADS, 0, cuda->stream>>>(b, from, p->taken_bin, to, n,
                                                                      sort_end_of(plan));
    }
    return enuf_cuda_launched("writing sorted points");
}
