/* pixel_exponentials.c - see pixel_exponentials.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pixel_exponentials.h"
#include "put_table.h"
#include "tabulate.h"

#include <complex.h>

/* Of the tolerance: nodes of the histogram. */
static const double NODE_SHARE = 0.02;

enum { ROOMS = ENUF_TABLE_ROOMS + 1 }; /* the last one of rules */

/* Exponentials at the nodes, without exp(-z middle). */
static void tabulate(const enuf_pairs *pairs, const enuf_histogram *field, double complex *table)
{
    for (int h = 0; h < field->n_nodes; h++)
        for (int l = 0; l < pairs->count; l++) {
            const double *z = field->node[h], time = pairs->time[l] - pairs->middle;
            table[(size_t)h * pairs->count + l] = exp(-z[1] * time) * cexp(-I * z[0] * time);
        }
}

static enuf_status fill(enuf_encoding *encoding, const enuf_histogram *field,
                        const enuf_maps *there, double complex *table, void *room[ROOMS])
{
    enuf_spectra *spectra = &encoding->spectra;
    double rules[(ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES];
    const void *rules_there;
    enuf_pixel_terms terms = {.at = enuf_interpolators_of(field, spectra->count),
                              .time = spectra->pairs.middle,
                              .maps = *there};
    enuf_fill_rules(rules);
    ENUF_TRY(enuf_put(encoding, rules, sizeof rules, &room[ENUF_TABLE_ROOMS], &rules_there));
    terms.at.rules = rules_there;
    tabulate(&spectra->pairs, field, table);
    ENUF_TRY(enuf_put_table(encoding, field, table, spectra->count, room, &terms.at));
    ENUF_TRY(enuf_encoding_allocate(encoding, &spectra->of_pixels,
                                    spectra->count * enuf_image_bytes(encoding), 1,
                                    "exponentials of pixels"));
    return enuf_passes_of(encoding)->pixel_terms(encoding->base, &terms, spectra->of_pixels);
}

enuf_status enuf_fill_pixel_exponentials(enuf_encoding *encoding, const enuf_maps *here,
                                         const enuf_maps *there)
{
    const enuf_pairs *pairs = &encoding->spectra.pairs;
    const enuf_values values = {here->n, here->turn, here->omega, here->decay};
    const enuf_range range = enuf_range_of(&values);
    double extent = 0;
    enuf_histogram field = {0};
    double complex *table = NULL;
    void *room[ROOMS] = {0};
    for (int l = 0; l < pairs->count; l++)
        extent = fmax(extent, fabs(pairs->time[l] - pairs->middle));
    const double rate[2] = {extent, extent};
    enuf_status status = enuf_histogram_make(
        &values, &range, rate, fmax(NODE_SHARE * encoding->options.tolerance, 1e-16), &field);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&table, (int64_t)field.n_nodes * pairs->count, sizeof *table,
                               "exponentials of a field");
    if (status == ENUF_SUCCESS) status = fill(encoding, &field, there, table, room);
    if (status != ENUF_SUCCESS) enuf_encoding_release(encoding, &encoding->spectra.of_pixels);
    for (int k = 0; k < ROOMS; k++) enuf_encoding_release(encoding, &room[k]);
    enuf_release(&table);
    enuf_histogram_free(&field);
    return status;
}
