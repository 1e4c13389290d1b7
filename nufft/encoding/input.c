/* input.c - see input.h. SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

static const char *name_of(int map)
{
    static const char *const names[ENUF_MAPS] = {"omega", "decay", "gradient[0]", "gradient[1]",
                                                 "gradient[2]"};
    return names[map];
}

static void set_map(enuf_maps *maps, int map, const double *numbers)
{
    if (map == 0)
        maps->omega = numbers;
    else if (map == 1)
        maps->decay = numbers;
    else
        maps->gradient[map - 2] = numbers;
}

static int count_maps(const enuf_field_input *input, int first)
{
    int maps = 0;
    for (int map = first; map < ENUF_MAPS; map++) maps += input->given[map] != NULL;
    return maps;
}

enuf_status enuf_input_check(const enuf_encoding *encoding, const enuf_field_input *input)
{
    const int maps = count_maps(input, 0), gradients = count_maps(input, 2);
    if (input->n != encoding->n_pixels && maps > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "maps of %lld pixels, the image has %lld",
                         (long long)input->n, (long long)encoding->n_pixels);
    if (maps > 0 && !encoding->times)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "a field acts during the readout: give the times of the samples to "
                         "enuf_encoding_set_samples()");
    if (gradients > 0 && !input->voxel)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "a gradient without a voxel: give its edges; 1/pixels along each axis "
                         "leaves no gaps");
    for (int d = 0; input->voxel && d < encoding->options.dim; d++)
        if (!(input->voxel[d] > 0 && isfinite(input->voxel[d])))
            return enuf_fail(ENUF_BAD_ARGUMENT, "voxel[%d] is %g: use an edge above 0", d,
                             input->voxel[d]);
    return ENUF_SUCCESS;
}

int enuf_input_is_plain(const enuf_encoding *encoding, const enuf_field_input *input)
{
    return (count_maps(input, 0) == 0 && !input->voxel) || encoding->n_samples == 0 ||
           encoding->n_pixels == 0;
}

/* A copy of a GPU's array on the host. */
static enuf_status bring(enuf_encoding *encoding, const double *from, int64_t n, const char *what,
                         double **to)
{
    ENUF_TRY(enuf_allocate(to, n, sizeof **to, what));
    return enuf_passes_of(encoding)->download(encoding->base, *to, from, n * (int64_t)sizeof **to);
}

static enuf_status bring_map(enuf_encoding *encoding, enuf_field_input *input, int map)
{
    const int64_t n = input->n;
    const double *given = input->given[map], *here = given;
    const void *there = given;
    if (enuf_encoding_copies(encoding))
        ENUF_TRY(enuf_encoding_allocate(encoding, &input->working[map], n, sizeof *given, "maps"));
    ENUF_TRY(encoding->base->backend->type3->take(encoding->base, name_of(map), given,
                                                  n * (int64_t)sizeof *given, input->working[map],
                                                  &there));
    if (enuf_on_gpu(encoding) && !enuf_encoding_copies(encoding)) {
        ENUF_TRY(bring(encoding, given, n, "a map", &input->host[map]));
        here = input->host[map];
    }
    for (int64_t k = 0; k < n; k++)
        if (!isfinite(here[k]))
            return enuf_fail(ENUF_NOT_FINITE, "%s[%lld] is NaN or infinite", name_of(map),
                             (long long)k);
    set_map(&input->here, map, here);
    set_map(&input->there, map, there);
    return ENUF_SUCCESS;
}

enuf_status enuf_input_bring(enuf_encoding *encoding, enuf_field_input *input)
{
    const int64_t n = encoding->n_samples;
    input->here = input->there =
        (enuf_maps){.n = encoding->n_pixels, .turn = -encoding->options.sign};
    for (int map = 0; map < ENUF_MAPS; map++)
        if (input->given[map]) ENUF_TRY(bring_map(encoding, input, map));
    input->places = encoding->places;
    input->times = encoding->times;
    if (!enuf_on_gpu(encoding)) return ENUF_SUCCESS;
    double **copies = input->host + ENUF_MAPS;
    ENUF_TRY(bring(encoding, encoding->places, n * encoding->options.dim, "places of samples",
                   &copies[0]));
    input->places = copies[0];
    if (!encoding->times) return ENUF_SUCCESS;
    ENUF_TRY(bring(encoding, encoding->times, n, "times of samples", &copies[1]));
    input->times = copies[1];
    return ENUF_SUCCESS;
}

void enuf_input_free(enuf_encoding *encoding, enuf_field_input *input)
{
    for (int k = 0; k < ENUF_MAPS + 2; k++) enuf_release(&input->host[k]);
    for (int k = 0; k < ENUF_MAPS; k++) enuf_encoding_release(encoding, &input->working[k]);
    for (int k = 0; k < ENUF_INPUT_TABLES; k++) enuf_encoding_release(encoding, &input->table[k]);
}

enuf_field_problem enuf_input_problem(const enuf_encoding *encoding, const enuf_field_input *input)
{
    const enuf_encoding_options *o = &encoding->options;
    enuf_samples samples = {
        .n = encoding->n_samples, .dim = o->dim, .times = input->times, .places = input->places};
    for (int d = 0; input->voxel && d < o->dim; d++) samples.edge[d] = input->voxel[d];
    return (enuf_field_problem){.method = o->separation,
                                .precision = o->precision,
                                .tolerance = o->tolerance,
                                .samples = samples,
                                .maps = input->here};
}
