/*
 * sort.cu - folds points into the fine grid and sorts them by the tile of the window's first cell:
 * a counting sort with payload, and the list of sub-problems.
 *
 * count_points takes one atomic a point and tile that a warp meets, and notes the point's place
 * within its tile; CUB's scan makes places of counts, of points and of sub-problems in one; then
 * write_points writes the records, each once, and the list. Coordinates are folded twice, which
 * costs less than to store them. Bytes a point (float coordinates and records): 12 + 4 and 12 + 4 +
 * 16, the last scattered. No synchronisation, nothing allocated.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "point.cuh"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

static const int THREADS = 256;
static const uint32_t NOWHERE = 0xffffffffu; /* tile of a point that is not finite */

/* Sub-problems: at least so many a multiprocessor, where there are points enough. */
static const int SUBPROBLEMS_PER_MULTIPROCESSOR = 16;
static const int64_t LEAST_POINTS = 128, MOST_POINTS = 2048;

/* Of them all: the upper bits of a start. */
static const int64_t MOST_SUBPROBLEMS = (int64_t)1 << (64 - ENUF_CUDA_POINT_BITS);

struct fold_parameters {
    const void *axis[3];
    int64_t stride, n;
    int dim, has_frame, tile[3], tiles[3];
    double frame[9], origin[3], period, half_width;
    double grid[3];
};

/* Window's first cell, folded, and the distance from the window's left edge to it; false if the
 * coordinates are not finite. */
template <typename coordinate>
__device__ __forceinline__ bool fold(const fold_parameters &f, int64_t j, int64_t first[3],
                                     double s[3])
{
    double x[3] = {0, 0, 0};
    bool good = true;
    for (int d = 0; d < 3; d++)
        if (d < f.dim) x[d] = (double)((const coordinate *)f.axis[d])[j * f.stride];
    for (int d = 0; d < 3; d++) {
        first[d] = 0;
        s[d] = 0;
        if (d >= f.dim) continue;
        const double *T = f.frame + 3 * d;
        double at = f.has_frame ? fma(T[0], x[0] - f.origin[0],
                                      fma(T[1], x[1] - f.origin[1], T[2] * (x[2] - f.origin[2])))
                                : x[d] / f.period;
        /* rounded here: both kernels must find the same tile, whatever the compiler fuses */
        double u = __dmul_rn(at - floor(at), f.grid[d]);
        if (!(u >= 0)) good = false;
        if (!(u < f.grid[d])) u = 0; /* just below an integer rounds up to it */
        double left = u - f.half_width, cell = ceil(left);
        s[d] = cell - left;
        while (cell < 0) cell += f.grid[d];
        while (cell >= f.grid[d]) cell -= f.grid[d];
        first[d] = (int64_t)cell;
    }
    return good;
}

__device__ __forceinline__ uint32_t tile_of(const fold_parameters &f, const int64_t first[3])
{
    uint32_t t[3];
    for (int d = 0; d < 3; d++) t[d] = (uint32_t)(first[d] / f.tile[d]);
    return (t[2] * (uint32_t)f.tiles[1] + t[1]) * (uint32_t)f.tiles[0] + t[0];
}

/* A thread a point. */
template <typename coordinate>
__global__ void __launch_bounds__(THREADS)
    count_points(const fold_parameters f, uint32_t *count, uint32_t *rank, enuf_cuda_record *record)
{
    int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t tile = NOWHERE;
    if (j < f.n) {
        int64_t first[3];
        double s[3];
        if (fold<coordinate>(f, j, first, s))
            tile = tile_of(f, first);
        else
            atomicMin(&record->bad_point, (unsigned long long)j);
    }
    /* neighbours in memory are often neighbours in space: one atomic for all of a tile */
    unsigned same = __match_any_sync(~0u, tile);
    int lane = threadIdx.x % 32, leader = __ffs((int)same) - 1;
    uint32_t place = 0;
    if (lane == leader && tile != NOWHERE) place = atomicAdd(&count[tile], (uint32_t)__popc(same));
    place = __shfl_sync(~0u, place, leader) + (uint32_t)__popc(same & ((1u << lane) - 1));
    if (j < f.n) rank[j] = tile == NOWHERE ? NOWHERE : place;
}

