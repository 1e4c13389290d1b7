/* type3_execute.c - sums of type 3 and their adjoint. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"

static enuf_status need_weights(const enuf_weights *weights, int64_t n, const char *function,
                                const char *of)
{
    if (!weights->numbers || weights->n == n) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "%s: the weights are those of %lld %ss, the plan has %lld: set the weights "
                     "again, after the %ss",
                     function, (long long)weights->n, of, (long long)n, of);
}

static enuf_status need_targets(const enuf_nufft *plan, const char *function)
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    if (!plan->type3)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: the plan is of type 1 and 2: set options.type3 = 1", function);
    if (!plan->type3->targets_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_targets() first", function);
    ENUF_TRY(need_weights(&plan->point_weights, plan->type3->n_points, function, "point"));
    return need_weights(&plan->mode_weights, plan->type3->n_targets, function, "target");
}

static enuf_status need_pointer(const void *pointer, int64_t n, const char *function,
                                const char *name)
{
    if (pointer || n == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL", function, name);
}

/* Bytes of a vector of strengths, and of values. */
static size_t strength_bytes(const enuf_nufft *plan)
{
    const int parts = plan->type3->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    return (size_t)(plan->type3->n_points * parts) * enuf_number_size(plan);
}

static size_t value_bytes(const enuf_nufft *plan)
{
    return (size_t)plan->type3->n_targets * enuf_type3_complex_size(plan);
}

/* Factors of the points, and weights from vector b on. */
static enuf_type3_product of_points(const enuf_nufft *plan, int b)
{
    const enuf_weights *weights = &plan->point_weights;
    return (enuf_type3_product){.n = plan->type3->n_points,
                                .vectors = plan->type3->together,
                                .factors = plan->type3->of_points,
                                .weights =
                                    weights->sets > 1 ? enuf_weights_of(plan, weights, b) : NULL,
                                .complex_weights = weights->kind == ENUF_COMPLEX};
}

static enuf_type3_product of_targets(const enuf_nufft *plan, int b)
{
    const enuf_weights *weights = &plan->mode_weights;
    return (enuf_type3_product){.n = plan->type3->n_targets,
                                .vectors = plan->type3->together,
                                .factors = plan->type3->of_targets,
                                .weights =
                                    weights->sets > 1 ? enuf_weights_of(plan, weights, b) : NULL,
                                .complex_weights = weights->kind == ENUF_COMPLEX};
}

/* A pass from vector b on. */
static enuf_status to_targets(enuf_nufft *plan, int b, const void *strengths, void *values)
{
    const enuf_type3 *t = plan->type3;
    const enuf_type3_passes *passes = plan->backend->type3;
    const int64_t bytes = t->together * (int64_t)strength_bytes(plan);
    enuf_type3_product before = of_points(plan, b), after = of_targets(plan, b);
    ENUF_TRY(passes->take(plan, "strengths", strengths, bytes, t->room, &before.from));
    before.from_real = t->options.strengths == ENUF_REAL_STRENGTHS;
    before.to = t->work;
    ENUF_TRY(passes->multiply(plan, &before));
    ENUF_TRY(passes->spread(t->spreading, t->work, t->cells));
    ENUF_TRY(passes->place(plan, "values", values, t->room, &after.to));
    ENUF_TRY(enuf_nufft_type2(t->transform, t->cells, after.to, NULL));
    after.from = after.to;
    ENUF_TRY(passes->multiply(plan, &after));
    return passes->give(plan, values, t->together * (int64_t)value_bytes(plan), after.to);
}

static enuf_status to_points(enuf_nufft *plan, int b, const void *values, void *strengths)
{
    const enuf_type3 *t = plan->type3;
    const enuf_type3_passes *passes = plan->backend->type3;
    const int64_t bytes = t->together * (int64_t)value_bytes(plan);
    enuf_type3_product before = of_targets(plan, b), after = of_points(plan, b);
    before.conjugate = after.conjugate = 1;
    ENUF_TRY(passes->take(plan, "values", values, bytes, t->room, &before.from));
    before.to = t->work;
    ENUF_TRY(passes->multiply(plan, &before));
    ENUF_TRY(enuf_nufft_type1(t->transform, t->work, t->cells));
    ENUF_TRY(passes->interpolate(t->spreading, t->cells, t->work));
    ENUF_TRY(passes->place(plan, "strengths", strengths, t->room, &after.to));
    after.from = t->work;
    after.to_real = t->options.strengths == ENUF_REAL_STRENGTHS;
    ENUF_TRY(passes->multiply(plan, &after));
    return passes->give(plan, strengths, t->together * (int64_t)strength_bytes(plan), after.to);
}

/* Host memory with a GPU: the inner plans are in device memory, and report at a check. */
static enuf_status finish(enuf_nufft *plan)
{
    return plan->options.memory == ENUF_HOST ? enuf_type3_check(plan) : ENUF_SUCCESS;
}

/* The first vector of a pass that begins at b: all passes are of one size. */
static int first_of_pass(const enuf_type3 *t, int b)
{
    const int last = t->options.batch - t->together;
    return b < last ? b : last;
}

enuf_status enuf_nufft_type3(enuf_nufft *plan, const void *strengths, void *values)
{
    static const char function[] = "enuf_nufft_type3";
    ENUF_TRY(need_targets(plan, function));
    const enuf_type3 *t = plan->type3;
    ENUF_TRY(need_pointer(strengths, t->n_points, function, "strengths"));
    ENUF_TRY(need_pointer(values, t->n_targets, function, "values"));
    for (int b = 0; b < t->options.batch; b += t->together) {
        const size_t first = (size_t)first_of_pass(t, b);
        ENUF_TRY(to_targets(plan, (int)first,
                            (const char *)strengths + first * strength_bytes(plan),
                            (char *)values + first * value_bytes(plan)));
    }
    return finish(plan);
}

enuf_status enuf_nufft_type3_adjoint(enuf_nufft *plan, const void *values, void *strengths)
{
    static const char function[] = "enuf_nufft_type3_adjoint";
    ENUF_TRY(need_targets(plan, function));
    const enuf_type3 *t = plan->type3;
    ENUF_TRY(need_pointer(values, t->n_targets, function, "values"));
    ENUF_TRY(need_pointer(strengths, t->n_points, function, "strengths"));
    for (int b = 0; b < t->options.batch; b += t->together) {
        const size_t first = (size_t)first_of_pass(t, b);
        ENUF_TRY(to_points(plan, (int)first, (const char *)values + first * value_bytes(plan),
                           (char *)strengths + first * strength_bytes(plan)));
    }
    return finish(plan);
}
