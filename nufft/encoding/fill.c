/* fill.c - the interpolators at samples and in pixels. SPDX-License-Identifier: BSD-3-Clause */
#include "fill.h"
#include "put_table.h"
#include "tabulate.h"

static enuf_status fill_tabulated(enuf_encoding *encoding, enuf_field_input *input,
                                  const enuf_field_choice *choice)
{
    const enuf_encoding_passes *passes = enuf_passes_of(encoding);
    const enuf_field_problem problem = enuf_input_problem(encoding, input);
    enuf_sample_terms of_samples = enuf_sample_terms_of(&problem, choice);
    enuf_pixel_terms of_pixels = enuf_pixel_terms_of(&problem, choice);
    double rules[(ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES];
    const void *there;
    enuf_fill_rules(rules);
    ENUF_TRY(enuf_put(encoding, rules, sizeof rules, &input->table[8], &there));
    of_samples.at.rules = of_pixels.at.rules = there;
    ENUF_TRY(enuf_put_table(encoding, &choice->times, choice->separated.of_times, choice->count,
                            input->table, &of_samples.at));
    ENUF_TRY(enuf_put_table(encoding, &choice->field, choice->separated.of_field, choice->count,
                            input->table + 4, &of_pixels.at));
    of_samples.samples.times = encoding->times;
    of_samples.samples.places = encoding->places;
    of_pixels.maps = input->there;
    ENUF_TRY(passes->sample_terms(encoding->base, &of_samples, encoding->of_samples));
    return passes->pixel_terms(encoding->base, &of_pixels, encoding->of_pixels);
}

static enuf_status fill_drawn(enuf_encoding *encoding, enuf_field_input *input,
                              const enuf_drawn *drawn)
{
    const enuf_encoding_passes *passes = enuf_passes_of(encoding);
    const enuf_field_problem problem = enuf_input_problem(encoding, input);
    const int64_t n = drawn->n, matrix = 2 * n * drawn->count * (int64_t)sizeof(double);
    const void *samples, *pixels, *of_samples, *of_pixels;
    void **room = input->table;
    ENUF_TRY(enuf_put(encoding, drawn->samples, n * (int64_t)sizeof *drawn->samples, &room[0],
                      &samples));
    ENUF_TRY(
        enuf_put(encoding, drawn->pixels, n * (int64_t)sizeof *drawn->pixels, &room[1], &pixels));
    ENUF_TRY(enuf_put(encoding, drawn->of_samples, matrix, &room[2], &of_samples));
    ENUF_TRY(enuf_put(encoding, drawn->of_pixels, matrix, &room[3], &of_pixels));
    enuf_drawn_sample_terms at_samples = {.samples = problem.samples,
                                          .n = drawn->n,
                                          .count = drawn->count,
                                          .pixels = pixels,
                                          .matrix = of_samples};
    const enuf_drawn_pixel_terms in_pixels = {.maps = input->there,
                                              .n = drawn->n,
                                              .count = drawn->count,
                                              .samples = samples,
                                              .matrix = of_pixels,
                                              .dim = problem.samples.dim};
    at_samples.samples.times = encoding->times;
    at_samples.samples.places = encoding->places;
    ENUF_TRY(passes->drawn_sample_terms(encoding->base, &at_samples, encoding->of_samples));
    return passes->drawn_pixel_terms(encoding->base, &in_pixels, encoding->of_pixels);
}

/* Terms without effect fill the last call. */
static enuf_status clear_rest(enuf_encoding *encoding, void *terms, int64_t bytes)
{
    const int64_t first = encoding->report.interpolators;
    const int64_t all = (int64_t)encoding->calls * encoding->report.at_once;
    return enuf_passes_of(encoding)->clear(encoding->base, (all - first) * bytes,
                                           (char *)terms + first * bytes);
}

enuf_status enuf_encoding_fill_terms(enuf_encoding *encoding, enuf_field_input *input,
                                     const enuf_field_choice *choice)
{
    const int64_t all = (int64_t)encoding->calls * encoding->report.at_once;
    const int64_t data = enuf_data_bytes(encoding), image = enuf_image_bytes(encoding);
    ENUF_TRY(enuf_encoding_allocate(encoding, &encoding->of_samples, all * data, 1,
                                    "interpolators of samples"));
    ENUF_TRY(enuf_encoding_allocate(encoding, &encoding->of_pixels, all * image, 1,
                                    "interpolators of pixels"));
    ENUF_TRY(clear_rest(encoding, encoding->of_samples, data));
    ENUF_TRY(clear_rest(encoding, encoding->of_pixels, image));
    return choice->is_drawn ? fill_drawn(encoding, input, &choice->drawn)
                            : fill_tabulated(encoding, input, choice);
}
