/*
 * spread_slide.cuh - spreading in 3D by warps that slide along z: cells in registers, points in
 * order of z, products of matrices.
 *
 * A warp takes a sub-problem, points of one tile in order of their window's first layer z. It holds
 * the tile's cells of `width` layers only. When the points' layer grows, the lowest layer is
 * complete and atomics add it to the grid. So all layers that are held take part in every point's
 * product, and no cell is ever read. Where tiles along z follow each other, the warp goes on to the
 * next one with the layers that it holds. Within a layer z + k the sum over the points j of it,
 * sum_j (q_j wm_j[m]) (wz_j[k] wn_j[n]), is a product of matrices with the points as inner index,
 * 16 x 8 x 8 on the matrix units: m is the axis along which tiles have 16 cells, n the other one.
 * Where double is slow, cells are held in float, and plain outer products add the points
 * (slide_products.cuh).
 *
 * 32 points at a time, a lane evaluates the weights of one into shared memory, into rows with zeros
 * on both sides, so that a row has a weight for every cell of the tile. There is no barrier, and
 * atomics only add layers to the grid. Complex strengths: a warp takes both parts, of 8 cells along
 * n; it skips points that do not meet these.
 *
 * Warps of a multiprocessor: eight or twelve, none between, as registers go to its four parts.
 * Tried, the reciprocal step of a million ions, 144^3, width 6, 409 us (H100, November 2026): a
 * warp for each eight of the sixteen cells along n, 16 warps, 419; products of four points for the
 * rest of a layer, 408.
 *
 * Operations: eight points take width * (tile along n)/8 products. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SPREAD_SLIDE_CUH
#define ENUF_NUFFT_CUDA_SPREAD_SLIDE_CUH

#include "cuda/half_window.cuh"
#include "slide_products.cuh"
#include "spread_parameters.cuh"
#include "cuda/strategies.h"
#include "work_share.cuh"

#include <cuda_pipeline_primitives.h>
#include <type_traits>

/**
 * Points on their way from global memory to a warp: records come before the strengths that they
 * name, and both before they are used, so that the warp does not wait. (With registers a chunk
 * ahead the warp waits for the record at once, because its index leads to the strength: a seventh
 * of all samples, H100.)
 */
template <typename real, int PARTS> struct point_queue {
    enum { RECORDS = 96, STRENGTHS = 64 }; /* counted from the current points */
    point_record<real> records[RECORDS];
    real strengths[STRENGTHS][PARTS];

    __device__ __forceinline__ const point_record<real> &record(uint32_t point) const
    {
        return records[point % RECORDS];
    }
    __device__ __forceinline__ const real *strength(uint32_t point) const
    {
        return strengths[point % STRENGTHS];
    }
    __device__ __forceinline__ void ask_record(const spread_parameters &a, uint64_t point,
                                               uint32_t n)
    {
        if (point >= n) return;
        const uint4 *from = (const uint4 *)((const point_record<real> *)a.points.records + point);
        uint4 *to = (uint4 *)&records[(uint32_t)point % RECORDS];
#pragma unroll
        for (unsigned k = 0; k < sizeof(point_record<real>) / sizeof(uint4); k++)
            __pipeline_memcpy_async(to + k, from + k, sizeof(uint4));
    }
    /** The record must have arrived. */
    __device__ __forceinline__ void ask_strength(const spread_parameters &a, uint64_t point,
                                                 uint32_t n)
    {
        if (point >= n) return;
        const int64_t index = strengths_before(a) + (int64_t)record((uint32_t)point).index;
        real *to = strengths[(uint32_t)point % STRENGTHS];
#pragma unroll
        for (int p = 0; p < PARTS; p++)
            if (a.factors)
                to[p] = strength_of<real>(a, index, p);
            else
                __pipeline_memcpy_async(to + p, (const real *)a.strengths + index * PARTS + p,
                                        sizeof(real));
    }
    /** Starts the first points of a share, by all lanes. Records arrive; strengths are on their
     * way. */
    __device__ __forceinline__ void begin(const spread_parameters &a, uint32_t at, uint32_t n)
    {
        const uint32_t lane = threadIdx.x;
        __pipeline_wait_prior(0); /* copies started behind the last share */
        __syncwarp();
#pragma unroll
        for (int k = 0; k < RECORDS; k += 32) ask_record(a, (uint64_t)at + k + lane, n);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncwarp();
#pragma unroll
        for (int k = 0; k < STRENGTHS; k += 32) ask_strength(a, (uint64_t)at + k + lane, n);
        __pipeline_commit();
    }
    /** Goes from the points at `last` (at most 32) to the points at `at` (at most 32), by all
     * lanes. The new points have arrived afterwards. */
    __device__ __forceinline__ void advance(const spread_parameters &a, uint32_t last, uint32_t at,
                                            uint32_t n)
    {
        const uint32_t lane = threadIdx.x;
        __pipeline_wait_prior(0);
        __syncwarp();
        if (lane < at - last) {
            ask_strength(a, (uint64_t)last + STRENGTHS + lane, n);
            ask_record(a, (uint64_t)last + RECORDS + lane, n);
        }
        __pipeline_commit();
    }
};

