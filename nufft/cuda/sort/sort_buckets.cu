/*
 * sort_buckets.cu - sorts very many points: first into buckets of neighbouring bins, then each
 * bucket.
 *
 * In random order each access to a bin's counter, a bin's start and a record's place is a request
 * of its own to the second cache, which serves 40 of them a nanosecond (H200, November 2026). Here
 * they stay in shared memory. The bins are cut into buckets, few enough that a block counts its
 * points of each bucket in shared memory, and small enough that it can count one bucket's points
 * of each bin there. Shared memory counts about one point a cycle: each point is counted twice,
 * once for its bucket and once for its bin.
 *
 *   fill_buckets  writes records and bins, bucket by bucket: a block orders its points in shared
 *                 memory first, so that those of one bucket are written side by side
 *   list_parts    lists the buckets' parts
 *   count_parts   counts the points of each bin, a block a part, and keeps each point's place in
 *                 its part; then the scan
 *   write_...     writes each record to its place (sort_buckets_write.cu)
 *
 * No kernel counts the points of a bucket beforehand: a bucket takes parts as it needs them. The
 * block whose points reach the begin of a part takes it; others wait until they see its number.
 * They never wait for a block that has not started.
 *
 * In 1D and 2D results of interpolation go back the same way (sort_buckets_deliver.cu). In double
 * records there have half of their bytes between the buckets: the place is where they lie.
 *
 * Runs of one bucket are longer if buckets are fewer: filling was limited by the number of requests
 * to the second cache, and counting and writing take longer if a bucket has more bins. 512, 384,
 * 256 buckets: 4.2e7 points in 2D, double, 2.18, 2.04, 1.90 ms in all; float 1.63, 1.58, 1.71; 1e7
 * points, double, 0.58, 0.54, 0.50, float 0.41, 0.38, 0.37 (H200, November 2026).
 *
 * Bytes a point in 2D, coordinates as records: float 8 + 24, 4 + 4, 20 + 16, and 1 to clear the
 * list of parts; double 16 + 28, 4 + 4, 24 + 32, and 1. 4.2e7 points in double: 0.86, 0.16 and 0.86
 * ms (H200, November 2026).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/fold_fixed.cuh"
#include "sort_buckets.cuh"

enum {
    FILLERS = 512,
    COUNTERS = 512,     /* threads of a block */
    ORDERED = 64 * 1024 /* bytes of records that a block orders in shared memory */
};

extern "C" enuf_cuda_bucket_sizes enuf_cuda_buckets_size(const enuf_nufft *plan,
                                                         const enuf_cuda_points *p, int64_t n)
{
    enuf_cuda_bucket_sizes sizes = {0, 0, 0};
    const uint64_t bins = (uint64_t)p->n_tiles * p->bins, size = bins_of_bucket(plan, p);
    if ((bins + size - 1) / size > MOST_BUCKETS) return sizes;
    const buckets b = buckets_of(plan, p, n);
    const int64_t records = (int64_t)b.most_parts * PART;
    if (records > UINT32_MAX) return sizes;
    sizes.records = records;
    sizes.numbers =
        MOST_BUCKETS * STRIDE + STRIDE + (int64_t)b.n * b.row + 3 + 4 * (int64_t)b.most_parts;
    sizes.places = plan->options.dim < 3 ? 2 * n : 0;
    return sizes;
}

/* The room of a block's points in the buckets. */
struct bucket_room {
    uint32_t first[MOST_BUCKETS]; /* count of a bucket's points; then the place of the first */
    uint32_t shift[MOST_BUCKETS]; /* what to add to a place for the place in the array ... */
    uint32_t turn[MOST_BUCKETS];  /* ... up to this place; from there on */
    uint32_t then[MOST_BUCKETS];  /* this */
};

/* A place in the array, of a place among the block's points. */
__device__ __forceinline__ uint32_t place_of_point(const bucket_room &o, uint32_t bucket,
                                                   uint32_t at)
{
    return at + (at < o.turn[bucket] ? o.shift[bucket] : o.then[bucket]);
}

/* What a block of fill_buckets holds in shared memory: less than 99 KiB, which most GPUs have. A
 * point's bucket has its number, below it the number of its bin in the bucket. */
