/*
 * sort_arrays.c - the arrays of sorted points, which a reserve makes: for records or indices, for
 * points as they are taken, for buckets where points are very many.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/device_memory.h"
#include "cuda/sort/slice.h"
#include "sort_buckets.h"
#include "subproblems.h"

static const int64_t MOST_POINTS = 0xfffffffe; /* 0xffffffff is a bin of no point: sort.cu */

/* Most sub-problems: the upper bits of a start, without the sign bit. */
static const int64_t MOST_SUBPROBLEMS = (int64_t)1 << (63 - ENUF_CUDA_POINT_BITS);

/* The same tiles, without the arrays that a reserve makes. */
static enuf_cuda_points without_arrays(const enuf_cuda_points *from)
{
    enuf_cuda_points p = *from;
    p.records = p.taken = NULL;
    p.rank = p.taken_bin = p.bucket = p.bucket_place = p.tile_at = p.order = NULL;
    p.list = p.slice_list = NULL;
    p.kept = (enuf_cuda_kept){0};
    return p;
}

static void release_taken(enuf_nufft *plan, enuf_cuda_points *p)
{
    enuf_cuda_release(plan, &p->taken);
    enuf_cuda_release(plan, &p->taken_bin);
    enuf_cuda_release(plan, &p->order);
    enuf_cuda_release(plan, &p->bucket);
    enuf_cuda_release(plan, &p->bucket_place);
}

void enuf_cuda_sort_release(enuf_nufft *plan, enuf_cuda_points *p)
{
    enuf_cuda_release(plan, &p->records);
    enuf_cuda_release(plan, &p->rank);
    enuf_cuda_release(plan, &p->list);
    enuf_cuda_release(plan, &p->tile_at);
    release_taken(plan, p);
    enuf_cuda_release(plan, &p->slice_list);
}

static enuf_status allocate_bins(enuf_nufft *plan, int64_t records, enuf_cuda_points *p)
{
    return enuf_cuda_allocate(plan, &p->taken_bin, records, sizeof *p->taken_bin, "bins of points");
}

static enuf_status allocate_order(enuf_nufft *plan, int64_t n, enuf_cuda_points *p)
{
    return enuf_cuda_allocate(plan, &p->order, n, sizeof *p->order, "the order of points");
}

static enuf_status allocate_taken(enuf_nufft *plan, int64_t records, enuf_cuda_points *p)
{
    return enuf_cuda_allocate(plan, &p->taken, records, enuf_cuda_record_bytes(plan),
                              "points as they are taken");
}

/* For n points that are taken in the order of the last sort. */
static enuf_status allocate_last_order(enuf_nufft *plan, int64_t n, enuf_cuda_points *p)
{
    ENUF_TRY(allocate_taken(plan, n, p));
    return plan->options.dim < 3 ? allocate_order(plan, n, p) : allocate_bins(plan, n, p);
}

static enuf_status allocate_buckets(enuf_nufft *plan, const enuf_cuda_bucket_sizes *sizes,
                                    enuf_cuda_points *p)
{
    ENUF_TRY(allocate_taken(plan, sizes->records, p));
    ENUF_TRY(allocate_bins(plan, sizes->records, p));
    if (plan->options.dim < 3) ENUF_TRY(allocate_order(plan, enuf_cuda_of(plan)->most_taken, p));
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
    const size_t record = enuf_cuda_record_bytes(plan);
    p->indexed = 0;
    ENUF_TRY(enuf_cuda_allocate(plan, &p->records, n, record, "sorted points"));
    ENUF_TRY(
        enuf_cuda_allocate(plan, &p->tile_at, n / 32 + 2, sizeof *p->tile_at, "tiles of points"));
    const int64_t few = enuf_cuda_of(plan)->most_taken;
    ENUF_TRY(n > few ? try_buckets(plan, n, p) : allocate_last_order(plan, n, p));
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
    ENUF_TRY(allocate_order(plan, n, p));
    ENUF_TRY(enuf_cuda_allocate(plan, &p->records, points, enuf_cuda_record_bytes(plan),
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

enuf_status enuf_cuda_sort_allocate(enuf_nufft *plan, int64_t max_points, enuf_cuda_points *fresh)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    if (max_points > MOST_POINTS)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "%lld points: the CUDA backend numbers them in 32 bits, %lld at most",
                         (long long)max_points, (long long)MOST_POINTS);
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