/** Sizes. Weights and cells are held in double, for the matrix units, or in float. */
template <typename held, int WIDTH, int PARTS> struct slide_shape {
    enum {
        SMALL = WIDTH <= ENUF_CUDA_SMALL_WIDTH,
        M_AXIS = SMALL ? 1 : 0, /* tiles have 16 cells along it */
        N_AXIS = SMALL ? 0 : 1,
        BLOCKS = SMALL ? 1 : 2,         /* of 8 cells along n */
        MINE = PARTS == 2 ? 1 : BLOCKS, /* of them a warp's */
        TASKS = BLOCKS / MINE,          /* warps of a sub-problem */
        M_ZEROS = 16 - WIDTH,           /* on each side of the window */
        N_ZEROS = 8 * BLOCKS - WIDTH,
        /* numbers: a row holds m's window and n's, and zeros between them for both; odd, so that
         * lanes that write side by side meet different banks; of z, an odd number of 16 bytes */
        M_WINDOW = M_ZEROS,
        N_WINDOW = M_WINDOW + WIDTH + (M_ZEROS > N_ZEROS ? M_ZEROS : N_ZEROS),
        ROW = (N_WINDOW + WIDTH + N_ZEROS) | 1,
        Z_ROW = ((WIDTH + 1) / 2 | 1) * 2,
        HELD = (int)sizeof(held) * PARTS * MINE * WIDTH, /* registers that hold cells */
        /* warps of a multiprocessor that registers are kept free for */
        RESIDENT = HELD <= 32 && SPREAD_MOST_BLOCKS > 16 ? 20
                   : HELD <= (PARTS == 1 ? 64 : 48)      ? 16
                   : HELD <= 112                         ? 12
                                                         : 8
    };
    template <typename real> static size_t bytes(const window_view &w)
    {
        return (32 * (Z_ROW + ROW + (PARTS == 2 ? PARTS : 0)) + 16) * sizeof(held) +
               sizeof(point_queue<real, PARTS>) + half_window<real, WIDTH>::bytes(w.n) +
               32 * (sizeof(slide_place) + MINE * sizeof(int4));
    }
};

/** Exchanges numbers of two lanes that differ in bit `other`. The lane without it gets both first
 * numbers, the other lane both second ones. */
template <typename real>
__device__ __forceinline__ void exchange(real &first, real &second, int other)
{
    const bool upper = (threadIdx.x & other) != 0;
    const real got = __shfl_xor_sync(~0u, upper ? first : second, other);
    const real mine = upper ? second : first;
    first = upper ? got : mine;
    second = upper ? mine : got;
}

