/* set_points.c - frame and points of a plan. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"
#include "wall_clock.h"

#include <math.h>
#include <string.h>

enuf_status enuf_nufft_reserve(enuf_nufft *plan, int64_t max_points)
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_reserve: plan is NULL");
    if (max_points < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_reserve: %lld points: use 0 or more",
                         (long long)max_points);
    ENUF_TRY(plan->backend->reserve(plan, max_points));
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_set_frame(enuf_nufft *plan, const double T[9], const double origin[3])
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_set_frame: plan is NULL");
    for (int k = 0; k < 9; k++)
        if (T && !isfinite(T[k]))
            return enuf_fail(ENUF_NOT_FINITE, "enuf_nufft_set_frame: T[%d] is %g", k, T[k]);
    for (int d = 0; d < 3; d++)
        if (origin && !isfinite(origin[d]))
            return enuf_fail(ENUF_NOT_FINITE, "enuf_nufft_set_frame: origin[%d] is %g", d,
                             origin[d]);
    plan->has_frame = T != NULL || origin != NULL;
    memset(plan->frame, 0, sizeof plan->frame);
    for (int d = 0; d < plan->options.dim; d++) {
        plan->frame[4 * d] = 1 / plan->options.period;
        plan->origin[d] = origin ? origin[d] : 0;
    }
    if (T)
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++)
                plan->frame[3 * d + e] =
                    d < plan->options.dim && e < plan->options.dim ? T[3 * d + e] : 0;
    enuf_nufft_void_points(plan);
    plan->grid_filled = 0;
    return ENUF_SUCCESS;
}

static enuf_status set_points(enuf_nufft *plan, int64_t n, const void *const axis[3],
                              int64_t stride, enuf_precision precision)
{
    static const char names[] = "xyz";
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_set_points: plan is NULL");
    if (n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_set_points: %lld points: use 0 or more",
                         (long long)n);
    if (stride < 1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_set_points: stride %lld: use 1 or more",
                         (long long)stride);
    if (!enuf_fits_in_memory(n, stride, precision == ENUF_FLOAT ? sizeof(float) : sizeof(double)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_set_points: %lld points of stride %lld: no memory is so large",
                         (long long)n, (long long)stride);
    enuf_coordinates coordinates = {.n = n, .stride = stride, .precision = precision};
    for (int d = 0; d < plan->options.dim; d++) {
        if (!axis[d] && n > 0)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "enuf_nufft_set_points: %c is NULL, a plan of %d dimensions needs it",
                             names[d], plan->options.dim);
        coordinates.axis[d] = axis[d];
    }
    double start = enuf_seconds();
    plan->sets++;
    ENUF_TRY(plan->backend->set_points(plan, &coordinates));
    plan->n_points = n;
    plan->grid_filled = 0;
    plan->points_set = 1;
    plan->seconds[ENUF_STAGE_SORT] += enuf_seconds() - start;
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
