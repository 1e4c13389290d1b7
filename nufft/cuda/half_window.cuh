/*
 * half_window.cuh - a window's weights by one thread, for widths known at compile time. The window
 * is symmetric, so half of its coefficients suffice. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_HALF_WINDOW_CUH
#define ENUF_NUFFT_CUDA_HALF_WINDOW_CUH

#include "point.cuh"

/** Half of the window's coefficients, [powers][STEP]. Cell width - 1 - p has the coefficients of
 * cell p, with other signs at odd powers. The number of powers is made even by zeros. */
template <typename real, int WIDTH> struct half_window {
    enum {
        HALF = (WIDTH + 1) / 2,
        GROUP = 16 / sizeof(real), /* numbers of a load */
        STEP = (HALF + GROUP - 1) / GROUP * GROUP
    };
    static size_t bytes(int powers)
    {
        return (size_t)((powers + 1) / 2 * 2 * STEP) * sizeof(real);
    }
};

template <typename real, int WIDTH>
__device__ __forceinline__ void load_half_window(const window_view &w, real *shared)
{
    typedef half_window<real, WIDTH> half;
    const real *c = (const real *)w.coefficients;
    for (int i = threadIdx.x; i < (w.n + 1) / 2 * 2 * half::STEP; i += (int)blockDim.x) {
        const int p = i % half::STEP, k = i / half::STEP;
        shared[i] = p < half::HALF && k < w.n ? c[k * WIDTH + p] : (real)0;
    }
}

/** A point's weights along an axis, and slopes per cell: w(p) = e + t o, w(width - 1 - p) = e - t o
 * with polynomials e and o of t^2. */
template <typename real, int WIDTH, bool SLOPES>
__device__ __forceinline__ void symmetric_weights(const real *c, int powers, real t, real w[WIDTH],
                                                  real s[WIDTH])
{
    typedef half_window<real, WIDTH> half;
    typedef numbers<real, half::STEP> vector;
    const int pairs = (powers + 1) / 2;
    const real u = t * t;
    real e[half::HALF], o[half::HALF], e_u[half::HALF], o_u[half::HALF];
    c += (pairs - 1) * 2 * half::STEP;
    vector even = *(const vector *)c, odd = *(const vector *)(c + half::STEP);
#pragma unroll
    for (int p = 0; p < half::HALF; p++) {
        e[p] = even.at[p];
        o[p] = odd.at[p];
        e_u[p] = o_u[p] = 0;
    }
#pragma unroll 2
    for (int k = 1; k < pairs; k++) {
        c -= 2 * half::STEP;
        even = *(const vector *)c;
        odd = *(const vector *)(c + half::STEP);
#pragma unroll
        for (int p = 0; p < half::HALF; p++) {
            if (SLOPES) {
                e_u[p] = e_u[p] * u + e[p];
                o_u[p] = o_u[p] * u + o[p];
            }
            e[p] = e[p] * u + even.at[p];
            o[p] = o[p] * u + odd.at[p];
        }
    }
#pragma unroll
    for (int p = 0; p < half::HALF; p++) {
        w[p] = e[p] + t * o[p];
        if (p != WIDTH - 1 - p) w[WIDTH - 1 - p] = e[p] - t * o[p];
        if (SLOPES) { /* t falls by 2 while the point's position grows by 1 */
            const real of_even = -4 * t * e_u[p], of_odd = -2 * (o[p] + 2 * u * o_u[p]);
            s[p] = of_even + of_odd;
            if (p != WIDTH - 1 - p) s[WIDTH - 1 - p] = of_even - of_odd;
        }
    }
}

#endif
