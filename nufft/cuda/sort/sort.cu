/*
 * sort.cu - folds points into the fine grid and sorts them by the tile of the window's first cell
 * and, within a tile, by that cell along the last axis: a counting sort with payload.
 *
 * count_points counts the points of each bin and stores the rank of a point in its bin. The points
 * of a warp in the same bin take one atomic. The places of bins and the sub-problems come from the
 * counts: by the last block of count_points in small grids, else by sort_scan.cu. write_points
 * writes each record once. There are many bins, because atomics on one line of the second cache
 * come one after the other, 2.7 ns each: counting a million points by tile alone took 49 us (H100,
 * November 2026). In 1D and 2D bins hold more points, and clusters meet very few: there the points
 * of a block in the same bin take one atomic.
 *
 * If the number of points is that of the last sort, they are taken in the order of its records.
 * When points move only a little from step to step, neighbours in this order meet the same bins.
 * Then atomics are few, and records are written side by side. count_points gathers the coordinates
 * and stores records in the order taken. More than MOST_TAKEN points are sorted by way of buckets
 * (sort_buckets.cu); where memory does not suffice for that they are taken in the caller's order,
 * and both kernels fold them.
 *
 * A bad coordinate: the kernels after count_points keep the points sorted before, but set their
 * number to 0 (enuf_cuda_sort_state).
 *
 * Indexed storage has no records, only the caller's index of each point. slice.h makes the records
 * of a slice. Ranks are not stored: write_order counts again, with atomics as count_points.
 *
 * Bytes a point (float coordinates and records), counting and writing: 12 + 4 + 24 and 24 + 16; for
 * more than MOST_TAKEN points without buckets 12 + 4 and 12 + 4 + 16; indexed 12 and 12 + 4. The
 * kernels do not synchronise and do not allocate.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/fold_fixed.cuh"
#include "cuda/device_memory.h"
#include "cuda/sort/slice.h"
#include "sort_buckets.h"
#include "sort_end.cuh"
#include "sort_scan.cuh"
#include "subproblems.h"

static const int THREADS = 256, RESIDENT = 6; /* of a block; blocks of a multiprocessor */
static const uint32_t NOWHERE = 0xffffffffu;  /* bin of a point that is not finite */
static_assert(SCAN_THREADS == 256, "a block that counts can scan");
enum { SCANNED_TILES = 128 /* at most, by the last block that counts */ };

/* More points are sorted by way of buckets; in 2D fewer: 4.2 million points took 44 ps a point
 * without buckets and 45 with them in float, 77 and 62 in double; 2.6 million 40 and 49, 73 and 65
 * (H200, November 2026). */
static const int64_t MOST_TAKEN = (int64_t)1 << 24;
static const int64_t MOST_TAKEN_2D[2] = {(int64_t)5 << 20, (int64_t)1 << 21}; /* float, double */

/* Most sub-problems: the upper bits of a start, without the sign bit. */
static const int64_t MOST_SUBPROBLEMS = (int64_t)1 << (63 - ENUF_CUDA_POINT_BITS);

/* Points in the order in which they are taken: the order of the last sort's records, if it had as
 * many points. Without arrays: the caller's order. */
template <typename real> struct taken_points {
    const point_record<real> *last;
    const uint64_t *total;      /* in its low bits, the number of sorted points; 0: no sort yet */
    point_record<real> *folded; /* [n] */
    uint32_t *bin;              /* [n] */
};

/* Counts a point in its bin; returns the count before it. All lanes of a warp call it; points of
 * one bin share one atomic, because neighbours in memory are often neighbours in space. */
__device__ __forceinline__ uint32_t count_up(uint32_t *bins, uint32_t bin)
{
    const unsigned same = __match_any_sync(~0u, bin);
    const int lane = threadIdx.x % 32, leader = __ffs((int)same) - 1;
    uint32_t place = 0;
    if (lane == leader && bin != NOWHERE) place = atomicAdd(&bins[bin], (uint32_t)__popc(same));
    place = __shfl_sync(~0u, place, leader);
    return place + (uint32_t)__popc(same & ((1u << lane) - 1));
}

/* A block's points of each bin, in a table of the bins that it meets. */
enum { SLOTS = 512 /* twice as many as points, a power of two */ };
struct block_counts {
    uint32_t bin[SLOTS], count[SLOTS];
};

