/*
 * close_ions.c - see close_ions.h.
 *
 * Ions are sorted into bins at least `distance` high, and each is compared with those of its own
 * and the neighbouring bins.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "close_ions.h"

#include "ids.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Most bins along a vector. The product of three such numbers fits into 63 bits. */
static const double MOST_BINS = 1 << 20;

typedef struct bins {
    double inverse[9]; /* fractions = inverse * (position - origin) */
    int64_t n[3];      /* along a, b, c */
    double *fractions; /* [ions][3], in [0, 1) */
    int64_t *numbers;  /* [ions] */
    enuf_id *sorted;   /* ions by number of their bin */
} bins;

static void cross(const double u[3], const double v[3], double w[3])
{
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        w[k] = u[l] * v[m] - u[m] * v[l];
    }
}

static double dot(const double u[3], const double v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* Rows of the inverse: reciprocal vectors, a* = b x c / V and so on. */
static void invert(const double cell[9], double inverse[9])
{
    for (int d = 0; d < 3; ++d) {
        double *row = &inverse[3 * d];
        cross(&cell[3 * ((d + 1) % 3)], &cell[3 * ((d + 2) % 3)], row);
        const double volume = dot(row, &cell[3 * d]);
        for (int k = 0; k < 3; ++k) row[k] /= volume;
    }
}

void enuf_cell_heights(const double cell[9], double heights[3])
{
    double inverse[9];
    invert(cell, inverse);
    for (int d = 0; d < 3; ++d) heights[d] = 1.0 / sqrt(dot(&inverse[3 * d], &inverse[3 * d]));
}

static int64_t number_of(const bins *b, const int64_t at[3])
{
    return (at[2] * b->n[1] + at[1]) * b->n[0] + at[0];
}

static void bin_of(const bins *b, int64_t i, int64_t at[3])
{
    for (int d = 0; d < 3; ++d) {
        const int64_t k = (int64_t)(b->fractions[3 * i + d] * (double)b->n[d]);
        at[d] = k < b->n[d] ? k : b->n[d] - 1;
    }
}

static enuf_status fill(const enuf_structure *ions, double distance, bins *b)
{
    double heights[3];
    invert(ions->cell, b->inverse);
    enuf_cell_heights(ions->cell, heights);
    for (int d = 0; d < 3; ++d)
        b->n[d] = (int64_t)fmax(1.0, fmin(MOST_BINS, floor(heights[d] / distance)));
    ENUF_TRY(enuf_allocate(&b->fractions, ions->n, 3 * sizeof(double), "fractions"));
    ENUF_TRY(enuf_allocate(&b->numbers, ions->n, sizeof(int64_t), "bins of ions"));
    for (int64_t i = 0; i < ions->n; ++i) {
        int64_t at[3];
        double x[3];
        for (int k = 0; k < 3; ++k) x[k] = ions->positions[3 * i + k] - ions->origin[k];
        for (int d = 0; d < 3; ++d) {
            const double s = dot(&b->inverse[3 * d], x);
            b->fractions[3 * i + d] = s - floor(s);
        }
        bin_of(b, i, at);
        b->numbers[i] = number_of(b, at);
    }
    return enuf_ids_sort(ions->n, b->numbers, &b->sorted);
}

/* Index in the sorted list of the first ion whose bin is `number` or larger. */
static int64_t first_of(const bins *b, int64_t n, int64_t number)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (b->sorted[middle].id < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int are_close(const enuf_structure *ions, const bins *b, int64_t i, int64_t j,
                     double distance)
{
    double d[3], r2 = 0.0;
    for (int e = 0; e < 3; ++e) {
        d[e] = b->fractions[3 * j + e] - b->fractions[3 * i + e];
        d[e] -= rint(d[e]);
    }
    for (int k = 0; k < 3; ++k) {
        const double r = d[0] * ions->cell[k] + d[1] * ions->cell[3 + k] + d[2] * ions->cell[6 + k];
        r2 += r * r;
    }
    return r2 < distance * distance;
}

/* The first ion close to i; -1: none. */
static int64_t neighbour(const enuf_structure *ions, const bins *b, int64_t i, double distance)
{
    int64_t at[3];
    bin_of(b, i, at);
    for (int k = 0; k < 27; ++k) {
        const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        int64_t bin[3];
        for (int d = 0; d < 3; ++d) bin[d] = (at[d] + step[d] + b->n[d]) % b->n[d];
        const int64_t number = number_of(b, bin);
        for (int64_t s = first_of(b, ions->n, number); s < ions->n && b->sorted[s].id == number;
             ++s) {
            const int64_t j = b->sorted[s].ion;
            if (j != i && are_close(ions, b, i, j, distance)) return j;
        }
    }
    return -1;
}

enuf_status enuf_close_ions(const enuf_structure *ions, double distance, int64_t pair[2])
{
    bins b = {0};
    enuf_status status = fill(ions, distance, &b);
    pair[0] = pair[1] = -1;
    for (int64_t i = 0; i < ions->n && status == ENUF_SUCCESS && pair[1] < 0; ++i) {
        pair[0] = i;
        pair[1] = neighbour(ions, &b, i, distance);
    }
    if (pair[1] < 0) pair[0] = -1;
    enuf_release(&b.fractions);
    enuf_release(&b.numbers);
    enuf_release(&b.sorted);
    return status;
}
