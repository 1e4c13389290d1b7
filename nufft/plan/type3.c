/* type3.c - plans of type 3: making, freeing, reporting. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"
#include "options.h"

#include <string.h>

/* Bytes of its plans, and of its arrays on the host; arrays on a device are the workspace's. */
void enuf_type3_count_bytes(enuf_nufft *plan)
{
    const enuf_type3 *t = plan->type3;
    int64_t bytes = (int64_t)sizeof *t + t->bytes;
    if (plan->backend->kind == ENUF_BACKEND_CPU && t->packed_points)
        bytes += t->n_points * plan->options.dim * (int64_t)sizeof(double);
    if (t->spreading) bytes += enuf_nufft_bytes(t->spreading);
    if (t->transform) bytes += enuf_nufft_bytes(t->transform);
    plan->more_bytes = bytes;
}

static enuf_status refuse(const char *what, const char *why)
{
    return enuf_fail(ENUF_UNSUPPORTED, "enuf_nufft_create: type3 with %s: %s", what, why);
}

static enuf_status check_options(enuf_nufft_options *o)
{
    if (o->type3 != 1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_create: type3 is %d: use 0 or 1", o->type3);
    if (o->deterministic) return refuse("deterministic", "its sums are in floating point");
    if (o->gradients) return refuse("gradients", "it has none");
    if (o->level != ENUF_LEVEL_SORTED) return refuse("a level", "it sorts its points");
    if (o->window_table) return refuse("window_table", "it evaluates polynomials");
    if (o->spreading || o->interpolation)
        return refuse("spreading or interpolation", "its transforms choose their ways");
    if (o->no_grid) return refuse("no_grid", "its stages are not public");
    if (o->tolerance == 0 || o->width || o->shape != 0 || o->upsampling != 0 || o->fine_grid[0])
        return refuse("width, shape, upsampling or fine_grid", "the tolerance chooses them");
    for (int d = 0; d < 3; d++) o->modes[d] = 1;
    return enuf_nufft_check_options(o);
}

enuf_status enuf_type3_make(const enuf_nufft_options *options, enuf_nufft **out)
{
    enuf_nufft_options given = *options;
    enuf_type3 *t;
    ENUF_TRY(check_options(&given));
    enuf_nufft_options cell = given; /* of the plan of a single cell */
    cell.strengths = ENUF_COMPLEX_STRENGTHS;
    cell.batch = 1;
    cell.no_grid = 1;
    cell.tolerance = 0.1;
    ENUF_TRY(enuf_allocate(&t, 1, sizeof *t, "type 3 of a plan"));
    memset(t, 0, sizeof *t);
    const enuf_status status = enuf_plan_make(&cell, out);
    if (status != ENUF_SUCCESS) {
        enuf_release(&t);
        return status;
    }
    t->options = given;
    t->options.fft_wisdom = (*out)->options.fft_wisdom; /* the plan's copy */
    t->options.device = (*out)->options.device;
    (*out)->type3 = t;
    enuf_type3_count_bytes(*out);
    return ENUF_SUCCESS;
}

enuf_status enuf_type3_allocate(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                                const char *what)
{
    ENUF_TRY(plan->backend->type3->allocate(plan, pointer, count, size, what));
    if (plan->backend->kind == ENUF_BACKEND_CPU) plan->type3->bytes += count * (int64_t)size;
    return ENUF_SUCCESS;
}

void enuf_type3_release(enuf_nufft *plan, void *pointer)
{
    plan->backend->type3->release(plan, pointer);
}

void enuf_type3_drop_passes(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    void *arrays[] = {&t->cells, &t->work, &t->room};
    enuf_plan_free(&t->spreading);
    enuf_plan_free(&t->transform);
    for (int k = 0; k < 3; k++) enuf_type3_release(plan, arrays[k]);
    t->bytes -= t->pass_bytes;
    t->pass_bytes = 0;
}

int enuf_type3_copies(const enuf_nufft *plan)
{
    return plan->backend->kind != ENUF_BACKEND_CPU && plan->options.memory == ENUF_HOST;
}

void enuf_type3_drop_targets(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    t->targets_set = 0;
    enuf_type3_drop_passes(plan);
    void *arrays[] = {&t->packed_targets, &t->of_points, &t->of_targets};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) enuf_type3_release(plan, arrays[k]);
    t->bytes = 0;
    enuf_type3_count_bytes(plan);
}

void enuf_type3_free(enuf_nufft *plan)
{
    enuf_type3_drop_targets(plan);
    enuf_type3_release(plan, &plan->type3->packed_points);
    enuf_release(&plan->type3);
}

void enuf_type3_report(const enuf_nufft *plan, enuf_nufft_report *report)
{
    const enuf_type3 *t = plan->type3;
    report->error = t->targets_set ? t->method.error : t->options.tolerance;
    report->gradient_error = 0;
    report->width = t->method.window.width;
    report->shape = t->method.window.shape;
    report->upsampling = t->method.upsampling;
    memcpy(report->fine_grid, t->method.transform.grid, sizeof report->fine_grid);
}

enuf_status enuf_type3_check(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    if (!t->targets_set) return ENUF_SUCCESS;
    ENUF_TRY(plan->backend->check(t->spreading, NULL));
    return plan->backend->check(t->transform, NULL);
}

void enuf_type3_add_seconds(enuf_nufft *plan)
{
    enuf_nufft *inner[2] = {plan->type3->spreading, plan->type3->transform};
    for (int k = 0; k < 2 && plan->type3->targets_set; k++)
        for (int stage = 0; stage < ENUF_STAGE_COUNT; stage++) {
            plan->seconds[stage] += inner[k]->seconds[stage];
            inner[k]->seconds[stage] = 0;
        }
}
