/* weights.c - weights of points and of modes. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

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
    if (plan->type3)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "%s: a plan of type 3 has no weights: multiply strengths and values",
                         function);
    if (kind != ENUF_REAL && kind != ENUF_COMPLEX)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: kind %d: use ENUF_REAL or ENUF_COMPLEX", function,
                         (int)kind);
    if (sets != 1 && sets != plan->options.batch)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: sets is %d: use 1, or %d, the batch", function,
                         sets, plan->options.batch);
    return ENUF_SUCCESS;
}

/* Replaces weights by those of `given` but for its numbers, which are copied; NULL: none. */
static enuf_status set(enuf_nufft *plan, const char *function, const void *from,
                       const enuf_weights *given, enuf_weights *weights)
{
    const int64_t parts = given->kind == ENUF_COMPLEX ? 2 : 1;
    const int64_t count = from ? given->n * given->sets * parts : 0;
    if (plan->options.memory == ENUF_HOST) {
        const int64_t bad = first_not_finite(plan, from, count);
        if (bad < count)
            return enuf_fail(ENUF_NOT_FINITE, "%s: weights[%lld] is NaN or infinite", function,
                             (long long)(bad / parts));
    }
    ENUF_TRY(plan->backend->keep_weights(plan, from, count, &weights->numbers));
    void *numbers = weights->numbers;
    *weights = *given;
    weights->numbers = numbers;
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_set_point_weights(enuf_nufft *plan, enuf_multiplier kind, int sets,
                                         const void *weights)
{
    static const char function[] = "enuf_nufft_set_point_weights";
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    ENUF_TRY(check(plan, function, kind, sets));
    if (kind == ENUF_COMPLEX && plan->real)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: kind ENUF_COMPLEX with real strengths: use ENUF_REAL, or complex "
                         "strengths",
                         function);
    if (!plan->points_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_points() first", function);
    const enuf_weights given = {.kind = kind, .sets = sets, .n = plan->n_points};
    return set(plan, function, weights, &given, &plan->point_weights);
}

enuf_status enuf_nufft_set_mode_weights(enuf_nufft *plan, enuf_multiplier kind, int sets,
                                        const void *weights)
{
    static const char function[] = "enuf_nufft_set_mode_weights";
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    ENUF_TRY(check(plan, function, kind, sets));
    const enuf_weights given = {.kind = kind, .sets = sets, .n = plan->n_modes};
    return set(plan, function, weights, &given, &plan->mode_weights);
}
