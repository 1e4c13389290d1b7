/*
 * interpolate_points.cuh - values and gradients in 3D: a thread a point, from a tile in shared
 * memory.
 *
 * A block takes an equal share of the sorted points, tile by tile: it copies a tile with its
 * margin, then each thread takes one of the tile's points and goes through the width^3 cells of its
 * window, rows of x innermost, weights of x and y in registers, those of z in a column of shared
 * memory of its own; from width 8 on two lanes share a point's planes. The real and the imaginary
 * part of complex cells are read at once.
 *
 * In each load, the lanes of a warp read the banks of their windows' first cells, all shifted by
 * the same distance. So lanes with first cells in different banks never conflict. The points of a
 * tile are put into such an order before: the first of each bank, then the second of each, and so
 * on (order_by_bank): 2 accesses a load or fewer instead of 3.6 in any other order. Of large tiles
 * the lanes of a missing bank rest, and at widths 12 and 16 a point may begin at another plane, in
 * another bank: 1.15 accesses.
 *
 * Operations of 32 points: width^3 loads of 1.15 to 2 wavefronts or so, which bound it; 2 width^3 +
 * 3 width^2 multiply-adds with a gradient, a value alone half of them. Measured (H100, November
 * 2026; a million random points, 144^3 cells, real, with gradients): width 6 106 us (loads without
 * conflicts alone would take 26, the multiply-adds 17); width 8 190 us, with two lanes a point.
 * Eight real vectors, values, 100,000 points, 72^3 cells, width 12, float (H200, December 2026):
 * 289 us in one launch, shared memory busy for 84 % of them; with neither rest nor turn, in a
 * launch for each two vectors, 408. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_INTERPOLATE_POINTS_CUH
#define ENUF_NUFFT_CUDA_INTERPOLATE_POINTS_CUH

#include "chain.cuh"
#include "cuda/half_window.cuh"
#include "cuda/results.cuh"
#include "cuda/strategies.h"

#include <cuda_pipeline_primitives.h>

static const int LEVELS = 64; /* points of a bank beyond so many come last, in any order */
/* Cost of a tile, in points; least share of a block, in points (times vary by less than a tenth
 * between 64 and 256). Cost of a tile at 144^3 cells, 14 tiles of 11 along an axis, the last nearly
 * empty: 64 points 139 us, 128 111, 200 108 (H100, November 2026). */
static const int TILE_COST = 192;
static const int64_t LEAST_SHARE = 96;
static const uint32_t NOBODY = 0xffffffffu; /* index of no point */

struct points_parameters {
    sorted_view points;
    window_view window;
    const void *cells;
    int64_t row, plane;
    results out;
    /* blockIdx.z: values and numbers of the grid from one vector of a batch to the next */
    int vectors;
    int64_t n, cells_between;
};

/** One number of a cell or both. */
template <typename real, int PARTS> struct alignas(PARTS * sizeof(real)) grid_cell {
    real part[PARTS];
};

/** A tile in shared memory, x fastest, margin included. */
template <int ACROSS_CELLS, int ALONG_CELLS> struct shared_tile {
    enum {
        ACROSS = ACROSS_CELLS,                   /* most cells along x and z */
        ALONG = ALONG_CELLS,                     /* along y */
        LANES = ACROSS_CELLS == 16 ? 16 : 8,     /* that copy cells side by side */
        THREADS = ACROSS_CELLS > 16 ? 256 : 128, /* of a block */
        LARGE = ACROSS_CELLS > 16,
        CHUNK = LARGE ? 1024 : 512, /* points that are put into order at a time */
        PLACES = LARGE ? 2 * CHUNK : CHUNK,
        ROW = ACROSS_CELLS + 1 /* odd: neighbours in y stand in different banks */
    };
};

/**
 * How the lanes of a point share its window and cells stand in banks: SHARE lanes take PLANES
 * planes of z each, which stand banks/SHARE apart, so that points with first cells in CLASSES
 * different places never conflict.
 */
