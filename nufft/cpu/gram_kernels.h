/*
 * gram_kernels.h - a Gram operator on the CPU; what depends on the precision has a suffix, _f64 or
 * _f32. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CPU_GRAM_KERNELS_H
#define ENUF_NUFFT_CPU_GRAM_KERNELS_H

#include "gram/object.h"

extern const enuf_gram_engine enuf_cpu_gram;

/** Columns of the last axis, and rows, that a thread transforms at once. The number is fixed, so
 * that bits do not depend on the number of threads. */
enum { ENUF_GRAM_COLUMNS = 16 };

/** The transforms in place, each forward (sign -1), and the same backward ENUF_GRAM_PASSES later.
 */
enum {
    ENUF_GRAM_BLOCK, /* of the last axis, a block of columns */
    ENUF_GRAM_REST,  /* the columns that remain */
    ENUF_GRAM_PLANE, /* 3D: the second axis of a plane */
    ENUF_GRAM_ROWS,  /* 2D, 3D: the first axis of as many rows as a block has columns */
    ENUF_GRAM_LAST_ROWS,
    ENUF_GRAM_PASSES
};

/** A thread's arrays, in complex numbers: a plane of l_2 x n_1 and one of n_2 x n_1 (3D), a block
 * of rows of l_1 and one of n_1 (2D, 3D). Each begins at a line of the cache. */
typedef struct enuf_gram_room {
    int64_t plane, sum, rows, sum_of_rows, all;
} enuf_gram_room;

/* Rounds up to whole lines of the cache, in complex numbers of either precision. */
static inline int64_t enuf_whole_lines(int64_t numbers)
{
    return (numbers + 7) / 8 * 8;
}

static inline enuf_gram_room enuf_gram_room_of(const enuf_gram *gram)
{
    const enuf_gram_axis *axis = gram->axis;
    const int dim = gram->options.dim;
    enuf_gram_room room = {0};
    if (dim == 3) {
        room.sum = enuf_whole_lines(axis[1].length * axis[0].n);
        room.rows = room.sum + enuf_whole_lines(axis[1].n * axis[0].n);
    }
    if (dim > 1) {
        room.sum_of_rows = room.rows + enuf_whole_lines(ENUF_GRAM_COLUMNS * axis[0].length);
        room.all = room.sum_of_rows + enuf_whole_lines(ENUF_GRAM_COLUMNS * axis[0].n);
    }
    return room;
}

/** Fills the spectrum of either precision. gram_spectrum.c */
enuf_status enuf_cpu_gram_fill(enuf_gram *gram, const enuf_gram_kernel *kernel);

#define ENUF_CPU_GRAM(SUFFIX)                                                                      \
    enuf_status enuf_cpu_gram_passes_##SUFFIX(enuf_gram *gram);                                    \
    /* 0: a result is not finite */                                                                \
    int enuf_cpu_gram_apply_##SUFFIX(enuf_gram *gram, const void *in, void *out);

ENUF_CPU_GRAM(f64)
ENUF_CPU_GRAM(f32)

#endif
