/* histogram.c - see histogram.h. SPDX-License-Identifier: BSD-3-Clause */
#include "histogram.h"
#include "chebyshev.h"
#include "memory.h"

#include <string.h>

static const double MOST_EXPONENT = 4; /* from the middle of a bin to its end */
enum { MOST_BINS = 1 << 20, MOST_LISTED = 24 /* distinct values that a bin remembers */ };

void enuf_fill_rules(double *rules)
{
    double weights[ENUF_MOST_NODES];
    memset(rules, 0, (ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES * sizeof *rules);
    for (int n = 1; n <= ENUF_MOST_NODES; n++) {
        double *nodes = rules + n * 2 * ENUF_MOST_NODES, *factors = nodes + ENUF_MOST_NODES;
        enuf_gauss_legendre(n, nodes, weights);
        for (int k = 0; k < n; k++)
            factors[k] = (k % 2 ? -1 : 1) * sqrt((1 - nodes[k] * nodes[k]) * weights[k]);
    }
}

/* Nodes that interpolate exp(exponent x), real or imaginary, on [-1, 1]: the first term that a
 * Chebyshev series leaves out is 2 (exponent/2)^n / n!, and Gauss-Legendre nodes lose a little. */
static int32_t nodes_for(double exponent, double tolerance)
{
    double term = 4;
    int32_t n = 0;
    while (n < ENUF_MOST_NODES && term > tolerance) term *= 0.5 * exponent / ++n;
    return n > 0 ? n : 1;
}

static void value_at(const enuf_values *values, int64_t i, double value[2])
{
    value[0] = values->first ? values->turn * values->first[i] : 0;
    value[1] = values->second ? values->second[i] : 0;
}

enuf_range enuf_range_of(const enuf_values *values)
{
    enuf_range range = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int64_t i = 0; i < values->n; i++) {
        double value[2];
        value_at(values, i, value);
        for (int d = 0; d < 2; d++) {
            range.low[d] = value[d] < range.low[d] ? value[d] : range.low[d];
            range.high[d] = value[d] > range.high[d] ? value[d] : range.high[d];
        }
    }
    if (values->n == 0) range = (enuf_range){{0, 0}, {0, 0}};
    return range;
}

/* What a bin has seen. */
typedef struct bin {
    double count, low[2], high[2];
    int listed; /* distinct values; MOST_LISTED + 1: more than it remembers */
    double value[MOST_LISTED][2], times[MOST_LISTED];
} bin;

static void list_value(bin *at, const double value[2])
{
    int k = 0;
    if (at->listed > MOST_LISTED) return;
    while (k < at->listed && (at->value[k][0] != value[0] || at->value[k][1] != value[1])) k++;
    if (k == at->listed && at->listed++ == MOST_LISTED) return;
    at->times[k]++;
    for (int d = 0; d < 2; d++) at->value[k][d] = value[d];
}