/** Calls f(constant) with the constant that equals slot, 0 <= slot < N. */
template <int N, int K = 0, class function>
__device__ __forceinline__ void with_constant(int slot, const function &f)
{
    if constexpr (K + 1 == N) {
        f(std::integral_constant<int, K>());
    } else {
        if (slot == K)
            f(std::integral_constant<int, K>());
        else
            with_constant<N, K + 1>(slot, f);
    }
}

/** 1 where the tile above, with points of the same share, comes next: `end` is the first point
 * behind the tile, `z` the tile's first cell. By all lanes. */
__device__ __forceinline__ bool has_tile_above(const sorted_view &v, uint32_t tile, int z,
                                               uint32_t end, uint32_t n, uint64_t until)
{
    if (!v.z_first || end >= n || z + v.tile[2] >= v.tiles[2] * v.tile[2]) return false;
    return tile_behind(v, tile, end) == tile + 1 && point_of_work(v, tile + 1, until) > end;
}

/** A lane's point into the buffers: rows of m and n, with the strength where it is one number, and
 * weights of z. */
template <typename real, typename held, int WIDTH, int PARTS>
__device__ __forceinline__ void put_weights(const spread_parameters &a, const real *coefficients,
                                            const point_record<real> &r, const real q[PARTS],
                                            held *rows, held *of_z)
{
    typedef slide_shape<held, WIDTH, PARTS> shape;
    real w[WIDTH], none[WIDTH];
    symmetric_weights<real, WIDTH, false>(coefficients, a.window.n, variable_of(r, shape::M_AXIS),
                                          w, none);
#pragma unroll
    for (int i = 0; i < WIDTH; i++)
        rows[shape::M_WINDOW + i] = (held)(PARTS == 1 ? w[i] * q[0] : w[i]);
    symmetric_weights<real, WIDTH, false>(coefficients, a.window.n, variable_of(r, shape::N_AXIS),
                                          w, none);
#pragma unroll
    for (int i = 0; i < WIDTH; i++) rows[shape::N_WINDOW + i] = (held)w[i];
    symmetric_weights<real, WIDTH, false>(coefficients, a.window.n, variable_of(r, 2), w, none);
#pragma unroll
    for (int i = 0; i < WIDTH; i++) of_z[i] = (held)w[i];
}

