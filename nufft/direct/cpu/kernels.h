/*
 * kernels.h - the inner part of direct sums on CPUs, compiled once for each instruction set, and in
 * each once for each precision. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_KERNELS_H
#define ENUF_DIRECT_KERNELS_H

#include "isa.h"
#include "direct/points.h"
#include "direct/split.h"

/**
 * Sums over the nodes p of a lattice, p_d one of position[d], x fastest:
 *
 *     forward   values[j] = sum_p image[p] exp(sign 2 pi i p . s_j)
 *               slopes[j][d] = sum_p p_d image[p] exp(sign 2 pi i p . s_j)
 *     adjoint   image[p] = sum_j values[j] exp(sign 2 pi i p . s_j)
 *
 * Arrays are complex in the kernel's precision: image [batch][nodes], values [batch][samples],
 * slopes [batch][samples][dim] or NULL.
 */
typedef struct enuf_lattice {
    int dim, sign, batch, threads;
    int64_t n[3]; /* nodes along an axis; past dim 1 */
    int64_t nodes;
    const double *position[3]; /* [n]; past dim {0} */
    enuf_direct_points samples;
} enuf_lattice;

/** A number of each sample or pixel: that of i at at[i * step]. */
typedef struct enuf_pair_numbers {
    const void *at;
    int64_t step;
} enuf_pair_numbers;

/** A zero for each. */
extern const enuf_pair_numbers enuf_pair_zero;

/** Samples or pixels as the sums over pairs read them. What a sum does not use may be empty. */
typedef struct enuf_pair_side {
    int64_t n;
    enuf_pair_numbers turns[4]; /* the turns of a pair are the sum of four products, of axes and
                                   field: double, in float enuf_split */
    enuf_pair_numbers low;      /* double: adds one product that the fourth lacks */
    enuf_pair_numbers decay;    /* a pair is multiplied by 2 to the power of the product, */
    enuf_pair_numbers shift[3]; /* and by sinc of both shifts and a product, for each axis */
    enuf_pair_numbers slope[3];
} enuf_pair_side;

enum { ENUF_TERM_FIELD = 1, ENUF_TERM_DECAY = 2, ENUF_TERM_VOXEL = 4, ENUF_TERMS = 8 };

/**
 * Sums over pairs: outputs[o] = sum_i inputs[i] B exp(sign 2 pi i turns) 2^decay, and its
 * derivative along the places of the outputs.
 */
typedef struct enuf_pair_sum {
    int terms; /* those of the sum; DECAY and VOXEL come with FIELD */
    int dim, sign, batch, threads;
    enuf_pair_side to, from;
    const void *input; /* [batch][from.n] complex */
    void *output;      /* [batch][to.n] complex, or NULL */
    void *slopes;      /* [batch][to.n][dim] complex, or NULL */
    double unit[3];    /* turns for a product of 1 along an axis: of the slopes, in float */
    double edge[3];    /* VOXEL: of the voxel, of the slopes */
} enuf_pair_sum;

/** Kernels of one instruction set: double, float. */
typedef struct enuf_direct_kernels {
    enuf_status (*lattice_forward[2])(const enuf_lattice *lattice, const void *image, void *values,
                                      void *slopes);
    enuf_status (*lattice_adjoint[2])(const enuf_lattice *lattice, const void *values, void *image);
    void (*sum_pairs[2])(const enuf_pair_sum *sum);
} enuf_direct_kernels;

ENUF_DECLARE_TABLES(enuf_direct_kernels, enuf_direct_kernels)

/** The kernels of a set that enuf_isa_find() has found. */
const enuf_direct_kernels *enuf_direct_kernels_find(enuf_isa isa);

#endif
