/* create.c - making, reporting, freeing plans of every type. SPDX-License-Identifier: BSD-3-Clause
 */
#include "fft/fftw_planner.h"
#include "options.h"
#include "type3.h"

#include <string.h>

/* A plan for the first vector, which holds those of the others. */
static enuf_status make_vectors(const enuf_nufft_options *o, enuf_nufft **out)
{
    enuf_nufft_options one = *o;
    if (o->no_grid || o->type3)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "enuf_nufft_create: point_sets %d with no_grid or type3: make a plan for "
                         "each vector",
                         o->point_sets);
    one.batch = one.point_sets = 1;
    one.memory_limit = o->memory_limit / o->batch;
    ENUF_TRY(enuf_plan_make(&one, out));
    enuf_status status =
        enuf_allocate(&(*out)->others, o->batch - 1, sizeof(enuf_nufft *), "plans of vectors");
    for (int b = 1; status == ENUF_SUCCESS && b < o->batch; b++) {
        status = enuf_plan_make(&one, &(*out)->others[b - 1]);
        if (status == ENUF_SUCCESS) (*out)->n_others = b;
    }
    if (status != ENUF_SUCCESS) enuf_nufft_destroy(out);
    return status;
}

enuf_status enuf_nufft_create(const enuf_nufft_options *options, enuf_nufft **out)
{
    enuf_nufft_options o;
    if (!out) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_create: plan is NULL");
    *out = NULL;
    ENUF_TRY(enuf_nufft_read_options("enuf_nufft_create", options, &o));
    ENUF_TRY(enuf_nufft_check_problem("enuf_nufft_create", &o));
    if (o.point_sets > 1) return make_vectors(&o, out);
    return o.type3 ? enuf_type3_make(&o, out) : enuf_plan_make(&o, out);
}

void enuf_nufft_destroy(enuf_nufft **plan)
{
    if (!plan || !*plan) return;
    if ((*plan)->type3) enuf_type3_free(*plan);
    for (int b = 0; b < (*plan)->n_others; b++) enuf_plan_free(&(*plan)->others[b]);
    enuf_release(&(*plan)->others);
    enuf_plan_free(plan);
}

enuf_status enuf_nufft_set_planner_lock(void (*lock)(void *), void (*unlock)(void *), void *context)
{
    if (!lock != !unlock)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_set_planner_lock: %s is NULL: give both functions, or none",
                         lock ? "unlock" : "lock");
    enuf_fftw_share_lock(lock, unlock, context);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_get_report(const enuf_nufft *plan, enuf_nufft_report *report)
{
    if (!plan || !report)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_get_report: NULL plan or report");
    if (report->struct_size != sizeof *report)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_get_report: report->struct_size is %zu, not "
                         "sizeof(enuf_nufft_report), %zu",
                         report->struct_size, sizeof *report);
    const enuf_method *method = &plan->method;
    *report = (enuf_nufft_report){.struct_size = sizeof *report,
                                  .backend = plan->backend->kind,
                                  .window = method->window.window,
                                  .width = method->window.width,
                                  .shape = method->window.shape,
                                  .upsampling = method->upsampling,
                                  .error = enuf_error_with_points(plan),
                                  .gradient_error = method->gradient_error,
                                  .bytes = enuf_nufft_bytes(plan),
                                  .point_storage = plan->point_storage};
    memcpy(report->fine_grid, method->grid, sizeof report->fine_grid);
    for (int b = 0; b < plan->n_others; b++) report->bytes += enuf_nufft_bytes(plan->others[b]);
    if (plan->type3) enuf_type3_report(plan, report);
    return ENUF_SUCCESS;
}

enuf_status enuf_nufft_elapsed(enuf_nufft *plan, int n, double seconds[])
{
    if (!plan || !seconds || n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_elapsed: plan or seconds is NULL, or n is negative: %d", n);
    if (plan->type3) enuf_type3_add_seconds(plan);
    for (int k = 0; k < n; k++) seconds[k] = 0;
    for (int b = 0; b <= plan->n_others; b++) {
        enuf_nufft *vector = enuf_vector(plan, b);
        for (int k = 0; k < n && k < ENUF_STAGE_COUNT; k++) seconds[k] += vector->seconds[k];
        memset(vector->seconds, 0, sizeof vector->seconds);
    }
    return ENUF_SUCCESS;
}