/* The same, where a block's points of one bin share one atomic. All threads of a block call it. */
__device__ __forceinline__ uint32_t count_up_together(uint32_t *bins, uint32_t bin, block_counts &b)
{
    const unsigned same = __match_any_sync(~0u, bin);
    const int lane = threadIdx.x % 32, leader = __ffs((int)same) - 1;
    const bool leads = lane == leader && bin != NOWHERE;
    uint32_t slot = bin * 2654435761u >> 23, place = 0; /* the upper 9 bits: 2^9 slots */
    for (int i = threadIdx.x; i < SLOTS; i += THREADS) {
        b.bin[i] = NOWHERE;
        b.count[i] = 0;
    }
    __syncthreads();
    if (leads) {
        for (;; slot = (slot + 1) % SLOTS) {
            const uint32_t other = atomicCAS(&b.bin[slot], NOWHERE, bin);
            if (other == NOWHERE || other == bin) break;
        }
        place = atomicAdd(&b.count[slot], (uint32_t)__popc(same));
    }
    __syncthreads();
    for (int i = threadIdx.x; i < SLOTS; i += THREADS) /* a count becomes its bin's count before */
        if (b.count[i]) b.count[i] = atomicAdd(&bins[b.bin[i]], b.count[i]);
    __syncthreads();
    if (leads) place += b.count[slot];
    place = __shfl_sync(~0u, place, leader);
    return place + (uint32_t)__popc(same & ((1u << lane) - 1));
}

/* TOGETHER: a block's points of one bin take one atomic, not one for each warp: where bins hold
 * many points, in 1D and 2D. */
template <bool TOGETHER> __device__ __forceinline__ uint32_t count_in(uint32_t *bins, uint32_t bin)
{
    if constexpr (TOGETHER) {
        __shared__ block_counts b;
        return count_up_together(bins, bin, b);
    } else {
        return count_up(bins, bin);
    }
}

/* Scans after all blocks of a kernel have counted; only the last of them works. Its time is less
 * than that of a launch where one round of tiles does. All threads of all blocks call it. */
__device__ __forceinline__ void scan_last(const scan_parameters &a)
{
    __shared__ bool last;
    __shared__ scan_space<SCANNED_TILES> space;
    __threadfence(); /* before this block's arrival, its counts and its bad points */
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&a.state->counted, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    const uint32_t bad = __ldcg(&a.state->bad);
    uint64_t all = 0;
    if (!bad) all = place_tiles<SCANNED_TILES>(a, 0, a.n_tiles, 0, false, space);
    if (threadIdx.x > 0) return;
    a.state->refused = bad;
    a.start[a.n_tiles] = all;
}

/* A thread a point, the k-th that is taken. rank NULL: ranks are not stored. SCANS: the last block
 * scans. */
template <typename source, typename real, bool TOGETHER, bool SCANS>
__global__ void __launch_bounds__(THREADS, RESIDENT)
    count_points(const fold_parameters f, const taken_points<real> taken, uint32_t *rank,
                 const scan_parameters scan, enuf_cuda_record *record)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t bin = NOWHERE;
    if (k < f.n) {
        const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
        int64_t j = k;
        if (taken.folded && (*taken.total & points) == (uint64_t)f.n)
            j = (int64_t)taken.last[k].index;
        folded_from<source> p;
        if (fold(source(), f, j, &p)) {
            bin = bin_of(f, p);
        } else {
            atomicMin(&record->bad_point, (unsigned long long)j);
            scan.state->bad = 1;
        }
        if (taken.folded && bin != NOWHERE) {
            write_record<real>(record_of<real>(f, p, j), taken.folded + k);
            taken.bin[k] = bin;
        }
    }
    const uint32_t place = count_in<TOGETHER>(scan.count, bin);
    if (k < f.n && rank) rank[k] = place;
    if constexpr (SCANS) scan_last(scan);
}

