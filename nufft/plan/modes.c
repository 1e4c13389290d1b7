/* modes.c - the modes along an axis and their places. SPDX-License-Identifier: BSD-3-Clause */
#include "parallel.h"
#include "plan.h"

#include <string.h>

/* Below, one thread is as fast. */
enum { MANY_MODES = 16384 };

void enuf_mode_axis_free(enuf_mode_axis *axis)
{
    enuf_release(&axis->frequency);
    enuf_release(&axis->number);
    enuf_release(&axis->inverse);
    enuf_release(&axis->stored);
    enuf_release(&axis->opposite);
    enuf_release(&axis->inverse_of);
}

void enuf_mode_axis_size(const enuf_nufft *plan, int d, enuf_mode_axis *axis)
{
    int half = plan->real && d == 0;
    int64_t modes = d < plan->options.dim ? plan->options.modes[d] : 1;
    axis->n = half ? (modes + 1) / 2 : modes;
    axis->n_frequency = half ? plan->method.grid[d] / 2 + 1 : plan->method.grid[d];
    axis->n_inverse = modes / 2 + 1;
    const int64_t negative = half || d >= plan->options.dim ? 0 : modes / 2;
    const int centred = plan->options.mode_order == ENUF_CENTRED;
    axis->places = (enuf_mode_places){.cells = plan->method.grid[d],
                                      .non_negative = axis->n - negative,
                                      .negative = negative,
                                      .zero = centred ? negative : 0,
                                      .wrap = centred ? negative : axis->n};
}

int enuf_mode_axis_has_rows(const enuf_nufft *plan, int d)
{
    return d > 0 && plan->backend->kind == ENUF_BACKEND_CPU;
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

/* Some stored modes of one sign: index i is mode i + m. Each loop is simple enough to become
 * vectors. */
static void fill(enuf_mode_axis *axis, int64_t m, int64_t begin, int64_t end)
{
    const int negative = begin + m < 0;
    const int64_t f = negative ? m + axis->places.cells : m;
    double *restrict number = axis->number, *restrict inverse = axis->inverse;
    int64_t *restrict frequency = axis->frequency, *restrict stored = axis->stored;
    const double *restrict inverse_of = axis->inverse_of;
    for (int64_t i = begin; i < end; i++) number[i] = (double)(m + i);
    for (int64_t i = begin; i < end; i++) frequency[i] = f + i;
    for (int64_t i = begin; stored && i < end; i++) stored[f + i] = i;
    if (negative)
        for (int64_t i = begin; i < end; i++) inverse[i] = inverse_of[-m - i];
    else
        for (int64_t i = begin; i < end; i++) inverse[i] = inverse_of[m + i];
}

static void fill_modes(void *context, int64_t begin, int64_t end, int thread)
{
    enuf_mode_axis *axis = context;
    const enuf_mode_places *at = &axis->places;
    const int64_t first[2] = {at->zero, at->wrap - at->negative};
    const int64_t behind[2] = {at->zero + at->non_negative, at->wrap};
    (void)thread;
    for (int k = 0; k < 2; k++)
        fill(axis, k == 0 ? -at->zero : -at->wrap, begin > first[k] ? begin : first[k],
             end < behind[k] ? end : behind[k]);
}

static void find_opposites(void *context, int64_t begin, int64_t end, int thread)
{
    const enuf_mode_axis *axis = context;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        const int64_t f = axis->frequency[i], mirrored = f == 0 ? 0 : axis->places.cells - f;
        axis->opposite[i] = mirrored < axis->n_frequency ? axis->stored[mirrored] : -1;
    }
}

/* Frequencies between the modes from 0 on and the negative ones. */
static void mark_empty(const enuf_mode_axis *axis)
{
    const enuf_mode_places *at = &axis->places;
    for (int64_t f = at->non_negative; f < at->cells - at->negative; f++) axis->stored[f] = -1;
}

static enuf_status allocate_axis(enuf_mode_axis *axis, int has_rows)
{
    ENUF_TRY(enuf_allocate(&axis->frequency, axis->n, sizeof(int64_t), "mode frequencies"));
    ENUF_TRY(enuf_allocate(&axis->number, axis->n, sizeof(double), "mode numbers"));
    ENUF_TRY(enuf_allocate(&axis->inverse, axis->n, sizeof(double), "deconvolution factors"));
    ENUF_TRY(
        enuf_allocate(&axis->inverse_of, axis->n_inverse, sizeof(double), "deconvolution factors"));
    if (!has_rows) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&axis->opposite, axis->n, sizeof(int64_t), "opposite modes"));
    return enuf_allocate(&axis->stored, axis->n_frequency, sizeof(int64_t), "mode indices");
}

enuf_status enuf_mode_axis_make(const enuf_nufft *plan, int d, enuf_mode_axis *axis)
{
    const int inside = d < plan->options.dim;
    const int threads = axis->n > MANY_MODES ? plan->threads : 1;
    const int64_t modes = inside ? plan->options.modes[d] : 1;
    ENUF_TRY(allocate_axis(axis, enuf_mode_axis_has_rows(plan, d)));
    if (inside)
        ENUF_TRY(make_inverse(plan, d, axis));
    else
        axis->inverse_of[0] = 1;
    if (axis->stored) mark_empty(axis);
    enuf_parallel_for(threads, axis->n, 0, fill_modes, axis);
    if (axis->stored) enuf_parallel_for(threads, axis->n, 0, find_opposites, axis);
    /* the unpaired mode of real strengths, -modes/2 */
    if (plan->real && 2 * axis->places.negative == modes && modes > 0)
        axis->inverse[axis->places.wrap - axis->places.negative] = 0;
    return ENUF_SUCCESS;
}
