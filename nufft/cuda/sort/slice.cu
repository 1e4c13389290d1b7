/*
 * slice.cu - records, tiles and sub-problems of a slice of indexed points.
 *
 * Slice k holds the sub-problems that begin among the points k L ... (k + 1) L - 1, L a sub-problem
 * less than the room of a slice. So the number of slices depends on the number of points only, and
 * the host knows it. fill_tables cuts the starts of tiles and the list of sub-problems to the
 * slice; make_records gathers the coordinates.
 *
 * Tried: indices in slabs of tiles, each slice sorted when it is used. 1.7e8 points, float, 1e-3,
 * real, type 1: set_points 4.5 ms instead of 16.6, execute 41.5 instead of 31.5; double, 1e-6: 71.9
 * in all instead of 68.3 (H100, November 2026). In packed storage counting takes 3.7 ms and writing
 * records 14.4.
 *
 * Bytes a point: 4 + 3 sectors of 32 at random places + a record. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "slice.h"
#include "cuda/fold_fixed.cuh"

static const int THREADS = 256, RESIDENT = 6; /* of a block; blocks of a multiprocessor */

/* Size of a slice: records of so many bytes or a quarter of the points, if these are fewer; at
 * least four full sub-problems. 1.7e8 points in double, 1e-6, real, type 1 with set_points: 32 MB
 * 72.6 ms, 64 MB 68.3, 128 MB 66.5, 256 MB 65.4; 1.7e7 in float, 1e-3: a 64th of the points 7.4, a
 * 16th 5.6, a quarter or all 5.2 (H100, November 2026). */
static const int64_t MOST_BYTES = (int64_t)96 << 20;
static const int64_t PARTS = 4, LEAST_SUBPROBLEMS = 4;

extern "C" int64_t enuf_cuda_slice_points(const enuf_nufft *plan, int64_t n, int64_t most)
{
    int64_t points = MOST_BYTES / (int64_t)enuf_cuda_record_bytes(plan);
    if (points > n / PARTS) points = n / PARTS;
    return points > LEAST_SUBPROBLEMS * most ? points : LEAST_SUBPROBLEMS * most;
}

/* Points among which a slice's sub-problems begin. */
static int64_t length_of(const enuf_cuda_points *p)
{
    return p->slice_points - p->most;
}

extern "C" int64_t enuf_cuda_slices(const enuf_nufft *plan)
{
    const enuf_cuda_points *p = &enuf_cuda_of(plan)->points;
    if (p->n == 0) return 0;
    return p->indexed ? (p->n - 1) / length_of(p) + 1 : 1;
}

struct table_parameters {
    const uint64_t *start;
    const enuf_cuda_subproblem *list; /* of all points */
    uint32_t n_tiles;
    uint64_t from, behind; /* points among which the slice's sub-problems begin */
    enuf_cuda_slice *slice;
    uint64_t *slice_start;
    enuf_cuda_subproblem *slice_list;
    uint32_t *tile_at;
};