template <class cell, int WIDTH, int SHARE, class tile> struct shared_window {
    enum {
        BANKS = 128 / sizeof(cell),
        CLASSES = BANKS / SHARE,
        PLANES = (WIDTH + SHARE - 1) / SHARE
    };
    static constexpr int pitch()
    {
        int p = tile::ROW * tile::ALONG + (SHARE == 1 ? 4 : 0);
        while (SHARE > 1 && p * PLANES % BANKS != CLASSES) p++;
        return p;
    }
    static constexpr int PLANE = pitch(), COUNT = PLANE * tile::ACROSS;
    /* Planes by which a point's lanes may turn, its last planes coming first, so that its reads
     * move by half of all classes; 0: none. */
    static constexpr int turn()
    {
        const bool whole = tile::LARGE && SHARE == 2 && WIDTH * PLANE % BANKS == 0;
        int t = whole && WIDTH % 2 == 0 ? 1 : PLANES;
        while (t < PLANES && t * PLANE % CLASSES != CLASSES / 2) t++;
        return t < PLANES ? t : 0;
    }
    static constexpr int TURN = turn();
    __device__ static __forceinline__ int place(int x, int y, int z)
    {
        return z * PLANE + y * tile::ROW + x;
    }
};

/** A block's data to order its points. */
template <class tile> struct bank_order {
    enum { EMPTY = 0xffff, TURNED = 0x8000 };
    uint32_t count[32];     /* points of a bank, or of a bank and its turn; 0 between chunks */
    uint32_t banks[LEVELS]; /* mask of the banks with more points than the level */
    int start[LEVELS + 1], beyond; /* places before a level; points taken behind the last */
    uint16_t place[tile::CHUNK];   /* bank, the point's rank in it, 32 times, and TURNED */
    uint16_t order[tile::PLACES];  /* points, some TURNED, and EMPTY places */
};

/** Points of a bank in a chunk: a bank and its turn share theirs evenly. */
template <class window>
__device__ __forceinline__ int points_of_bank(const uint32_t *count, int bank)
{
    constexpr int HALF = window::CLASSES / 2;
    return window::TURN ? (int)(count[bank % HALF] + (bank < HALF)) / 2 : (int)count[bank];
}

/** The levels, two a lane. Of large tiles a level with points of more than half of the banks takes
 * a place for every bank, so that lanes that take it together never conflict: they do nothing in
 * the others. */
template <class window, class tile> __device__ __forceinline__ void find_levels(bank_order<tile> &b)
{
    const int lane = threadIdx.x;
    uint32_t banks[2] = {0, 0};
    int before[2] = {0, 0};
#pragma unroll 8
    for (int bank = 0; bank < window::CLASSES; bank++) {
        const int n = points_of_bank<window>(b.count, bank);
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int level = lane + 32 * k;
            banks[k] |= (uint32_t)(n > level) << bank;
            before[k] += min(n, level);
        }
    }
    if (tile::LARGE) {
        /* fewer banks at each level: the first ones are spaced */
        const int spaced = __popc(__ballot_sync(~0u, 2 * __popc(banks[0]) > window::CLASSES)) +
                           __popc(__ballot_sync(~0u, 2 * __popc(banks[1]) > window::CLASSES));
        const int other = __shfl_sync(~0u, before[1], spaced % 32);
        const int one = __shfl_sync(~0u, before[0], spaced % 32);
        const int last = __shfl_sync(~0u, before[1] + __popc(banks[1]), 31);
        const int packed = spaced < 32 ? one : spaced < LEVELS ? other : last;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int level = lane + 32 * k;
            before[k] = level < spaced ? window::CLASSES * level
                                       : window::CLASSES * spaced + before[k] - packed;
        }
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
        b.banks[lane + 32 * k] = banks[k];
        b.start[lane + 32 * k] = before[k];
    }
    if (lane == 31) {
        b.start[LEVELS] =
            before[1] + (tile::LARGE && 2 * __popc(banks[1]) > window::CLASSES ? window::CLASSES
                                                                               : __popc(banks[1]));
        b.beyond = 0;
    }
}

/** Places of b.order that hold a chunk's points: what lies behind is empty. */
template <class tile> __device__ __forceinline__ int places_of(const bank_order<tile> &b)
{
    return b.start[LEVELS] + b.beyond;
}

/** b.order: a chunk's points so that neighbours' windows begin in different classes of banks. It
 * begins without a barrier and ends with one; earlier writes are visible then. */
