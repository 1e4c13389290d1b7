/*
 * spread_slide.cuh - spreading in 3D by warps that slide along z: cells in registers, points in
 * order of z, products of matrices.
 *
 * A warp takes a sub-problem, points of one tile in order of their window's first layer z. It holds
 * the tile's cells in `width` layers, and nothing of the others: when the points' layer grows, the
 * lowest layer is complete and goes to the grid by global reductions. So all width layers that are
 * held take part in every point's product, and no cell is ever read. Within a layer z + k the sum
 * over the points j of it, sum_j (q_j wm_j[m]) (wz_j[k] wn_j[n]), is a product of matrices with the
 * points as inner index, 16 x 8 x 8 on the matrix units: m is the axis along which tiles have 16
 * cells, n the other one.
 *
 * 32 points at a time, a lane evaluates the weights of one into shared memory, into rows with zeros
 * on both sides: whichever cell of the tile is asked for, there is its weight. No barrier, no
 * atomics but those of the way out. Complex strengths: a warp takes both parts, of 8 cells along n;
 * points that do not meet these are passed over.
 *
 * Operations: eight points take width * (tile along n)/8 products. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SPREAD_SLIDE_CUH
#define ENUF_NUFFT_CUDA_SPREAD_SLIDE_CUH

#include "half_window.cuh"
#include "spread.cuh"
#include "strategies.h"
#include "work_share.cuh"

#include <type_traits>

/** Sizes. Weights and cells are held in double. */
template <int WIDTH, int PARTS> struct slide_shape {
    enum {
        SMALL = WIDTH <= ENUF_CUDA_SMALL_WIDTH,
        M_AXIS = SMALL ? 1 : 0, /* tiles have 16 cells along it */
        N_AXIS = SMALL ? 0 : 1,
        BLOCKS = SMALL ? 1 : 2,         /* of 8 cells along n */
        MINE = PARTS == 2 ? 1 : BLOCKS, /* of them a warp's */
        TASKS = BLOCKS / MINE,          /* warps of a sub-problem */
        M_ZEROS = 16 - WIDTH,
        N_ZEROS = 8 * BLOCKS - WIDTH, /* on each side of the window */
        /* numbers: rows of m and n of a point, odd, so that lanes that write side by side meet
         * different banks; of z, an odd number of 16 bytes */
        N_ROW = 2 * M_ZEROS + WIDTH,
        ROW = (N_ROW + 2 * N_ZEROS + WIDTH) | 1,
        Z_ROW = ((WIDTH + 1) / 2 | 1) * 2,
        HELD = 2 * 4 * PARTS * MINE * WIDTH, /* registers that hold cells */
        /* warps of a multiprocessor that registers are kept free for */
        RESIDENT = HELD <= 32                       ? 20
                   : HELD <= (PARTS == 1 ? 64 : 48) ? 16
                   : HELD <= 96                     ? 12
                                                    : 8
    };
    template <typename real> static size_t bytes(const window_view &w)
    {
        return 32 * (Z_ROW + ROW + PARTS) * sizeof(double) + half_window<real, WIDTH>::bytes(w.n) +
               32 * (sizeof(uint32_t) + MINE * sizeof(int4));
    }
};

/** Two lanes that differ in bit `other`: the one without it gets both first numbers, the other one
 * both second ones. */
template <typename real>
__device__ __forceinline__ void exchange(real &first, real &second, int other)
{
    const bool upper = (threadIdx.x & other) != 0;
    const real got = __shfl_xor_sync(~0u, upper ? first : second, other);
    const real mine = upper ? second : first;
    first = upper ? got : mine;
    second = upper ? mine : got;
}

template <typename real, int PARTS>
__device__ __forceinline__ void add_cell(real *to, const real value[PARTS])
{
#pragma unroll
    for (int p = 0; p < PARTS; p++)
        if (value[p] != 0) atomicAdd(to + p, value[p]); /* a NaN is not 0 */
}

