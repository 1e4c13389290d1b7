/*
 * shortest_distance.c - see shortest_distance.h. Ions are sorted into bins at least `reach` wide;
 * ions in bins `reach` away are compared, and the reach doubles until a pair lies within it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shortest_distance.h"

#include "memory.h"

#include <math.h>
#include <string.h>

typedef struct bins {
    const enuf_structure *structure;
    double inverse[9]; /* fractions = positions inverse */
    double height[3];  /* of the cell across its faces */
    int64_t n[3];      /* bins along a, b, c */
    int64_t reach[3];  /* bins to look at on either side */
    int64_t *first;    /* [n] an ion of each bin, -1: none */
    int64_t *next;     /* [ions] */
    double *folded;    /* [ions][3] positions inside the cell */
} bins;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double norm(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Columns of the inverse are the reciprocal vectors, 1/height long. */
static void invert_cell(bins *grid)
{
    const double *cell = grid->structure->cell;
    double reciprocal[3];
    for (int d = 0; d < 3; ++d) {
        cross(&cell[3 * ((d + 1) % 3)], &cell[3 * ((d + 2) % 3)], reciprocal);
        const double volume = reciprocal[0] * cell[3 * d] + reciprocal[1] * cell[3 * d + 1] +
                              reciprocal[2] * cell[3 * d + 2];
        for (int k = 0; k < 3; ++k) grid->inverse[3 * k + d] = reciprocal[k] / volume;
        grid->height[d] = fabs(volume) / norm(reciprocal);
    }
}

/* Folds an ion into the cell and gives its bin. */
static int64_t fold(bins *grid, int64_t ion)
{
    const enuf_structure *structure = grid->structure;
    const double *cell = structure->cell, *position = &structure->positions[3 * ion];
    double fraction[3];
    int64_t bin[3];
    for (int d = 0; d < 3; ++d) {
        fraction[d] = 0;
        for (int k = 0; k < 3; ++k) {
            fraction[d] += (position[k] - structure->origin[k]) * grid->inverse[3 * k + d];
        }
        fraction[d] -= floor(fraction[d]);
        bin[d] = (int64_t)(fraction[d] * (double)grid->n[d]);
        if (bin[d] >= grid->n[d]) bin[d] = grid->n[d] - 1;
    }
    for (int k = 0; k < 3; ++k) {
        grid->folded[3 * ion + k] =
            fraction[0] * cell[k] + fraction[1] * cell[3 + k] + fraction[2] * cell[6 + k];
    }
    return (bin[2] * grid->n[1] + bin[1]) * grid->n[0] + bin[0];
}

static void sort_into_bins(bins *grid, double reach)
{
    const int64_t ions = grid->structure->n;
    for (int d = 0; d < 3; ++d) {
        /* limit the number of bins to about the number of ions */
        const double most = cbrt((double)ions) + 1;
        grid->n[d] = (int64_t)fmax(1, fmin(most, floor(grid->height[d] / reach)));
        grid->reach[d] = (int64_t)ceil(reach * (double)grid->n[d] / grid->height[d]);
    }
    const int64_t n_bins = grid->n[0] * grid->n[1] * grid->n[2];
    for (int64_t b = 0; b < n_bins; ++b) grid->first[b] = -1;
    for (int64_t i = 0; i < ions; ++i) {
        const int64_t bin = fold(grid, i);
        grid->next[i] = grid->first[bin];
        grid->first[bin] = i;
    }
}

/* Shortest distance of ion i to the opposite charges in one bin moved by `shift`. */
static double nearest_in_bin(const bins *grid, int64_t i, int64_t bin, const double shift[3])
{
    const double *charges = grid->structure->charges, *x = &grid->folded[3 * i];
    double shortest = INFINITY;
    for (int64_t j = grid->first[bin]; j >= 0; j = grid->next[j]) {
        if (charges[i] * charges[j] >= 0) continue;
        double difference[3];
        for (int k = 0; k < 3; ++k) difference[k] = grid->folded[3 * j + k] + shift[k] - x[k];
        shortest = fmin(shortest, norm(difference));
    }
    return shortest;
}

/* Over all bins around the one that ion i lies in. */
static double nearest(const bins *grid, int64_t i, int64_t bin_of_i)
{
    const double *cell = grid->structure->cell;
    const int64_t *n = grid->n, *reach = grid->reach;
    const int64_t at[3] = {bin_of_i % n[0], bin_of_i / n[0] % n[1], bin_of_i / (n[0] * n[1])};
    double shortest = INFINITY;
    int64_t o[3], bin[3];
    for (o[2] = -reach[2]; o[2] <= reach[2]; ++o[2]) {
        for (o[1] = -reach[1]; o[1] <= reach[1]; ++o[1]) {
            for (o[0] = -reach[0]; o[0] <= reach[0]; ++o[0]) {
                double shift[3] = {0, 0, 0};
                for (int d = 0; d < 3; ++d) {
                    const double images = floor((double)(at[d] + o[d]) / (double)n[d]);
                    bin[d] = at[d] + o[d] - (int64_t)images * n[d];
                    for (int k = 0; k < 3; ++k) shift[k] += images * cell[3 * d + k];
                }
                shortest =
                    fmin(shortest,
                         nearest_in_bin(grid, i, (bin[2] * n[1] + bin[1]) * n[0] + bin[0], shift));
            }
        }
    }
    return shortest;
}

/* Searches the neighbours of all charges of one sign; the caller takes the rarer sign. */
static double search(bins *grid, int sign)
{
    double reach = cbrt(enuf_structure_volume(grid->structure) / (double)grid->structure->n);
    for (;; reach *= 2) {
        sort_into_bins(grid, reach);
        double shortest = INFINITY;
        for (int64_t i = 0; i < grid->structure->n; ++i) {
            if (grid->structure->charges[i] * sign > 0)
                shortest = fmin(shortest, nearest(grid, i, fold(grid, i)));
        }
        if (shortest <= reach) return shortest;
    }
}

static enuf_status allocate(bins *grid)
{
    const int64_t ions = grid->structure->n;
    const int64_t most = (int64_t)cbrt((double)ions) + 1;
    ENUF_TRY(enuf_allocate(&grid->first, most * most * most, sizeof(int64_t), "bins"));
    ENUF_TRY(enuf_allocate(&grid->next, ions, sizeof(int64_t), "ions in bins"));
    return enuf_allocate(&grid->folded, 3 * ions, sizeof(double), "folded positions");
}

enuf_status cli_shortest_distance(const enuf_structure *structure, double *distance)
{
    int64_t positive = 0, negative = 0;
    for (int64_t i = 0; i < structure->n; ++i) {
        positive += structure->charges[i] > 0;
        negative += structure->charges[i] < 0;
    }
    if (positive == 0 || negative == 0) {
        return enuf_fail(ENUF_BAD_ARGUMENT, "a Madelung constant needs ions of opposite charge; "
                                            "enuf energy computes this file");
    }
    bins grid = {.structure = structure};
    invert_cell(&grid);
    enuf_status status = allocate(&grid);
    if (!status) {
        *distance = search(&grid, positive <= negative ? 1 : -1);
        if (!(*distance > 0))
            status = enuf_fail(ENUF_BAD_ARGUMENT, "two ions of opposite charge coincide");
    }
    enuf_release(&grid.first);
    enuf_release(&grid.next);
    enuf_release(&grid.folded);
    return status;
}