/* A thread a point, as count_points. */
template <typename source, typename real>
__global__ void __launch_bounds__(THREADS, RESIDENT)
    write_points(const fold_parameters f, const taken_points<real> taken, const uint32_t *bin_start,
                 const uint32_t *rank, point_record<real> *records, uint32_t *tile_at,
                 const sort_end c)
{
    const uint64_t thread = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    enuf_chain_wait();
    const bool refused = c.state->refused;
    if ((int64_t)thread < f.n && !refused) {
        point_record<real> r;
        uint32_t bin;
        if (taken.folded) {
            r = taken.folded[thread];
            bin = taken.bin[thread];
        } else {
            folded_from<source> p;
            fold(source(), f, (int64_t)thread, &p);
            r = record_of<real>(f, p, (int64_t)thread);
            bin = bin_of(f, p);
        }
        const uint32_t place = bin_start[bin] + rank[thread];
        write_record<real>(r, records + place);
        if (place % 32 == 0) tile_at[place / 32] = bin / (uint32_t)f.bins;
    }
    end_sort(c, f.n, refused);
}

/* A thread a point, in the caller's order; bin_next: where a bin's next point goes. */
template <typename source, bool TOGETHER>
__global__ void __launch_bounds__(THREADS, RESIDENT)
    write_order(const fold_parameters f, uint32_t *bin_next, uint32_t *order, const sort_end c)
{
    const bool refused = c.state->refused;
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t bin = NOWHERE;
    folded_from<source> p;
    if (j < f.n && !refused && fold(source(), f, j, &p)) bin = bin_of(f, p);
    const uint32_t place = count_in<TOGETHER>(bin_next, bin);
    if (bin != NOWHERE) order[place] = (uint32_t)j;
    end_sort(c, f.n, refused);
}

static enuf_status too_many_tiles(const enuf_nufft *plan)
{
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "a fine grid of %lldx%lldx%lld has too many tiles for the CUDA backend, which "
                     "counts them in 31 bits: use a coarser grid",
                     (long long)plan->method.grid[0], (long long)plan->method.grid[1],
                     (long long)plan->method.grid[2]);
}

static cudaError_t forget_order(const enuf_cuda *cuda)
{
    uint64_t *total = cuda->points.start + cuda->points.n_tiles;
    return cudaMemsetAsync(total, 0, sizeof *total, cuda->stream);
}

/* Clears the counters that a sort expects to be 0. */
static cudaError_t clear(const enuf_cuda *cuda)
{
    const enuf_cuda_points *p = &cuda->points;
    const size_t bins = (size_t)p->n_tiles * p->bins;
    const cudaError_t errors[4] = {
        forget_order(cuda), cudaMemsetAsync(p->count, 0, bins * sizeof *p->count, cuda->stream),
        cudaMemsetAsync(p->published, 0, ENUF_CUDA_SCAN_BLOCKS * sizeof *p->published,
                        cuda->stream),
        cudaMemsetAsync(p->state, 0, sizeof *p->state, cuda->stream)};
    for (int k = 0; k < 4; k++)
        if (errors[k] != cudaSuccess) return errors[k];
    return cudaSuccess;
}

extern "C" enuf_status enuf_cuda_sort_create(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_points *p = &cuda->points;
    int64_t tiles = 1;
    enuf_cuda_tile_shape(plan->options.dim, plan->method.fit.width, plan->method.grid, p->tile);
    for (int d = 0; d < 3; d++) {
        int64_t along = (plan->method.grid[d] + p->tile[d] - 1) / p->tile[d];
        if (along > 0x7fffffff / tiles) return too_many_tiles(plan);
        p->tiles[d] = (int)along;
        tiles *= along;
    }
    p->n_tiles = (uint32_t)tiles;
    p->cells_of_bin = (p->tile[plan->options.dim - 1] - 1) / ENUF_CUDA_MOST_BINS + 1;
    p->bins = (uint32_t)((p->tile[plan->options.dim - 1] - 1) / p->cells_of_bin + 1);
    if ((uint64_t)p->n_tiles * p->bins >= NOWHERE) return too_many_tiles(plan);
    const int64_t bins = tiles * p->bins;
    ENUF_TRY(enuf_cuda_allocate(plan, &p->count, bins, sizeof *p->count, "counts of bins"));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->bin_start, bins, sizeof *p->bin_start, "starts of bins"));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->start, tiles + 1, sizeof *p->start, "starts of tiles"));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->published, ENUF_CUDA_SCAN_BLOCKS, sizeof *p->published,
                                "the scan's sums"));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->state, 1, sizeof *p->state, "a sort's counters"));
    if (plan->options.point_storage != ENUF_POINTS_PACKED) {
        ENUF_TRY(enuf_cuda_allocate(plan, &p->slice, 1, sizeof *p->slice, "a slice of the points"));
        ENUF_TRY(enuf_cuda_allocate(plan, &p->slice_start, tiles + 1, sizeof *p->slice_start,
                                    "starts of a slice's tiles"));
    }
    ENUF_CUDA_TRY(clear(cuda), "clearing the counts of bins");
    /* a plan with a memory_limit has no buckets (try_buckets) */
    cuda->most_taken = plan->options.dim == 2 && plan->options.memory_limit == 0
                           ? MOST_TAKEN_2D[plan->options.precision == ENUF_DOUBLE]
                           : MOST_TAKEN;
    return ENUF_SUCCESS;
}

