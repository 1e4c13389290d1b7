/*
 * jax_kernels.h - kernels of the handlers for CUDA: conversions, comparisons, and what the host
 * would otherwise fetch. Arrays are on the device; calls only enqueue. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_JAX_KERNELS_H
#define ENUF_JAX_KERNELS_H

#include "error.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array of float (single: 1) or double. */
typedef struct enuf_jax_array {
    void *at;
    int single;
} enuf_jax_array;

/** to[i] = factor from[i]; the two may be the same array. */
enuf_status enuf_jax_convert(int64_t n, double factor, enuf_jax_array from, enuf_jax_array to,
                             cudaStream_t stream);

/** Sets *differ to 1 if a[i] is not b[i] anywhere (NULL: not 0); NaN differs from all. */
enuf_status enuf_jax_compare(int64_t n, const double *a, const double *b, int *differ,
                             cudaStream_t stream);

enum { JAX_MOST_NUMBERS = 9 };

/** Writes n numbers of the host, which may change after the call. */
enuf_status enuf_jax_put(int n, const double *numbers, enuf_jax_array to, cudaStream_t stream);

enum { JAX_MOST_ROWS = 1024 };

/**
 * dE/dcell of jax_cell_slope.h. Sums add up in a fixed order.
 *
 * w        virial, on the host
 * h        the cell
 * partial  [JAX_MOST_ROWS][9] scratch
 */
enuf_status enuf_jax_put_cell_slope(int64_t n, const double *forces, const double *x,
                                    const double w[6], const double *h, double *partial,
                                    enuf_jax_array slope, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
