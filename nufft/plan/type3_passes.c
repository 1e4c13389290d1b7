/* type3_passes.c - the plans and arrays of a pass of type 3. SPDX-License-Identifier: BSD-3-Clause
 */
#include "type3.h"

#include <math.h>

static enuf_status check_limit(enuf_nufft *plan, double more)
{
    enuf_type3_count_bytes(plan);
    const enuf_type3_method *m = &plan->type3->method;
    const double limit = (double)plan->options.memory_limit;
    const double bytes = (double)enuf_nufft_bytes(plan) + more;
    const long long c[3] = {m->cells[0], m->cells[1], m->cells[2]};
    const long long g[3] = {m->transform.grid[0], m->transform.grid[1], m->transform.grid[2]};
    if (bytes <= (limit > 0 ? limit : 1e15)) return ENUF_SUCCESS;
    return enuf_fail(
        ENUF_OUT_OF_MEMORY,
        "enuf_nufft_set_targets: %lldx%lldx%lld cells between points and targets, with "
        "a fine grid of %lldx%lldx%lld, take %.3g GB, %s is %.3g GB: sum fewer at a "
        "time, nearer to each other",
        c[0], c[1], c[2], g[0], g[1], g[2], bytes / 1e9, limit > 0 ? "memory_limit" : "all memory",
        (limit > 0 ? limit : 1e15) / 1e9);
}

/* Options of both inner plans. */
static enuf_nufft_options inner_options(const enuf_nufft *plan)
{
    enuf_nufft_options o = plan->type3->options;
    o.type3 = 0;
    o.strengths = ENUF_COMPLEX_STRENGTHS;
    o.batch = plan->type3->together;
    o.mode_order = ENUF_CENTRED;
    o.type2_sign = o.sign;
    o.sign = -o.sign;
    o.period = 1;
    o.device = plan->options.device;
    o.memory = plan->backend->kind == ENUF_BACKEND_CPU ? ENUF_HOST : ENUF_DEVICE;
    o.memory_limit = 0; /* check_limit() counts everything */
    return o;
}

/* The points in a frame: s = scale (x - origin). */
static enuf_status set_points_in_frame(enuf_nufft *inner, int dim, int64_t n, const double *packed,
                                       const double scale[3], const double origin[3])
{
    const double T[9] = {scale[0], 0, 0, 0, scale[1], 0, 0, 0, scale[2]};
    enuf_coordinates points = {.n = n, .stride = 1, .precision = ENUF_DOUBLE};
    for (int d = 0; d < dim; d++) points.axis[d] = packed + d * n;
    ENUF_TRY(enuf_plan_set_frame(inner, T, origin));
    return enuf_plan_set_points(inner, &points);
}

/* Of spreading: zero of the frame is the first cell, and the middle of the points the middle cell.
 */
static enuf_status set_points_among_cells(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    double scale[3] = {0}, origin[3] = {0};
    for (int d = 0; d < plan->options.dim; d++) {
        const double cells = (double)t->method.cells[d];
        scale[d] = t->method.kappa[d] / cells;
        origin[d] = t->points.centre[d] - cells / (2 * t->method.kappa[d]);
    }
    return set_points_in_frame(t->spreading, plan->options.dim, t->n_points, t->packed_points,
                               scale, origin);
}

static enuf_status set_targets_among_frequencies(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    double scale[3] = {0};
    for (int d = 0; d < plan->options.dim; d++) scale[d] = 1 / (2 * M_PI * t->method.kappa[d]);
    return set_points_in_frame(t->transform, plan->options.dim, t->n_targets, t->packed_targets,
                               scale, t->targets.centre);
}

enuf_status enuf_type3_set_inner_points(enuf_nufft *plan)
{
    ENUF_TRY(set_points_among_cells(plan));
    return set_targets_among_frequencies(plan);
}