template <typename real, int AXES> struct ordered_points : bucket_room {
    enum { N = ORDERED / sizeof(point_record<real>), AHEAD = sizeof(real) == 4 ? 8 : 1 };
    typedef point_record<real> kept;
    kept record[N]; /* by buckets */
    uint32_t bin[N];

    static __device__ __forceinline__ kept keep(const point_record<real> &r)
    {
        return r;
    }

    __device__ __forceinline__ void put(uint32_t at, kept r, uint32_t its_bin, uint32_t,
                                        uint32_t to)
    {
        if (AXES < 3) r.at[2] = to;
        record[at] = r;
        bin[at] = its_bin;
    }

    __device__ __forceinline__ void write(const buckets &b, uint32_t *bins, int64_t, int n) const
    {
        const int words = sizeof(kept) / sizeof(uint4);
        for (int w = threadIdx.x; w < n * words; w += FILLERS) {
            const int at = w / words;
            const uint64_t to = AXES < 3 ? (uint32_t)record[at].at[2]
                                         : place_of_point(*this, bin[at] >> BIN_BITS, (uint32_t)at);
            b.records[to * words + w % words] = ((const uint4 *)record)[w];
            if (w % words == 0) bins[to] = bin[at] & BIN_MASK;
        }
    }
};

/* In two arrays: 12 bytes less a point, so there is room for more points in runs of one bucket. */
template <> struct ordered_points<double, 2> : bucket_room {
    enum { N = 6 * FILLERS, AHEAD = 3 };
    typedef ulonglong2 kept;
    ulonglong2 record[N];
    uint32_t place[N], bin[N]; /* above the bin: which of the block's points */

    static __device__ __forceinline__ kept keep(const point_record<double> &r)
    {
        return make_ulonglong2(r.at[0], r.at[1]);
    }

    __device__ __forceinline__ void put(uint32_t at, kept r, uint32_t its_bin, uint32_t k,
                                        uint32_t to)
    {
        record[at] = r;
        place[at] = to;
        bin[at] = (its_bin & BIN_MASK) | k << BIN_BITS;
    }

    __device__ __forceinline__ void write(const buckets &b, uint32_t *bins, int64_t begin,
                                          int n) const
    {
        for (int at = threadIdx.x; at < n; at += FILLERS) {
            const uint32_t to = place[at];
            ((ulonglong2 *)b.records)[to] = record[at];
            b.index[to] = (uint32_t)begin + (bin[at] >> BIN_BITS);
            bins[to] = bin[at] & BIN_MASK;
        }
    }
};

/* Takes the part of the bucket that begins at its point `begin`. */
__device__ __forceinline__ uint32_t take_part(const buckets &b, uint32_t bucket, uint32_t begin)
{
    const uint32_t part = atomicAdd(b.parts, 1u);
    atomicExch(&b.part_of[(size_t)bucket * b.row + begin / PART], part + 1);
    return part;
}

/* 1 + the part of the bucket's point; 0: not taken yet. */
__device__ __forceinline__ uint32_t part_with(const buckets &b, uint32_t bucket, uint32_t point)
{
    return *(const volatile uint32_t *)&b.part_of[(size_t)bucket * b.row + point / PART];
}

/* Room for the block's points of each bucket: fills first, shift, turn, then. */
__device__ __forceinline__ void find_room(const buckets &b, bucket_room &o, uint32_t *of_warp)
{
    enum { EACH = MOST_BUCKETS / FILLERS };
    const uint32_t mine = EACH * threadIdx.x;
    uint32_t count[EACH], point[EACH], here[EACH], next[EACH], sum = 0;
    for (int i = 0; i < EACH; i++) sum += count[i] = o.first[mine + i];
    uint32_t at = sum_before(sum, of_warp);
    for (int i = 0; i < EACH; i++)
        point[i] = count[i] ? atomicAdd(&b.next[(mine + i) * STRIDE], count[i]) : 0;
    for (int i = 0; i < EACH; i++) {
        const uint32_t begin = (point[i] + PART - 1) / PART * PART; /* of a part */
        next[i] = begin < point[i] + count[i] ? take_part(b, mine + i, begin) : 0;
    }
    __syncwarp(); /* none waits before all have taken theirs */
    for (int i = 0; i < EACH; i++) here[i] = count[i] ? part_with(b, mine + i, point[i]) : 1;
    for (int i = 0; i < EACH; i++) {
        while (here[i] == 0) here[i] = part_with(b, mine + i, point[i]);
        const uint32_t inside = point[i] % PART, turn = at + PART - inside;
        o.first[mine + i] = at;
        o.shift[mine + i] = (here[i] - 1) * PART + inside - at;
        o.turn[mine + i] = turn;
        o.then[mine + i] = next[i] * PART - turn;
        at += count[i];
    }
}

