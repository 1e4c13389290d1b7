/* bytes.c - bytes that a plan holds. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

int64_t enuf_coordinates_bytes_per_point(const enuf_nufft *plan)
{
    if (plan->options.level != ENUF_LEVEL_GRAM || plan->options.memory != ENUF_HOST) return 0;
    return plan->options.dim * (int64_t)sizeof(double);
}

int64_t enuf_nufft_bytes(const enuf_nufft *plan)
{
    int64_t bytes = (int64_t)sizeof *plan + plan->more_bytes + plan->backend->bytes(plan);
    bytes += plan->coordinates.room * enuf_coordinates_bytes_per_point(plan);
    if (plan->gram) bytes += plan->gram->bytes(plan);
    for (int d = 0; d < 3; d++) {
        const enuf_mode_axis *axis = &plan->axis[d];
        bytes += 8 * (3 * axis->n + axis->n_inverse);
        if (enuf_mode_axis_has_rows(plan, d)) bytes += 8 * (axis->n + axis->n_frequency);
    }
    return bytes;
}
