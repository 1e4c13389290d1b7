/*
 * pairs_block.h - the data of a pair kernel: a group of atoms and a list of neighbours.
 *
 * A group is a few atoms that follow each other in a column of cells. Its list is gathered once,
 * pruned by distance to the group, and contiguous: the kernel's vectors are full, need no cells or
 * images, and add to the neighbours' sums with plain loads and stores. Lengths are in cutoffs,
 * coordinates relative to the corner of the cell of the group's first atom. Deterministic: relative
 * to this atom itself, and each is the sum of two numbers; differences of the first, and of the
 * rests, have no rounding.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_BLOCK_H
#define ENUF_EWALD_CPU_PAIRS_BLOCK_H

#include "cells.h"

enum {
    PAIR_LIST = 1024,   /* neighbours of one block: all its arrays stay in the second-level cache */
    PAIR_PADDING = 16,  /* a vector of float: kernels read and write so far past the list's end */
    PAIR_FAR = 1 << 20, /* place of the padding, in cutoffs */
    PAIR_ROOM = (PAIR_GROUP + 7) / 8 * 8, /* a group in whole vectors */
};

/*
 * Sums of an atom. Field: sum q_j g d, d = r_i - r_j, g = 1/r^3 - R; potential: sum q_j (1/r - Q);
 * tensor: sum q_j g d_a d_b (xx, yy, zz, xy, xz, yz). Force, energy and virial of an atom are these
 * times its own charge.
 */
enum {
    PAIR_FIELD = 0,
    PAIR_POTENTIAL = 3,
    PAIR_TENSOR = 4,
    PAIR_SUMS = 10,
};

/* lists begin at a cache line, so that no vector of a kernel crosses one */
#define PAIR_ALIGNED __attribute__((aligned(64)))

typedef struct enuf_pair_block {
    int n_i, n_j;
    int triangle;  /* 1: the list begins with the group itself; each of its pairs is summed once */
    double extent; /* largest absolute coordinate of the group */
    int64_t first; /* the group's first atom in sorted order; the others follow */
    double x_i[PAIR_ROOM], y_i[PAIR_ROOM], z_i[PAIR_ROOM], q_i[PAIR_ROOM];
    double rest_i[3][PAIR_ROOM];        /* deterministic */
    double sum_i[PAIR_SUMS][PAIR_ROOM]; /* set by the kernel */

    PAIR_ALIGNED double x[PAIR_LIST + PAIR_PADDING];
    double y[PAIR_LIST + PAIR_PADDING], z[PAIR_LIST + PAIR_PADDING];
    double q[PAIR_LIST + PAIR_PADDING];
    double rest[3][PAIR_LIST + PAIR_PADDING];                       /* deterministic */
    int64_t atom[PAIR_LIST + PAIR_PADDING];                         /* index in sorted order */
    PAIR_ALIGNED double sum_j[PAIR_SUMS][PAIR_LIST + PAIR_PADDING]; /* set by the kernel */

    double closest; /* the kernel lowers it to the smallest (r/r_c)^2 met */
} enuf_pair_block;

/** The splitting's polynomials as the kernels read them: both with n coefficients, zeros added. */
typedef struct enuf_pair_polynomials {
    int n_force, n_both; /* coefficients of R; the larger of R's and Q's */
    double force[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
    double energy[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
    int float_n_force, float_n_both;
    float float_force[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
    float float_energy[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
} enuf_pair_polynomials;

/** Sets sums of a block's atoms and neighbours: field, potential, both, or all with the virial. */
typedef void (*enuf_pair_kernel)(enuf_pair_block *block, const enuf_pair_polynomials *polynomials);

typedef struct enuf_pair_kernels {
    enuf_pair_kernel field, potential, both, all;
} enuf_pair_kernels;

extern const enuf_pair_kernels enuf_pair_kernels_double;
extern const enuf_pair_kernels enuf_pair_kernels_float;

/* Atoms closer than this (squared, in cutoffs) are at the same place: the rounding of coordinates
 * is as large. */
#define PAIR_SAME_PLACE 1e-30

/** Sums a finished block. */
typedef void (*enuf_pair_block_done)(enuf_pair_block *block, void *context);

typedef struct enuf_pair_rows enuf_pair_rows;

/** Makes the blocks of every group of a column of cells (y + count_y z) and hands them to `done`.
 */
void enuf_pair_column_blocks(const enuf_cells *cells, const enuf_pair_rows *rows, int64_t column,
                             enuf_pair_block *block, enuf_pair_block_done done, void *context);

#endif
