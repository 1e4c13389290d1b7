/*
 * interpolators.h - functions on the cells of a histogram: tables at the nodes of each cell, read
 * by Lagrange interpolation. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_INTERPOLATORS_H
#define ENUF_ENCODING_INTERPOLATORS_H

#include "element.h"

enum { ENUF_MOST_NODES = 32 }; /* of a cell along an axis */

/** Values that share a bin. Their nodes are [nodes[1]][nodes[0]] from `first` on. */
typedef struct enuf_cell {
    double centre[2], scale[2]; /* place = (value - centre) scale, in [-1, 1]; scale 0: one value */
    int32_t first, nodes[2];
    int32_t is_list; /* 1: the nodes are all values that there are */
} enuf_cell;

/** Functions of a frequency and a decay, or of a time. The arrays are in the memory that the
 * backend works in. */
typedef struct enuf_interpolators {
    double low[2], bins_per_unit[2];
    int32_t bins[2];
    const int32_t *cell_of_bin; /* [bins[1]][bins[0]] of bins that have values */
    const enuf_cell *cells;
    const double *values; /* [nodes][2] */
    const double *rules;  /* [ENUF_MOST_NODES + 1][2][ENUF_MOST_NODES] of n nodes: nodes, factors */
    const double *table;  /* [nodes][count] complex */
    int count;
} enuf_interpolators;

/** The bin of a value. */
ENUF_EVERYWHERE int32_t enuf_bin_of(const double low[2], const double bins_per_unit[2],
                                    const int32_t bins[2], const double value[2])
{
    int32_t bin[2];
    for (int d = 0; d < 2; d++) {
        const double place = (value[d] - low[d]) * bins_per_unit[d];
        bin[d] = place > 0 ? (int32_t)place : 0;
        if (bin[d] >= bins[d]) bin[d] = bins[d] - 1;
    }
    return bin[1] * bins[0] + bin[0];
}

/** The cell of a value. */
ENUF_EVERYWHERE const enuf_cell *enuf_cell_of(const enuf_interpolators *at, const double value[2])
{
    return at->cells + at->cell_of_bin[enuf_bin_of(at->low, at->bins_per_unit, at->bins, value)];
}

/** Weights of a list's nodes: 1 at the value, 0 elsewhere. */
ENUF_EVERYWHERE void enuf_list_weights(const enuf_interpolators *at, const enuf_cell *cell,
                                       const double value[2], double *weights)
{
    const double *values = at->values + 2 * (int64_t)cell->first;
    double least = INFINITY;
    int met = 0;
    for (int k = 0; k < cell->nodes[0]; k++) {
        const double distance = fabs(value[0] - values[2 * k]) + fabs(value[1] - values[2 * k + 1]);
        if (distance < least) met = k;
        least = distance < least ? distance : least;
        weights[k] = 0;
    }
    weights[met] = 1;
}

/** Weights of a cell's nodes along an axis. Source: the barycentric formula with the factors of
 * Gauss-Legendre nodes, Wang, Xiang, Math. Comput. 81 (2012) 861. */
ENUF_EVERYWHERE void enuf_node_weights(const enuf_interpolators *at, const enuf_cell *cell,
                                       int axis, const double value[2], double *weights)
{
    const int n = cell->nodes[axis];
    const double *nodes = at->rules + n * 2 * ENUF_MOST_NODES, *factors = nodes + ENUF_MOST_NODES;
    const double place = (value[axis] - cell->centre[axis]) * cell->scale[axis];
    double sum = 0;
    int met = -1;
    if (cell->is_list && axis == 0) {
        enuf_list_weights(at, cell, value, weights);
        return;
    }
    for (int k = 0; k < n; k++) {
        const double distance = place - nodes[k];
        if (distance == 0) met = k;
        weights[k] = factors[k] / distance;
        sum += weights[k];
    }
    for (int k = 0; k < n; k++) weights[k] = met < 0 ? weights[k] / sum : (k == met ? 1 : 0);
}

/** Interpolator l at the place of these weights. */
ENUF_EVERYWHERE void enuf_interpolate_at(const enuf_interpolators *at, const enuf_cell *cell, int l,
                                         const double *w0, const double *w1, double value[2])
{
    const double *table = at->table + 2 * ((int64_t)cell->first * at->count + l);
    value[0] = value[1] = 0;
    for (int b = 0; b < cell->nodes[1]; b++)
        for (int a = 0; a < cell->nodes[0]; a++) {
            const double weight = w0[a] * w1[b];
            value[0] += weight * table[0];
            value[1] += weight * table[1];
            table += 2 * at->count;
        }
}

#endif
