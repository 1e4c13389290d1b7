/* coordinates.c - level GRAM: a plan's copy of the coordinates of its points.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static int on_host(const enuf_nufft *plan)
{
    return plan->options.memory == ENUF_HOST;
}

/* As of sorted points: for a moment the old room exists too, and does not count. */
static enuf_status check_limit(const enuf_nufft *plan, int64_t n)
{
    const double limit = (double)plan->options.memory_limit;
    const double more =
        (double)(n - plan->coordinates.room) * (double)enuf_coordinates_bytes_per_point(plan);
    const double bytes = (double)enuf_nufft_bytes(plan) + more;
    if (limit == 0 || bytes <= limit) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "level gram keeps the coordinates of %lld points: with them the plan takes "
                     "%.3g GB, memory_limit is %.3g GB",
                     (long long)n, bytes / 1e9, limit / 1e9);
}

enuf_status enuf_coordinates_make(enuf_nufft *plan, int64_t n, enuf_fresh_coordinates *fresh)
{
    const int64_t count = n * plan->options.dim;
    *fresh = (enuf_fresh_coordinates){NULL, plan->coordinates.room};
    if (plan->options.level != ENUF_LEVEL_GRAM || n <= plan->coordinates.room) return ENUF_SUCCESS;
    if (on_host(plan)) {
        ENUF_TRY(check_limit(plan, n));
        ENUF_TRY(enuf_allocate(&fresh->numbers, count, sizeof(double), "coordinates"));
    } else
        ENUF_TRY(plan->backend->type3->allocate(plan, &fresh->numbers, count, sizeof(double),
                                                "coordinates"));
    plan->coordinates.room = n;
    return ENUF_SUCCESS;
}

static void release(enuf_nufft *plan, double **numbers)
{
    if (on_host(plan))
        enuf_release(numbers);
    else if (*numbers)
        plan->backend->type3->release(plan, numbers);
}

void enuf_coordinates_settle(enuf_nufft *plan, enuf_fresh_coordinates *fresh, int keep)
{
    enuf_kept_coordinates *kept = &plan->coordinates;
    if (!fresh->numbers) return;
    if (keep) {
        double *old = kept->numbers;
        kept->numbers = fresh->numbers;
        fresh->numbers = old;
    } else
        kept->room = fresh->room_before;
    release(plan, &fresh->numbers);
}

enuf_status enuf_coordinates_copy(enuf_nufft *plan, const enuf_coordinates *from)
{
    double *to = plan->coordinates.numbers, low[3], high[3];
    int64_t bad;
    if (plan->options.level != ENUF_LEVEL_GRAM || from->n == 0) return ENUF_SUCCESS;
    /* a bad point in device memory is the Gram operator's to refuse */
    if (!on_host(plan)) return plan->backend->type3->pack(plan, from, to, low, high, &bad);
    for (int d = 0; d < plan->options.dim; d++)
        for (int64_t j = 0; j < from->n; j++) {
            const int64_t at = j * from->stride;
            to[d * from->n + j] = from->precision == ENUF_FLOAT
                                      ? (double)((const float *)from->axis[d])[at]
                                      : ((const double *)from->axis[d])[at];
        }
    return ENUF_SUCCESS;
}

void enuf_coordinates_free(enuf_nufft *plan)
{
    if (plan->backend) release(plan, &plan->coordinates.numbers);
}
