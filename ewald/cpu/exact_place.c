/*
 * exact_place.c - see exact_place.h. A position less its cell vectors is the sum of two doubles:
 * whole steps of the fold, without any rounding, and the rest. Times the steps of a place to a unit
 * of length it becomes an integer and a fraction. SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_place.h"
#include "lattice/fold_step.h"

#include <math.h>

/* Cell vectors around the origin that are folded in double. More would make the rests coarser. */
static const long double near_vectors = 1024;

/* x cutoffs. Steps are kept modulo 2^64: cells of any size are served. */
static void split_place(long double x, int64_t *steps, double *rest)
{
    const long double scaled = x / (long double)ENUF_PLACE_STEP, whole = rintl(scaled);
    const long double around = 0x1p64L, left = whole - floorl(whole / around) * around;
    *steps = (int64_t)(uint64_t)left;
    *rest = (double)rintl((scaled - whole) / (long double)ENUF_REST_UNIT) * ENUF_REST_UNIT;
}

void enuf_exact_fold_make(const enuf_cell_grid *grid, enuf_exact_fold *fold)
{
    static const long double origin[3] = {0, 0, 0};
    const long double cutoff = 1 / grid->per_cutoff;
    const long double scale = grid->per_cutoff / (long double)ENUF_PLACE_STEP;
    long double longest = 0;
    for (int k = 0; k < 9; k++) longest = fmaxl(longest, fabsl(grid->lattice[k]));
    const long double reach = near_vectors * cutoff * longest;
    const long double step = enuf_fold_step(grid->lattice, grid->inverse, origin, cutoff, reach);

    fold->grid = grid;
    fold->reach = (double)reach;
    fold->to_steps = enuf_fold_to_steps(step);
    fold->cutoff = (double)cutoff;
    fold->scale = (double)scale;
    fold->scale_rest = (double)(scale - (long double)fold->scale);
    for (int k = 0; k < 9; k++) {
        fold->inverse[k] = (double)(grid->inverse[k] * grid->per_cutoff);
        enuf_fold_split(grid->lattice[k] * cutoff, step, fold->vector_high + k,
                        fold->vector_low + k);
    }
}

enuf_exact_place enuf_exact_vector(const enuf_cell_grid *grid, int d)
{
    enuf_exact_place vector;
    for (int e = 0; e < 3; e++)
        split_place(grid->lattice[3 * d + e], vector.steps + e, vector.rest + e);
    return vector;
}

/* The same in long double, right to 2^-64 of the position. */
static enuf_exact_place place_far(const enuf_exact_fold *fold, const double *position,
                                  const double local[3], const double corner[3])
{
    const enuf_cell_grid *grid = fold->grid;
    const long double *inverse = grid->inverse;
    enuf_exact_place place;
    long double x[3], of_cell[3];
    for (int e = 0; e < 3; e++) {
        x[e] = (long double)position[e] * grid->per_cutoff;
        of_cell[e] = x[e] - (long double)local[e];
    }
    for (int d = 0; d < 3; d++) {
        if (!grid->periodic[d]) continue;
        const long double turns = rintl(of_cell[0] * inverse[d] + of_cell[1] * inverse[3 + d] +
                                        of_cell[2] * inverse[6 + d] - (long double)corner[d]);
        for (int e = 0; e < 3; e++) x[e] -= turns * grid->lattice[3 * d + e];
    }
    for (int e = 0; e < 3; e++) split_place(x[e], place.steps + e, place.rest + e);
    return place;
}

/* The place of the coordinate high + low. Returns 0 if it has too many steps. */
static inline int split_near(const enuf_exact_fold *fold, double high, double low, int64_t *steps,
                             double *rest)
{
    const double product = high * fold->scale, whole = rint(product);
    if (!(fabs(product) < 0x1p62)) return 0;
    const double left = (fma(high, fold->scale, -product) + (product - whole)) +
                        (low * fold->scale + high * fold->scale_rest);
    const double carried = rint(left);
    *steps = (int64_t)whole + (int64_t)carried;
    *rest = rint((left - carried) / ENUF_REST_UNIT) * ENUF_REST_UNIT;
    return 1;
}

enuf_exact_place enuf_exact_place_of(const enuf_exact_fold *fold, const double *position,
                                     const double local[3], const double corner[3])
{
    const double *inverse = fold->inverse;
    double of_cell[3], turns[3];
    int near = 1;
    for (int e = 0; e < 3; e++) {
        near = near && fabs(position[e]) <= fold->reach;
        of_cell[e] = position[e] - local[e] * fold->cutoff;
    }
    for (int d = 0; d < 3; d++)
        turns[d] = fold->grid->periodic[d]
                       ? rint(of_cell[0] * inverse[d] + of_cell[1] * inverse[3 + d] +
                              of_cell[2] * inverse[6 + d] - corner[d])
                       : 0;
    enuf_exact_place place;
    for (int e = 0; e < 3 && near; e++) {
        double high = (position[e] + fold->to_steps) - fold->to_steps, low = position[e] - high;
        for (int d = 0; d < 3; d++) {
            high -= turns[d] * fold->vector_high[3 * d + e];
            low -= turns[d] * fold->vector_low[3 * d + e];
        }
        near = split_near(fold, high, low, place.steps + e, place.rest + e);
    }
    return near ? place : place_far(fold, position, local, corner);
}