/* AXES: 2 in 1D and 2D. */
template <typename source, typename real, int AXES>
__global__ void __launch_bounds__(FILLERS, 2)
    fill_buckets(const fold_parameters f, const buckets b, uint32_t *bins,
                 enuf_cuda_sort_state *state, enuf_cuda_record *record)
{
    typedef ordered_points<real, AXES> ordered;
    enum { N = ordered::N, AHEAD = ordered::AHEAD /* points loaded at once */ };
    extern __shared__ __align__(16) unsigned char memory[];
    ordered &o = *(ordered *)memory;
    __shared__ uint32_t of_warp[FILLERS / 32];
    const int64_t begin = (int64_t)blockIdx.x * N;
    const int n = f.n - begin < N ? (int)(f.n - begin) : N;
    typename ordered::kept mine[N / FILLERS];
    uint32_t bin[N / FILLERS]; /* its bucket, below it the bin's place in the bucket */
    uint32_t nth[N / FILLERS]; /* of the block's points in its bucket */
    bool bad = false;
    for (int k = threadIdx.x; k < MOST_BUCKETS; k += FILLERS) o.first[k] = 0;
    __syncthreads();
    point_coordinates<source> loaded[AHEAD];
#pragma unroll
    for (int i = 0; i < N / FILLERS; i++) {
        const int k = i * FILLERS + (int)threadIdx.x;
        folded_from<source> p;
        if (i % AHEAD == 0)
            for (int next = 0; next < AHEAD; next++)
                loaded[next] =
                    load_point<AXES>(source(), f, begin + min(k + next * FILLERS, n - 1));
        if (k >= n) continue;
        if (!fold_point<AXES>(source(), f, loaded[i % AHEAD], &p)) {
            atomicMin(&record->bad_point, (unsigned long long)(begin + k));
            bad = true;
            continue;
        }
        mine[i] = ordered::keep(record_of<real>(f, p, begin + k));
        const uint32_t its_bin = bin_of(f, p), bucket = bucket_of(b, its_bin);
        bin[i] = bucket << BIN_BITS | (its_bin - bucket * b.size);
        nth[i] = atomicAdd(&o.first[bucket], 1);
    }
    if (__syncthreads_or(bad)) { /* the sort is refused */
        if (bad) state->bad = 1;
        return;
    }
    find_room(b, o, of_warp);
    __syncthreads();
    uint32_t *place = AXES < 3 ? place_of(b, state->places + 1) : NULL;
#pragma unroll
    for (int i = 0; i < N / FILLERS; i++) {
        const int k = i * FILLERS + (int)threadIdx.x;
        if (k >= n) continue;
        const uint32_t bucket = bin[i] >> BIN_BITS, at = o.first[bucket] + nth[i];
        const uint32_t to = AXES < 3 ? place_of_point(o, bucket, at) : 0;
        if (place) place[begin + k] = to;
        o.put(at, mine[i], bin[i], (uint32_t)k, to);
    }
    __syncthreads();
    o.write(b, bins, begin, n);
}

/* Lists the parts, a thread one; a block first adds up the parts of all buckets. */
__global__ void __launch_bounds__(MOST_BUCKETS)
    list_parts(const buckets b, const enuf_cuda_sort_state *state)
{
    __shared__ uint32_t begin[MOST_BUCKETS + 1]; /* of a bucket, among the parts */
    __shared__ uint32_t of_warp[MOST_BUCKETS / 32];
    enuf_chain_wait();
    if (state->bad) return;
    const uint32_t k = threadIdx.x, points = k < b.n ? b.next[k * STRIDE] : 0;
    const uint32_t parts = (points + PART - 1) / PART, at = sum_before(parts, of_warp);
    begin[k] = at;
    if (k == MOST_BUCKETS - 1) begin[MOST_BUCKETS] = at + parts;
    __syncthreads();
    const uint32_t turn = blockIdx.x * MOST_BUCKETS + threadIdx.x;
    if (turn >= b.most_parts) return;
    if (turn >= begin[MOST_BUCKETS]) {
        b.list[turn] = make_uint4(0, 0, 0, 0);
        return;
    }
    uint32_t low = 0, high = MOST_BUCKETS; /* begin[low] <= turn < begin[high] */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (begin[middle] <= turn)
            low = middle;
        else
            high = middle;
    }
    const uint32_t nth = turn - begin[low], part = b.part_of[(size_t)low * b.row + nth] - 1;
    b.list[turn] = make_uint4(low, part, min(PART, b.next[low * STRIDE] - nth * PART), 0);
}

/* Where a block of count_parts has a bin's count: a word of 33 is left out, so that threads of a
 * warp, each with some bins in a row, meet different banks. */
