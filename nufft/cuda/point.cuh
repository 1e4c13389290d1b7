/*
 * point.cuh - the common part of sorting, spreading and interpolation: records of points in tiles,
 * the list of sub-problems, the window's weights, the way from a tile's cells to the target's.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_POINT_CUH
#define ENUF_NUFFT_CUDA_POINT_CUH

#include "cuda.h"
#include "matrix_product.cuh"

/**
 * A point: on each axis the window's first cell, counted from its tile's, in the upper 8 bits, and
 * the distance from the window's left edge to that cell, 0 <= s < 1, in the others. The window's
 * variable is t = 2 s - 1. Integers: a float would lose bits to the cell's number. In 1D the second
 * is the window's first cell in the grid. In 1D and 2D points sorted by way of buckets have their
 * place in the order of the buckets in the third (sort_buckets_deliver.cu).
 */
template <typename real> struct point_record;
template <> struct alignas(16) point_record<float> {
    typedef uint32_t fixed;
    enum { BITS = 24 };
    uint32_t at[3], index;
};
template <> struct alignas(16) point_record<double> {
    typedef uint64_t fixed;
    enum { BITS = 56 };
    uint64_t at[3], index;
};

static_assert(sizeof(point_record<float>) == 16 && sizeof(point_record<double>) == 32,
              "enuf_cuda_record_bytes() has them");

/** Cells from the tile's first to the window's first. */
template <typename real>
__device__ __forceinline__ int offset_of(const point_record<real> &p, int d)
{
    return (int)(p.at[d] >> point_record<real>::BITS);
}

template <typename real>
__device__ __forceinline__ real variable_of(const point_record<real> &p, int d)
{
    typedef point_record<real> record;
    const typename record::fixed one = 1;
    typename record::fixed s = p.at[d] & ((one << record::BITS) - 1);
    return (real)s * (real)(1.0 / (double)(one << (record::BITS - 1))) - 1;
}

/** The parts of a point's value or strength; both numbers of a complex one are read at once. */
template <typename real, int PARTS> struct alignas(PARTS * sizeof(real)) point_value {
    real part[PARTS];
};

/** 1: the caller's array is aligned to all parts of its values. */
static inline int is_whole(const enuf_nufft *plan, const void *array)
{
    return (uintptr_t)array % (enuf_cuda_number(plan) * (plan->real ? 1 : 2)) == 0;
}

/** The sorted points, as a kernel argument: all, or those of a slice; tiles, records and
 * sub-problems of a slice are counted from its first. */
struct sorted_view {
    const void *records;
    const enuf_cuda_subproblem *list;
    const uint64_t *start, *total; /* starts of the tiles; start behind the last tile */
    const uint32_t *tile_at;
    const enuf_cuda_slice *slice; /* NULL: all points */
    uint32_t n_tiles;             /* tiles of the grid; a slice may have fewer: tiles_of() */
    int tile[3], tiles[3], z_first;
    int64_t grid[3];
};

static inline sorted_view sorted_view_of(const enuf_nufft *plan)
{
    const enuf_cuda_points *p = &enuf_cuda_of(plan)->points;
    sorted_view v;
    v.records = p->records;
    v.list = p->indexed ? p->slice_list : p->list;
    v.start = p->indexed ? p->slice_start : p->start;
    v.total = p->indexed ? &p->slice->total : p->start + p->n_tiles;
    v.slice = p->indexed ? p->slice : NULL;
    v.tile_at = p->tile_at;
    v.n_tiles = p->n_tiles;
    v.z_first = p->z_first;
    for (int d = 0; d < 3; d++) {
        v.tile[d] = p->tile[d];
        v.tiles[d] = p->tiles[d];
        v.grid[d] = plan->method.grid[d];
    }
    return v;
}

__device__ __forceinline__ uint32_t subproblems_of(const sorted_view &v)
{
    return (uint32_t)(*v.total >> ENUF_CUDA_POINT_BITS);
}

