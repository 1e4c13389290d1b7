/*
 * pairs_in_double.h - the steps of pairs_kernel.h in double, on coordinates in double.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_IN_DOUBLE_H
#define ENUF_EWALD_CPU_PAIRS_IN_DOUBLE_H

#define REAL          vd
#define REAL_IS_FLOAT 0

#include "simd.h"

typedef double coordinate;
typedef vd coordinates;

SIMD_INLINE coordinates coordinates_set(coordinate x)
{
    return vd_set(x);
}

SIMD_INLINE vd difference(coordinates x_i, const coordinate *x_j)
{
    return x_i - vd_load(x_j);
}

#include "pairs_kernel.h"

/** A block as the kernels see it. */
SIMD_INLINE kernel_block view_of(enuf_pair_block *block)
{
    return (kernel_block){
        .n_i = block->n_i,
        .n_j = block->n_j,
        .triangle = block->triangle,
        .x_i = block->x_i,
        .y_i = block->y_i,
        .z_i = block->z_i,
        .x = block->x,
        .y = block->y,
        .z = block->z,
        .q_i = block->q_i,
        .q = block->q,
        .unit2 = 1,
        .sum_i = block->sum_i,
        .sum_j = block->sum_j,
    };
}

#endif
