/* weights.c - weights of points and of modes. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"

#include <math.h>

/* The first number on the host that is not finite, or n. */
static int64_t first_not_finite(const enuf_nufft *plan, const void *numbers, int64_t n)
{
    const float *f32 = numbers;
    const double *f64 = numbers;
    const int in_float = plan->options.precision == ENUF_FLOAT;
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(in_float ? (double)f32[i] : f64[i])) return i;
    return n;
}

static enuf_status check(const enuf_nufft *plan, const char *function, enuf_multiplier kind,
                         int sets)
{
    if (kind != ENUF_REAL && kind != ENUF_COMPLEX)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: kind %d: use ENUF_REAL or ENUF_COMPLEX", function,
                         (int)kind);
    const int batch =
        plan->type3 ? plan->type3->options.batch : plan->options.batch * (1 + plan->n_others);
    if (sets != 1 && sets != batch)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: sets is %d: use 1, or %d, the batch", function,
                         sets, batch);
    return ENUF_SUCCESS;
}

/* Replaces weights by those of `given` but for its numbers, which are copied; NULL: none. */
static enuf_status keep(enuf_nufft *plan, const void *from, const enuf_weights *given,
                        enuf_weights *weights)
{
    const int64_t parts = given->kind == ENUF_COMPLEX ? 2 : 1;
    const int64_t count = from ? given->n * given->sets * parts : 0;
    ENUF_TRY(plan->backend->keep_weights(plan, from, count, &weights->numbers));
    void *numbers = weights->numbers;
    *weights = *given;
    weights->numbers = numbers;
    if (weights == &plan->point_weights) plan->weight_sets++;
    return ENUF_SUCCESS;
}

/* Weights of the points, or of the modes, of each vector's plan. */
static enuf_status set(enuf_nufft *plan, const char *function, int of_points, const void *from,
                       const enuf_weights *given)
{
    const int64_t parts = given->kind == ENUF_COMPLEX ? 2 : 1;
    const int64_t count = from ? given->n * given->sets * parts : 0;
    const int sets_of_vector = plan->n_others > 0 ? 1 : given->sets;
    if (plan->options.memory == ENUF_HOST) {
        const int64_t bad = first_not_finite(plan, from, count);
        if (bad < count)
            return enuf_fail(ENUF_NOT_FINITE, "%s: weights[%lld] is NaN or infinite", function,
                             (long long)(bad / parts));
    }
    for (int b = 0; b <= plan->n_others; b++) {
        enuf_nufft *vector = enuf_vector(plan, b);
        const size_t first = given->sets > sets_of_vector ? (size_t)(b * given->n * parts) : 0;
        enuf_weights of_vector = *given;
        of_vector.sets = sets_of_vector;
        ENUF_TRY(keep(vector, from ? (const char *)from + first * enuf_number_size(plan) : NULL,
                      &of_vector, of_points ? &vector->point_weights : &vector->mode_weights));
    }
    return ENUF_SUCCESS;
}

/* Strengths of the plan are real. */
static int real_strengths(const enuf_nufft *plan)
{
    return plan->type3 ? plan->type3->options.strengths == ENUF_REAL_STRENGTHS : plan->real;
}

static enuf_status set_of_type3_points(enuf_nufft *plan, const char *function, const void *from,
                                       enuf_weights *given)
{
    const enuf_type3 *t = plan->type3;
    if (!t->points_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_points() first", function);
    given->n = t->n_points;
    ENUF_TRY(set(plan, function, 1, from, given));
    return t->targets_set ? enuf_type3_factors_of_points(plan) : ENUF_SUCCESS;
}

static enuf_status set_of_targets(enuf_nufft *plan, const char *function, const void *from,
                                  enuf_weights *given)
{
    const enuf_type3 *t = plan->type3;
    if (!t->targets_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_targets() first", function);
    given->n = t->n_targets;
    ENUF_TRY(set(plan, function, 0, from, given));
    return enuf_type3_factors_of_targets(plan);
}

enuf_status enuf_nufft_set_point_weights(enuf_nufft *plan, enuf_multiplier kind, int sets,
                                         const void *weights)
{
    static const char function[] = "enuf_nufft_set_point_weights";
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    ENUF_TRY(check(plan, function, kind, sets));
    if (kind == ENUF_COMPLEX && real_strengths(plan))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: kind ENUF_COMPLEX with real strengths: use ENUF_REAL, or complex "
                         "strengths",
                         function);
    enuf_weights given = {.kind = kind, .sets = sets, .n = plan->n_points};
    if (plan->type3) return set_of_type3_points(plan, function, weights, &given);
    if (!plan->points_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_points() first", function);
    return set(plan, function, 1, weights, &given);
}

enuf_status enuf_nufft_set_mode_weights(enuf_nufft *plan, enuf_multiplier kind, int sets,
                                        const void *weights)
{
    static const char function[] = "enuf_nufft_set_mode_weights";
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    ENUF_TRY(check(plan, function, kind, sets));
    enuf_weights given = {.kind = kind, .sets = sets, .n = plan->n_modes};
    if (plan->type3) return set_of_targets(plan, function, weights, &given);
    return set(plan, function, 0, weights, &given);
}
