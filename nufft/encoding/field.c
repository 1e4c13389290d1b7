/* field.c - a field becomes terms, and the plan that transforms them. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "fill.h"
#include "normal.h"

static const char FUNCTION[] = "enuf_encoding_set_field";

static void set_report(enuf_encoding *encoding, const enuf_field_choice *choice)
{
    encoding->report = (enuf_encoding_report){
        .struct_size = sizeof encoding->report,
        .backend = encoding->base->backend->kind,
        .separation = choice->is_drawn ? ENUF_SEPARATION_SVD : encoding->options.separation,
        .interpolators = encoding->plain ? 1 : choice->count,
        .separation_error = encoding->plain ? 0 : choice->error};
}

static enuf_status allocate_vectors(enuf_encoding *encoding)
{
    ENUF_TRY(enuf_encoding_allocate(encoding, &encoding->data, enuf_data_bytes(encoding), 1,
                                    "data under way"));
    return enuf_encoding_allocate(encoding, &encoding->image, enuf_image_bytes(encoding), 1,
                                  "an image under way");
}

static enuf_status make(enuf_encoding *encoding, enuf_field_input *input,
                        const enuf_field_choice *choice)
{
    enuf_encoding_report *r = &encoding->report;
    enuf_nufft_report of_plan = {.struct_size = sizeof of_plan};
    ENUF_TRY(allocate_vectors(encoding));
    ENUF_TRY(enuf_encoding_make_rooms(encoding));
    ENUF_TRY(enuf_normal_begin(encoding, input));
    ENUF_TRY(enuf_encoding_set_at_once(encoding));
    if (!encoding->plain) ENUF_TRY(enuf_encoding_fill_terms(encoding, input, choice));
    ENUF_TRY(enuf_encoding_make_plan(encoding));
    ENUF_TRY(enuf_nufft_get_report(encoding->transform, &of_plan));
    r->transform_error = of_plan.error;
    r->error = hypot(r->separation_error, r->transform_error);
    return enuf_normal_finish(encoding, input);
}

/* In place of what was set. */
static enuf_status replace(enuf_encoding *encoding, enuf_field_input *input,
                           const enuf_field_choice *choice)
{
    enuf_encoding_drop_field(encoding);
    encoding->plain = enuf_input_is_plain(encoding, input);
    set_report(encoding, choice);
    enuf_status status = make(encoding, input, choice);
    if (status == ENUF_OUT_OF_MEMORY && !encoding->plain) status = enuf_encoding_too_many(encoding);
    if (status != ENUF_SUCCESS) enuf_encoding_drop_field(encoding);
    return status;
}

static enuf_status set_field(enuf_encoding *encoding, enuf_field_input *input,
                             enuf_field_choice *choice)
{
    ENUF_TRY(enuf_input_check(encoding, input));
    ENUF_TRY(enuf_input_bring(encoding, input));
    if (!enuf_input_is_plain(encoding, input)) {
        const enuf_field_problem problem = enuf_input_problem(encoding, input);
        ENUF_TRY(enuf_field_choose(&problem, choice));
    }
    return replace(encoding, input, choice);
}

enuf_status enuf_encoding_set_field(enuf_encoding *encoding, int64_t n, const double *omega,
                                    const double *decay, const double *const *gradient,
                                    const double *voxel)
{
    enuf_field_input input = {.n = n, .given = {omega, decay}, .voxel = voxel};
    enuf_field_choice choice = {0};
    ENUF_TRY(enuf_encoding_need(encoding, FUNCTION, 0));
    for (int d = 0; gradient && d < encoding->options.dim; d++) input.given[2 + d] = gradient[d];
    const enuf_status status = set_field(encoding, &input, &choice);
    enuf_field_choice_free(&choice);
    enuf_input_free(encoding, &input);
    return enuf_encoding_failed(status, FUNCTION);
}