/* A tile's points and sub-problems in one number. */
struct points_and_subproblems {
    uint32_t most;
    __host__ __device__ uint64_t operator()(uint32_t n) const
    {
        return (uint64_t)n | (uint64_t)(n / most + (n % most != 0)) << ENUF_CUDA_POINT_BITS;
    }
};

template <typename real>
__device__ __forceinline__ void write_record(const fold_parameters &f, const int64_t first[3],
                                             const double s[3], int64_t j, point_record<real> *to)
{
    typedef point_record<real> record;
    typedef typename record::fixed fixed;
    const fixed one = 1, below = (one << record::BITS) - 1;
    record r;
    for (int d = 0; d < 3; d++) {
        fixed at = (fixed)(unsigned long long)__double2ll_rn(s[d] * (double)(one << record::BITS));
        r.at[d] = (fixed)(first[d] % f.tile[d]) << record::BITS | (at < below ? at : below);
    }
    r.index = (fixed)j;
    const uint4 *words = (const uint4 *)&r;
    for (unsigned k = 0; k < sizeof r / sizeof(uint4); k++) ((uint4 *)to)[k] = words[k];
}

/* A thread a point, and a sub-problem: each finds its tile by bisection. */
template <typename coordinate, typename real>
__global__ void __launch_bounds__(THREADS)
    write_points(const fold_parameters f, const uint64_t *start, uint32_t *count,
                 const uint32_t *rank, point_record<real> *records, enuf_cuda_subproblem *list,
                 uint32_t *tile_at, uint32_t n_tiles, uint32_t most)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (j < f.n && rank[j] != NOWHERE) {
        int64_t first[3];
        double s[3];
        fold<coordinate>(f, j, first, s);
        const uint32_t tile = tile_of(f, first);
        const uint64_t place = (start[tile] & points) + rank[j];
        write_record<real>(f, first, s, j, records + place);
        if (place % 32 == 0) tile_at[place / 32] = tile;
    }
    /* nobody reads the counts any more: they are cleared for the next points */
    for (uint64_t k = (uint64_t)j; k < n_tiles; k += (uint64_t)gridDim.x * THREADS) count[k] = 0;
    uint64_t total = start[n_tiles] >> ENUF_CUDA_POINT_BITS;
    for (uint64_t k = (uint64_t)j; k < total; k += (uint64_t)gridDim.x * THREADS) {
        uint32_t low = 0, high = n_tiles; /* start[low] <= k < start[high] */
        while (high - low > 1) {
            uint32_t middle = low + (high - low) / 2;
            if (start[middle] >> ENUF_CUDA_POINT_BITS <= k)
                low = middle;
            else
                high = middle;
        }
        uint64_t here = start[low], behind = start[low + 1] & points;
        uint64_t first = (here & points) + (k - (here >> ENUF_CUDA_POINT_BITS)) * most;
        enuf_cuda_subproblem s;
        s.first = first;
        s.tile = low;
        s.count = (uint32_t)(behind - first < most ? behind - first : most);
        list[k] = s;
    }
}

typedef thrust::transform_iterator<points_and_subproblems, const uint32_t *> counts_iterator;

static cudaError_t scan(enuf_cuda_points *p, void *temporary, size_t *bytes, uint32_t most,
                        cudaStream_t stream)
{
    points_and_subproblems pack = {most};
    return cub::DeviceScan::ExclusiveSum(temporary, *bytes, counts_iterator(p->count, pack),
                                         p->start, (int64_t)p->n_tiles + 1, stream);
}