template <typename real, typename held, int WIDTH, int PARTS>
__global__ void __launch_bounds__(32, (slide_shape<held, WIDTH, PARTS>::RESIDENT))
    spread_slide(const spread_parameters a)
{
    typedef slide_shape<held, WIDTH, PARTS> shape;
    constexpr int MINE = shape::MINE;
    extern __shared__ __align__(16) unsigned char shared[];
    held *of_z = (held *)shared, *of_mn = of_z + 32 * shape::Z_ROW;
    held *nothing = of_mn + 32 * shape::ROW; /* [16] zeros: m of no point */
    held *strengths = nothing + 16;          /* [32][PARTS] of complex ones; real: none */
    int4 *rows = (int4 *)(strengths + (PARTS == 2 ? 32 * PARTS : 0));
    /* [MINE][32] offsets of the numbers that a lane adds to the grid: four rows of n, counted from
     * the layer's first */
    point_queue<real, PARTS> &queue = *(point_queue<real, PARTS> *)(rows + 32 * MINE);
    slide_place *places = (slide_place *)(&queue + 1);
    real *coefficients = (real *)(places + 32);
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int n0 = 8 * MINE * (int)blockIdx.y; /* the warp's first cell along n */
    const int nz = (int)a.points.grid[2];

    load_half_window<real, WIDTH>(a.window, coefficients);
    for (int i = lane; i < 32 * (shape::Z_ROW + shape::ROW) + 16; i += 32) of_z[i] = 0;
    places[lane] = slide_place();
    join_chain(a);
    const uint32_t n = (uint32_t)points_of(a.points);
    __syncwarp();

    held c[PARTS][MINE][WIDTH][4]; /* layer + k is in c[][][(slot + k) % WIDTH] */
#pragma unroll
    for (int i = 0; i < PARTS * MINE * WIDTH * 4; i++) (&c[0][0][0][0])[i] = 0;
    int slot = 0, layer;
    const slide_weights<held> weights = {of_mn, of_z, strengths, places};

    unsigned ticket = blockIdx.x;
    for (work_share share; share.take(a.points, ticket);) {
        /* takes the next share's ticket early */
        unsigned next = 0;
        if (lane == 0) next = share.next_ticket(counter_of_tickets(a.counters));
        uint32_t tile = tile_of_work(a.points, share.from);
        uint32_t at = (uint32_t)point_of_work(a.points, tile, share.from); /* the next point */
        uint32_t last = at;   /* points that came before */
        bool went_on = false; /* from the tile below: its upper layers are held */
        queue.begin(a, at, n);
        while (at < n) {
            tile = tile_behind(a.points, tile, at);
            const uint32_t end = (uint32_t)point_of_work(a.points, tile, share.until);
            if (at >= end) break;
            int64_t origin[3];
            tile_origin(a.points, tile, origin);

            {
                const int across = shape::SMALL ? 2 * t + g % 2 : g + 8 * (t % 2);
                const int x = folded_once((int)origin[0] + across, (int)a.points.grid[0]) * PARTS;
                const int ny = (int)a.points.grid[1], row = (int)a.row;
#pragma unroll
                for (int b = 0; b < MINE; b++) {
                    const int y =
                        (int)origin[1] + (shape::SMALL ? g - g % 2 : n0 + 8 * b + 2 * (t - t % 2));
                    const int third = shape::SMALL ? 8 : 2; /* rows from the first to the third */
                    rows[32 * b + lane] =
                        make_int4(folded_once(y, ny) * row + x, folded_once(y + 1, ny) * row + x,
                                  folded_once(y + third, ny) * row + x,
                                  folded_once(y + third + 1, ny) * row + x);
                }
            }
            layer = went_on ? layer - a.points.tile[2] : offset_of(queue.record(at), 2);
            went_on = has_tile_above(a.points, tile, (int)origin[2], end, n, share.until);

            auto layer_out = [&]() {
                real value[MINE][4][PARTS];
                with_constant<WIDTH>(slot, [&](auto constant) {
                    constexpr int S = decltype(constant)::value;
#pragma unroll
                    for (int b = 0; b < MINE; b++)
#pragma unroll
                        for (int p = 0; p < PARTS; p++)
#pragma unroll
                            for (int e = 0; e < 4; e++) {
                                value[b][e][p] = (real)c[p][b][S][e];
                                c[p][b][S][e] = 0;
                            }
                });
                real *plane = (real *)a.cells + cells_before(a) +
                              folded_once((int)origin[2] + layer, nz) * a.plane;
#pragma unroll
                for (int b = 0; b < MINE; b++) {
                    /* cells side by side go out together */
#pragma unroll
                    for (int p = 0; p < PARTS; p++) {
                        exchange(value[b][0][p], value[b][shape::SMALL ? 1 : 2][p],
                                 shape::SMALL ? 4 : 1);
                        exchange(value[b][shape::SMALL ? 2 : 1][p], value[b][3][p],
                                 shape::SMALL ? 4 : 1);
                    }
                    const int4 row = rows[32 * b + lane];
                    add_cell<real, PARTS>(plane + row.x, value[b][0]);
                    add_cell<real, PARTS>(plane + row.y, value[b][1]);
                    add_cell<real, PARTS>(plane + row.z, value[b][2]);
                    add_cell<real, PARTS>(plane + row.w, value[b][3]);
                }
            };

            for (bool more_points = true; more_points;) {
                queue.advance(a, last, at, n);
                last = at;
                /* a lane a point: its weights */
                const point_record<real> r = queue.record(at + lane);
                const int on = offset_of(r, shape::N_AXIS);
                const bool meets = (uint32_t)lane < end - at &&
                                   (shape::TASKS == 1 || (on < n0 + 8 * MINE && on + WIDTH > n0));
                const unsigned met = __ballot_sync(~0u, meets);
                const int here = __popc(met), mine = __popc(met & ((1u << lane) - 1));
                if (meets) {
                    real q[PARTS];
#pragma unroll
                    for (int p = 0; p < PARTS; p++) q[p] = queue.strength(at + lane)[p];
                    put_weights<real, held, WIDTH, PARTS>(a, coefficients, r, q,
                                                          of_mn + mine * shape::ROW,
                                                          of_z + mine * shape::Z_ROW);
                    if (PARTS == 2)
                        for (int p = 0; p < PARTS; p++) strengths[mine * PARTS + p] = (held)q[p];
                    const int row = mine * shape::ROW;
                    slide_place place;
                    place.m = (uint16_t)((int)sizeof(held) *
                                         (row + shape::M_WINDOW - offset_of(r, shape::M_AXIS)));
                    place.n = (uint16_t)((int)sizeof(held) * (row + shape::N_WINDOW - on + n0));
                    place.layer = (uint32_t)offset_of(r, 2);
                    places[mine] = place;
                }
                at = end - at > 32 ? at + 32 : end;
                __syncwarp();
                const int own_layer = lane < here ? (int)places[lane].layer : -1;

                for (int first = 0;;) {
                    const bool more = first < here;
                    if (!more && at < end) break;
                    more_points = more;
                    /* behind the tile's last point all layers go out, unless the warp goes on */
                    const int now = more      ? __shfl_sync(~0u, own_layer, first)
                                    : went_on ? layer
                                              : layer + WIDTH;
                    for (; layer < now; layer++) {
                        layer_out();
                        slot = slot + 1 < WIDTH ? slot + 1 : 0;
                    }
                    if (!more) break;
                    /* points of this layer: first ... behind */
                    const int behind = 32 - __clz((int)__ballot_sync(~0u, own_layer == now));
                    with_constant<WIDTH>(slot, [&](auto constant) {
                        constexpr int S = decltype(constant)::value;
                        add_points<shape, WIDTH, PARTS, S>(weights, first, behind, c);
                    });
                    first = behind;
                }
                __syncwarp();
            }
        }
        ticket = __shfl_sync(~0u, next, 0);
    }
    leave_work(a.counters);
}

