/*
 * sides.h - copies of samples, pixels and field on the CPU, and what the sums over pairs read of
 * them. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_SIDES_H
#define ENUF_DIRECT_SIDES_H

#include "kernels.h"
#include "direct/engine.h"

/** What the caller has set, in double. */
typedef struct enuf_direct_copies {
    enuf_direct_points places;           /* stride 1 */
    double *coordinates;                 /* of the places, [dim][n] */
    double *times;                       /* of samples, or NULL */
    double *omega, *decay, *gradient[3]; /* of pixels, or NULL */
} enuf_direct_copies;

enuf_status enuf_direct_copy_places(int dim, const enuf_direct_points *from, const double *times,
                                    enuf_direct_copies *to);
/** The pixels of a grid. */
enuf_status enuf_direct_copy_grid(int dim, const enuf_direct_grid *grid, enuf_direct_copies *to);
enuf_status enuf_direct_copy_field(int64_t n, const enuf_direct_field *field,
                                   enuf_direct_copies *to);
void enuf_direct_release_field(enuf_direct_copies *copies);
void enuf_direct_release_copies(enuf_direct_copies *copies);

enum { ENUF_SIDE_ARRAYS = 12 };

/** Samples and pixels as the sums over pairs read them, in the precision of the object. */
typedef struct enuf_direct_sides {
    int made;
    enuf_pair_side samples, pixels;
    double unit[3];
    void *array[2 * ENUF_SIDE_ARRAYS]; /* memory of their own */
    int n_arrays;
} enuf_direct_sides;

/** `edge`: of a voxel, 0: none. A failure leaves no sides. */
enuf_status enuf_direct_make_sides(const enuf_direct *sums, const enuf_direct_copies *samples,
                                   const enuf_direct_copies *pixels, const double edge[3],
                                   enuf_direct_sides *sides);
void enuf_direct_release_sides(enuf_direct_sides *sides);

#endif
