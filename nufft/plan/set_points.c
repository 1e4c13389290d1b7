/* set_points.c - frame and points of a plan. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"

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
    ENUF_TRY(plan->backend->reserve(plan, max_points));
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_set_frame(enuf_nufft *plan, const double T[9], const double origin[3])
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_set_frame: plan is NULL");
    if (plan->type3)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_set_frame: a plan of type 3 takes coordinates as they are");
    return enuf_plan_set_frame(plan, T, origin);
}

static enuf_status set_points(enuf_nufft *plan, int64_t n, const void *const axis[3],
                              int64_t stride, enuf_precision precision)
{
    enuf_coordinates coordinates = {.n = n, .stride = stride, .precision = precision};
    for (int d = 0; plan && d < plan->options.dim; d++) coordinates.axis[d] = axis[d];
    ENUF_TRY(enuf_check_coordinates(plan, "enuf_nufft_set_points", "xyz", &coordinates));
    if (plan->type3) return enuf_type3_set_points(plan, &coordinates);
    return enuf_plan_set_points(plan, &coordinates);
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