/* ---- Room for points ---- */

/* The same tiles, without the arrays that a reserve makes. */
static enuf_cuda_points without_arrays(const enuf_cuda_points *from)
{
    enuf_cuda_points p = *from;
    p.records = p.taken = NULL;
    p.rank = p.taken_bin = p.bucket = p.bucket_place = p.tile_at = p.order = NULL;
    p.list = p.slice_list = NULL;
    p.kept = {};
    return p;
}

static void release_taken(enuf_nufft *plan, enuf_cuda_points *p)
{
    enuf_cuda_release(plan, &p->taken);
    enuf_cuda_release(plan, &p->taken_bin);
    enuf_cuda_release(plan, &p->bucket);
    enuf_cuda_release(plan, &p->bucket_place);
}

extern "C" void enuf_cuda_sort_release(enuf_nufft *plan, enuf_cuda_points *p)
{
    enuf_cuda_release(plan, &p->records);
    enuf_cuda_release(plan, &p->rank);
    enuf_cuda_release(plan, &p->list);
    enuf_cuda_release(plan, &p->tile_at);
    release_taken(plan, p);
    enuf_cuda_release(plan, &p->order);
    enuf_cuda_release(plan, &p->slice_list);
}

static size_t record_bytes(const enuf_nufft *plan)
{
    return plan->options.precision == ENUF_FLOAT ? sizeof(point_record<float>)
                                                 : sizeof(point_record<double>);
}

/* records of points as they are taken */
static enuf_status allocate_taken(enuf_nufft *plan, int64_t records, enuf_cuda_points *p)
{
    ENUF_TRY(enuf_cuda_allocate(plan, &p->taken, records, record_bytes(plan),
                                "points as they are taken"));
    return enuf_cuda_allocate(plan, &p->taken_bin, records, sizeof *p->taken_bin, "bins of points");
}

static enuf_status allocate_buckets(enuf_nufft *plan, const enuf_cuda_bucket_sizes *sizes,
                                    enuf_cuda_points *p)
{
    ENUF_TRY(allocate_taken(plan, sizes->records, p));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->bucket, sizes->numbers, sizeof *p->bucket,
                                "buckets of points"));
    if (sizes->places == 0) return ENUF_SUCCESS;
    return enuf_cuda_allocate(plan, &p->bucket_place, sizes->places, sizeof *p->bucket_place,
                              "places in buckets");
}

/* Without a memory_limit, and where memory suffices; else points.bucket stays NULL. */
static enuf_status try_buckets(enuf_nufft *plan, int64_t n, enuf_cuda_points *p)
{
    const enuf_cuda_bucket_sizes sizes = enuf_cuda_buckets_size(plan, p, n);
    if (sizes.records == 0 || plan->options.memory_limit > 0) return ENUF_SUCCESS;
    const enuf_status status = allocate_buckets(plan, &sizes, p);
    if (status == ENUF_SUCCESS) return status;
    release_taken(plan, p);
    return status == ENUF_OUT_OF_MEMORY ? ENUF_SUCCESS : status;
}

static enuf_status allocate_rank(enuf_nufft *plan, int64_t n, enuf_cuda_points *p)
{
    return enuf_cuda_allocate(plan, &p->rank, n, sizeof *p->rank, "places of points");
}

