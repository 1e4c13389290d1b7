/*
 * pairs_float.c - the pair kernels in float.
 *
 * Coordinates are integers; 2^29 is the largest coordinate of a neighbour. Their differences are
 * exact before one conversion rounds them to float. The unit, a few 1e-9 of the cutoff, is below
 * the rounding of any r in float. Charges, polynomials and the sums of one block (at most PAIR_LIST
 * neighbours) are float, everything between blocks double. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_block.h"

#define REAL          vf
#define REAL_IS_FLOAT 1

#include "simd.h"

typedef int32_t coordinate;
typedef vi coordinates;

SIMD_INLINE coordinates coordinates_set(coordinate x)
{
    return vi_set(x);
}

SIMD_INLINE vf difference(coordinates x_i, const coordinate *x_j)
{
    return __builtin_convertvector(x_i - vi_load(x_j), vf);
}

#include "pairs_kernel.h"

typedef struct float_list {
    PAIR_ALIGNED int32_t x[PAIR_LIST + PAIR_PADDING], y[PAIR_LIST + PAIR_PADDING],
        z[PAIR_LIST + PAIR_PADDING];
    float q[PAIR_LIST + PAIR_PADDING];
    int32_t x_i[PAIR_GROUP], y_i[PAIR_GROUP], z_i[PAIR_GROUP];
    float q_i[PAIR_GROUP];
    float sum_j[PAIR_SUMS][PAIR_LIST + PAIR_PADDING];
} float_list;

static void to_integers(const double *x, int n, double scale, int32_t *out)
{
    for (int k = 0; k < n; k++) out[k] = (int32_t)floor(x[k] * scale + 0.5);
}

static void to_float(const double *x, int n, float *out)
{
    for (int k = 0; k < n; k++) out[k] = (float)x[k];
}

SIMD_INLINE void run(enuf_pair_block *block, const enuf_pair_polynomials *p, const int with_field,
                     const int with_potential, const int with_tensor)
{
    float_list list;
    const int n_i = block->n_i, n_j = block->n_j;
    /* the group within extent, neighbours within extent + 1, differences within 2 extent + 1 */
    const double scale = 0x1p29 / (1 + block->extent), unit = 1 / scale;
    to_integers(block->x, n_j, scale, list.x);
    to_integers(block->y, n_j, scale, list.y);
    to_integers(block->z, n_j, scale, list.z);
    to_float(block->q, n_j + PAIR_PADDING, list.q);
    for (int k = n_j; k < n_j + PAIR_PADDING; k++) list.x[k] = list.y[k] = list.z[k] = 1 << 30;
    to_integers(block->x_i, n_i, scale, list.x_i);
    to_integers(block->y_i, n_i, scale, list.y_i);
    to_integers(block->z_i, n_i, scale, list.z_i);
    to_float(block->q_i, n_i, list.q_i);

    const kernel_block b = {
        .n_i = n_i,
        .n_j = n_j,
        .triangle = block->triangle,
        .x_i = list.x_i,
        .y_i = list.y_i,
        .z_i = list.z_i,
        .x = list.x,
        .y = list.y,
        .z = list.z,
        .q_i = list.q_i,
        .q = list.q,
        .unit2 = (float)(unit * unit),
        .sum_i = block->sum_i,
        .sum_j = list.sum_j,
    };
    kernel_hits hits;
    double closest =
        pair_kernel(&b, &hits, with_potential ? p->float_n_both : p->float_n_force, p->float_force,
                    p->float_energy, with_field, with_potential, with_tensor);
    if (closest < block->closest) block->closest = closest;

    const int first_sum = with_field ? 0 : PAIR_POTENTIAL;
    const int end_sum = with_tensor ? PAIR_SUMS : with_potential ? PAIR_TENSOR : PAIR_POTENTIAL;
    for (int c = first_sum; c < end_sum; c++) {
        const double of_unit = c < PAIR_POTENTIAL ? unit : c == PAIR_POTENTIAL ? 1 : unit * unit;
        for (int k = 0; k < n_i; k++) block->sum_i[c][k] *= of_unit;
        for (int k = 0; k < n_j; k++) block->sum_j[c][k] = of_unit * (double)list.sum_j[c][k];
    }
}

#include "pairs_variants.h"

const enuf_pair_kernels enuf_pair_kernels_float = {field, potential, both, all};
