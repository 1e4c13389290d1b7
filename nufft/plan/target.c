/* target.c - see target.h. SPDX-License-Identifier: BSD-3-Clause */
#include "target.h"

enuf_target enuf_target_whole(const enuf_nufft *plan, int64_t row, int64_t plane)
{
    enuf_target target = {.stride = {plan->real ? 1 : 2, row, plane}};
    for (int d = 0; d < 3; d++) {
        target.wraps[d] = 1;
        target.count[d] = plan->method.grid[d];
    }
    return target;
}

enuf_target enuf_target_brick(const enuf_nufft *plan, const enuf_brick *brick)
{
    enuf_target target;
    for (int d = 0; d < 3; d++) {
        target.wraps[d] = brick->halo_lo[d] == 0 && brick->halo_hi[d] == 0;
        target.first[d] = brick->lo[d] - brick->halo_lo[d];
        target.count[d] = brick->n[d] + brick->halo_lo[d] + brick->halo_hi[d];
        target.stride[d] = brick->stride[d] * (plan->real ? 1 : 2);
    }
    return target;
}

int64_t enuf_target_span(const enuf_nufft *plan, const enuf_target *target)
{
    int64_t span = plan->real ? 1 : 2;
    for (int d = 0; d < 3; d++) span += (target->count[d] - 1) * target->stride[d];
    return span;
}

int enuf_box_begins_at_zero(const enuf_nufft *plan, const enuf_spectral_box *box)
{
    for (int d = 0; d < plan->options.dim; d++)
        if (box->lo[d] != 0 || box->n[d] == 0 || box->modes[d] == 0) return 0;
    return 1;
}

double enuf_most_strength(const enuf_nufft *plan, double range)
{
    double weights = 4; /* of re and im together, and room; a point's weights sum to less than */
    for (int d = 0; d < plan->options.dim; d++) weights *= plan->method.window.width;
    return range / weights;
}

enuf_status enuf_outside_brick(int64_t point)
{
    if (point < 0) return ENUF_SUCCESS;
    return enuf_fail(
        ENUF_OUTSIDE_BRICK,
        "the window of point %lld leaves the brick and its halo: a wider halo is needed, or "
        "the point belongs to another rank",
        (long long)point);
}
