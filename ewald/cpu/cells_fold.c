/*
 * cells_fold.c - see cells_fold.h.
 *
 * An atom's place is its position less a sum of edges, m_1 e_1 + m_2 e_2 + m_3 e_3. The difference
 * is small, and it has to be right to the last bit of the caller's position. Near the origin, where
 * atoms are, folding runs in double, in steps and rests (fold_step.h). Farther out it runs in long
 * double, four times as slowly. Long double for all atoms took 18 % of the pair sum at 60
 * neighbours. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cells_fold.h"
#include "lattice/fold_step.h"

#include <math.h>

/* Cell vectors around the origin that are folded in double. */
static const long double near_vectors = 4;

static long double fraction_of(const enuf_cell_grid *grid, const long double x[3], int d)
{
    return x[0] * grid->inverse[d] + x[1] * grid->inverse[3 + d] + x[2] * grid->inverse[6 + d];
}

static void in_cutoffs(const enuf_cell_grid *grid, const double *position, long double x[3])
{
    for (int e = 0; e < 3; e++) x[e] = (long double)position[e] * grid->per_cutoff;
}

/* floorl() of |s| < 2^63, without the call */
static long double floor_of(long double s)
{
    const int64_t towards_zero = (int64_t)s;
    return (long double)(towards_zero - ((long double)towards_zero > s));
}

void enuf_fold_make(const enuf_cell_grid *grid, enuf_fold *fold)
{
    const long double cutoff = 1 / grid->per_cutoff;
    long double reach = 0, origin[3] = {0};
    for (int d = 0; d < 3; d++) {
        const long double *row = grid->lattice + 3 * d;
        for (int e = 0; e < 3; e++) {
            reach = fmaxl(reach, near_vectors * cutoff * fabsl(row[e]));
            origin[e] += grid->lower[d] * row[e] * cutoff;
        }
    }
    for (int e = 0; e < 3; e++) reach = fmaxl(reach, near_vectors * fabsl(origin[e]));
    const long double step =
        enuf_fold_step(grid->lattice, grid->inverse, grid->lower, cutoff, reach);

    fold->grid = grid;
    fold->reach = (double)reach;
    fold->to_steps = enuf_fold_to_steps(step);
    fold->per_cutoff = (double)grid->per_cutoff;
    fold->per_cutoff_rest = (double)(grid->per_cutoff - (long double)fold->per_cutoff);
    for (int d = 0; d < 3; d++) {
        fold->lower[d] = (double)grid->lower[d];
        fold->count[d] = (double)grid->count[d];
        fold->per_vector[d] = (double)grid->per_vector[d];
        enuf_fold_split(origin[d], step, fold->origin_high + d, fold->origin_low + d);
    }
    for (int k = 0; k < 9; k++) {
        fold->inverse[k] = (double)(grid->inverse[k] * grid->per_cutoff);
        enuf_fold_split(grid->edge[k] * cutoff, step, fold->edge_high + k, fold->edge_low + k);
    }
}

static int64_t fold_far(const enuf_cell_grid *grid, const double *position, double local[3])
{
    long double x[3];
    in_cutoffs(grid, position, x);
    long double turns[3];
    for (int d = 0; d < 3; d++)
        turns[d] = grid->periodic[d] ? floor_of(fraction_of(grid, x, d)) : grid->lower[d];
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) x[e] -= turns[d] * grid->lattice[3 * d + e];

    int64_t index[3];
    for (int d = 0; d < 3; d++) {
        /* rounding may put an atom behind a face of its cell, by nothing that matters */
        const long double along = fraction_of(grid, x, d) * grid->per_vector[d];
        const int64_t last = grid->count[d] - 1, cell = along > 0 ? (int64_t)along : 0;
        index[d] = cell < last ? cell : last;
    }
    for (int e = 0; e < 3; e++) {
        for (int d = 0; d < 3; d++) x[e] -= (long double)index[d] * grid->edge[3 * d + e];
        local[e] = (double)x[e];
    }
    return (index[2] * grid->count[1] + index[1]) * grid->count[0] + index[0];
}

/* (high + low)/cutoff, rounded once */
static inline double scaled(const enuf_fold *fold, double high, double low)
{
#if defined(FP_FAST_FMA) || defined(__FMA__)
    const double rest = low * fold->per_cutoff + high * fold->per_cutoff_rest;
    return fma(high, fold->per_cutoff, rest);
#else
    return (double)(((long double)high + (long double)low) * fold->grid->per_cutoff);
#endif
}

int64_t enuf_fold_atom(const enuf_fold *fold, const double *position, double local[3])
{
    const enuf_cell_grid *grid = fold->grid;
    if (!(fabs(position[0]) <= fold->reach && fabs(position[1]) <= fold->reach &&
          fabs(position[2]) <= fold->reach))
        return fold_far(grid, position, local);

    double index[3], edges[3];
    for (int d = 0; d < 3; d++) {
        const double s = position[0] * fold->inverse[d] + position[1] * fold->inverse[3 + d] +
                         position[2] * fold->inverse[6 + d] - fold->lower[d];
        const double turns = grid->periodic[d] ? floor(s) : 0;
        /* rounding may put an atom behind a face of its cell, by nothing that matters */
        const double cell = floor((s - turns) * fold->per_vector[d]), last = fold->count[d] - 1;
        index[d] = cell > 0 ? cell < last ? cell : last : 0;
        edges[d] = turns * fold->count[d] + index[d];
    }
    for (int e = 0; e < 3; e++) {
        double high = (position[e] + fold->to_steps) - fold->to_steps, low = position[e] - high;
        high -= fold->origin_high[e];
        low -= fold->origin_low[e];
        for (int d = 0; d < 3; d++) {
            high -= edges[d] * fold->edge_high[3 * d + e];
            low -= edges[d] * fold->edge_low[3 * d + e];
        }
        local[e] = scaled(fold, high, low);
    }
    return (int64_t)((index[2] * fold->count[1] + index[1]) * fold->count[0] + index[0]);
}
