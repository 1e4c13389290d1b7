/*
 * jax_cell_slope.h - the derivative of the energy with respect to the cell. Read by C and by CUDA
 * files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_JAX_CELL_SLOPE_H
#define ENUF_JAX_CELL_SLOPE_H

#ifdef __CUDACC__
#define ENUF_JAX_INLINE static __host__ __device__ inline
#else
#define ENUF_JAX_INLINE static inline
#endif

/**
 * dE/dcell at fixed positions: (A h^-1)^T, A = forces^T x - W; h has the rows of the cell.
 *
 * forces_x  forces^T x [3][3]
 * w         virial: xx, yy, zz, xy, xz, yz
 * slope     [3][3]
 */
ENUF_JAX_INLINE void enuf_jax_cell_slope(const double *forces_x, const double *w, const double *h,
                                         double *slope)
{
    const double virial[9] = {w[0], w[3], w[4], w[3], w[1], w[5], w[4], w[5], w[2]};
    double inverse[9], determinant = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            inverse[3 * c + r] = h[3 * r1 + c1] * h[3 * r2 + c2] - h[3 * r1 + c2] * h[3 * r2 + c1];
        }
    for (int c = 0; c < 3; c++) determinant += h[c] * inverse[3 * c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += (forces_x[3 * r + k] - virial[3 * r + k]) * inverse[3 * k + c];
            slope[3 * c + r] = sum / determinant;
        }
}

#endif
