/* execute.c - transforms as sequences of backend stages. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"
#include "wall_clock.h"

#include <math.h>

/* Calls a stage of the plan's backend and adds up its time. */
#define STAGE(plan, which, call)                                                                   \
    do {                                                                                           \
        double stage_start = enuf_seconds();                                                       \
        ENUF_TRY((plan)->backend->call);                                                           \
        (plan)->seconds[ENUF_STAGE_##which] += enuf_seconds() - stage_start;                       \
    } while (0)

enuf_status enuf_plan_need(const enuf_nufft *plan, const char *function, int grid, int points)
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    if ((grid || points) && plan->type3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: the plan is of type 3: call enuf_nufft_type3()",
                         function);
    if (grid && plan->options.no_grid)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: the plan was made with no_grid, it serves the stages of "
                         "nufft_stages.h only",
                         function);
    if (points && !plan->points_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_points() first", function);
    const enuf_weights *weights = &plan->point_weights;
    if (points && weights->numbers && weights->n != plan->n_points)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: the weights are those of %lld points, the plan has %lld: call "
                         "enuf_nufft_set_point_weights() after enuf_nufft_set_points()",
                         function, (long long)weights->n, (long long)plan->n_points);
    return ENUF_SUCCESS;
}

/* Steps one by one are those of one plan. */
static enuf_status need_one_set(const enuf_nufft *plan, const char *function)
{
    if (!plan || plan->n_others == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "%s: a plan with point_sets has no single steps: make a plan for each vector",
                     function);
}

