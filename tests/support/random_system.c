/* random_system.c - see random_system.h. SPDX-License-Identifier: BSD-3-Clause */
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* In [0, 1). */
static double random_fraction(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

void random_numbers(uint64_t seed, int64_t n, double lo, double hi, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        double value = lo + (hi - lo) * random_fraction(&seed);
        x[i] = value < hi ? value : lo; /* the sum may round up to hi */
    }
}

/* The ions placed so far, sorted into bins by their fractional coordinates. */
typedef struct bins {
    const double *cell;
    int64_t count[3];
    int64_t reach[3]; /* bins on either side that min_distance spans */
    int64_t *first;   /* [bins] the last ion placed in the bin, or -1 */
    int64_t *next;    /* [n] the ion placed before it in the same bin, or -1 */
} bins;

static void *allocate(int64_t count, size_t size)
{
    void *memory = malloc((size_t)(count > 0 ? count : 1) * size);
    if (memory == NULL) {
        fprintf(stderr, "random_ions: no memory for %lld entries\n", (long long)count);
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* Distance between the two faces of the cell that the other two rows span. */
static double height(const double cell[9], int d)
{
    const double *a = cell + 3 * d, *b = cell + 3 * ((d + 1) % 3), *c = cell + 3 * ((d + 2) % 3);
    double normal[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
                        b[0] * c[1] - b[1] * c[0]};
    double volume = a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2];
    return fabs(volume) /
           sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
}

static bins make_bins(int64_t n, const double cell[9], double min_distance)
{
    bins grid = {.cell = cell};
    int64_t most = (int64_t)cbrt((double)n) + 1; /* finer bins than one ion a bin do not help */
    for (int d = 0; d < 3; d++) {
        double fits = min_distance > 0 ? height(cell, d) / min_distance : (double)most;
        grid.count[d] = fits < 1 ? 1 : fits < (double)most ? (int64_t)fits : most;
        grid.reach[d] = (int64_t)ceil(min_distance * (double)grid.count[d] / height(cell, d));
    }
    int64_t total = grid.count[0] * grid.count[1] * grid.count[2];
    grid.first = allocate(total, sizeof *grid.first);
    grid.next = allocate(n, sizeof *grid.next);
    for (int64_t b = 0; b < total; b++) grid.first[b] = -1;
    return grid;
}

static void to_cartesian(const double cell[9], const double s[3], double x[3])
{
    for (int d = 0; d < 3; d++) x[d] = s[0] * cell[d] + s[1] * cell[3 + d] + s[2] * cell[6 + d];
}

static void bin_of(const bins *grid, const double s[3], int64_t b[3])
{
    for (int d = 0; d < 3; d++) {
        b[d] = (int64_t)(s[d] * (double)grid->count[d]);
        if (b[d] >= grid->count[d]) b[d] = grid->count[d] - 1;
    }
}

/* Index of bin b, which may lie outside the cell, after a shift by lattice vectors into the cell.
 * Shifts x by the same vectors. */
static int64_t wrap(const bins *grid, const int64_t b[3], double x[3])
{
    int64_t inside[3];
    double shift[3], moved[3];
    for (int d = 0; d < 3; d++) {
        int64_t n = grid->count[d];
        inside[d] = ((b[d] % n) + n) % n;
        shift[d] = (double)((b[d] - inside[d]) / n);
    }
    to_cartesian(grid->cell, shift, moved);
    for (int d = 0; d < 3; d++) x[d] -= moved[d];
    return (inside[2] * grid->count[1] + inside[1]) * grid->count[0] + inside[0];
}

static int bin_is_free(const bins *grid, int64_t bin, const double x[3], const double *positions,
                       double min_distance)
{
    for (int64_t j = grid->first[bin]; j >= 0; j = grid->next[j]) {
        double r2 = 0;
        for (int d = 0; d < 3; d++) {
            double difference = x[d] - positions[3 * j + d];
            r2 += difference * difference;
        }
        if (r2 < min_distance * min_distance) return 0;
    }
    return 1;
}

static int is_free(const bins *grid, const int64_t b[3], const double x[3], const double *positions,
                   double min_distance)
{
    const int64_t *reach = grid->reach;
    for (int64_t k = -reach[2]; k <= reach[2]; k++)
        for (int64_t j = -reach[1]; j <= reach[1]; j++)
            for (int64_t i = -reach[0]; i <= reach[0]; i++) {
                int64_t near[3] = {b[0] + i, b[1] + j, b[2] + k};
                double image[3] = {x[0], x[1], x[2]};
                int64_t bin = wrap(grid, near, image);
                if (!bin_is_free(grid, bin, image, positions, min_distance)) return 0;
            }
    return 1;
}

void random_ions(uint64_t seed, int64_t n, const double cell[9], double min_distance,
                 double *positions, double *charges)
{
    enum { MOST_TRIES = 100000 };
    bins grid = make_bins(n, cell, min_distance);
    for (int64_t ion = 0; ion < n; ion++) {
        double x[3];
        int64_t b[3];
        int tries = 0;
        do {
            double s[3];
            for (int d = 0; d < 3; d++) s[d] = random_fraction(&seed);
            bin_of(&grid, s, b);
            to_cartesian(cell, s, x);
            if (++tries > MOST_TRIES) {
                fprintf(stderr, "random_ions: no room for ion %lld of %lld at distance %g\n",
                        (long long)ion + 1, (long long)n, min_distance);
                exit(EXIT_FAILURE);
            }
        } while (!is_free(&grid, b, x, positions, min_distance));
        for (int d = 0; d < 3; d++) positions[3 * ion + d] = x[d];
        charges[ion] = ion % 2 == 0 ? 1 : -1;
        int64_t bin = (b[2] * grid.count[1] + b[1]) * grid.count[0] + b[0];
        grid.next[ion] = grid.first[bin];
        grid.first[bin] = ion;
    }
    free(grid.next);
    free(grid.first);
}