template <typename real, typename held, int WIDTH, int PARTS>
static enuf_status launch_slide(const enuf_nufft *plan, const spread_parameters &a, int vectors)
{
    typedef slide_shape<held, WIDTH, PARTS> shape;
    return launch_spreading(plan, a, spread_slide<real, held, WIDTH, PARTS>, 32,
                            shape::template bytes<real>(a.window), shape::TASKS, vectors,
                            "spreading along z");
}

template <typename real, typename held, int PARTS>
static enuf_status slide_of_width(const enuf_nufft *plan, const spread_parameters &a, int vectors)
{
    switch (a.window.width) {
#define ENUF_OF_WIDTH(width)                                                                       \
    case width:                                                                                    \
        return launch_slide<real, held, width, PARTS>(plan, a, vectors);
        ENUF_OF_WIDTH(2)
        ENUF_OF_WIDTH(3)
        ENUF_OF_WIDTH(4)
        ENUF_OF_WIDTH(5)
        ENUF_OF_WIDTH(6)
        ENUF_OF_WIDTH(7)
        ENUF_OF_WIDTH(8)
        ENUF_OF_WIDTH(9)
#undef ENUF_OF_WIDTH
    default:
        return enuf_fail(ENUF_INTERNAL, "spreading along z serves widths 2 to 9, not %d",
                         a.window.width);
    }
}

#endif
