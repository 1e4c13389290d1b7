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
 * and stores records in the order taken. In 2D that takes .5 to 1 of the time of the caller's
 * order, random points, and up to 1.2 of it for clusters (H200, November 2026). More than
 * MOST_TAKEN points are sorted by way of buckets (sort_buckets.cu); where memory does not suffice
 * for that they are taken in the caller's order, and both kernels fold them.
 *
 * A bad coordinate: the kernels after count_points keep the points sorted before, but set their
 * number to 0 (enuf_cuda_sort_state).
 *
 * Indexed storage has no records, only the caller's index of each point. slice.h makes the records
 * of a slice. Ranks are not stored: write_order counts again, with atomics as count_points.
 *
 * Bytes a point (float coordinates and records), counting and writing: in 3D 28 + 24 and 24 + 16;
 * in 2D, where the indices of the last order stand apart and a record has room for its bin, 12 + 20
 * and 20 + 20; for more than MOST_TAKEN points without buckets 12 + 4 and 12 + 4 + 16; indexed 12
 * and 12 + 4. The kernels do not synchronise and do not allocate. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/fold_fixed.cuh"
#include "cuda/device_memory.h"
#include "cuda/occupancy.cuh"
#include "cuda/sort/slice.h"
#include "sort_buckets.h"
#include "sort_end.cuh"
#include "sort_scan.cuh"
#include "subproblems.h"

static const int THREADS = 256; /* of a block */

/* Blocks of a multiprocessor. In 3D a kernel has no registers for 8. */
static constexpr int resident(int axes)
{
    const int most = MULTIPROCESSOR_THREADS / THREADS;
    return axes < 3 && most > 6 ? 8 : 6;
}
static_assert(6 * THREADS <= MULTIPROCESSOR_THREADS, "6 blocks fit");

static const uint32_t NOWHERE = 0xffffffffu; /* bin of a point that is not finite */
static_assert(SCAN_THREADS == 256, "a block that counts can scan");
enum { SCANNED_TILES = 128 /* at most, by the last block that counts */ };

/* More points are sorted by way of buckets; in 2D fewer: 4.2 million points took 44 ps a point
 * without buckets and 45 with them in float, 77 and 62 in double; 2.6 million 40 and 49, 73 and 65
 * (H200, November 2026). */
static const int64_t MOST_TAKEN = (int64_t)1 << 24;
static const int64_t MOST_TAKEN_2D[2] = {(int64_t)5 << 20, (int64_t)1 << 21}; /* float, double */

/* Points in the order in which they are taken: the order of the last sort's records, if it had as
 * many points. Without arrays: the caller's order. */
template <typename real> struct taken_points {
    const uint32_t *last;       /* the caller's index of each of the last sort's records ... */
    int stride;                 /* ... so many words apart */
    const uint64_t *total;      /* in its low bits, the number of sorted points; 0: no sort yet */
    point_record<real> *folded; /* [n] */
    uint32_t *bin;              /* [n]; NULL, in 1D and 2D: in folded[].at[2] */
    uint32_t *order;            /* [n] 1D and 2D, else NULL: index of each record of this sort */
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
struct alignas(16) block_counts {
    uint32_t bin[SLOTS], count[SLOTS];
};
static_assert(sizeof(block_counts) == THREADS * sizeof(uint4), "a thread clears 16 bytes");

/* The same, where a block's points of one bin share one atomic. All threads of a block call it. */
__device__ __forceinline__ uint32_t count_up_together(uint32_t *bins, uint32_t bin, block_counts &b)
{
    const unsigned same = __match_any_sync(~0u, bin);
    const int lane = threadIdx.x % 32, leader = __ffs((int)same) - 1;
    const bool leads = lane == leader && bin != NOWHERE;
    uint32_t slot = bin * 2654435761u >> 23, place = 0; /* the upper 9 bits: 2^9 slots */
    bool first = false;                                 /* of the block to meet the bin */
    const uint32_t empty = threadIdx.x < THREADS / 2 ? NOWHERE : 0;
    ((uint4 *)&b)[threadIdx.x] = make_uint4(empty, empty, empty, empty);
    __syncthreads();
    if (leads) {
        for (;; slot = (slot + 1) % SLOTS) {
            const uint32_t other = atomicCAS(&b.bin[slot], NOWHERE, bin);
            first = other == NOWHERE;
            if (first || other == bin) break;
        }
        place = atomicAdd(&b.count[slot], (uint32_t)__popc(same));
    }
    __syncthreads();
    if (first) b.count[slot] = atomicAdd(&bins[bin], b.count[slot]); /* the bin's count before */
    __syncthreads();
    if (leads) place += b.count[slot];
    place = __shfl_sync(~0u, place, leader);
    return place + (uint32_t)__popc(same & ((1u << lane) - 1));
}

/* AXES: 2 in 1D and 2D, else 3. In 1D and 2D bins hold many points: a block's points of one bin
 * take one atomic, not one for each warp. */
template <int AXES> __device__ __forceinline__ uint32_t count_in(uint32_t *bins, uint32_t bin)
{
    if constexpr (AXES < 3) {
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
template <typename source, typename real, int AXES, bool SCANS>
__global__ void __launch_bounds__(THREADS, resident(AXES))
    count_points(const fold_parameters f, const taken_points<real> taken, uint32_t *rank,
                 const scan_parameters scan, enuf_cuda_record *record)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t bin = NOWHERE;
    enuf_chain_wait();
    if (k < f.n) {
        const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
        int64_t j = k;
        if (taken.folded && (*taken.total & points) == (uint64_t)f.n)
            j = (int64_t)taken.last[k * taken.stride];
        folded_from<source> p;
        if (fold<AXES>(source(), f, j, &p)) {
            bin = bin_of(f, p);
        } else {
            atomicMin(&record->bad_point, (unsigned long long)j);
            scan.state->bad = 1;
        }
        if (taken.folded && bin != NOWHERE) {
            point_record<real> r = record_of<real>(f, p, j);
            if (taken.bin)
                taken.bin[k] = bin;
            else
                r.at[2] = bin;
            write_record<real>(r, taken.folded + k);
        }
    }
    const uint32_t place = count_in<AXES>(scan.count, bin);
    if (k < f.n && rank) rank[k] = place;
    if constexpr (SCANS) scan_last(scan);
}

/* A thread a point, as count_points. */
template <typename source, typename real, int AXES>
__global__ void __launch_bounds__(THREADS, resident(AXES))
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
            bin = taken.bin ? taken.bin[thread] : (uint32_t)r.at[2];
        } else {
            folded_from<source> p;
            fold<AXES>(source(), f, (int64_t)thread, &p);
            r = record_of<real>(f, p, (int64_t)thread);
            bin = bin_of(f, p);
        }
        const uint32_t place = bin_start[bin] + rank[thread];
        write_record<real>(r, records + place);
        if (taken.order) taken.order[place] = (uint32_t)r.index;
        if (place % 32 == 0) tile_at[place / 32] = bin / (uint32_t)f.bins;
    }
    end_sort(c, f.n, refused);
}