static enuf_status allocate_packed(enuf_nufft *plan, int64_t n, enuf_cuda_points *p)
{
    const size_t record = record_bytes(plan);
    p->indexed = 0;
    ENUF_TRY(enuf_cuda_allocate(plan, &p->records, n, record, "sorted points"));
    ENUF_TRY(
        enuf_cuda_allocate(plan, &p->tile_at, n / 32 + 2, sizeof *p->tile_at, "tiles of points"));
    const int64_t few = enuf_cuda_of(plan)->most_taken;
    ENUF_TRY(n > few ? try_buckets(plan, n, p) : allocate_taken(plan, n, p));
    const enuf_status status = allocate_rank(plan, p->bucket ? few : n, p);
    if (status != ENUF_OUT_OF_MEMORY || !p->bucket) return status;
    release_taken(plan, p); /* buckets left no room */
    return allocate_rank(plan, n, p);
}

static enuf_status allocate_indexed(enuf_nufft *plan, int64_t n, enuf_cuda_points *p)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t points = enuf_cuda_slice_points(plan, n, enuf_cuda_subproblem_points(cuda, n));
    const int64_t list = enuf_cuda_subproblems_of_slice(cuda, points);
    p->indexed = 1;
    p->slice_points = points;
    p->slice_list_length = list;
    ENUF_TRY(enuf_cuda_allocate(plan, &p->order, n, sizeof *p->order, "the order of points"));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->records, points, record_bytes(plan),
                                "records of a slice of the points"));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->tile_at, points / 32 + 2, sizeof *p->tile_at,
                                "tiles of a slice's points"));
    return enuf_cuda_allocate(plan, &p->slice_list, list, sizeof *p->slice_list,
                              "sub-problems of a slice");
}

static enuf_status allocate_storage(enuf_nufft *plan, int64_t n, int indexed, enuf_cuda_points *p)
{
    enuf_status status =
        enuf_cuda_allocate(plan, &p->list, enuf_cuda_subproblems(enuf_cuda_of(plan), n),
                           sizeof *p->list, "sub-problems");
    if (status == ENUF_SUCCESS)
        status = indexed ? allocate_indexed(plan, n, p) : allocate_packed(plan, n, p);
    if (status != ENUF_SUCCESS) enuf_cuda_sort_release(plan, p);
    return status;
}

/* The storage that the option names; auto: packed, or indexed if memory does not suffice. */
static enuf_status allocate(enuf_nufft *plan, int64_t n, enuf_cuda_points *p)
{
    const enuf_point_storage storage = plan->options.point_storage;
    const int indexed = storage == ENUF_POINTS_INDEXED;
    const enuf_status status = allocate_storage(plan, n, indexed, p);
    if (status != ENUF_OUT_OF_MEMORY || storage != ENUF_POINTS_AUTO || enuf_cuda_on_host(plan))
        return status;
    return allocate_storage(plan, n, 1, p);
}

extern "C" enuf_status enuf_cuda_sort_allocate(enuf_nufft *plan, int64_t max_points,
                                               enuf_cuda_points *fresh)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    if (max_points >= (int64_t)NOWHERE)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "%lld points: the CUDA backend numbers them in 32 bits, %lld at most",
                         (long long)max_points, (long long)NOWHERE - 1);
    if (enuf_cuda_subproblems(cuda, max_points) >= MOST_SUBPROBLEMS)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "%lld points in %u tiles of the fine grid are too many for the CUDA "
                         "backend, which numbers parts of tiles in %d bits: use fewer points, or a "
                         "coarser grid",
                         (long long)max_points, p->n_tiles, 63 - ENUF_CUDA_POINT_BITS);
    *fresh = without_arrays(p);
    ENUF_TRY(allocate(plan, max_points, fresh));
    fresh->capacity = max_points;
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_cuda_sort_forget(const enuf_nufft *plan)
{
    ENUF_CUDA_TRY(forget_order(enuf_cuda_of(plan)), "clearing the order of points");
    return ENUF_SUCCESS;
}

static enuf_status read_state(const enuf_nufft *plan, enuf_cuda_sort_state *state)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    ENUF_CUDA_TRY(cudaMemcpyAsync(state, cuda->points.state, sizeof *state, cudaMemcpyDeviceToHost,
                                  cuda->stream),
                  "reading the state of the sort");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "reading the state of the sort");
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_cuda_sort_refused(const enuf_nufft *plan, int *refused)
{
    enuf_cuda_sort_state state;
    ENUF_TRY(read_state(plan, &state));
    *refused = (int)state.refused;
    return ENUF_SUCCESS;
}