static void count(const enuf_values *values, const enuf_histogram *h, bin *bins)
{
    for (int64_t i = 0; i < (int64_t)h->bins[0] * h->bins[1]; i++)
        bins[i] = (bin){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    for (int64_t i = 0; i < values->n; i++) {
        double value[2];
        value_at(values, i, value);
        bin *at = bins + enuf_bin_of(h->low, h->bins_per_unit, h->bins, value);
        at->count++;
        list_value(at, value);
        for (int d = 0; d < 2; d++) {
            at->low[d] = value[d] < at->low[d] ? value[d] : at->low[d];
            at->high[d] = value[d] > at->high[d] ? value[d] : at->high[d];
        }
    }
}

static void make_cell(const bin *from, const double rate[2], double tolerance, enuf_cell *cell)
{
    for (int d = 0; d < 2; d++) {
        const double half = 0.5 * (from->high[d] - from->low[d]);
        cell->centre[d] = 0.5 * (from->low[d] + from->high[d]);
        cell->nodes[d] = half > 0 ? nodes_for(rate[d] * half, tolerance) : 1;
        cell->scale[d] = half > 0 ? 1 / half : 0;
    }
    cell->is_list = from->listed <= MOST_LISTED && from->listed <= cell->nodes[0] * cell->nodes[1];
    if (!cell->is_list) return;
    cell->nodes[0] = from->listed;
    cell->nodes[1] = 1;
    cell->scale[1] = 0;
}

static void make_nodes(enuf_histogram *h, const bin *from, const enuf_cell *cell)
{
    for (int k = 0; k < from->listed && cell->is_list; k++) {
        memcpy(h->node[cell->first + k], from->value[k], sizeof from->value[k]);
        h->weight[cell->first + k] = from->times[k];
    }
    if (cell->is_list) return;
    double nodes[2][ENUF_MOST_NODES], weights[2][ENUF_MOST_NODES];
    for (int d = 0; d < 2; d++) enuf_gauss_legendre(cell->nodes[d], nodes[d], weights[d]);
    for (int b = 0, k = cell->first; b < cell->nodes[1]; b++)
        for (int a = 0; a < cell->nodes[0]; a++, k++) {
            const int at[2] = {a, b};
            for (int d = 0; d < 2; d++)
                h->node[k][d] =
                    cell->centre[d] + (cell->scale[d] > 0 ? nodes[d][at[d]] / cell->scale[d] : 0);
            h->weight[k] = from->count * 0.25 * weights[0][a] * weights[1][b];
        }
}

/* Cells of the bins that have values, in their order. */
static enuf_status make_cells(enuf_histogram *h, const bin *bins, const double rate[2],
                              double tolerance)
{
    const int64_t n = (int64_t)h->bins[0] * h->bins[1];
    for (int64_t i = 0; i < n; i++) h->cell_of_bin[i] = bins[i].count > 0 ? h->n_cells++ : 0;
    ENUF_TRY(enuf_allocate(&h->cells, h->n_cells, sizeof *h->cells, "cells of a histogram"));
    for (int64_t i = 0; i < n; i++) {
        if (bins[i].count == 0) continue;
        enuf_cell *cell = h->cells + h->cell_of_bin[i];
        make_cell(bins + i, rate, tolerance, cell);
        cell->first = h->n_nodes;
        h->n_nodes += cell->nodes[0] * cell->nodes[1];
    }
    ENUF_TRY(enuf_allocate(&h->node, h->n_nodes, sizeof *h->node, "nodes of a histogram"));
    ENUF_TRY(enuf_allocate(&h->weight, h->n_nodes, sizeof *h->weight, "nodes of a histogram"));
    for (int64_t i = 0; i < n; i++)
        if (bins[i].count > 0) make_nodes(h, bins + i, h->cells + h->cell_of_bin[i]);
    return ENUF_SUCCESS;
}

enuf_status enuf_histogram_make(const enuf_values *values, const enuf_range *range,
                                const double rate[2], double tolerance, enuf_histogram *made)
{
    bin *bins;
    int64_t n = 1;
    *made = (enuf_histogram){0};
    for (int d = 0; d < 2; d++) {
        const double extent = range->high[d] - range->low[d];
        const double wanted = ceil(0.5 * rate[d] * extent / MOST_EXPONENT);
        made->low[d] = range->low[d];
        made->bins[d] = wanted > 1 ? (int32_t)fmin(wanted, MOST_BINS) : 1;
        made->bins_per_unit[d] = extent > 0 ? made->bins[d] / extent : 0;
        n *= made->bins[d];
    }
    ENUF_TRY(enuf_allocate(&made->cell_of_bin, n, sizeof *made->cell_of_bin, "bins"));
    ENUF_TRY(enuf_allocate(&bins, n, sizeof *bins, "bins"));
    count(values, made, bins);
    const enuf_status status = make_cells(made, bins, rate, tolerance);
    enuf_release(&bins);
    return status;
}

void enuf_histogram_free(enuf_histogram *h)
{
    enuf_release(&h->cell_of_bin);
    enuf_release(&h->cells);
    enuf_release(&h->node);
    enuf_release(&h->weight);
}