template <class window, class tile, typename real>
__device__ __forceinline__ void order_by_bank(const point_record<real> *records, int count,
                                              bank_order<tile> &b)
{
    typedef bank_order<tile> ordered;
    constexpr int HALF = window::CLASSES / 2;
    for (int i = threadIdx.x; i < count; i += tile::THREADS) {
        const point_record<real> r = records[i];
        const int bank =
            window::place(offset_of(r, 0), offset_of(r, 1), offset_of(r, 2)) % window::CLASSES;
        if (window::TURN) {
            const uint32_t rank = atomicAdd(&b.count[bank % HALF], 1u);
            const int at = bank % HALF + (rank % 2 ? HALF : 0);
            b.place[i] = (uint16_t)(at | (int)(rank / 2 << 5) | (at != bank ? ordered::TURNED : 0));
        } else {
            b.place[i] = (uint16_t)(bank | (int)(atomicAdd(&b.count[bank], 1u) << 5));
        }
        if (tile::LARGE) b.order[2 * i] = b.order[2 * i + 1] = ordered::EMPTY;
    }
    __syncthreads();
    if (threadIdx.x < 32) find_levels<window, tile>(b);
    __syncthreads();
    if (threadIdx.x < 32) b.count[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < count; i += tile::THREADS) {
        const int turned = b.place[i] & ordered::TURNED;
        const int bank = b.place[i] & 31, rank = (b.place[i] ^ turned) >> 5;
        const int to = rank < LEVELS ? b.start[rank] + __popc(b.banks[rank] & ((1u << bank) - 1))
                                     : b.start[LEVELS] + atomicAdd(&b.beyond, 1);
        b.order[to] = (uint16_t)(i | turned);
    }
    __pipeline_wait_prior(0); /* for the tile, which is on its way meanwhile */
    __syncthreads();
}

/** Copies a tile with its margin, to be waited for. A thread's cells stand in one row of z each. */
template <typename real, int PARTS, int WIDTH, class window, class tile>
__device__ __forceinline__ void load_tile(const points_parameters &a, const int64_t origin[3],
                                          int part, grid_cell<real, PARTS> *to)
{
    typedef grid_cell<real, PARTS> cell;
    /* the grid's last tiles may hold only one layer of windows */
    int cells[3];
#pragma unroll
    for (int d = 0; d < 3; d++)
        cells[d] = min(a.points.tile[d], (int)(a.points.grid[d] - origin[d])) + WIDTH - 1;
    const int nx = cells[0], ny = cells[1], nz = cells[2], grid_z = (int)a.points.grid[2];
    const real *first = (const real *)a.cells + part + blockIdx.z * a.cells_between;
    const int before_wrap = min(nz, grid_z - (int)origin[2]);
    for (int y = threadIdx.x / tile::LANES; y < ny; y += tile::THREADS / tile::LANES) {
        const int64_t row =
            folded_once((int)origin[1] + y, (int)a.points.grid[1]) * a.row + origin[2] * a.plane;
        for (int x = threadIdx.x % tile::LANES; x < nx; x += tile::LANES) {
            const int64_t column =
                folded_once((int)origin[0] + x, (int)a.points.grid[0]) * (int64_t)a.out.parts;
            const real *from = first + row + column;
            cell *at = to + y * tile::ROW + x;
#pragma unroll 8
            for (int z = 0; z < nz; z++) {
                if (z == before_wrap) from -= grid_z * a.plane;
                __pipeline_memcpy_async(at, from, sizeof(cell));
                from += a.plane;
                at += window::PLANE;
            }
        }
    }
}

/** A point's place among the results of all vectors. */
__device__ __forceinline__ int64_t place_of(const points_parameters &a, uint32_t index)
{
    return blockIdx.z * a.n + (int64_t)index;
}

/**
 * Puts a warp's results, one point of every SHARE lanes: gradients change lanes, through rows of
 * the warp's columns, so that neighbours write neighbours. index NOBODY: nothing.
 */