extern "C" enuf_status enuf_cuda_sort_restore(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_points *p = &cuda->points;
    enuf_cuda_sort_state state;
    ENUF_TRY(read_state(plan, &state));
    /* indexed points in device memory: the caller may have changed the coordinates */
    const int kept = !p->indexed || enuf_cuda_on_host(plan);
    plan->points_set = kept && state.set > plan->sets_void;
    if (!plan->points_set) return ENUF_SUCCESS;
    plan->n_points = p->n = state.n;
    p->most = enuf_cuda_subproblem_points(cuda, state.n);
    ENUF_CUDA_TRY(cudaMemcpyAsync(p->start + p->n_tiles, &state.total, sizeof state.total,
                                  cudaMemcpyHostToDevice, cuda->stream),
                  "restoring the points");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "restoring the points");
    return ENUF_SUCCESS;
}

template <typename source, typename real, bool TOGETHER>
static enuf_status sort(enuf_nufft *plan, const enuf_coordinates *c)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_points *p = &cuda->points;
    const fold_parameters f = fold_of(plan, c);
    taken_points<real> taken = {(const point_record<real> *)p->records, p->start + p->n_tiles,
                                (point_record<real> *)p->taken, p->taken_bin};
    const bool many = c->n > cuda->most_taken, by_buckets = many && p->bucket;
    const unsigned blocks = (unsigned)((c->n + THREADS - 1) / THREADS);
    if (many) taken.folded = NULL;
    const bool scans = !TOGETHER && !by_buckets && blocks > 0 && p->n_tiles <= SCANNED_TILES;
    p->most = enuf_cuda_subproblem_points(cuda, c->n);
    if (by_buckets)
        ENUF_TRY(enuf_cuda_buckets_count(plan, c));
    else if (blocks > 0)
        (scans ? count_points<source, real, TOGETHER, !TOGETHER>
               : count_points<source, real, TOGETHER, false>)<<<blocks, THREADS, 0, cuda->stream>>>(
            f, taken, p->rank, enuf_cuda_scan_of(cuda, p->most), cuda->record);
    ENUF_TRY(enuf_cuda_launched("counting points"));
    if (!scans) ENUF_TRY(enuf_cuda_sort_scan(cuda, p->most));
    const unsigned writers = blocks > 0 ? blocks : 1; /* they also clear the counts */
    if (p->indexed)
        write_order<source, TOGETHER>
            <<<writers, THREADS, 0, cuda->stream>>>(f, p->bin_start, p->order, sort_end_of(plan));
    else if (by_buckets)
        ENUF_TRY(enuf_cuda_buckets_write(plan, c->n));
    else
        enuf_chain(cuda->stream, write_points<source, real>, dim3(writers), THREADS, 0, f, taken,
                   p->bin_start, p->rank, (point_record<real> *)p->records, p->tile_at,
                   sort_end_of(plan));
    ENUF_TRY(enuf_cuda_launched("writing sorted points"));
    p->coordinates = *c;
    p->n = c->n;
    return ENUF_SUCCESS;
}

template <typename source, typename real>
static enuf_status sort_records(enuf_nufft *plan, const enuf_coordinates *c)
{
    return plan->options.dim < 3 ? sort<source, real, true>(plan, c)
                                 : sort<source, real, false>(plan, c);
}

template <typename coordinate>
static enuf_status sort_of(enuf_nufft *plan, const enuf_coordinates *c)
{
    if (enuf_cuda_of(plan)->avoids_fp64)
        return sort_records<in_integers<coordinate>, float>(plan, c);
    return plan->options.precision == ENUF_FLOAT ? sort_records<coordinate, float>(plan, c)
                                                 : sort_records<coordinate, double>(plan, c);
}

extern "C" enuf_status enuf_cuda_sort(enuf_nufft *plan, const enuf_coordinates *c)
{
    enuf_status status =
        c->precision == ENUF_FLOAT ? sort_of<float>(plan, c) : sort_of<double>(plan, c);
    if (status == ENUF_SUCCESS) return status;
    /* the last kernel may not have cleared the counts, and the earlier points may be lost: clear
     * the counts, and forget the points */
    enuf_nufft_void_points(plan);
    if (clear(enuf_cuda_of(plan)) != cudaSuccess)
        cudaGetLastError(); /* status has the first failure */
    return status;
}
