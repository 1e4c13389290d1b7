/*
 * slide_products.cuh - the inner loop of spreading along z: points of one layer into the cells that
 * a warp holds. By products of matrices on the matrix units where cells are held in double; by
 * outer products where they are held in float, for GPUs whose double is slow.
 *
 * Lane (g, t), g = lane / 4 and t = lane % 4, holds the same cells in both: m = g and g + 8, along
 * n the cells 2 t and 2 t + 1 of each block of eight.
 *
 * Instructions in float of a point: 4 MINE PARTS (1 + width), and 2 + 2 MINE + width/2 loads, of a
 * warp. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SLIDE_PRODUCTS_CUH
#define ENUF_NUFFT_CUDA_SLIDE_PRODUCTS_CUH

#include "cuda/point.cuh"

/** Places of a point's weights, in bytes from the begin of the rows: of the tile's first cell along
 * m, of the warp's first cell along n; the layer of its window. */
struct alignas(8) slide_place {
    uint16_t m, n;
    uint32_t layer;
};

/** Two numbers of a row that are read at once. */
template <typename held> struct alignas(2 * sizeof(held)) held_pair {
    held x, y;
};

/** The weights of 32 points in shared memory; rows of m and n come first. */
template <typename held> struct slide_weights {
    const held *of_mn, *of_z, *strengths; /* strengths [32][PARTS] of complex ones */
    const slide_place *places;
};

/** Adds points first ... behind - 1 to layers S ... of c, layer + k in c[][][(S + k) % WIDTH]. */
template <class shape, int WIDTH, int PARTS, int S>
__device__ __forceinline__ void add_points(const slide_weights<double> &from, int first, int behind,
                                           double (&c)[PARTS][shape::MINE][WIDTH][4])
{
    constexpr int MINE = shape::MINE;
    const int t = threadIdx.x % 4;
    const char *weights = (const char *)(from.of_mn + threadIdx.x / 4);
#pragma unroll 1
    for (int j = first + t; j < behind + t; j += 8) {
        const int j0 = min(j, 31), j1 = min(j + 4, 31);
        const slide_place p0 = from.places[j0], p1 = from.places[j1];
        /* points behind the layer's last take no part: m of no point */
        const int m_of_0 = j < behind ? p0.m : 8 * 32 * shape::ROW;
        const int m_of_1 = j + 4 < behind ? p1.m : 8 * 32 * shape::ROW;
        const double *m0 = (const double *)(weights + m_of_0);
        const double *m1 = (const double *)(weights + m_of_1);
        const double *y0 = (const double *)(weights + p0.n);
        const double *y1 = (const double *)(weights + p1.n);
        const double am[4] = {m0[0], m0[8], m1[0], m1[8]};
        double factor[PARTS][4];
        if (PARTS == 1) {
#pragma unroll
            for (int i = 0; i < 4; i++) factor[0][i] = am[i];
        } else {
#pragma unroll
            for (int p = 0; p < PARTS; p++) {
                const double q0 = j < behind ? from.strengths[j0 * PARTS + p] : 0;
                const double q1 = j + 4 < behind ? from.strengths[j1 * PARTS + p] : 0;
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
        const double2 *z0 = (const double2 *)(from.of_z + j0 * shape::Z_ROW);
        const double2 *z1 = (const double2 *)(from.of_z + j1 * shape::Z_ROW);
#pragma unroll
        for (int w = 0; w < WIDTH; w += 2) {
            const double2 v0 = z0[w / 2], v1 = z1[w / 2];
#pragma unroll
            for (int b = 0; b < MINE; b++)
#pragma unroll
                for (int p = 0; p < PARTS; p++) {
                    multiply_add(c[p][b][(w + S) % WIDTH], factor[p], b0[b] * v0.x, b1[b] * v1.x);
                    if (w + 1 < WIDTH)
                        multiply_add(c[p][b][(w + 1 + S) % WIDTH], factor[p], b0[b] * v0.y,
                                     b1[b] * v1.y);
                }
        }
    }
}

template <class shape, int WIDTH, int PARTS, int S>
__device__ __forceinline__ void add_points(const slide_weights<float> &from, int first, int behind,
                                           float (&c)[PARTS][shape::MINE][WIDTH][4])
{
    constexpr int MINE = shape::MINE;
    const char *of_m = (const char *)(from.of_mn + threadIdx.x / 4);
    const char *of_n = (const char *)(from.of_mn + threadIdx.x % 4 * 2);
#pragma unroll 2
    for (int j = first; j < behind; j++) {
        const slide_place place = from.places[j];
        const float *m = (const float *)(of_m + place.m), *n = (const float *)(of_n + place.n);
        const float wm[2] = {m[0], m[8]};
        float f[PARTS][MINE][4];
#pragma unroll
        for (int b = 0; b < MINE; b++) {
            const float wn[2] = {n[8 * b], n[8 * b + 1]};
#pragma unroll
            for (int p = 0; p < PARTS; p++) {
                const float q = PARTS == 1 ? 1 : from.strengths[j * PARTS + p];
#pragma unroll
                for (int e = 0; e < 4; e++)
                    f[p][b][e] = (PARTS == 1 ? wm[e / 2] : wm[e / 2] * q) * wn[e % 2];
            }
        }
        const held_pair<float> *z = (const held_pair<float> *)(from.of_z + j * shape::Z_ROW);
#pragma unroll
        for (int w = 0; w < WIDTH; w += 2) {
            const held_pair<float> v = z[w / 2];
#pragma unroll
            for (int i = 0; i < PARTS * MINE * 4; i++) {
                const int p = i / (MINE * 4), b = i / 4 % MINE, e = i % 4;
                float &low = c[p][b][(w + S) % WIDTH][e];
                low = fmaf(f[p][b][e], v.x, low);
                if (w + 1 < WIDTH) {
                    float &high = c[p][b][(w + 1 + S) % WIDTH][e];
                    high = fmaf(f[p][b][e], v.y, high);
                }
            }
        }
    }
}

#endif