template <typename real, int PARTS, bool SLOPES, int SHARE, int THREADS>
__device__ __forceinline__ void put_warp(const points_parameters &a, uint32_t index, int part,
                                         const real value[PARTS], const real slope[3][PARTS],
                                         real *column)
{
    const int lane = threadIdx.x % 32;
    const bool mine = lane % SHARE == 0;
    const real factor = index == NOBODY ? (real)0 : factor_of<real>(a.out, (int64_t)index);
    real *row = column - lane;
#pragma unroll
    for (int e = 0; e < PARTS; e++) {
        if (a.out.values && mine && index != NOBODY)
            put<real>(a.out, a.out.values, place_of(a, index) * a.out.parts + part + e,
                      value[e] * factor);
        if (!SLOPES) continue;
        const real of_part[3] = {slope[0][e], slope[1][e], slope[2][e]};
        __syncwarp();
#pragma unroll
        for (int d = 0; d < 3; d++) {
            const int to = 3 * (lane / SHARE) + d;
            if (mine)
                row[to / 32 * THREADS + to % 32] = gradient_of<real>(a.out, of_part, d) * factor;
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < (3 * 32 / SHARE + 31) / 32; k++) {
            const int of = (32 * k + lane) / 3, d = (32 * k + lane) % 3;
            const uint32_t whose = __shfl_sync(~0u, index, of * SHARE);
            if (of < 32 / SHARE && whose != NOBODY)
                put<real>(a.out, a.out.gradients,
                          (place_of(a, whose) * 3 + d) * a.out.parts + part + e,
                          row[k * THREADS + lane]);
        }
    }
    if (SLOPES) __syncwarp(); /* the next points' weights go where these results were */
}

