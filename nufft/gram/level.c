/*
 * level.c - A^H W A of a plan: at level GRAM by a spectrum of the points that are set, otherwise by
 * passes.c. The plan calls this room by a record only, so that rooms make no circle.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "finding.h"
#include "record.h"

#include <math.h>
#include <string.h>

static const char GRAM[] = "enuf_nufft_gram";

static enuf_gram_record *record_of(const enuf_nufft *plan)
{
    return (enuf_gram_record *)plan->gram;
}

/* ---- What the plan calls ---- */

static void free_grams(enuf_gram_record *record)
{
    for (int k = 0; k < record->n_grams; k++) enuf_gram_destroy(&record->grams[k]);
    enuf_release(&record->grams);
    record->n_grams = 0;
    record->sets = -1;
}

static void destroy(enuf_nufft *plan)
{
    free_grams(record_of(plan));
    enuf_gram_free_values(plan);
    enuf_release(&record_of(plan)->weights);
    enuf_release(&plan->gram);
}

/* The backend of device memory counts the values itself. */
static int64_t bytes(const enuf_nufft *plan)
{
    const enuf_gram_record *record = record_of(plan);
    int64_t all = (int64_t)sizeof *record + (1 + plan->n_others) * (int64_t)sizeof(void *);
    all += record->n_grams * (int64_t)sizeof *record->grams;
    if (plan->options.memory == ENUF_HOST) all += record->room;
    for (int k = 0; k < record->n_grams; k++)
        if (record->grams[k]) all += enuf_gram_bytes(record->grams[k]);
    return all;
}

static enuf_status check(enuf_nufft *plan)
{
    const enuf_gram_record *record = record_of(plan);
    enuf_status first = ENUF_SUCCESS;
    for (int k = 0; k < record->n_grams; k++) {
        const enuf_status status =
            record->grams[k] ? enuf_gram_check(record->grams[k]) : ENUF_SUCCESS;
        if (first == ENUF_SUCCESS) first = status;
    }
    return first == ENUF_SUCCESS ? first : enuf_fail_in(first, GRAM);
}

static enuf_status make_record(enuf_nufft *plan)
{
    enuf_gram_record *made;
    if (plan->gram) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "a plan's Gram operator"));
    memset(made, 0, sizeof *made);
    const enuf_status status =
        enuf_allocate(&made->weights, 1 + plan->n_others, sizeof(void *), "weights of vectors");
    if (status != ENUF_SUCCESS) {
        enuf_release(&made);
        return status;
    }
    made->calls = (enuf_plan_gram){destroy, bytes, check};
    made->sets = -1;
    plan->gram = &made->calls;
    return ENUF_SUCCESS;
}

/* ---- The spectra ---- */

/* A plan whose method the caller gave has no tolerance; T has the plan's own error then. */
static double tolerance_of(const enuf_nufft *plan)
{
    const double least = 1e-13, most = 0.1;
    if (plan->options.tolerance > 0) return plan->options.tolerance;
    return fmin(fmax(plan->method.error, least), most);
}

enuf_nufft_options enuf_gram_options_of(const enuf_nufft *plan)
{
    enuf_nufft_options o = plan->options;
    o.tolerance = tolerance_of(plan);
    o.fft_wisdom = NULL;
    for (int d = 0; d < 3; d++) o.fine_grid[d] = 0;
    if (plan->point_weights.numbers && plan->point_weights.sets > 1) o.batch = 1;
    return o;
}

/* Weights of a GPU's plan with host memory are on the GPU. */
static int has_to_copy_weights(const enuf_nufft *plan)
{
    return plan->options.memory == ENUF_HOST && plan->backend->kind == ENUF_BACKEND_CUDA &&
           plan->point_weights.numbers != NULL;
}

/* Bytes of a vector's weights. */
static int64_t copied_bytes(const enuf_nufft *plan)
{
    return plan->n_points * (int64_t)enuf_number_size(plan);
}

/* What memory_limit leaves for an operator, whose bytes are among the plan's, beside a copy of the
 * weights. */
static enuf_status set_limit(const enuf_nufft *plan, int64_t of_operator, int64_t *limit)
{
    const int64_t given = plan->options.memory_limit;
    const int64_t copied = has_to_copy_weights(plan) ? copied_bytes(plan) : 0;
    const int64_t held = enuf_nufft_bytes(plan) + copied;
    *limit = given > 0 ? given - held + of_operator : 0;
    if (given == 0 || *limit > 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "the plan takes %.3g GB, memory_limit is %.3g GB: it leaves no room for the "
                     "spectrum of level gram",
                     (double)held / 1e9, (double)given / 1e9);
}

