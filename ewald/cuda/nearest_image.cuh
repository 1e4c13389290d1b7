/*
 * nearest_image.cuh - the shortest image of a distance vector on the device, as
 * ewald/lattice/nearest_image.h. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_NEAREST_IMAGE_CUH
#define ENUF_EWALD_CUDA_NEAREST_IMAGE_CUH

#include "evaluation.h"

static __device__ double norm2(const double d[3])
{
    return __fma_rn(d[2], d[2], __fma_rn(d[1], d[1], __dmul_rn(d[0], d[0])));
}

/* d + low - n H; products and rows carry twice the digits */
static __device__ void shift(const enuf_cuda_exclusions &x, const double n[3], const double d[3],
                             const double low[3], double image[3])
{
    for (int a = 0; a < 3; a++) {
        double sum = d[a], rest = low[a];
        for (int r = 0; r < 3; r++) {
            const double h = x.rows_high[3 * r + a], p = __dmul_rn(n[r], h);
            const double next = __dadd_rn(sum, -p), b = __dadd_rn(next, -sum);
            rest =
                __dadd_rn(rest, __dadd_rn(__dadd_rn(sum, -__dadd_rn(next, -b)), -__dadd_rn(p, b)));
            rest = __dadd_rn(
                rest, -__dadd_rn(__fma_rn(n[r], h, -p), __dmul_rn(n[r], x.rows_low[3 * r + a])));
            sum = next;
        }
        image[a] = __dadd_rn(sum, rest);
    }
}

/* The rounding error of d = to - from. */
static __device__ void lost_digits(const double to[3], const double from[3], const double d[3],
                                   double low[3])
{
    for (int a = 0; a < 3; a++) {
        const double b = __dadd_rn(d[a], -to[a]);
        low[a] = __dadd_rn(__dadd_rn(to[a], -__dadd_rn(d[a], -b)), -__dadd_rn(from[a], b));
    }
}

/* d: the shortest image of to - from, as enuf_nearest_image(). Several images may be equally near;
 * the first found is taken. The searches from d and from -d find them in opposite orders, so the
 * search runs on one of the two only. */
static __device__ void nearest_image(const enuf_cuda_exclusions &x, const double to[3],
                                     const double from[3], double d[3])
{
    const double nothing[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) d[a] = __dadd_rn(to[a], -from[a]);
    if (norm2(d) < x.safe) return;
    double n[3], image[3], low[3];
    for (int c = 0; c < 3; c++)
        n[c] = rint(d[0] * x.inverse[c] + d[1] * x.inverse[3 + c] + d[2] * x.inverse[6 + c]);
    lost_digits(to, from, d, low);
    shift(x, n, d, low, image);
    if (norm2(image) >= x.safe) {
        const double first = image[0] != 0 ? image[0] : image[1] != 0 ? image[1] : image[2];
        const double sign = first < 0 ? -1 : 1;
        const double up[3] = {sign * image[0], sign * image[1], sign * image[2]};
        double best = INFINITY;
        for (int k = 0; k < 27; k++) {
            const double step[3] = {(double)(k / 9 - 1), (double)(k / 3 % 3 - 1),
                                    (double)(k % 3 - 1)};
            double other[3];
            shift(x, step, up, nothing, other);
            if (!(norm2(other) < best)) continue;
            best = norm2(other);
            for (int a = 0; a < 3; a++) image[a] = sign * other[a];
        }
    }
    for (int a = 0; a < 3; a++) d[a] = image[a];
}

#endif
