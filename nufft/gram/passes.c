/* passes.c - A^H W A of a plan by type 2, weights, and the adjoint of type 2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

static enuf_gram_record *record_of(enuf_nufft *plan)
{
    return (enuf_gram_record *)plan->gram;
}

/* Bytes of the values of all vectors. */
static double value_bytes(const enuf_nufft *plan)
{
    const double vectors = (double)plan->options.batch * (1 + plan->n_others);
    const double number = (double)enuf_number_size(plan) * (plan->real ? 1 : 2);
    return (double)plan->n_points * vectors * number;
}

void enuf_gram_free_values(enuf_nufft *plan)
{
    enuf_gram_record *record = record_of(plan);
    if (plan->options.memory == ENUF_HOST)
        enuf_release(&record->values);
    else if (record->values)
        plan->backend->type3->release(plan, &record->values);
    record->room = 0;
}

/* A plan with point sets has a share of memory_limit, as each of its vectors has. */
static enuf_status check_limit(const enuf_nufft *plan, double bytes)
{
    const double limit = (double)plan->options.memory_limit * (1 + plan->n_others);
    double held = (double)enuf_nufft_bytes(plan);
    for (int b = 0; b < plan->n_others; b++) held += (double)enuf_nufft_bytes(plan->others[b]);
    if (bytes < 9e18 && (limit == 0 || held + bytes <= limit)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "with values at the points the plan takes %.3g GB, memory_limit is %.3g GB "
                     "(0: none)",
                     (held + bytes) / 1e9, limit / 1e9);
}

static enuf_status make_values(enuf_nufft *plan)
{
    enuf_gram_record *record = record_of(plan);
    const double bytes = value_bytes(plan);
    if (bytes <= (double)record->room) return ENUF_SUCCESS; /* also of no points: NULL */
    enuf_gram_free_values(plan);
    ENUF_TRY(check_limit(plan, bytes));
    const int64_t count = (int64_t)bytes;
    if (plan->options.memory == ENUF_HOST)
        ENUF_TRY(enuf_allocate(&record->values, count, 1, "values at the points"));
    else
        ENUF_TRY(plan->backend->type3->allocate(plan, &record->values, count, 1,
                                                "values at the points"));
    record->room = count;
    return ENUF_SUCCESS;
}

/* Takes the weights of points off each vector's plan. The bound of strengths is of the caller's
 * strengths, not of these. */
static void take_off(enuf_nufft *plan)
{
    for (int b = 0; b <= plan->n_others; b++) {
        enuf_nufft *vector = enuf_vector(plan, b);
        record_of(plan)->weights[b] = vector->point_weights.numbers;
        vector->point_weights.numbers = NULL;
        vector->options.strength_bound = 0;
    }
}

static void put_back(enuf_nufft *plan, double bound)
{
    for (int b = 0; b <= plan->n_others; b++) {
        enuf_nufft *vector = enuf_vector(plan, b);
        vector->point_weights.numbers = record_of(plan)->weights[b];
        vector->options.strength_bound = bound;
    }
}

enuf_status enuf_gram_by_passes(enuf_nufft *plan, const void *in, void *out)
{
    const double bound = plan->options.strength_bound;
    ENUF_TRY(make_values(plan));
    ENUF_TRY(enuf_nufft_type2(plan, in, record_of(plan)->values, NULL));
    take_off(plan); /* the values have their weights */
    const enuf_status status = enuf_nufft_type2_adjoint(plan, record_of(plan)->values, out);
    put_back(plan, bound);
    return status;
}
