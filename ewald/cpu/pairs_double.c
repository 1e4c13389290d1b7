/* pairs_double.c - the pair kernels in double. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs_block.h"

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

SIMD_INLINE void run(enuf_pair_block *block, const enuf_pair_polynomials *p, const int with_field,
                     const int with_potential, const int with_tensor)
{
    const kernel_block b = {
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
    kernel_hits hits;
    double closest = pair_kernel(&b, &hits, with_potential ? p->n_both : p->n_force, p->force,
                                 p->energy, with_field, with_potential, with_tensor);
    if (closest < block->closest) block->closest = closest;
}

#include "pairs_variants.h"

const enuf_pair_kernels enuf_pair_kernels_double = {field, potential, both, all};