static uint32_t most_points(const enuf_cuda *cuda, int64_t n)
{
    int64_t most = n / ((int64_t)cuda->multiprocessors * SUBPROBLEMS_PER_MULTIPROCESSOR);
    most = most / 32 * 32;
    return (uint32_t)(most < LEAST_POINTS ? LEAST_POINTS : most > MOST_POINTS ? MOST_POINTS : most);
}

/* Sub-problems of n points at most: one a tile met, and one more for each full one. */
static int64_t list_length(const enuf_cuda *cuda, int64_t n)
{
    int64_t tiles = (int64_t)cuda->points.n_tiles;
    /* fewer points may be cut finer */
    int64_t pieces = n / LEAST_POINTS;
    int64_t coarse = (int64_t)cuda->multiprocessors * SUBPROBLEMS_PER_MULTIPROCESSOR * 2;
    int64_t most = n / MOST_POINTS > coarse ? n / MOST_POINTS : coarse;
    return (tiles < n ? tiles : n) + (pieces < most ? pieces : most) + 1;
}

extern "C" enuf_status enuf_cuda_sort_create(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_points *p = &cuda->points;
    int64_t tiles = 1;
    enuf_cuda_tile_shape(plan->options.dim, plan->method.fit.width, p->tile);
    for (int d = 0; d < 3; d++) {
        int64_t along = (plan->method.grid[d] + p->tile[d] - 1) / p->tile[d];
        if (along > 0x7fffffff / tiles)
            return enuf_fail(ENUF_OUT_OF_MEMORY,
                             "a fine grid of %lldx%lldx%lld has too many tiles for the CUDA "
                             "backend, which counts them in 31 bits",
                             (long long)plan->method.grid[0], (long long)plan->method.grid[1],
                             (long long)plan->method.grid[2]);
        p->tiles[d] = (int)along;
        tiles *= along;
    }
    p->n_tiles = (uint32_t)tiles;
    ENUF_TRY(enuf_cuda_allocate(plan, &p->count, tiles + 1, sizeof *p->count, "counts of tiles"));
    ENUF_CUDA_TRY(
        cudaMemsetAsync(p->count, 0, ((size_t)tiles + 1) * sizeof *p->count, cuda->stream),
        "clearing the counts of tiles");
    ENUF_TRY(enuf_cuda_allocate(plan, &p->start, tiles + 1, sizeof *p->start, "starts of tiles"));
    size_t bytes = 0;
    ENUF_CUDA_TRY(scan(p, NULL, &bytes, 1, cuda->stream), "scan of the tiles");
    p->scan_bytes = bytes;
    return enuf_cuda_allocate(plan, &p->scan, (int64_t)bytes, 1, "scan of the tiles");
}

extern "C" enuf_status enuf_cuda_sort_reserve(enuf_nufft *plan, int64_t max_points)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_points *p = &cuda->points;
    if (max_points <= p->capacity) return ENUF_SUCCESS;
    if (max_points >= (int64_t)NOWHERE)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "%lld points: the CUDA backend numbers them in 32 bits, %lld at most",
                         (long long)max_points, (long long)NOWHERE - 1);
    if (list_length(cuda, max_points) >= MOST_SUBPROBLEMS)
        return enuf_fail(ENUF_OUT_OF_MEMORY,
                         "%lld points in %u tiles of the fine grid: the CUDA backend numbers what "
                         "it cuts them into in %d bits; fewer points, or a coarser grid",
                         (long long)max_points, p->n_tiles, 64 - ENUF_CUDA_POINT_BITS);
    int single = plan->options.precision == ENUF_FLOAT;
    void *records = NULL, *rank = NULL, *list = NULL, *tile_at = NULL;
    enuf_status status = enuf_cuda_allocate(
        plan, &records, max_points,
        single ? sizeof(point_record<float>) : sizeof(point_record<double>), "sorted points");
    if (status == ENUF_SUCCESS)
        status = enuf_cuda_allocate(plan, &rank, max_points, sizeof *p->rank, "places of points");
    if (status == ENUF_SUCCESS)
        status = enuf_cuda_allocate(plan, &list, list_length(cuda, max_points), sizeof *p->list,
                                    "sub-problems");
    if (status == ENUF_SUCCESS)
        status = enuf_cuda_allocate(plan, &tile_at, max_points / 32 + 2, sizeof *p->tile_at,
                                    "tiles of points");
    if (status != ENUF_SUCCESS) {
        enuf_cuda_release(plan, &records);
        enuf_cuda_release(plan, &rank);
        enuf_cuda_release(plan, &list);
        return status;
    }
    enuf_cuda_release(plan, &p->records);
    enuf_cuda_release(plan, &p->rank);
    enuf_cuda_release(plan, &p->list);
    enuf_cuda_release(plan, &p->tile_at);
    p->records = records;
    p->rank = (uint32_t *)rank;
    p->list = (enuf_cuda_subproblem *)list;
    p->tile_at = (uint32_t *)tile_at;
    p->capacity = max_points;
    plan->points_set = 0; /* earlier points went with the old arrays */
    return ENUF_SUCCESS;
}

