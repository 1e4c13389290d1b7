/* normal.c - see normal.h. SPDX-License-Identifier: BSD-3-Clause */
#include "normal.h"
#include "names.h"
#include "normal_cost.h"
#include "pixel_exponentials.h"
#include "separate_pairs.h"
#include "spectra.h"

#include <string.h>

ENUF_DEFINE_NAMES(enuf_normal, ENUF_NORMALS, "normal operator")

/* The maps, on the host and where the backend works. */
typedef struct field_maps {
    enuf_maps here, there;
    const double *times, *places; /* of the samples, on the host */
} field_maps;

/* ---- Planning: count, sizes and costs ---- */

static enuf_status separate(enuf_encoding *encoding, const field_maps *maps)
{
    enuf_spectra *spectra = &encoding->spectra;
    enuf_field_problem problem = {.precision = encoding->options.precision,
                                  .tolerance = encoding->options.tolerance,
                                  .samples = {.n = encoding->n_samples,
                                              .dim = encoding->options.dim,
                                              .times = maps->times,
                                              .places = maps->places},
                                  .maps = maps->here};
    ENUF_TRY(enuf_pairs_separate(&problem, &spectra->pairs));
    spectra->count = spectra->pairs.count;
    return ENUF_SUCCESS;
}

static enuf_status plan(enuf_encoding *encoding, const field_maps *maps)
{
    enuf_spectra *spectra = &encoding->spectra;
    spectra->pairs.gain = 1;
    spectra->count = 1;
    spectra->has_maps = maps->here.omega || maps->here.decay;
    if (!encoding->plain && spectra->has_maps) ENUF_TRY(separate(encoding, maps));
    return enuf_normal_find_costs(encoding);
}

static void set_report(enuf_encoding *encoding)
{
    const enuf_spectra *spectra = &encoding->spectra;
    enuf_encoding_report *r = &encoding->report;
    r->normal = ENUF_NORMAL_GRAM;
    r->normal_terms = spectra->count;
    r->normal_bytes = (int64_t)spectra->bytes;
    r->normal_error = hypot(spectra->pairs.error, 0.5 * encoding->options.tolerance);
}

/* ---- With a field ---- */

static field_maps maps_of(const enuf_field_input *input)
{
    return (field_maps){input->here, input->there, input->times, input->places};
}

static enuf_status refuse_gradients(const enuf_field_input *input)
{
    for (int d = 0; d < 3; d++)
        if (input->here.gradient[d])
            return enuf_fail(ENUF_UNSUPPORTED,
                             "a gradient in the voxels has no Gram operators: use "
                             "ENUF_NORMAL_TRANSFORMS or ENUF_NORMAL_AUTO");
    return ENUF_SUCCESS;
}

static int has_gradients(const enuf_field_input *input)
{
    return input->here.gradient[0] || input->here.gradient[1] || input->here.gradient[2];
}

static enuf_status keep_map(enuf_encoding *encoding, const double *from, double **to)
{
    const int64_t bytes = encoding->n_pixels * (int64_t)sizeof **to;
    if (!from || encoding->plain) return ENUF_SUCCESS;
    ENUF_TRY(enuf_encoding_allocate(encoding, to, bytes, 1, "a copy of a map"));
    memcpy(*to, from, (size_t)bytes);
    return ENUF_SUCCESS;
}

/* The choice is for the CPU, whose costs are known. */
static enuf_status keep_maps(enuf_encoding *encoding, const enuf_field_input *input)
{
    enuf_spectra *spectra = &encoding->spectra;
    if (enuf_on_gpu(encoding) || has_gradients(input)) return ENUF_SUCCESS;
    enuf_status status = keep_map(encoding, input->here.omega, &spectra->omega);
    if (status == ENUF_SUCCESS) status = keep_map(encoding, input->here.decay, &spectra->decay);
    spectra->turn = input->here.turn;
    spectra->may_be_planned = status == ENUF_SUCCESS;
    if (status == ENUF_SUCCESS) return status;
    enuf_encoding_release(encoding, &spectra->omega);
    return encoding->options.memory_limit > 0 ? ENUF_SUCCESS : status;
}

