/* measure.c - the error of a field's terms, at some samples and pixels. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "measure.h"
#include "memory.h"
#include "tabulate.h"

/* Samples and pixels that are compared, each with each. */
enum { COMPARED = 192 };

static void point_to(enuf_interpolators *at, const enuf_histogram *h, const double complex *table,
                     const double *rules)
{
    at->cell_of_bin = h->cell_of_bin;
    at->cells = h->cells;
    at->values = (const double *)h->node;
    at->rules = rules;
    at->table = (const double *)table;
}

static void read_table(const enuf_interpolators *at, const double value[2], const double factor[2],
                       double complex *to)
{
    double w0[ENUF_MOST_NODES], w1[ENUF_MOST_NODES], f[2];
    const enuf_cell *cell = enuf_cell_of(at, value);
    enuf_node_weights(at, cell, 0, value, w0);
    enuf_node_weights(at, cell, 1, value, w1);
    for (int l = 0; l < at->count; l++) {
        enuf_interpolate_at(at, cell, l, w0, w1, f);
        to[l] = f[0] * factor[0] - f[1] * factor[1] + (f[0] * factor[1] + f[1] * factor[0]) * I;
    }
}

static void combine(int count, const double element[2], const double *factors, double complex *to)
{
    for (int l = 0; l < count; l++)
        to[l] += (element[0] + element[1] * I) * (factors[l] + factors[count + l] * I);
}

/* What is compared: some samples and pixels, and their terms. */
typedef struct comparison {
    const enuf_field_problem *problem;
    const enuf_field_choice *choice;
    double rules[(ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES];
} comparison;

static void terms_of_sample(const comparison *c, const enuf_sample *s, double complex *to)
{
    const enuf_field_choice *choice = c->choice;
    double pair[2] = {s->time, 0}, factor[2];
    if (!choice->is_drawn) {
        enuf_sample_terms terms = enuf_sample_terms_of(c->problem, choice);
        point_to(&terms.at, &choice->times, choice->separated.of_times, c->rules);
        enuf_sample_factor(&terms, s, factor);
        read_table(&terms.at, pair, factor, to);
        return;
    }
    const enuf_drawn *drawn = &choice->drawn;
    for (int l = 0; l < drawn->count; l++) to[l] = 0;
    for (int p = 0; p < drawn->n; p++) {
        enuf_element(c->problem->samples.dim, s, &drawn->pixels[p], pair);
        combine(drawn->count, pair, drawn->of_samples + 2 * (size_t)p * drawn->count, to);
    }
}

static void terms_of_pixel(const comparison *c, const enuf_pixel *pixel, double complex *to)
{
    const enuf_field_choice *choice = c->choice;
    double pair[2] = {pixel->omega, pixel->decay}, factor[2];
    if (!choice->is_drawn) {
        enuf_pixel_terms terms = enuf_pixel_terms_of(c->problem, choice);
        point_to(&terms.at, &choice->field, choice->separated.of_field, c->rules);
        enuf_pixel_factor(&terms, pixel, factor);
        read_table(&terms.at, pair, factor, to);
        return;
    }
    const enuf_drawn *drawn = &choice->drawn;
    for (int l = 0; l < drawn->count; l++) to[l] = 0;
    for (int q = 0; q < drawn->n; q++) {
        enuf_element(c->problem->samples.dim, &drawn->samples[q], pixel, pair);
        combine(drawn->count, pair, drawn->of_pixels + 2 * (size_t)q * drawn->count, to);
    }
}

/* Relative l2 error of the sums of terms, over all drawn pairs. */
static double compare(const comparison *c, const enuf_draw *samples, const enuf_draw *pixels,
                      double complex *of_samples, double complex *of_pixels)
{
    const int count = c->choice->count;
    double missed = 0, size = 0;
    for (int i = 0; i < COMPARED; i++) {
        const enuf_sample s = enuf_sample_at(&c->problem->samples, samples->index[i]);
        const enuf_pixel p = enuf_pixel_at(&c->problem->maps, pixels->index[i]);
        terms_of_sample(c, &s, of_samples + (size_t)i * count);
        terms_of_pixel(c, &p, of_pixels + (size_t)i * count);
    }
    for (int j = 0; j < COMPARED; j++)
        for (int k = 0; k < COMPARED; k++) {
            const double complex *a = of_samples + (size_t)j * count;
            const double complex *b = of_pixels + (size_t)k * count;
            const enuf_sample s = enuf_sample_at(&c->problem->samples, samples->index[j]);
            const enuf_pixel p = enuf_pixel_at(&c->problem->maps, pixels->index[k]);
            const double weight = samples->weight[j] * pixels->weight[k];
            double e[2];
            enuf_element(c->problem->samples.dim, &s, &p, e);
            double complex rest = -e[0] - e[1] * I;
            for (int l = 0; l < count; l++) rest += a[l] * b[l];
            missed += weight * creal(rest * conj(rest));
            size += weight * (e[0] * e[0] + e[1] * e[1]);
        }
    return size > 0 ? sqrt(missed / size) : 0;
}

enuf_status enuf_field_measure(const enuf_field_problem *problem, enuf_field_choice *choice)
{
    comparison c = {.problem = problem, .choice = choice};
    enuf_draw samples, pixels = {0};
    double complex *terms = NULL;
    const int64_t n = (int64_t)COMPARED * choice->count;
    enuf_fill_rules(c.rules);
    enuf_status status = enuf_draw_samples(problem, COMPARED, 1, &samples);
    if (status == ENUF_SUCCESS) status = enuf_draw_pixels(problem, COMPARED, 2, &pixels);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&terms, 2 * n, sizeof *terms, "terms of some samples and pixels");
    if (status == ENUF_SUCCESS) choice->error = compare(&c, &samples, &pixels, terms, terms + n);
    enuf_draw_free(&samples);
    enuf_draw_free(&pixels);
    enuf_release(&terms);
    return status;
}