/* A thread a point, in the caller's order; bin_next: where a bin's next point goes. */
template <typename source, int AXES>
__global__ void __launch_bounds__(THREADS, resident(AXES))
    write_order(const fold_parameters f, uint32_t *bin_next, uint32_t *order, const sort_end c)
{
    const bool refused = c.state->refused;
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t bin = NOWHERE;
    folded_from<source> p;
    if (j < f.n && !refused && fold<AXES>(source(), f, j, &p)) bin = bin_of(f, p);
    const uint32_t place = count_in<AXES>(bin_next, bin);
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
    /* complex strengths mostly slide from tile to tile along z: spread.c */
    p->z_first =
        plan->options.dim == 3 && !plan->real && plan->method.fit.width <= ENUF_CUDA_MIDDLE_WIDTH;
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

template <typename real>
static taken_points<real> taken_of(const enuf_nufft *plan, bool in_order_of_caller)
{
    const enuf_cuda_points *p = &enuf_cuda_of(plan)->points;
    taken_points<real> t = {};
    t.total = p->start + p->n_tiles;
    if (in_order_of_caller || !p->taken) return t;
    t.folded = (point_record<real> *)p->taken;
    if (plan->options.dim < 3) {
        t.last = t.order = p->order;
        t.stride = 1;
    } else {
        t.last = (const uint32_t *)&((const point_record<real> *)p->records)->index;
        t.stride = sizeof(point_record<real>) / sizeof *t.last; /* an index's lower word */
        t.bin = p->taken_bin;
    }
    return t;
}

template <typename source, typename real, int AXES>
static enuf_status sort(enuf_nufft *plan, const enuf_coordinates *c)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_points *p = &cuda->points;
    const fold_parameters f = fold_of(plan, c);
    const bool many = c->n > cuda->most_taken, by_buckets = many && p->bucket;
    const unsigned blocks = (unsigned)((c->n + THREADS - 1) / THREADS);
    const taken_points<real> taken = taken_of<real>(plan, many);
    const bool scans = AXES == 3 && !by_buckets && blocks > 0 && p->n_tiles <= SCANNED_TILES;
    p->most = enuf_cuda_subproblem_points(cuda, c->n);
    if (by_buckets)
        ENUF_TRY(enuf_cuda_buckets_count(plan, c));
    else if (blocks > 0)
        enuf_chain(cuda->stream,
                   scans ? count_points<source, real, AXES, AXES == 3>
                         : count_points<source, real, AXES, false>,
                   dim3(blocks), THREADS, 0, f, taken, p->rank, enuf_cuda_scan_of(cuda, p->most),
                   cuda->record);
    ENUF_TRY(enuf_cuda_launched("counting points"));
    if (!scans) ENUF_TRY(enuf_cuda_sort_scan(cuda, p->most));
    const unsigned writers = blocks > 0 ? blocks : 1; /* they also clear the counts */
    if (p->indexed)
        write_order<source, AXES>
            <<<writers, THREADS, 0, cuda->stream>>>(f, p->bin_start, p->order, sort_end_of(plan));
    else if (by_buckets)
        ENUF_TRY(enuf_cuda_buckets_write(plan, c->n));
    else
        enuf_chain(cuda->stream, write_points<source, real, AXES>, dim3(writers), THREADS, 0, f,
                   taken, p->bin_start, p->rank, (point_record<real> *)p->records, p->tile_at,
                   sort_end_of(plan));
    ENUF_TRY(enuf_cuda_launched("writing sorted points"));
    p->coordinates = *c;
    p->n = c->n;
    return ENUF_SUCCESS;
}

template <typename source, typename real>
static enuf_status sort_records(enuf_nufft *plan, const enuf_coordinates *c)
{
    return plan->options.dim < 3 ? sort<source, real, 2>(plan, c) : sort<source, real, 3>(plan, c);
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