template <> __device__ __forceinline__ void add_cell<float, 2>(float *to, const float value[2])
{
    if (value[0] == 0 && value[1] == 0) return;
#if __CUDA_ARCH__ >= 900
    if ((uintptr_t)to % sizeof(float2) == 0) {
        atomicAdd((float2 *)to, make_float2(value[0], value[1]));
        return;
    }
#endif
    atomicAdd(to, value[0]);
    atomicAdd(to + 1, value[1]);
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

/** A lane's point into the buffers: rows of m and n, with the strength where it is one number, and
 * weights of z. */
template <typename real, int WIDTH, int PARTS>
__device__ __forceinline__ void put_weights(const spread_parameters &a, const real *coefficients,
                                            const point_record<real> &r, const real q[PARTS],
                                            double *rows, double *of_z)
{
    typedef slide_shape<WIDTH, PARTS> shape;
    real w[WIDTH], none[WIDTH];
    symmetric_weights<real, WIDTH, false>(coefficients, a.window.n, variable_of(r, shape::M_AXIS),
                                          w, none);
#pragma unroll
    for (int i = 0; i < WIDTH; i++)
        rows[shape::M_ZEROS + i] = (double)(PARTS == 1 ? w[i] * q[0] : w[i]);
    symmetric_weights<real, WIDTH, false>(coefficients, a.window.n, variable_of(r, shape::N_AXIS),
                                          w, none);
#pragma unroll
    for (int i = 0; i < WIDTH; i++) rows[shape::N_ROW + shape::N_ZEROS + i] = (double)w[i];
    symmetric_weights<real, WIDTH, false>(coefficients, a.window.n, variable_of(r, 2), w, none);
#pragma unroll
    for (int i = 0; i < WIDTH; i++) of_z[i] = (double)w[i];
}

template <typename real, int WIDTH, int PARTS>
__global__ void __launch_bounds__(32, (slide_shape<WIDTH, PARTS>::RESIDENT))
    spread_slide(const spread_parameters a)
{
    typedef slide_shape<WIDTH, PARTS> shape;
    constexpr int MINE = shape::MINE;
    extern __shared__ __align__(16) unsigned char shared[];
    double *of_z = (double *)shared, *of_mn = of_z + 32 * shape::Z_ROW;
    double *strengths = of_mn + 32 * shape::ROW;   /* [32][PARTS] */
    int4 *rows = (int4 *)(strengths + 32 * PARTS); /* [MINE][32] what a lane adds to the grid: four
                                                      rows of n, numbers from the layer's first */
    uint32_t *places = (uint32_t *)(rows + 32 * MINE); /* windows' first cells in the tile */
    real *coefficients = (real *)(places + 32);
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int n0 = 8 * MINE * (int)blockIdx.y; /* the warp's first cell along n */
    const int nz = (int)a.points.grid[2];

    const uint64_t n = points_of(a.points), work = work_before(a.points, tiles_of(a.points));
    const uint64_t share = (work + gridDim.x - 1) / gridDim.x, from = share * blockIdx.x;
    if (from >= work) return;
    uint32_t tile = tile_of_work(a.points, from);
    uint64_t at = point_of_work(a.points, tile, from); /* the next point */
    if (at >= n) return;
    load_half_window<real, WIDTH>(a.window, coefficients);
    for (int i = lane; i < 32 * (shape::Z_ROW + shape::ROW); i += 32) of_z[i] = 0;
    places[lane] = 0;
    __syncwarp();

    const point_record<real> *records = (const point_record<real> *)a.points.records;
    point_record<real> r;
    real q[PARTS];
    auto fetch = [&](uint64_t first) {
        r = records[first + lane < n ? first + lane : n - 1];
#pragma unroll
        for (int p = 0; p < PARTS; p++) q[p] = strength_of<real>(a, (int64_t)r.index, p);
    };
    fetch(at);

    double c[PARTS][MINE][WIDTH][4]; /* layer + k is in c[][][(slot + k) % WIDTH] */
#pragma unroll
    for (int i = 0; i < PARTS * MINE * WIDTH * 4; i++) (&c[0][0][0][0])[i] = 0;
    int slot = 0, layer;

    while (at < n) {
        tile = tile_behind(a.points, tile, at);
        const uint64_t end = point_of_work(a.points, tile, from + share);
        if (at >= end) return;
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
                rows[32 * b + lane] = make_int4(
                    folded_once(y, ny) * row + x, folded_once(y + 1, ny) * row + x,
                    folded_once(y + third, ny) * row + x, folded_once(y + third + 1, ny) * row + x);
            }
        }
        layer = __shfl_sync(~0u, offset_of(r, 2), 0);

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
            real *plane = (real *)a.cells + folded_once((int)origin[2] + layer, nz) * a.plane;
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

        for (bool held = true; held;) {
            /* a lane a point: its weights */
            const int on = offset_of(r, shape::N_AXIS);
            const bool meets =
                at + lane < end && (shape::TASKS == 1 || (on < n0 + 8 * MINE && on + WIDTH > n0));
            const unsigned met = __ballot_sync(~0u, meets);
            const int here = __popc(met), mine = __popc(met & ((1u << lane) - 1));
            if (meets) {
                put_weights<real, WIDTH, PARTS>(a, coefficients, r, q, of_mn + mine * shape::ROW,
                                                of_z + mine * shape::Z_ROW);
                if (PARTS == 2)
                    for (int p = 0; p < PARTS; p++) strengths[mine * PARTS + p] = (double)q[p];
                places[mine] =
                    (uint32_t)(offset_of(r, shape::M_AXIS) | on << 8 | offset_of(r, 2) << 16);
            }
            at = at + 32 < end ? at + 32 : end;
            if (at < n) fetch(at);
            __syncwarp();
            const int own_layer = lane < here ? (int)(places[lane] >> 16) : -1;

            for (int first = 0;;) {
                const bool more = first < here;
                if (!more && at < end) break;
                held = more; /* behind the tile's last point all layers go out */
                const int now = more ? __shfl_sync(~0u, own_layer, first) : layer + WIDTH;
                for (; layer < now; layer++) {
                    layer_out();
                    slot = slot + 1 < WIDTH ? slot + 1 : 0;
                }
                if (!more) break;
                /* points of this layer: first ... behind */
                const int behind = 32 - __clz((int)__ballot_sync(~0u, own_layer == now));
                with_constant<WIDTH>(slot, [&](auto constant) {
                    constexpr int S = decltype(constant)::value;
#pragma unroll 1
                    for (int j = first + t; j < behind + t; j += 8) {
                        const int j0 = min(j, 31), j1 = min(j + 4, 31);
                        const uint32_t p0 = places[j0], p1 = places[j1];
                        const double *row0 = of_mn + j0 * shape::ROW + g;
                        const double *row1 = of_mn + j1 * shape::ROW + g;
                        const double *m0 = row0 + shape::M_ZEROS - (p0 & 255);
                        const double *m1 = row1 + shape::M_ZEROS - (p1 & 255);
                        const int n_at = shape::N_ROW + shape::N_ZEROS + n0;
                        const double *y0 = row0 + n_at - (p0 >> 8 & 255);
                        const double *y1 = row1 + n_at - (p1 >> 8 & 255);
                        double am[4] = {m0[0], m0[8], m1[0], m1[8]};
                        if (j >= behind) am[0] = am[1] = 0;
                        if (j + 4 >= behind) am[2] = am[3] = 0;
                        double factor[PARTS][4];
                        if (PARTS == 1) {
#pragma unroll
                            for (int i = 0; i < 4; i++) factor[0][i] = am[i];
                        } else {
#pragma unroll
                            for (int p = 0; p < PARTS; p++) {
                                const double q0 = j < behind ? strengths[j0 * PARTS + p] : 0;
                                const double q1 = j + 4 < behind ? strengths[j1 * PARTS + p] : 0;
                                factor[p][0] = am[0] * q0;
                                factor[p][1] = am[1] * q0;
                                factor[p][2] = am[2] * q1;
                                factor[p][3] = am[3] * q1;
                            }
                        }
                        double b0[MINE], b1[MINE];
#pragma unroll
                        for (int b = 0; b < MINE; b++) {
                            b0[b] = y0[8 * b];
                            b1[b] = y1[8 * b];
                        }
                        const double2 *z0 = (const double2 *)(of_z + j0 * shape::Z_ROW);
                        const double2 *z1 = (const double2 *)(of_z + j1 * shape::Z_ROW);
#pragma unroll
                        for (int w = 0; w < WIDTH; w += 2) {
                            const double2 v0 = z0[w / 2], v1 = z1[w / 2];
#pragma unroll
                            for (int b = 0; b < MINE; b++)
#pragma unroll
                                for (int p = 0; p < PARTS; p++) {
                                    multiply_add(c[p][b][(w + S) % WIDTH], factor[p], b0[b] * v0.x,
                                                 b1[b] * v1.x);
                                    if (w + 1 < WIDTH)
                                        multiply_add(c[p][b][(w + 1 + S) % WIDTH], factor[p],
                                                     b0[b] * v0.y, b1[b] * v1.y);
                                }
                        }
                    }
                });
                first = behind;
            }
            __syncwarp();
        }
    }
}

template <typename real, int WIDTH, int PARTS>
static enuf_status launch_slide(const enuf_nufft *plan, const spread_parameters &a)
{
    typedef slide_shape<WIDTH, PARTS> shape;
    return launch_spreading(plan, a, spread_slide<real, WIDTH, PARTS>, 32,
                            shape::template bytes<real>(a.window), shape::TASKS,
                            "spreading along z");
}

template <typename real, int PARTS>
static enuf_status slide_of_width(const enuf_nufft *plan, const spread_parameters &a)
{
    switch (a.window.width) {
#define ENUF_OF_WIDTH(width)                                                                       \
    case width:                                                                                    \
        return launch_slide<real, width, PARTS>(plan, a);
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