/* The first of n sub-problems that does not begin before a point. */
__device__ __forceinline__ uint32_t subproblem_from(const enuf_cuda_subproblem *list, uint32_t n,
                                                    uint64_t point)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (list[middle].first < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Each block finds the slice, and fills its share of the tables. */
__global__ void __launch_bounds__(THREADS) fill_tables(const table_parameters a)
{
    __shared__ uint32_t bound[2];
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1, all = a.start[a.n_tiles];
    const uint32_t n = (uint32_t)(all >> ENUF_CUDA_POINT_BITS);
    if (threadIdx.x % 32 == 0 && threadIdx.x < 64)
        bound[threadIdx.x / 32] = subproblem_from(a.list, n, threadIdx.x < 32 ? a.from : a.behind);
    __syncthreads();
    const uint32_t first = bound[0], behind = bound[1];
    const uint64_t thread = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const uint64_t threads = (uint64_t)gridDim.x * THREADS;
    if (first == behind) { /* after a bad coordinate there are no points */
        if (thread == 0) {
            *a.slice = {0, 0, 0, 1};
            a.slice_start[0] = a.slice_start[1] = 0;
        }
        return;
    }
    const uint64_t first_point = a.list[first].first;
    const uint64_t behind_point = behind < n ? a.list[behind].first : all & points;
    const uint32_t first_tile = a.list[first].tile;
    const uint32_t n_tiles = a.list[behind - 1].tile - first_tile + 1;
    const uint64_t base = (uint64_t)first << ENUF_CUDA_POINT_BITS | first_point;
    const uint64_t end = (uint64_t)behind << ENUF_CUDA_POINT_BITS | behind_point;
    if (thread == 0) *a.slice = {end - base, first_point, first_tile, n_tiles};
    for (uint64_t tile = thread; tile <= n_tiles; tile += threads) {
        const uint64_t start = a.start[first_tile + tile];
        a.slice_start[tile] = (start & points) <= first_point    ? 0
                              : (start & points) >= behind_point ? end - base
                                                                 : start - base;
    }
    for (uint64_t k = first + thread; k < behind; k += threads) {
        enuf_cuda_subproblem s = a.list[k];
        s.first -= first_point;
        s.tile -= first_tile;
        a.slice_list[k - first] = s;
        for (uint64_t j = (s.first + 31) / 32; 32 * j < s.first + s.count; j++)
            a.tile_at[j] = s.tile;
    }
}

static enuf_status tables(const enuf_cuda *cuda, int64_t k)
{
    const enuf_cuda_points *p = &cuda->points;
    table_parameters a;
    a.start = p->start;
    a.list = p->list;
    a.n_tiles = p->n_tiles;
    a.from = (uint64_t)(k * length_of(p));
    a.behind = (uint64_t)((k + 1) * length_of(p));
    a.slice = p->slice;
    a.slice_start = p->slice_start;
    a.slice_list = p->slice_list;
    a.tile_at = p->tile_at;
    const int64_t wanted = (p->slice_list_length + THREADS - 1) / THREADS;
    const int64_t most = cuda->multiprocessors;
    fill_tables<<<(unsigned)(wanted < most ? wanted : most), THREADS, 0, cuda->stream>>>(a);
    return enuf_cuda_launched("a slice's tiles");
}

/* A thread a point of the slice. The caller may have changed coordinates since set_points: the
 * window still stays in its tile, and a coordinate that is not finite goes into the record. */
template <typename source, typename real>
__global__ void __launch_bounds__(THREADS, RESIDENT)
    make_records(const fold_parameters f, const uint32_t *order, const enuf_cuda_slice *slice,
                 point_record<real> *records, enuf_cuda_record *record)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    const uint64_t k = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (k >= (slice->total & points)) return;
    const int64_t j = order[slice->first + k];
    folded_from<source> p;
    if (!fold<3>(source(), f, j, &p)) atomicMin(&record->bad_point, (unsigned long long)j);
    write_record<real>(record_of<real>(f, p, j), records + k);
}

template <typename source, typename real> static enuf_status records(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const int64_t points = p->n < p->slice_points ? p->n : p->slice_points;
    make_records<source, real>
        <<<(unsigned)((points + THREADS - 1) / THREADS), THREADS, 0, cuda->stream>>>(
            fold_of(plan, &p->coordinates), p->order, p->slice, (point_record<real> *)p->records,
            cuda->record);
    return enuf_cuda_launched("a slice's records");
}

template <typename coordinate> static enuf_status records_of(const enuf_nufft *plan)
{
    if (enuf_cuda_of(plan)->avoids_fp64) return records<in_integers<coordinate>, float>(plan);
    return plan->options.precision == ENUF_FLOAT ? records<coordinate, float>(plan)
                                                 : records<coordinate, double>(plan);
}

extern "C" enuf_status enuf_cuda_slice_load(enuf_nufft *plan, int64_t k)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    if (!cuda->points.indexed) return ENUF_SUCCESS;
    ENUF_TRY(tables(cuda, k));
    return cuda->points.coordinates.precision == ENUF_FLOAT ? records_of<float>(plan)
                                                            : records_of<double>(plan);
}
