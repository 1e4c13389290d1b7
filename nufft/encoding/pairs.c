/* pairs.c - see pairs.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"
#include "memory.h"

#include <math.h>
#include <string.h>

void enuf_pair_place_at(const enuf_pairs *pairs, const double *rules, double time,
                        enuf_pair_place *place)
{
    const double value[2] = {time, 0};
    const enuf_histogram *h = &pairs->times;
    enuf_interpolators at = {.cell_of_bin = h->cell_of_bin,
                             .cells = h->cells,
                             .values = (const double *)h->node,
                             .rules = rules};
    memcpy(at.low, h->low, sizeof at.low);
    memcpy(at.bins_per_unit, h->bins_per_unit, sizeof at.bins_per_unit);
    memcpy(at.bins, h->bins, sizeof at.bins);
    const enuf_cell *cell = enuf_cell_of(&at, value);
    place->first = cell->first;
    place->n = cell->nodes[0];
    enuf_node_weights(&at, cell, 0, value, place->weight);
    const double factor = exp(-pairs->decay * (time - pairs->middle));
    for (int a = 0; a < place->n; a++) place->weight[a] *= factor;
}

void enuf_pairs_free(enuf_pairs *pairs)
{
    enuf_release(&pairs->time);
    enuf_release(&pairs->table);
    enuf_histogram_free(&pairs->times);
    memset(pairs, 0, sizeof *pairs);
}

int64_t enuf_pairs_bytes(const enuf_pairs *pairs)
{
    const enuf_histogram *h = &pairs->times;
    return pairs->count * (int64_t)sizeof *pairs->time +
           (int64_t)h->n_nodes * ((int64_t)sizeof *h->node + (int64_t)sizeof *h->weight +
                                  pairs->count * (int64_t)sizeof *pairs->table) +
           h->n_cells * (int64_t)sizeof *h->cells +
           (int64_t)h->bins[0] * h->bins[1] * (int64_t)sizeof *h->cell_of_bin;
}