/* Spreading reads no modes: the plan has one. */
static enuf_status make_spreading(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    enuf_nufft_options o = inner_options(plan);
    enuf_method method = {.window = t->method.window, .upsampling = t->method.upsampling};
    for (int d = 0; d < 3; d++) method.grid[d] = t->method.cells[d];
    for (int d = 0; d < 3; d++) o.modes[d] = 1;
    o.tolerance = t->method.spreading_tolerance;
    o.no_grid = 1;
    ENUF_TRY(enuf_fit_method(&o, &method));
    ENUF_TRY(enuf_plan_make_by(&o, &method, &t->spreading));
    return set_points_among_cells(plan);
}

static enuf_status make_transform(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    enuf_nufft_options o = inner_options(plan);
    enuf_method method = t->method.transform;
    for (int d = 0; d < 3; d++) o.modes[d] = t->method.cells[d];
    o.tolerance = t->method.tolerance;
    ENUF_TRY(enuf_fit_method(&o, &method));
    ENUF_TRY(enuf_plan_make_by(&o, &method, &t->transform));
    return set_targets_among_frequencies(plan);
}

static int64_t most_numbers(const enuf_type3 *t)
{
    return t->n_points > t->n_targets ? t->n_points : t->n_targets;
}

static enuf_status make_arrays(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    const size_t size = enuf_type3_complex_size(plan);
    const int64_t cells = t->method.cells[0] * t->method.cells[1] * t->method.cells[2];
    const int64_t numbers = t->together * most_numbers(t);
    ENUF_TRY(enuf_type3_allocate(plan, &t->cells, t->together * cells, size,
                                 "cells between points and targets"));
    ENUF_TRY(enuf_type3_allocate(plan, &t->work, numbers, size, "strengths under way"));
    if (!enuf_type3_copies(plan)) return ENUF_SUCCESS;
    return enuf_type3_allocate(plan, &t->room, numbers, size, "arrays on their way");
}

static enuf_status make_pass(enuf_nufft *plan)
{
    ENUF_TRY(check_limit(plan, plan->type3->together * plan->type3->method.bytes));
    ENUF_TRY(make_arrays(plan));
    ENUF_TRY(make_spreading(plan));
    ENUF_TRY(make_transform(plan));
    return check_limit(plan, 0);
}

static int same_window(const enuf_window_form *a, const enuf_window_form *b)
{
    return a->width == b->width && a->shape == b->shape;
}

int enuf_type3_serves(const enuf_type3_method *made, const enuf_type3_method *other)
{
    for (int d = 0; d < 3; d++)
        if (made->cells[d] != other->cells[d] ||
            made->transform.grid[d] != other->transform.grid[d])
            return 0;
    return same_window(&made->window, &other->window) && made->upsampling == other->upsampling &&
           same_window(&made->transform.window, &other->transform.window) &&
           made->spreading_tolerance == other->spreading_tolerance &&
           made->tolerance == other->tolerance;
}

/* Passes that memory_limit leaves room for, without what the backend holds beside its grids. */
static int64_t fewest_passes(const enuf_nufft *plan)
{
    const enuf_type3 *t = plan->type3;
    const double numbers = (double)most_numbers(t) * (enuf_type3_copies(plan) ? 2 : 1);
    const double each = t->method.bytes + numbers * (double)enuf_type3_complex_size(plan);
    const double left = (double)plan->options.memory_limit - (double)enuf_nufft_bytes(plan);
    if (plan->options.memory_limit == 0) return 1;
    const double most = fmin(fmax(floor(left / each), 1), t->options.batch);
    return (int64_t)ceil(t->options.batch / most);
}

enuf_status enuf_type3_make_passes(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    const int64_t batch = t->options.batch, bytes = t->bytes;
    enuf_type3_count_bytes(plan);
    enuf_type3_fit_logarithm(t);
    for (int64_t passes = fewest_passes(plan);; passes *= 2) {
        t->together = (int)((batch + passes - 1) / passes);
        const enuf_status status = make_pass(plan);
        t->pass_bytes = t->bytes - bytes;
        if (status != ENUF_OUT_OF_MEMORY || t->together == 1 || plan->options.memory_limit == 0)
            return status;
        enuf_type3_drop_passes(plan);
    }
}