static enuf_status make_grams(enuf_nufft *plan, int n)
{
    enuf_gram_record *record = record_of(plan);
    enuf_nufft_options o = enuf_gram_options_of(plan);
    if (record->n_grams == n) return ENUF_SUCCESS;
    free_grams(record);
    ENUF_TRY(enuf_allocate(&record->grams, n, sizeof *record->grams, "Gram operators"));
    memset(record->grams, 0, (size_t)n * sizeof *record->grams);
    record->n_grams = n;
    for (int k = 0; k < n; k++) {
        ENUF_TRY(set_limit(plan, 0, &o.memory_limit));
        ENUF_TRY(enuf_gram_create(&o, &record->grams[k]));
    }
    return ENUF_SUCCESS;
}

static enuf_status find_with(enuf_nufft *plan, int k, const void *weights)
{
    enuf_gram *gram = record_of(plan)->grams[k];
    enuf_gram_points points = {
        .coordinates = {.n = plan->n_points, .stride = 1, .precision = ENUF_DOUBLE},
        .weights = weights,
        .frame = plan->has_frame ? plan->frame : NULL,
        .origin = plan->origin};
    for (int d = 0; d < plan->options.dim; d++)
        points.coordinates.axis[d] = plan->coordinates.numbers + d * plan->n_points;
    ENUF_TRY(set_limit(plan, enuf_gram_bytes(gram), &gram->options.memory_limit));
    gram->base->options.memory_limit = gram->options.memory_limit;
    return enuf_gram_find(gram, &points);
}

static enuf_status find(enuf_nufft *plan, int k)
{
    const void *weights = enuf_weights_of(plan, &plan->point_weights, k);
    const int64_t size = copied_bytes(plan);
    void *copy;
    if (!has_to_copy_weights(plan)) return find_with(plan, k, weights);
    ENUF_TRY(enuf_allocate(&copy, size, 1, "weights"));
    enuf_status status = plan->backend->type3->give(plan, copy, size, weights);
    if (status == ENUF_SUCCESS) status = find_with(plan, k, copy);
    enuf_release(&copy);
    return status;
}

/* Spectra of the points and weights that are set. */
static enuf_status renew(enuf_nufft *plan)
{
    enuf_gram_record *record = record_of(plan);
    const int weighted = plan->point_weights.numbers != NULL;
    const int n = weighted && plan->point_weights.sets > 1 ? plan->options.batch : 1;
    if (record->sets == plan->sets && record->weight_sets == plan->weight_sets) return ENUF_SUCCESS;
    record->sets = -1;
    enuf_status status = make_grams(plan, n);
    for (int k = 0; status == ENUF_SUCCESS && k < n; k++) status = find(plan, k);
    if (status != ENUF_SUCCESS) {
        free_grams(record);
        return status;
    }
    record->sets = plan->sets;
    record->weight_sets = plan->weight_sets;
    return ENUF_SUCCESS;
}

static enuf_status by_spectrum(enuf_nufft *plan, const char *in, char *out)
{
    const enuf_gram_record *record;
    const size_t vector = 2 * (size_t)plan->n_modes * enuf_number_size(plan);
    ENUF_TRY(make_record(plan));
    record = record_of(plan);
    ENUF_TRY(renew(plan));
    for (size_t k = 0; k < (size_t)record->n_grams; k++)
        ENUF_TRY(enuf_gram_apply(record->grams[k], in + k * vector, out + k * vector));
    return ENUF_SUCCESS;
}

/* ---- The call ---- */

/* The spectrum is of real weights, and of modes without weights. */
static int has_spectrum(const enuf_nufft *plan)
{
    return plan->options.level == ENUF_LEVEL_GRAM && !plan->mode_weights.numbers &&
           !(plan->point_weights.numbers && plan->point_weights.kind == ENUF_COMPLEX);
}

static enuf_status gram_of(enuf_nufft *plan, const void *in, void *out)
{
    const size_t vectors = (size_t)(2 * plan->n_modes * plan->options.batch);
    const size_t step = vectors * enuf_number_size(plan);
    if (!has_spectrum(plan)) {
        ENUF_TRY(make_record(plan));
        return enuf_gram_by_passes(plan, in, out);
    }
    for (int b = 0; b <= plan->n_others; b++) {
        const enuf_status status =
            by_spectrum(enuf_vector(plan, b), (const char *)in + (size_t)b * step,
                        (char *)out + (size_t)b * step);
        if (status == ENUF_SUCCESS) continue;
        return plan->n_others > 0 ? enuf_fail_of_vector(status, b) : status;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_gram(enuf_nufft *plan, const void *in, void *out)
{
    ENUF_TRY(enuf_plan_need(plan, GRAM, 1, 1));
    if (plan->n_modes == 0) return ENUF_SUCCESS;
    if (!in || !out || in == out)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: in or out is NULL, or both are one array", GRAM);
    const enuf_status status = gram_of(plan, in, out);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, GRAM);
}
