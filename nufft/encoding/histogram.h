/*
 * histogram.h - how values are distributed: pixels over field and decay, samples over time.
 *
 * A bin that has values is a cell as wide as they are. Its density is constant, and Gauss-Legendre
 * nodes stand for it: as many as interpolate an exponential across the cell. Fewer distinct values
 * than that are nodes themselves.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_HISTOGRAM_H
#define ENUF_ENCODING_HISTOGRAM_H

#include "error.h"
#include "interpolators.h"

/** Pairs of values, NULL: 0: frequency, times `turn`, and decay of pixels, or times of samples. */
typedef struct enuf_values {
    int64_t n;
    double turn;
    const double *first, *second;
} enuf_values;

typedef struct enuf_range {
    double low[2], high[2];
} enuf_range;

/** The extent of the values; zeros if there are none. */
enuf_range enuf_range_of(const enuf_values *values);

typedef struct enuf_histogram {
    double low[2], bins_per_unit[2];
    int32_t bins[2], n_cells, n_nodes;
    int32_t *cell_of_bin;
    enuf_cell *cells;
    double (*node)[2]; /* [n_nodes] values */
    double *weight;    /* [n_nodes] how many of the values a node stands for */
} enuf_histogram;

/**
 * Histogram of the values. An exponent is `rate` times a distance between two values along an axis;
 * cells have few enough nodes for their number, and enough to interpolate to `tolerance` of the
 * exponential. Free with enuf_histogram_free(), after an error too.
 */
enuf_status enuf_histogram_make(const enuf_values *values, const enuf_range *range,
                                const double rate[2], double tolerance, enuf_histogram *made);
void enuf_histogram_free(enuf_histogram *histogram);

/** Rules for interpolators. rules [ENUF_MOST_NODES + 1][2][ENUF_MOST_NODES]. */
void enuf_fill_rules(double *rules);

#endif