static enuf_status need_pointer(const void *pointer, int64_t n, const char *function,
                                const char *name)
{
    if (pointer || n == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL", function, name);
}

static enuf_status need_spectrum(const enuf_nufft *plan, const char *function)
{
    ENUF_TRY(enuf_plan_need(plan, function, 1, 0));
    if (!plan->spectrum_filled)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_forward() first", function);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_spread(enuf_nufft *plan, const void *strengths)
{
    ENUF_TRY(need_one_set(plan, "enuf_nufft_spread"));
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_spread", 1, 1));
    ENUF_TRY(need_pointer(strengths, plan->n_points, "enuf_nufft_spread", "strengths"));
    STAGE(plan, SPREAD, spread(plan, strengths));
    plan->grid_filled = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_grid(enuf_nufft *plan, void **cells, int64_t *count, enuf_cell_type *type)
{
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_grid", 1, 0));
    if (!cells || !count || !type)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_grid: cells, count or type is NULL");
    if (!plan->grid_filled)
        return enuf_fail(ENUF_NO_POINTS_SET, "enuf_nufft_grid: call enuf_nufft_spread() first");
    return plan->backend->grid(plan, cells, count, type);
}

enuf_status enuf_nufft_transform(enuf_nufft *plan)
{
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_transform", 1, 0));
    if (!plan->grid_filled)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "enuf_nufft_transform: call enuf_nufft_spread() first");
    plan->grid_filled = plan->spectrum_filled = 0;
    STAGE(plan, FFT, forward_fft(plan));
    STAGE(plan, DECONVOLVE, deconvolve(plan, NULL));
    plan->spectrum_filled = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_forward(enuf_nufft *plan, const void *strengths)
{
    ENUF_TRY(enuf_nufft_spread(plan, strengths));
    return enuf_nufft_transform(plan);
}

static enuf_status to_modes(enuf_nufft *plan, const void *strengths, void *modes)
{
    STAGE(plan, SPREAD, spread(plan, strengths));
    plan->grid_filled = 0;
    STAGE(plan, FFT, forward_fft(plan));
    STAGE(plan, DECONVOLVE, deconvolve(plan, modes));
    return ENUF_SUCCESS;
}

/* Bytes of the strengths or values, and of the modes, of a plan with its whole batch. */
static size_t point_bytes(const enuf_nufft *plan)
{
    const int64_t numbers = plan->n_points * plan->options.batch * (plan->real ? 1 : 2);
    return (size_t)numbers * enuf_number_size(plan);
}

static size_t mode_bytes(const enuf_nufft *plan)
{
    return (size_t)(2 * plan->n_modes * plan->options.batch) * enuf_number_size(plan);
}

/* to_modes() of each vector's plan: of one, if all vectors have the same points. */
static enuf_status all_to_modes(enuf_nufft *plan, int forward_sign, int adjoint,
                                const void *strengths, void *modes)
{
    enuf_status status = ENUF_SUCCESS;
    for (int b = 0; status == ENUF_SUCCESS && b <= plan->n_others; b++) {
        enuf_nufft *vector = enuf_vector(plan, b);
        vector->forward_sign = forward_sign;
        vector->adjoint = adjoint;
        status = to_modes(vector, (const char *)strengths + (size_t)b * point_bytes(plan),
                          (char *)modes + (size_t)b * mode_bytes(plan));
        vector->forward_sign = plan->options.sign;
        vector->adjoint = 0;
        if (status != ENUF_SUCCESS && plan->n_others > 0) enuf_fail_of_vector(status, b);
    }
    return status;
}

enuf_status enuf_nufft_type1(enuf_nufft *plan, const void *strengths, void *modes)
{
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_type1", 1, 1));
    ENUF_TRY(need_pointer(strengths, plan->n_points, "enuf_nufft_type1", "strengths"));
    ENUF_TRY(need_pointer(modes, plan->n_modes, "enuf_nufft_type1", "modes"));
    return all_to_modes(plan, plan->options.sign, 0, strengths, modes);
}

/* modes (NULL: the spectrum) times multiplier (NULL: 1) to the points. */
static enuf_status to_points(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                             const void *multiplier, void *values, void *gradients)
{
    if (!values && !gradients) return ENUF_SUCCESS;
    plan->grid_filled = 0;
    STAGE(plan, DECONVOLVE, amplify(plan, modes, kind, multiplier));
    STAGE(plan, FFT, backward_fft(plan));
    STAGE(plan, INTERPOLATE, interpolate(plan, values, gradients));
    return ENUF_SUCCESS;
}

/* to_points() of each vector's plan. */
static enuf_status all_to_points(enuf_nufft *plan, int backward_sign, int adjoint,
                                 const void *modes, void *values, void *gradients)
{
    enuf_status status = ENUF_SUCCESS;
    for (int b = 0; status == ENUF_SUCCESS && b <= plan->n_others; b++) {
        enuf_nufft *vector = enuf_vector(plan, b);
        const size_t at = (size_t)b * point_bytes(plan);
        vector->backward_sign = backward_sign;
        vector->adjoint = adjoint;
        status = to_points(vector, (const char *)modes + (size_t)b * mode_bytes(plan), ENUF_REAL,
                           NULL, values ? (char *)values + at : NULL,
                           gradients ? (char *)gradients + at * (size_t)plan->options.dim : NULL);
        vector->backward_sign = plan->type2_sign;
        vector->adjoint = 0;
        if (status != ENUF_SUCCESS && plan->n_others > 0) enuf_fail_of_vector(status, b);
    }
    return status;
}

enuf_status enuf_nufft_type2(enuf_nufft *plan, const void *modes, void *values, void *gradients)
{
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_type2", 1, 1));
    ENUF_TRY(need_pointer(modes, plan->n_modes, "enuf_nufft_type2", "modes"));
    return all_to_points(plan, plan->type2_sign, 0, modes, values, gradients);
}

enuf_status enuf_nufft_type1_adjoint(enuf_nufft *plan, const void *modes, void *values)
{
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_type1_adjoint", 1, 1));
    ENUF_TRY(need_pointer(modes, plan->n_modes, "enuf_nufft_type1_adjoint", "modes"));
    ENUF_TRY(need_pointer(values, plan->n_points, "enuf_nufft_type1_adjoint", "values"));
    return all_to_points(plan, -plan->options.sign, 1, modes, values, NULL);
}

enuf_status enuf_nufft_type2_adjoint(enuf_nufft *plan, const void *values, void *modes)
{
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_type2_adjoint", 1, 1));
    ENUF_TRY(need_pointer(values, plan->n_points, "enuf_nufft_type2_adjoint", "values"));
    ENUF_TRY(need_pointer(modes, plan->n_modes, "enuf_nufft_type2_adjoint", "modes"));
    return all_to_modes(plan, -plan->type2_sign, 1, values, modes);
}

enuf_status enuf_plan_make_terms(enuf_nufft *plan)
{
    return plan->backend->make_terms ? plan->backend->make_terms(plan) : ENUF_SUCCESS;
}

static void set_terms(enuf_nufft *plan, const enuf_terms *terms)
{
    const enuf_weights of_each = {.kind = ENUF_COMPLEX, .sets = plan->options.batch};
    plan->terms = 1;
    plan->point_weights = plan->mode_weights = of_each;
    plan->point_weights.n = plan->n_points;
    plan->mode_weights.n = plan->n_modes;
    /* only read */
    plan->point_weights.numbers = (void *)(uintptr_t)terms->of_points;
    plan->mode_weights.numbers = (void *)(uintptr_t)terms->of_modes;
}

static void unset_terms(enuf_nufft *plan)
{
    plan->terms = plan->adjoint = 0;
    plan->point_weights = plan->mode_weights = (enuf_weights){0};
    plan->forward_sign = plan->options.sign;
}

enuf_status enuf_plan_sum_to_points(enuf_nufft *plan, const enuf_terms *terms, const void *modes,
                                    void *values)
{
    set_terms(plan, terms);
    const enuf_status status = to_points(plan, modes, ENUF_REAL, NULL, values, NULL);
    unset_terms(plan);
    return status;
}

enuf_status enuf_plan_sum_to_modes(enuf_nufft *plan, const enuf_terms *terms, const void *values,
                                   void *modes)
{
    set_terms(plan, terms);
    plan->forward_sign = -plan->type2_sign;
    plan->adjoint = 1;
    const enuf_status status = to_modes(plan, values, modes);
    unset_terms(plan);
    return status;
}

enuf_status enuf_nufft_backward(enuf_nufft *plan, enuf_multiplier kind, const void *multiplier,
                                void *values, void *gradients)
{
    ENUF_TRY(need_spectrum(plan, "enuf_nufft_backward"));
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_backward", 1, 1));
    ENUF_TRY(need_pointer(multiplier, plan->n_modes, "enuf_nufft_backward", "multiplier"));
    if (kind != ENUF_REAL && kind != ENUF_COMPLEX)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_backward: kind %d: use ENUF_REAL or ENUF_COMPLEX", (int)kind);
    return to_points(plan, NULL, kind, multiplier, values, gradients);
}

/* The grid to the spectrum and, multiplied, back to the grid. */
static enuf_status filter_grid(enuf_nufft *plan, const void *multiplier)
{
    if (plan->backend->filter && !plan->mode_weights.numbers) {
        STAGE(plan, FFT, filter(plan, multiplier));
        return ENUF_SUCCESS;
    }
    STAGE(plan, FFT, forward_fft(plan));
    STAGE(plan, DECONVOLVE, deconvolve(plan, NULL));
    STAGE(plan, DECONVOLVE, amplify(plan, NULL, ENUF_REAL, multiplier));
    STAGE(plan, FFT, backward_fft(plan));
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_filter(enuf_nufft *plan, const void *multiplier, void *values,
                              void *gradients)
{
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_filter", 1, 1));
    ENUF_TRY(need_pointer(multiplier, plan->n_modes, "enuf_nufft_filter", "multiplier"));
    if (!values && !gradients) return enuf_nufft_transform(plan);
    if (!plan->grid_filled)
        return enuf_fail(ENUF_NO_POINTS_SET, "enuf_nufft_filter: call enuf_nufft_spread() first");
    plan->grid_filled = plan->spectrum_filled = 0;
    ENUF_TRY(filter_grid(plan, multiplier));
    plan->spectrum_filled = 1;
    STAGE(plan, INTERPOLATE, interpolate(plan, values, gradients));
    return ENUF_SUCCESS;
}

enuf_status enuf_check_sums(const enuf_nufft *plan, const char *function, int64_t n,
                            const double *sums)
{
    for (int64_t k = 0; plan->options.memory == ENUF_HOST && k < n; k++)
        if (!isfinite(sums[k]))
            return enuf_fail(ENUF_NOT_FINITE,
                             "%s: sums[%lld] is %g: a mode or a weight is NaN or infinite, or they "
                             "are too large",
                             function, (long long)k, sums[k]);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_reduce(enuf_nufft *plan, int n, const void *weights, int moments,
                              double *sums)
{
    ENUF_TRY(need_spectrum(plan, "enuf_nufft_reduce"));
    if (n < 0 || (n > 0 && !sums))
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_reduce: n is %d, sums %s", n,
                         sums ? "given" : "NULL");
    ENUF_TRY(need_pointer(weights, n * plan->n_modes, "enuf_nufft_reduce", "weights"));
    STAGE(plan, REDUCE, reduce(plan, n, weights, moments, sums));
    return enuf_check_sums(plan, "enuf_nufft_reduce",
                           (int64_t)plan->options.batch * n * (moments ? 7 : 1), sums);
}

/* Checks indices of modes, for both directions. Indices in device memory are checked by the
 * backend. */
static enuf_status check_indices(const enuf_nufft *plan, int64_t n, const int64_t *index,
                                 const void *packed, const char *function)
{
    if (!index) n = plan->n_modes;
    if (n < 0) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: n is %lld", function, (long long)n);
    ENUF_TRY(need_pointer(packed, n, function, "packed"));
    for (int64_t k = 0; index && plan->options.memory == ENUF_HOST && k < n; k++)
        if (index[k] < 0 || index[k] >= plan->n_modes)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: mode_index[%lld] is %lld, the plan has %lld modes", function,
                             (long long)k, (long long)index[k], (long long)plan->n_modes);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *mode_index,
                                    void *packed)
{
    ENUF_TRY(need_spectrum(plan, "enuf_nufft_get_spectrum"));
    ENUF_TRY(check_indices(plan, n, mode_index, packed, "enuf_nufft_get_spectrum"));
    return plan->backend->get_spectrum(plan, n, mode_index, packed);
}

enuf_status enuf_nufft_put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *mode_index,
                                    const void *packed)
{
    ENUF_TRY(need_one_set(plan, "enuf_nufft_put_spectrum"));
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_put_spectrum", 1, 0));
    ENUF_TRY(check_indices(plan, n, mode_index, packed, "enuf_nufft_put_spectrum"));
    ENUF_TRY(plan->backend->put_spectrum(plan, n, mode_index, packed));
    plan->spectrum_filled = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_first_bad(enuf_nufft *plan, const uint64_t **first_bad)
{
    ENUF_TRY(need_one_set(plan, "enuf_nufft_first_bad"));
    ENUF_TRY(enuf_plan_need(plan, "enuf_nufft_first_bad", 0, 0));
    if (!first_bad) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_first_bad: first_bad is NULL");
    if (plan->options.memory != ENUF_DEVICE || !plan->backend->first_bad)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_first_bad: the plan's arrays are on the host, where "
                         "enuf_nufft_set_points() tells at once");
    *first_bad = plan->backend->first_bad(plan);
    return ENUF_SUCCESS;
}
