/* fill.c - the interpolators at samples and in pixels. SPDX-License-Identifier: BSD-3-Clause */
#include "fill.h"

/* A table where the backend works: itself, or a copy on the GPU. */
static enuf_status put(enuf_encoding *encoding, const void *from, int64_t bytes, void **room,
                       const void **there)
{
    *there = from;
    if (!enuf_on_gpu(encoding)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_encoding_allocate(encoding, room, bytes, 1, "tables of interpolators"));
    *there = *room;
    return enuf_passes_of(encoding)->upload(encoding->base, *room, from, bytes);
}

static enuf_status put_tables(enuf_encoding *encoding, const enuf_histogram *h,
                              const double complex *table, int count, void *room[4],
                              enuf_interpolators *at)
{
    const int64_t bins = (int64_t)h->bins[0] * h->bins[1], nodes = h->n_nodes;
    const void *there;
    ENUF_TRY(
        put(encoding, h->cell_of_bin, bins * (int64_t)sizeof *h->cell_of_bin, &room[0], &there));
    at->cell_of_bin = there;
    ENUF_TRY(put(encoding, h->cells, h->n_cells * (int64_t)sizeof *h->cells, &room[1], &there));
    at->cells = there;
    ENUF_TRY(put(encoding, h->node, nodes * (int64_t)sizeof *h->node, &room[3], &there));
    at->values = there;
    ENUF_TRY(put(encoding, table, nodes * count * (int64_t)sizeof *table, &room[2], &there));
    at->table = there;
    return ENUF_SUCCESS;
}

/* What all places of a voxel have in common. */
typedef struct tables {
    enuf_interpolators times, field;
} tables;

static void point_to(const enuf_interpolators *from, enuf_interpolators *at)
{
    at->cell_of_bin = from->cell_of_bin;
    at->cells = from->cells;
    at->values = from->values;
    at->rules = from->rules;
    at->table = from->table;
}

static enuf_status fill_place(enuf_encoding *encoding, const enuf_field_input *input,
                              const enuf_field_choice *choice, const tables *t, int place)
{
    const enuf_encoding_passes *passes = enuf_passes_of(encoding);
    const enuf_field_problem problem = enuf_input_problem(encoding, input);
    const int64_t first = (int64_t)place * choice->separated.count;
    enuf_sample_terms of_samples = enuf_sample_terms_of(&problem, choice, place);
    enuf_pixel_terms of_pixels = enuf_pixel_terms_of(&problem, choice, place);
    point_to(&t->times, &of_samples.at);
    point_to(&t->field, &of_pixels.at);
    of_samples.times.omega = encoding->times;
    of_samples.places = encoding->places;
    of_pixels.maps = input->there;
    ENUF_TRY(
        passes->sample_terms(encoding->base, &of_samples,
                             (char *)encoding->of_samples + first * enuf_data_bytes(encoding)));
    return passes->pixel_terms(encoding->base, &of_pixels,
                               (char *)encoding->of_pixels + first * enuf_image_bytes(encoding));
}

/* Terms without effect fill the last call. */
static enuf_status clear_rest(enuf_encoding *encoding, void *terms, int64_t bytes)
{
    const int64_t first = encoding->report.transforms;
    const int64_t all = (int64_t)encoding->calls * encoding->report.at_once;
    return enuf_passes_of(encoding)->clear(encoding->base, (all - first) * bytes,
                                           (char *)terms + first * bytes);
}

enuf_status enuf_encoding_fill_terms(enuf_encoding *encoding, enuf_field_input *input,
                                     const enuf_field_choice *choice)
{
    const int64_t all = (int64_t)encoding->calls * encoding->report.at_once;
    const int64_t data = enuf_data_bytes(encoding), image = enuf_image_bytes(encoding);
    const int count = choice->separated.count;
    double numbers[(ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES];
    const void *rules;
    tables t = {0};
    ENUF_TRY(enuf_encoding_allocate(encoding, &encoding->of_samples, all * data, 1,
                                    "interpolators of samples"));
    ENUF_TRY(enuf_encoding_allocate(encoding, &encoding->of_pixels, all * image, 1,
                                    "interpolators of pixels"));
    ENUF_TRY(clear_rest(encoding, encoding->of_samples, data));
    ENUF_TRY(clear_rest(encoding, encoding->of_pixels, image));
    enuf_fill_rules(numbers);
    ENUF_TRY(put(encoding, numbers, sizeof numbers, &input->table[8], &rules));
    ENUF_TRY(put_tables(encoding, &choice->times, choice->separated.of_times, count, input->table,
                        &t.times));
    ENUF_TRY(put_tables(encoding, &choice->field, choice->separated.of_field, count,
                        input->table + 4, &t.field));
    t.times.rules = t.field.rules = rules;
    for (int place = 0; place < choice->n_places; place++)
        ENUF_TRY(fill_place(encoding, input, choice, &t, place));
    return ENUF_SUCCESS;
}