__device__ __forceinline__ uint32_t spaced(uint32_t bin)
{
    return bin + bin / 32;
}

/* The points of each bin; in the upper half of `bins`, each point's place in its part by bins. A
 * block a part. */
__global__ void __launch_bounds__(COUNTERS)
    count_parts(const buckets b, uint32_t *bins, uint32_t *count, const enuf_cuda_sort_state *state)
{
    __shared__ uint32_t of_part[MOST_BINS + MOST_BINS / 32];
    __shared__ uint32_t of_warp[COUNTERS / 32];
    uint32_t bin[PART / COUNTERS], nth[PART / COUNTERS];
    bucket_part p;
    enuf_chain_wait();
    if (state->bad || !find_part(b, &p)) return;
    for (uint32_t k = threadIdx.x; k < p.n_bins; k += COUNTERS) of_part[spaced(k)] = 0;
#pragma unroll
    for (int i = 0; i < PART / COUNTERS; i++) {
        const uint32_t k = i * COUNTERS + threadIdx.x;
        if (k < p.n) bin[i] = bins[p.from + k];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < PART / COUNTERS; i++)
        if (i * COUNTERS + threadIdx.x < p.n) nth[i] = atomicAdd(&of_part[spaced(bin[i])], 1);
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < p.n_bins; k += COUNTERS) { /* neighbours: one request */
        const uint32_t here = of_part[spaced(k)];
        if (here) atomicAdd(&count[p.first_bin + k], here);
    }
    const uint32_t each = (p.n_bins + COUNTERS - 1) / COUNTERS; /* bins of a thread */
    const uint32_t first = threadIdx.x * each, end = min(first + each, p.n_bins);
    uint32_t points = 0;
    for (uint32_t k = first; k < end; k++) points += of_part[spaced(k)];
    uint32_t at = sum_before(points, of_warp); /* and all have read their counts */
    for (uint32_t k = first; k < end; k++) {
        const uint32_t here = of_part[spaced(k)];
        of_part[spaced(k)] = at;
        at += here;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < PART / COUNTERS; i++) {
        const uint32_t k = i * COUNTERS + threadIdx.x;
        if (k < p.n) bins[p.from + k] = bin[i] | (of_part[spaced(bin[i])] + nth[i]) << 16;
    }
}

template <typename source, typename real, int AXES>
static enuf_status count(const enuf_nufft *plan, const enuf_coordinates *c)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const buckets b = buckets_of(plan, p, c->n);
    const int shared = (int)sizeof(ordered_points<real, AXES>);
    const int64_t ordered = ordered_points<real, AXES>::N;
    const size_t cleared = (size_t)((uint32_t *)b.list - b.next) * sizeof *b.next;
    ENUF_CUDA_TRY(cudaMemsetAsync(b.next, 0, cleared, cuda->stream),
                  "clearing the counts of buckets");
    ENUF_CUDA_TRY(cudaFuncSetAttribute(fill_buckets<source, real, AXES>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                  "shared memory of buckets");
    fill_buckets<source, real, AXES>
        <<<(unsigned)((c->n + ordered - 1) / ordered), FILLERS, shared, cuda->stream>>>(
            fold_of(plan, c), b, p->taken_bin, p->state, cuda->record);
    enuf_chain(cuda->stream, list_parts, dim3((b.most_parts - 1) / MOST_BUCKETS + 1), MOST_BUCKETS,
               0, b, p->state);
    ENUF_TRY(enuf_cuda_launched("filling buckets"));
    enuf_chain(cuda->stream, count_parts, dim3(b.most_parts), COUNTERS, 0, b, p->taken_bin,
               p->count, p->state);
    return enuf_cuda_launched("counting points");
}

template <typename source, typename real>
static enuf_status count_in_dim(const enuf_nufft *plan, const enuf_coordinates *c)
{
    return plan->options.dim < 3 ? count<source, real, 2>(plan, c)
                                 : count<source, real, 3>(plan, c);
}

template <typename coordinate>
static enuf_status count_of(const enuf_nufft *plan, const enuf_coordinates *c)
{
    /* float: fold() takes half of the instructions of this kernel; in integers it is faster */
    return plan->options.precision == ENUF_FLOAT
               ? count_in_dim<in_integers<coordinate>, float>(plan, c)
               : count_in_dim<coordinate, double>(plan, c);
}

extern "C" enuf_status enuf_cuda_buckets_count(const enuf_nufft *plan, const enuf_coordinates *c)
{
    return c->precision == ENUF_FLOAT ? count_of<float>(plan, c) : count_of<double>(plan, c);
}
