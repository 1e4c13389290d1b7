/* put_table.c - see put_table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "put_table.h"

/* A table where the backend works: itself, or a copy on the GPU. */
enuf_status enuf_put(enuf_encoding *encoding, const void *from, int64_t bytes, void **room,
                     const void **there)
{
    *there = from;
    if (!enuf_on_gpu(encoding)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_encoding_allocate(encoding, room, bytes, 1, "tables of interpolators"));
    *there = *room;
    return enuf_passes_of(encoding)->upload(encoding->base, *room, from, bytes);
}

enuf_status enuf_put_table(enuf_encoding *encoding, const enuf_histogram *h,
                           const double complex *table, int count, void *room[ENUF_TABLE_ROOMS],
                           enuf_interpolators *at)
{
    const int64_t bins = (int64_t)h->bins[0] * h->bins[1], nodes = h->n_nodes;
    const void *there;
    ENUF_TRY(enuf_put(encoding, h->cell_of_bin, bins * (int64_t)sizeof *h->cell_of_bin, &room[0],
                      &there));
    at->cell_of_bin = there;
    ENUF_TRY(
        enuf_put(encoding, h->cells, h->n_cells * (int64_t)sizeof *h->cells, &room[1], &there));
    at->cells = there;
    ENUF_TRY(enuf_put(encoding, h->node, nodes * (int64_t)sizeof *h->node, &room[3], &there));
    at->values = there;
    ENUF_TRY(enuf_put(encoding, table, nodes * count * (int64_t)sizeof *table, &room[2], &there));
    at->table = there;
    return ENUF_SUCCESS;
}
