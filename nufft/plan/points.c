/* points.c - frame and points of a plan of type 1 and 2. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"
#include "wall_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enuf_status enuf_plan_set_frame(enuf_nufft *plan, const double T[9], const double origin[3])
{
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

enuf_status enuf_check_coordinates(const enuf_nufft *plan, const char *function, const char *names,
                                   const enuf_coordinates *c)
{
    const long long n = c->n, stride = c->stride;
    const size_t size = c->precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    if (n < 0) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %lld points: use 0 or more", function, n);
    if (stride < 1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: stride %lld: use 1 or more", function, stride);
    if (!enuf_fits_in_memory(n, stride, size * (size_t)(1 + plan->n_others)))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %lld points of stride %lld: no memory is so large",
                         function, n, stride);
    for (int d = 0; d < plan->options.dim; d++)
        if (!c->axis[d] && n > 0)
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %c is NULL, a plan of %d dimensions needs it",
                             function, names[d], plan->options.dim);
    return ENUF_SUCCESS;
}

enuf_status enuf_plan_set_points(enuf_nufft *plan, const enuf_coordinates *coordinates)
{
    double start = enuf_seconds();
    enuf_fresh_coordinates fresh;
    ENUF_TRY(enuf_coordinates_make(plan, coordinates->n, &fresh));
    plan->sets++;
    const enuf_status status = plan->backend->set_points(plan, coordinates);
    enuf_coordinates_settle(plan, &fresh, status == ENUF_SUCCESS);
    ENUF_TRY(status);
    plan->n_points = coordinates->n;
    plan->grid_filled = plan->points_set = 0;
    const enuf_status copied = enuf_coordinates_copy(plan, coordinates);
    if (copied != ENUF_SUCCESS) {
        enuf_nufft_void_points(plan);
        return copied;
    }
    plan->points_set = 1;
    plan->seconds[ENUF_STAGE_SORT] += enuf_seconds() - start;
    return ENUF_SUCCESS;
}

enuf_status enuf_fail_of_vector(enuf_status status, int vector)
{
    char prefix[40];
    snprintf(prefix, sizeof prefix, "vector %d of the batch", vector);
    return enuf_fail_in(status, prefix);
}