static fold_parameters fold_of(const enuf_nufft *plan, const enuf_coordinates *c)
{
    const enuf_cuda_points *p = &enuf_cuda_of(plan)->points;
    fold_parameters f;
    f.stride = c->stride;
    f.n = c->n;
    f.dim = plan->options.dim;
    f.has_frame = plan->has_frame;
    f.period = plan->options.period;
    f.half_width = 0.5 * plan->method.fit.width;
    for (int k = 0; k < 9; k++) f.frame[k] = plan->frame[k];
    for (int d = 0; d < 3; d++) {
        f.axis[d] = c->axis[d];
        f.origin[d] = plan->origin[d];
        f.tile[d] = p->tile[d];
        f.tiles[d] = p->tiles[d];
        f.grid[d] = (double)plan->method.grid[d];
    }
    return f;
}

template <typename coordinate> static enuf_status sort(enuf_nufft *plan, const enuf_coordinates *c)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_points *p = &cuda->points;
    const fold_parameters f = fold_of(plan, c);
    unsigned blocks = (unsigned)((c->n + THREADS - 1) / THREADS);
    uint32_t most = most_points(cuda, c->n);
    size_t bytes = p->scan_bytes;
    if (blocks > 0)
        count_points<coordinate>
            <<<blocks, THREADS, 0, cuda->stream>>>(f, p->count, p->rank, cuda->record);
    ENUF_TRY(enuf_cuda_launched("counting points"));
    ENUF_CUDA_TRY(scan(p, p->scan, &bytes, most, cuda->stream), "scan of the tiles");
    if (blocks > 0 && plan->options.precision == ENUF_FLOAT)
        write_points<coordinate, float><<<blocks, THREADS, 0, cuda->stream>>>(
            f, p->start, p->count, p->rank, (point_record<float> *)p->records, p->list, p->tile_at,
            p->n_tiles, most);
    else if (blocks > 0)
        write_points<coordinate, double><<<blocks, THREADS, 0, cuda->stream>>>(
            f, p->start, p->count, p->rank, (point_record<double> *)p->records, p->list, p->tile_at,
            p->n_tiles, most);
    p->n = c->n;
    return enuf_cuda_launched("writing sorted points");
}

extern "C" enuf_status enuf_cuda_sort(enuf_nufft *plan, const enuf_coordinates *c)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    enuf_status status = c->precision == ENUF_FLOAT ? sort<float>(plan, c) : sort<double>(plan, c);
    if (status == ENUF_SUCCESS) return status;
    /* counts that write_points has not cleared would be added to by the next sort */
    if (cudaMemsetAsync(p->count, 0, ((size_t)p->n_tiles + 1) * sizeof *p->count, cuda->stream) !=
        cudaSuccess)
        cudaGetLastError();
    return status;
}