enuf_status enuf_normal_begin(enuf_encoding *encoding, const enuf_field_input *input)
{
    enuf_spectra *spectra = &encoding->spectra;
    const field_maps maps = maps_of(input);
    for (int d = 0; input->voxel && !encoding->plain && d < encoding->options.dim; d++)
        spectra->edge[d] = input->voxel[d];
    encoding->report.normal = ENUF_NORMAL_TRANSFORMS;
    if (encoding->options.normal == ENUF_NORMAL_AUTO) return keep_maps(encoding, input);
    if (encoding->options.normal == ENUF_NORMAL_TRANSFORMS) return ENUF_SUCCESS;
    ENUF_TRY(refuse_gradients(input));
    ENUF_TRY(plan(encoding, &maps));
    set_report(encoding);
    return enuf_encoding_check_limit(encoding, spectra->bytes, "Gram operators of A^H W A");
}

enuf_status enuf_normal_finish(enuf_encoding *encoding, const enuf_field_input *input)
{
    enuf_encoding_report *r = &encoding->report;
    if (r->normal == ENUF_NORMAL_TRANSFORMS) r->normal_error = sqrt(2) * r->error;
    if (encoding->spectra.count == 0 || !encoding->spectra.has_maps) return ENUF_SUCCESS;
    return enuf_fill_pixel_exponentials(encoding, &input->here, &input->there);
}

/* ---- For a solution ---- */

/* Nanoseconds that planning takes with maps (128^2 pixels, 13 interpolators; Xeon, Sapphire Rapids
 * class, 28 November 2026). Transforms that take little longer leave nothing to save. */
static const double PLANNING = 4e7, WORTH = 2;

static int is_worth_a_plan(const enuf_encoding *encoding, double applications)
{
    const int has_maps = encoding->spectra.omega || encoding->spectra.decay;
    return !has_maps || applications * enuf_normal_by_transforms(encoding) > WORTH * PLANNING;
}

/* Once for each field: afterwards there is a plan, or none is possible. */
static enuf_status plan_kept(enuf_encoding *encoding)
{
    enuf_spectra *spectra = &encoding->spectra;
    const field_maps maps = {.here = {.n = encoding->n_pixels,
                                      .turn = spectra->turn,
                                      .omega = spectra->omega,
                                      .decay = spectra->decay},
                             .times = encoding->times,
                             .places = encoding->places};
    if (!spectra->may_be_planned) return ENUF_SUCCESS;
    spectra->may_be_planned = 0;
    const enuf_status status = plan(encoding, &maps);
    if (status == ENUF_SUCCESS) return status;
    spectra->count = 0;
    enuf_pairs_free(&spectra->pairs);
    spectra->may_be_planned = status == ENUF_OUT_OF_MEMORY;
    return status == ENUF_UNREACHABLE_ACCURACY ? ENUF_SUCCESS : status;
}

/* Those that are made are among the bytes. */
static int pays(const enuf_encoding *encoding, double applications, const void *weights)
{
    const enuf_spectra *spectra = &encoding->spectra;
    const double limit = (double)encoding->options.memory_limit;
    const double held = (double)enuf_encoding_bytes(encoding);
    if (spectra->count == 0 || spectra->saved <= 0) return 0;
    if (enuf_spectra_are_made(encoding, weights)) return 1;
    if (!spectra->gram && limit > 0 && held + spectra->bytes > limit) return 0;
    return applications * spectra->saved > spectra->making;
}

enuf_status enuf_normal_for_solve(enuf_encoding *encoding, double applications, const void *weights,
                                  int *by_spectra)
{
    enuf_spectra *spectra = &encoding->spectra;
    *by_spectra = encoding->options.normal == ENUF_NORMAL_GRAM;
    if (*by_spectra) return enuf_spectra_make(encoding, weights);
    if (encoding->options.normal == ENUF_NORMAL_TRANSFORMS) return ENUF_SUCCESS;
    if (is_worth_a_plan(encoding, applications)) ENUF_TRY(plan_kept(encoding));
    encoding->report.normal = ENUF_NORMAL_TRANSFORMS;
    encoding->report.normal_terms = 0;
    encoding->report.normal_bytes = 0;
    encoding->report.normal_error = sqrt(2) * encoding->report.error;
    if (!pays(encoding, applications, weights)) return ENUF_SUCCESS;
    const enuf_maps maps = {.n = encoding->n_pixels,
                            .turn = spectra->turn,
                            .omega = spectra->omega,
                            .decay = spectra->decay};
    if (spectra->has_maps && !spectra->of_pixels)
        ENUF_TRY(enuf_fill_pixel_exponentials(encoding, &maps, &maps));
    *by_spectra = 1;
    set_report(encoding);
    return enuf_spectra_make(encoding, weights);
}