/** Number of sorted points; points that are not finite are not sorted. */
__device__ __forceinline__ uint64_t points_of(const sorted_view &v)
{
    return *v.total & (((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1);
}

/** Tiles of the points. */
__device__ __forceinline__ uint32_t tiles_of(const sorted_view &v)
{
    return v.slice ? v.slice->n_tiles : v.n_tiles;
}

/** The tile of a record, by bisection among the tiles of every 32nd record. */
__device__ __forceinline__ uint32_t tile_of_record(const sorted_view &v, uint64_t j, uint64_t n)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    uint32_t low = v.tile_at[j / 32];
    uint32_t high = j / 32 + 1 < (n + 31) / 32 ? v.tile_at[j / 32 + 1] + 1 : tiles_of(v);
    while (high - low > 1) { /* start[low] <= j < start[high] */
        const uint32_t middle = low + (high - low) / 2;
        if ((v.start[middle] & points) <= j)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/** The first cell of a tile. */
__device__ __forceinline__ void tile_origin(const sorted_view &v, uint32_t tile, int64_t origin[3])
{
    if (v.slice) tile += v.slice->first_tile;
    const uint32_t along = (uint32_t)(v.z_first ? v.tiles[2] : v.tiles[0]), rest = tile / along;
    const uint32_t across = (uint32_t)(v.z_first ? v.tiles[0] : v.tiles[1]);
    const int64_t of_fast = tile - rest * along, of_slow = rest / across;
    const int64_t of_middle = rest - (uint32_t)of_slow * across;
    origin[0] = (v.z_first ? of_middle : of_fast) * v.tile[0];
    origin[1] = (v.z_first ? of_slow : of_middle) * v.tile[1];
    origin[2] = (v.z_first ? of_fast : of_slow) * v.tile[2];
}

/** A cell's index, 0 <= cell, folded into a grid that may be smaller than the window. */
template <typename integer> __device__ __forceinline__ integer folded(integer cell, integer grid)
{
    while (cell >= grid) cell -= grid;
    return cell;
}

/** The same where cell < 2 grid: so it is in the tiled kernels' grids, enuf_cuda_tiled(). */
__device__ __forceinline__ int folded_once(int cell, int grid)
{
    return cell >= grid ? cell - grid : cell;
}

/** Weights of four cells by Horner's rule; c [n][step], c and step multiples of four numbers. */
__device__ __forceinline__ void four_weights(const float *c, int n, int step, float t, float w[4])
{
    c += (n - 1) * step;
    float4 a = *(const float4 *)c;
    w[0] = a.x, w[1] = a.y, w[2] = a.z, w[3] = a.w;
#pragma unroll 4
    for (int k = n - 2; k >= 0; k--) {
        c -= step;
        a = *(const float4 *)c;
        w[0] = fmaf(w[0], t, a.x);
        w[1] = fmaf(w[1], t, a.y);
        w[2] = fmaf(w[2], t, a.z);
        w[3] = fmaf(w[3], t, a.w);
    }
}

__device__ __forceinline__ void four_weights(const double *c, int n, int step, double t,
                                             double w[4])
{
    c += (n - 1) * step;
    double2 a = *(const double2 *)c, b = *(const double2 *)(c + 2);
    w[0] = a.x, w[1] = a.y, w[2] = b.x, w[3] = b.y;
#pragma unroll 4
    for (int k = n - 2; k >= 0; k--) {
        c -= step;
        a = *(const double2 *)c;
        b = *(const double2 *)(c + 2);
        w[0] = fma(w[0], t, a.x);
        w[1] = fma(w[1], t, a.y);
        w[2] = fma(w[2], t, b.x);
        w[3] = fma(w[3], t, b.y);
    }
}

/** The same, and the slopes per cell: t falls by 2 while the point's position grows by 1. */
template <typename real>
__device__ __forceinline__ void four_weights_and_slopes(const real *c, int n, int step, real t,
                                                        real w[4], real slope[4])
{
    c += (n - 1) * step;
    for (int p = 0; p < 4; p++) {
        w[p] = c[p];
        slope[p] = 0;
    }
#pragma unroll 4
    for (int k = n - 2; k >= 0; k--) {
        c -= step;
        for (int p = 0; p < 4; p++) {
            slope[p] = slope[p] * t + w[p];
            w[p] = w[p] * t + c[p];
        }
    }
    for (int p = 0; p < 4; p++) slope[p] *= (real)-2;
}

/** Numbers that are read at once. */
template <typename real, int N> struct alignas(16) numbers {
    real at[N];
};

/** The window's polynomials in shared memory, cells padded with zeros to a multiple of four. */
struct window_view {
    int width, n, step; /* cells; coefficients of each; numbers from one power to the next */
    const void *coefficients;
    /* in device memory, NULL without one: [pieces][2][step], values at a piece's begin, then the
     * way to those at its end */
    int piece_bits;
    const void *table;
};

static inline window_view window_view_of(const enuf_nufft *plan)
{
    const enuf_cuda_window *w = &enuf_cuda_of(plan)->window;
    window_view v = {w->width,        w->n_coefficients, (w->width + 3) / 4 * 4,
                     w->coefficients, w->piece_bits,     w->table};
    return v;
}

/** The piece of a window's table where the window's variable is t: its values, and the part of the
 * piece before t. */
template <typename real> struct table_piece {
    const real *at;
    real part;
};

template <typename real>
__device__ __forceinline__ table_piece<real> piece_of_table(const window_view &window, real t)
{
    const int pieces = 1 << window.piece_bits;
    const real place = (t + 1) * ((real)0.5 * (real)pieces);
    const int k = min((int)place, pieces - 1); /* in double t may have been rounded to 1 */
    return {(const real *)window.table + 2 * k * window.step, place - (real)k};
}

/** The weight of a cell on the straight line between the ends of a piece. */
template <typename real>
__device__ __forceinline__ real weight_in_piece(const window_view &window,
                                                const table_piece<real> &piece, int cell)
{
    return piece.at[cell] + piece.part * piece.at[window.step + cell];
}

/** The same of four cells, the first of them a multiple of four. */
template <typename real>
__device__ __forceinline__ void four_in_piece(const window_view &window,
                                              const table_piece<real> &piece, int first, real w[4])
{
    typedef numbers<real, 4> four;
    const four here = *(const four *)(piece.at + first);
    const four change = *(const four *)(piece.at + window.step + first);
#pragma unroll
    for (int i = 0; i < 4; i++) w[i] = here.at[i] + piece.part * change.at[i];
}

/** The weight of a point's cell p along axis d, from the table of a plan that has one. */
template <typename real>
__device__ __forceinline__ real weight_of(const window_view &window, const point_record<real> &r,
                                          int d, int p)
{
    const real t = variable_of(r, d);
    if (window.table) return weight_in_piece(window, piece_of_table(window, t), p);
    const real *c = (const real *)window.coefficients + p;
    real value = 0;
    for (int k = window.n - 1; k >= 0; k--) value = value * t + c[k * window.width];
    return value;
}

template <typename real>
__device__ __forceinline__ void load_window(const window_view &w, real *shared)
{
    const real *c = (const real *)w.coefficients;
    for (int i = threadIdx.x; i < w.n * w.step; i += blockDim.x) {
        int p = i % w.step;
        shared[i] = p < w.width ? c[i / w.step * w.width + p] : (real)0;
    }
}

/**
 * Orders a sub-problem's points by the first cell on axis y, so that neighbours meet the same rows:
 * order[0 ... count) are indices into its records. A counting sort in shared memory; `bins` holds
 * 256 integers. All threads of the block; ends with a barrier.
 */
template <typename real>
__device__ __forceinline__ void order_by_y(const point_record<real> *records, int count,
                                           uint16_t *order, int *bins)
{
    for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(&bins[offset_of(records[i], 1)], 1);
    __syncthreads();
    if (threadIdx.x < 32) {
        int lane = threadIdx.x, sum = 0, first;
        for (int k = 0; k < 8; k++) sum += bins[8 * lane + k];
        first = sum;
        for (int step = 1; step < 32; step *= 2) {
            int other = __shfl_up_sync(~0u, first, step);
            if (lane >= step) first += other;
        }
        first -= sum;
        for (int k = 0; k < 8; k++) {
            int n = bins[8 * lane + k];
            bins[8 * lane + k] = first;
            first += n;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        order[atomicAdd(&bins[offset_of(records[i], 1)], 1)] = (uint16_t)i;
    __syncthreads();
}

#endif