/** Sum over the lanes of a point. */
template <int SHARE, typename real> __device__ __forceinline__ real sum_of_point(real x)
{
#pragma unroll
    for (int step = 1; step < SHARE; step *= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

/** A point's value and slopes; index NOBODY: of any point, and nothing is written. All of a warp.
 */
template <typename real, int PARTS, bool SLOPES, int WIDTH, int SHARE, class tile>
__device__ __forceinline__ void
take_point(const points_parameters &a, const point_record<real> &record,
           const grid_cell<real, PARTS> *cells, const real *coefficients, real *column, int part,
           uint32_t index, bool turned)
{
    typedef shared_window<grid_cell<real, PARTS>, WIDTH, SHARE, tile> window;
    constexpr int PLANES = window::PLANES, TURN = window::TURN;
    const int first = threadIdx.x % SHARE * PLANES; /* of the lane's planes */
    real wx[WIDTH], sx[WIDTH], wy[WIDTH], sy[WIDTH];
    {
        real wz[SHARE * PLANES], sz[SHARE * PLANES];
        if (SHARE * PLANES > WIDTH) wz[SHARE * PLANES - 1] = sz[SHARE * PLANES - 1] = 0;
        symmetric_weights<real, WIDTH, SLOPES>(coefficients, a.window.n, variable_of(record, 2), wz,
                                               sz);
#pragma unroll
        for (int z = 0; z < PLANES; z++) {
            constexpr int ALL = SHARE * PLANES;
            const int other = (SHARE - 1) * PLANES + z;
            real w = first ? wz[other] : wz[z], s = SLOPES ? first ? sz[other] : sz[z] : (real)0;
            if (TURN && turned) {
                w = first ? wz[(other + TURN) % ALL] : wz[(z + TURN) % ALL];
                if (SLOPES) s = first ? sz[(other + TURN) % ALL] : sz[(z + TURN) % ALL];
            }
            column[z * tile::THREADS] = w;
            if (SLOPES) column[(PLANES + z) * tile::THREADS] = s;
        }
    }
    symmetric_weights<real, WIDTH, SLOPES>(coefficients, a.window.n, variable_of(record, 0), wx,
                                           sx);
    symmetric_weights<real, WIDTH, SLOPES>(coefficients, a.window.n, variable_of(record, 1), wy,
                                           sy);
    cells +=
        window::place(offset_of(record, 0), offset_of(record, 1), offset_of(record, 2) + first);
    if (TURN && turned) cells += TURN * window::PLANE;
    real value[PARTS] = {0}, slope[3][PARTS] = {{0}};
#pragma unroll 1
    for (int z = 0; z < PLANES; z++) {
        if (WIDTH % SHARE && first + z >= WIDTH) break; /* behind the window */
        real v[PARTS] = {0}, v_x[PARTS] = {0}, v_y[PARTS] = {0};
#pragma unroll
        for (int y = 0; y < WIDTH; y++) {
            real r[PARTS] = {0}, r_x[PARTS] = {0};
#pragma unroll
            for (int x = 0; x < WIDTH; x++) {
                const grid_cell<real, PARTS> c = cells[y * tile::ROW + x];
#pragma unroll
                for (int e = 0; e < PARTS; e++) {
                    r[e] += wx[x] * c.part[e];
                    if (SLOPES) r_x[e] += sx[x] * c.part[e];
                }
            }
#pragma unroll
            for (int e = 0; e < PARTS; e++) {
                v[e] += wy[y] * r[e];
                if (SLOPES) {
                    v_x[e] += wy[y] * r_x[e];
                    v_y[e] += sy[y] * r[e];
                }
            }
        }
        const real wz = column[z * tile::THREADS];
        const real sz = SLOPES ? column[(PLANES + z) * tile::THREADS] : (real)0;
#pragma unroll
        for (int e = 0; e < PARTS; e++) {
            value[e] += wz * v[e];
            if (SLOPES) {
                slope[0][e] += wz * v_x[e];
                slope[1][e] += wz * v_y[e];
                slope[2][e] += sz * v[e];
            }
        }
        cells += window::PLANE;
        if (TURN && turned && first && z == PLANES - TURN - 1) cells -= WIDTH * window::PLANE;
    }
    __syncwarp();
#pragma unroll
    for (int e = 0; e < PARTS; e++) {
        value[e] = sum_of_point<SHARE>(value[e]);
        for (int d = 0; SLOPES && d < 3; d++) slope[d][e] = sum_of_point<SHARE>(slope[d][e]);
    }
    put_warp<real, PARTS, SLOPES, SHARE, tile::THREADS>(a, index, part, value, slope, column);
}

/** Blocks of a multiprocessor that the registers of a kernel leave room for. */
template <typename real, int PARTS, bool SLOPES, int WIDTH, class tile> struct blocks_of {
    enum {
        WANTED =
            (int)(sizeof(real) / 4) * ((SLOPES ? 4 : 2) * WIDTH + PARTS * (SLOPES ? 9 : 3)) + 36,
        FIT = 65536 / (tile::THREADS * WANTED),
        LEAST = FIT < 1   ? 1
                : FIT > 8 ? 8
                          : FIT
    };
};

/* Work before a tile, in points. */
__device__ __forceinline__ uint64_t work_before(const sorted_view &v, uint32_t tile)
{
    return (v.start[tile] & (((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1)) +
           (uint64_t)tile * TILE_COST;
}

/** The first record of the share that has `work` before it. By one warp, 32 tiles at a time. */
__device__ __forceinline__ uint64_t share_begin(const sorted_view &v, uint64_t work)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint32_t n_tiles = tiles_of(v);
    uint32_t low = 0, step = n_tiles; /* the tile is one of `step` from low */
    while (step > 1) {
        const uint32_t stride = (step + 31) / 32, tile = low + lane * stride;
        const bool at_or_before = lane * stride < step && work_before(v, tile) <= work;
        low += (uint32_t)(31 - __clz((int)__ballot_sync(~0u, at_or_before))) * stride;
        step = min(stride, n_tiles - low);
    }
    const uint64_t below = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    const uint64_t first = v.start[low] & below, behind = v.start[low + 1] & below;
    const uint64_t over = work - work_before(v, low);
    return min(behind, first + (over > TILE_COST ? over - TILE_COST : 0));
}

/* Rows of the threads' columns: weights of z and, afterwards, gradients on their way. */
template <bool SLOPES> static __host__ __device__ constexpr int column_rows(int planes)
{
    return SLOPES ? (planes < 2 ? 4 : 2 * planes) : planes;
}

/* Bytes of a block's shared memory before the tile; the tile needs no larger alignment. */
template <typename real, bool SLOPES, int WIDTH, int ROWS, class tile>
static size_t bytes_before_tile(int powers)
{
    return (half_window<real, WIDTH>::bytes(powers) + sizeof(bank_order<tile>) +
            (size_t)(ROWS * tile::THREADS) * sizeof(real) + 15) /
           16 * 16;
}

template <typename real, int PARTS, bool SLOPES, int WIDTH, int SHARE, class tile>
__global__ void __launch_bounds__(tile::THREADS,
                                  (blocks_of<real, PARTS, SLOPES, WIDTH, tile>::LEAST))
    interpolate_points(const points_parameters a, int tile_at)
{
    typedef grid_cell<real, PARTS> cell;
    typedef shared_window<cell, WIDTH, SHARE, tile> window;
    extern __shared__ __align__(16) unsigned char shared[];
    real *coefficients = (real *)shared;
    real *column = coefficients + (a.window.n + 1) / 2 * 2 * half_window<real, WIDTH>::STEP;
    typedef bank_order<tile> ordered;
    ordered &b = *(ordered *)(column + column_rows<SLOPES>(window::PLANES) * tile::THREADS);
    cell *cells = (cell *)(shared + tile_at);
    __shared__ uint64_t share[2]; /* records, from and behind */
    const uint64_t below = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    const int part = blockIdx.y, lane = threadIdx.x % 32;
    column += threadIdx.x;
    load_half_window<real, WIDTH>(a.window, coefficients);
    enuf_chain_wait();
    const uint64_t n = points_of(a.points);
    if (threadIdx.x < 32) b.count[threadIdx.x] = 0;
    if (threadIdx.x < 64) {
        const uint64_t work = n + (uint64_t)tiles_of(a.points) * TILE_COST;
        const uint32_t k = blockIdx.x + threadIdx.x / 32;
        const uint64_t at = k == gridDim.x ? n : share_begin(a.points, work * k / gridDim.x);
        if (lane == 0) share[threadIdx.x / 32] = at;
    }
    __syncthreads();
    const uint64_t last = share[1];
    uint64_t j = share[0];
    uint32_t number = j < last ? tile_of_record(a.points, j, n) : 0;
    while (j < last) {
        int64_t origin[3];
        tile_origin(a.points, number, origin);
        load_tile<real, PARTS, WIDTH, window, tile>(a, origin, part, cells);
        __pipeline_commit();
        const uint64_t behind = min(last, a.points.start[number + 1] & below);
        const uint64_t next = a.points.start[min(number + 2, tiles_of(a.points))] & below;
        for (; j < behind; j += tile::CHUNK) {
            const point_record<real> *records = (const point_record<real> *)a.points.records + j;
            const int count = (int)min((uint64_t)tile::CHUNK, behind - j);
            order_by_bank<window, tile>(records, count, b);
            const int places = places_of(b);
            for (int i = threadIdx.x / SHARE; i - lane / SHARE < places;
                 i += tile::THREADS / SHARE) {
                const int own = i < places ? b.order[i] : ordered::EMPTY;
                /* with nothing to do a lane reads what the first one of its level reads */
                const int at = own != ordered::EMPTY ? own
                               : tile::LARGE
                                   ? b.order[min(i, places - 1) / window::CLASSES * window::CLASSES]
                                   : b.order[places - 1];
                const point_record<real> r = records[at & ~ordered::TURNED];
                take_point<real, PARTS, SLOPES, WIDTH, SHARE, tile>(
                    a, r, cells, coefficients, column, part,
                    own != ordered::EMPTY ? (uint32_t)r.index : NOBODY, at & ordered::TURNED);
            }
            __syncthreads();
        }
        j = behind;
        /* the next tile, unless that one is empty */
        if (j < last) number = next > j ? number + 1 : tile_of_record(a.points, j, n);
    }
}

template <typename real, int PARTS, bool SLOPES, int WIDTH, int SHARE, class tile>
static enuf_status launch_points(enuf_nufft *plan, const points_parameters &a,
                                 const enuf_interpolate_job *job)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    typedef shared_window<grid_cell<real, PARTS>, WIDTH, SHARE, tile> window;
    auto kernel = interpolate_points<real, PARTS, SLOPES, WIDTH, SHARE, tile>;
    constexpr int ROWS = column_rows<SLOPES>(window::PLANES);
    const size_t before = bytes_before_tile<real, SLOPES, WIDTH, ROWS, tile>(a.window.n);
    const size_t bytes = before + window::COUNT * sizeof(grid_cell<real, PARTS>);
    int each = 0;
    if (bytes > (size_t)cuda->shared_bytes_per_block)
        return enuf_cuda_interpolate_gather(plan, job, a.vectors);
    ENUF_CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "shared memory for interpolation");
    ENUF_CUDA_TRY(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, tile::THREADS, bytes),
        "blocks for interpolation");
    const int passes = a.out.parts / PARTS;
    int64_t blocks = (int64_t)each * cuda->multiprocessors / (passes * a.vectors);
    const int64_t work = cuda->points.n + (int64_t)a.points.n_tiles * TILE_COST;
    const int64_t most = (work + LEAST_SHARE - 1) / LEAST_SHARE;
    if (blocks > most) blocks = most;
    if (blocks < 1) blocks = 1;
    enuf_chain(cuda->stream, kernel, dim3((unsigned)blocks, (unsigned)passes, (unsigned)a.vectors),
               tile::THREADS, bytes, a, (int)before);
    return enuf_cuda_launched("interpolation, a thread a point");
}

#endif
