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
}

int enuf_mode_axis_has_rows(const enuf_nufft *plan, int d)
{
    return d > 0 || plan->backend->kind != ENUF_BACKEND_CPU;
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

/* Stored modes [first, end) are number, number + 1, ..., of frequencies that ascend, too. */
typedef struct mode_run {
    int64_t first, end, number;
} mode_run;

typedef struct axis_loop {
    enuf_mode_axis *axis;
    int64_t grid;
    mode_run run[2];
} axis_loop;

/* Of an axis: the negative modes come first or last. */
static void find_runs(const enuf_nufft *plan, int d, int64_t n, mode_run run[2])
{
    const int half = plan->real && d == 0;
    const int64_t negative = half || d >= plan->options.dim ? 0 : n / 2;
    const int centred = plan->options.mode_order == ENUF_CENTRED;
    const int64_t cut = centred ? negative : n - negative;
    run[0] = (mode_run){0, cut, centred ? -negative : 0};
    run[1] = (mode_run){cut, n, centred ? 0 : -negative};
}

/* Some modes of a run. Each loop is simple enough to become vectors. */
static void fill(const axis_loop *loop, const mode_run *run, int64_t begin, int64_t end)
{
    enuf_mode_axis *axis = loop->axis;
    const int64_t m = run->number - run->first, f = run->number < 0 ? m + loop->grid : m;
    double *restrict number = axis->number, *restrict inverse = axis->inverse;
    int64_t *restrict frequency = axis->frequency, *restrict stored = axis->stored;
    const double *restrict inverse_of = axis->inverse_of;
    for (int64_t i = begin; i < end; i++) number[i] = (double)(m + i);
    for (int64_t i = begin; i < end; i++) frequency[i] = f + i;
    for (int64_t i = begin; stored && i < end; i++) stored[f + i] = i;
    if (run->number < 0)
        for (int64_t i = begin; i < end; i++) inverse[i] = inverse_of[-m - i];
    else
        for (int64_t i = begin; i < end; i++) inverse[i] = inverse_of[m + i];
}

static void fill_modes(void *context, int64_t begin, int64_t end, int thread)
{
    const axis_loop *loop = context;
    (void)thread;
    for (int k = 0; k < 2; k++) {
        const mode_run *run = &loop->run[k];
        fill(loop, run, begin > run->first ? begin : run->first, end < run->end ? end : run->end);
    }
}

static void find_opposites(void *context, int64_t begin, int64_t end, int thread)
{
    const axis_loop *loop = context;
    const enuf_mode_axis *axis = loop->axis;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        const int64_t f = axis->frequency[i], mirrored = f == 0 ? 0 : loop->grid - f;
        axis->opposite[i] = mirrored < axis->n_frequency ? axis->stored[mirrored] : -1;
    }
}

/* Frequencies between the modes from 0 on and the negative ones, or the end. */
static void mark_empty(const axis_loop *loop)
{
    enuf_mode_axis *axis = loop->axis;
    int64_t first = 0, end = axis->n_frequency;
    for (int k = 0; k < 2; k++) {
        const mode_run *run = &loop->run[k];
        if (run->number < 0 && run->first < run->end) end = run->number + loop->grid;
        if (run->number >= 0 && run->first < run->end) first = run->end - run->first;
    }
    for (int64_t f = first; f < end; f++) axis->stored[f] = -1;
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
    axis_loop loop = {.axis = axis, .grid = plan->method.grid[d]};
    ENUF_TRY(allocate_axis(axis, enuf_mode_axis_has_rows(plan, d)));
    if (inside)
        ENUF_TRY(make_inverse(plan, d, axis));
    else
        axis->inverse_of[0] = 1;
    find_runs(plan, d, axis->n, loop.run);
    if (axis->stored) mark_empty(&loop);
    enuf_parallel_for(threads, axis->n, 0, fill_modes, &loop);
    if (axis->stored) enuf_parallel_for(threads, axis->n, 0, find_opposites, &loop);
    /* the unpaired mode of real strengths */
    for (int k = 0; k < 2; k++)
        if (plan->real && modes % 2 == 0 && 2 * loop.run[k].number == -modes && modes > 0)
            axis->inverse[loop.run[k].first] = 0;
    return ENUF_SUCCESS;
}
