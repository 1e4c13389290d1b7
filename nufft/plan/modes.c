/* modes.c - the modes along an axis and their places. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <string.h>

#include <math.h>

void enuf_mode_axis_free(enuf_mode_axis *axis)
{
    enuf_release(&axis->frequency);
    enuf_release(&axis->number);
    enuf_release(&axis->inverse);
    enuf_release(&axis->stored);
    enuf_release(&axis->opposite);
    enuf_release(&axis->inverse_of);
}

/* Mode number at a stored index. */
static int64_t number_at(const enuf_nufft *plan, int d, int64_t index)
{
    int64_t n = plan->options.modes[d];
    if (plan->real && d == 0) return index;
    if (plan->options.mode_order == ENUF_CENTRED) return index - n / 2;
    return index < (n + 1) / 2 ? index : index - n;
}

void enuf_mode_axis_size(const enuf_nufft *plan, int d, enuf_mode_axis *axis)
{
    int half = plan->real && d == 0;
    int64_t modes = d < plan->options.dim ? plan->options.modes[d] : 1;
    axis->n = half ? (modes + 1) / 2 : modes;
    axis->n_frequency = half ? plan->method.grid[d] / 2 + 1 : plan->method.grid[d];
    axis->n_inverse = modes / 2 + 1;
}

/* 1/w of modes 0 ... n_inverse - 1, from an axis before that has the same. */
static enuf_status make_inverse(const enuf_nufft *plan, int d, const enuf_mode_axis *axis)
{
    const int64_t *grid = plan->method.grid;
    for (int e = 0; e < d; e++)
        if (grid[e] == grid[d] && plan->axis[e].n_inverse == axis->n_inverse) {
            memcpy(axis->inverse_of, plan->axis[e].inverse_of,
                   (size_t)axis->n_inverse * sizeof(double));
            return ENUF_SUCCESS;
        }
    return enuf_window_inverse_transform(&plan->method.window, grid[d], axis->n_inverse,
                                         plan->threads, axis->inverse_of);
}

enuf_status enuf_mode_axis_make(const enuf_nufft *plan, int d, enuf_mode_axis *axis)
{
    int inside = d < plan->options.dim;
    int64_t modes = inside ? plan->options.modes[d] : 1, grid = plan->method.grid[d];
    ENUF_TRY(enuf_allocate(&axis->frequency, axis->n, sizeof(int64_t), "mode frequencies"));
    ENUF_TRY(enuf_allocate(&axis->number, axis->n, sizeof(double), "mode numbers"));
    ENUF_TRY(enuf_allocate(&axis->inverse, axis->n, sizeof(double), "deconvolution factors"));
    ENUF_TRY(enuf_allocate(&axis->opposite, axis->n, sizeof(int64_t), "opposite modes"));
    ENUF_TRY(enuf_allocate(&axis->stored, axis->n_frequency, sizeof(int64_t), "mode indices"));
    ENUF_TRY(
        enuf_allocate(&axis->inverse_of, axis->n_inverse, sizeof(double), "deconvolution factors"));
    if (inside)
        ENUF_TRY(make_inverse(plan, d, axis));
    else
        axis->inverse_of[0] = 1;
    for (int64_t f = 0; f < axis->n_frequency; f++) axis->stored[f] = -1;
    for (int64_t i = 0; i < axis->n; i++) {
        int64_t m = inside ? number_at(plan, d, i) : 0;
        int unpaired = plan->real && inside && modes % 2 == 0 && (m == -modes / 2);
        axis->number[i] = (double)m;
        axis->frequency[i] = m < 0 ? m + grid : m;
        axis->inverse[i] = unpaired && m != 0 ? 0 : axis->inverse_of[m < 0 ? -m : m];
        axis->stored[axis->frequency[i]] = i;
    }
    for (int64_t i = 0; i < axis->n; i++) {
        int64_t f = axis->frequency[i];
        int64_t mirrored = f == 0 ? 0 : grid - f;
        axis->opposite[i] = mirrored < axis->n_frequency ? axis->stored[mirrored] : -1;
    }
    return ENUF_SUCCESS;
}
