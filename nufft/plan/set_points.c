/* set_points.c - frame and points of a plan. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"

static enuf_status reserve(enuf_nufft *plan, int64_t max_points)
{
    enuf_fresh_coordinates fresh;
    ENUF_TRY(enuf_coordinates_make(plan, max_points, &fresh));
    const int allocates = fresh.numbers != NULL;
    const enuf_status status = plan->backend->reserve(plan, max_points);
    enuf_coordinates_settle(plan, &fresh, status == ENUF_SUCCESS);
    if (status == ENUF_SUCCESS && allocates) enuf_nufft_void_points(plan);
    return status;
}

enuf_status enuf_nufft_reserve(enuf_nufft *plan, int64_t max_points)
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_reserve: plan is NULL");
    if (max_points < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_reserve: %lld points: use 0 or more",
                         (long long)max_points);
    if (plan->type3)
        return enuf_fail(
            ENUF_UNSUPPORTED,
            "enuf_nufft_reserve: a plan of type 3 allocates when its points and targets "
            "are set");
    for (int b = 0; b <= plan->n_others; b++) ENUF_TRY(reserve(enuf_vector(plan, b), max_points));
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_set_frame(enuf_nufft *plan, const double T[9], const double origin[3])
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_set_frame: plan is NULL");
    if (plan->type3)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_set_frame: a plan of type 3 takes coordinates as they are");
    for (int b = 0; b <= plan->n_others; b++)
        ENUF_TRY(enuf_plan_set_frame(enuf_vector(plan, b), T, origin));
    return ENUF_SUCCESS;
}

/* The points of vector b, which follow those of the one before. */
static enuf_status set_vector(enuf_nufft *plan, int b, const enuf_coordinates *all)
{
    const size_t size = all->precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    enuf_coordinates points = *all;
    for (int d = 0; b > 0 && d < plan->options.dim; d++)
        points.axis[d] = (const char *)all->axis[d] + (size_t)(b * all->n * all->stride) * size;
    const enuf_status status = enuf_plan_set_points(enuf_vector(plan, b), &points);
    if (status == ENUF_SUCCESS || plan->n_others == 0) return status;
    for (int k = 0; k <= plan->n_others; k++) enuf_nufft_void_points(enuf_vector(plan, k));
    return enuf_fail_of_vector(status, b);
}

static enuf_status set_points(enuf_nufft *plan, int64_t n, const void *const axis[3],
                              int64_t stride, enuf_precision precision)
{
    enuf_coordinates coordinates = {.n = n, .stride = stride, .precision = precision};
    for (int d = 0; plan && d < plan->options.dim; d++) coordinates.axis[d] = axis[d];
    ENUF_TRY(enuf_check_coordinates(plan, "enuf_nufft_set_points", "xyz", &coordinates));
    if (plan->type3) return enuf_type3_set_points(plan, &coordinates);
    for (int b = 0; b <= plan->n_others; b++) ENUF_TRY(set_vector(plan, b, &coordinates));
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_set_points(enuf_nufft *plan, int64_t n, const double *x, const double *y,
                                  const double *z, int64_t stride)
{
    return set_points(plan, n, (const void *const[3]){x, y, z}, stride, ENUF_DOUBLE);
}

enuf_status enuf_nufft_set_points_f32(enuf_nufft *plan, int64_t n, const float *x, const float *y,
                                      const float *z, int64_t stride)
{
    return set_points(plan, n, (const void *const[3]){x, y, z}, stride, ENUF_FLOAT);
}
