/* type3.c - plans of type 3: points, targets, execution. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"
#include "options.h"
#include "turns.h"

#include <math.h>
#include <string.h>

/* ---- Making and freeing ---- */

/* Bytes of its plans, and of its arrays on the host; arrays on a device are the workspace's. */
static void count_bytes(enuf_nufft *plan)
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
    count_bytes(*out);
    return ENUF_SUCCESS;
}

static void release(enuf_nufft *plan, void *pointer)
{
    plan->backend->type3->release(plan, pointer);
}

/* What set_targets has made. */
static void drop_targets(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    t->targets_set = 0;
    enuf_plan_free(&t->spreading);
    enuf_plan_free(&t->transform);
    void *arrays[] = {&t->packed_targets, &t->cells, &t->of_points,
                      &t->of_targets,     &t->work,  &t->room};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) release(plan, arrays[k]);
    t->bytes = 0;
    count_bytes(plan);
}

void enuf_type3_free(enuf_nufft *plan)
{
    drop_targets(plan);
    release(plan, &plan->type3->packed_points);
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
    memcpy(report->fine_grid, t->method.fine_grid, sizeof report->fine_grid);
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

/* ---- Points and targets ---- */

static size_t complex_size(const enuf_nufft *plan)
{
    return 2 * enuf_number_size(plan);
}

static enuf_status allocate(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                            const char *what)
{
    ENUF_TRY(plan->backend->type3->allocate(plan, pointer, count, size, what));
    if (plan->backend->kind == ENUF_BACKEND_CPU) plan->type3->bytes += count * (int64_t)size;
    return ENUF_SUCCESS;
}

/* Distances of some of the coordinates. An odd step meets all places in rows of 2^k. */
static enuf_status take_samples(enuf_nufft *plan, int64_t n, const double *packed,
                                enuf_type3_extent *extent)
{
    double samples[3 * ENUF_TYPE3_SAMPLES];
    const int64_t step = ((n - 1) / ENUF_TYPE3_SAMPLES + 1) | 1, count = (n - 1) / step + 1;
    ENUF_TRY(plan->backend->type3->sample(plan, n, packed, step, count, samples));
    extent->samples = (int)count;
    for (int64_t k = 0; k < count; k++)
        for (int d = 0; d < plan->options.dim; d++)
            if (extent->half[d] > 0)
                extent->distance[k][d] =
                    fabs(samples[d * count + k] - extent->centre[d]) / extent->half[d];
    return ENUF_SUCCESS;
}

/* The caller's coordinates to a new array, and their extent. `what` is a point or a target. */
static enuf_status read_coordinates(enuf_nufft *plan, const char *what,
                                    const enuf_coordinates *from, double **packed,
                                    enuf_type3_extent *extent)
{
    double low[3] = {0}, high[3] = {0};
    int64_t bad = -1;
    ENUF_TRY(allocate(plan, packed, from->n * plan->options.dim, sizeof(double), "coordinates"));
    memset(extent, 0, sizeof *extent);
    if (from->n == 0) return ENUF_SUCCESS;
    ENUF_TRY(plan->backend->type3->pack(plan, from, *packed, low, high, &bad));
    if (bad >= 0)
        return enuf_fail(ENUF_NOT_FINITE, "%s %lld has a coordinate that is NaN or infinite", what,
                         (long long)bad);
    for (int d = 0; d < plan->options.dim; d++) {
        extent->centre[d] = 0.5 * low[d] + 0.5 * high[d];
        extent->half[d] = fmax(high[d] - extent->centre[d], extent->centre[d] - low[d]);
    }
    return take_samples(plan, from->n, *packed, extent);
}

enuf_status enuf_type3_set_points(enuf_nufft *plan, const enuf_coordinates *points)
{
    enuf_type3 *t = plan->type3;
    double *packed = NULL;
    enuf_type3_extent extent;
    const int64_t bytes = t->bytes; /* enuf_type3_bytes() counts those of the points */
    enuf_status status = read_coordinates(plan, "point", points, &packed, &extent);
    t->bytes = bytes;
    if (status != ENUF_SUCCESS) {
        release(plan, &packed);
        return status;
    }
    drop_targets(plan);
    release(plan, &t->packed_points);
    t->packed_points = packed;
    t->points = extent;
    t->n_points = points->n;
    t->points_set = 1;
    count_bytes(plan);
    return ENUF_SUCCESS;
}

static enuf_status check_limit(enuf_nufft *plan, double more)
{
    count_bytes(plan);
    const enuf_type3_method *m = &plan->type3->method;
    const double limit = (double)plan->options.memory_limit;
    const double bytes = (double)enuf_nufft_bytes(plan) + more;
    const long long c[3] = {m->cells[0], m->cells[1], m->cells[2]};
    const long long g[3] = {m->fine_grid[0], m->fine_grid[1], m->fine_grid[2]};
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
    o.batch = 1;
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
static enuf_status set_inner_points(enuf_nufft *inner, int dim, int64_t n, const double *packed,
                                    const double scale[3], const double origin[3])
{
    const double T[9] = {scale[0], 0, 0, 0, scale[1], 0, 0, 0, scale[2]};
    enuf_coordinates points = {.n = n, .stride = 1, .precision = ENUF_DOUBLE};
    for (int d = 0; d < dim; d++) points.axis[d] = packed + d * n;
    ENUF_TRY(enuf_plan_set_frame(inner, T, origin));
    return enuf_plan_set_points(inner, &points);
}

/* Zero of the frame is the first cell, and the middle of the points the middle cell. */
static enuf_status make_spreading(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    enuf_nufft_options o = inner_options(plan);
    double scale[3] = {0}, origin[3] = {0};
    for (int d = 0; d < o.dim; d++) {
        const double cells = (double)t->method.cells[d];
        o.fine_grid[d] = t->method.cells[d];
        o.modes[d] = (int64_t)(cells / t->method.upsampling);
        scale[d] = t->method.kappa[d] / cells;
        origin[d] = t->points.centre[d] - cells / (2 * t->method.kappa[d]);
    }
    o.width = t->method.window.width;
    o.shape = t->method.window.shape;
    o.no_grid = 1;
    /* the tolerance decides how many coefficients the window has; 0: as many as help */
    enuf_status status = enuf_plan_make(&o, &t->spreading);
    o.tolerance = 0;
    if (status == ENUF_UNREACHABLE_ACCURACY) status = enuf_plan_make(&o, &t->spreading);
    ENUF_TRY(status);
    return set_inner_points(t->spreading, o.dim, t->n_points, t->packed_points, scale, origin);
}

static enuf_status make_transform(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    enuf_nufft_options o = inner_options(plan);
    double scale[3] = {0}, modes = 1;
    for (int d = 0; d < o.dim; d++) {
        o.modes[d] = t->method.cells[d];
        modes *= (double)o.modes[d];
        scale[d] = 1 / (2 * M_PI * t->method.kappa[d]);
    }
    o.tolerance = t->method.tolerance;
    o.density = fmax((double)t->n_targets, 1) / modes;
    ENUF_TRY(enuf_plan_make(&o, &t->transform));
    return set_inner_points(t->transform, o.dim, t->n_targets, t->packed_targets, scale,
                            t->targets.centre);
}

/* Minus the logarithm of psi's transform, in t = 2 (theta/edge)^2 - 1: a smooth function, whose
 * rounding is that of the transform's relative size. */
typedef struct logarithm {
    const enuf_window_form *window;
    double edge;
} logarithm;

static long double minus_logarithm(long double t, const void *context)
{
    const logarithm *l = context;
    const long double theta = l->edge * sqrtl(fmaxl(0.5L * (t + 1), 0));
    long double sum = 0;
    for (int j = 0; j < l->window->n_nodes; j++)
        sum += l->window->weight[j] * cosl(theta * l->window->node[j]);
    return -logl(sum);
}

/* exp(i (s - D).C) over psi's transform at the targets, exp(i D.x) at the points. */
static enuf_status make_factors(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    const int dim = plan->options.dim, sign = t->options.sign;
    enuf_type3_factors of_points = {.dim = dim}, of_targets = {.dim = dim};
    const logarithm l = {&t->method.window, M_PI / t->method.upsampling};
    of_targets.n_terms = ENUF_TYPE3_TERMS;
    for (int d = 0; d < dim; d++) {
        of_points.wave[d] = sign * t->targets.centre[d];
        of_targets.wave[d] = sign * t->points.centre[d];
        of_targets.turns -= enuf_turns_of_product(of_targets.wave[d], t->targets.centre[d]);
        of_targets.centre[d] = t->targets.centre[d];
        of_targets.scale[d] = 1 / (t->method.kappa[d] * l.edge);
        enuf_fit_polynomial_long(minus_logarithm, &l, -1, 1, ENUF_TYPE3_TERMS, of_targets.terms[d]);
    }
    const enuf_type3_passes *passes = plan->backend->type3;
    ENUF_TRY(passes->make_factors(plan, t->n_points, t->packed_points, &of_points, t->of_points));
    return passes->make_factors(plan, t->n_targets, t->packed_targets, &of_targets, t->of_targets);
}

static enuf_status make_arrays(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    const size_t size = complex_size(plan);
    const int64_t most = t->n_points > t->n_targets ? t->n_points : t->n_targets;
    const int64_t cells = t->method.cells[0] * t->method.cells[1] * t->method.cells[2];
    ENUF_TRY(allocate(plan, &t->cells, cells, size, "cells between points and targets"));
    ENUF_TRY(allocate(plan, &t->of_points, t->n_points, size, "factors of the points"));
    ENUF_TRY(allocate(plan, &t->of_targets, t->n_targets, size, "factors of the targets"));
    ENUF_TRY(allocate(plan, &t->work, most, size, "strengths under way"));
    if (plan->backend->kind == ENUF_BACKEND_CPU || plan->options.memory == ENUF_DEVICE)
        return ENUF_SUCCESS;
    return allocate(plan, &t->room, most, size, "arrays on their way");
}

static enuf_status prepare(enuf_nufft *plan, const enuf_coordinates *targets)
{
    enuf_type3 *t = plan->type3;
    ENUF_TRY(read_coordinates(plan, "target", targets, &t->packed_targets, &t->targets));
    t->n_targets = targets->n;
    ENUF_TRY(enuf_type3_choose(&t->options, t->n_points, &t->points, t->n_targets, &t->targets,
                               &t->method));
    ENUF_TRY(check_limit(plan, t->method.bytes));
    ENUF_TRY(make_arrays(plan));
    ENUF_TRY(make_spreading(plan));
    ENUF_TRY(make_transform(plan));
    ENUF_TRY(check_limit(plan, 0));
    ENUF_TRY(make_factors(plan));
    t->targets_set = 1;
    return ENUF_SUCCESS;
}

static enuf_status set_targets(enuf_nufft *plan, int64_t n, const void *const axis[3],
                               int64_t stride, enuf_precision precision)
{
    static const char function[] = "enuf_nufft_set_targets";
    enuf_coordinates targets = {.n = n, .stride = stride, .precision = precision};
    for (int d = 0; plan && d < plan->options.dim; d++) targets.axis[d] = axis[d];
    ENUF_TRY(enuf_check_coordinates(plan, function, "stu", &targets));
    if (!plan->type3)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: the plan is of type 1 and 2: set options.type3 = 1", function);
    if (!plan->type3->points_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_points() first", function);
    drop_targets(plan);
    const enuf_status status = prepare(plan, &targets);
    if (status != ENUF_SUCCESS) drop_targets(plan);
    return status;
}

enuf_status enuf_nufft_set_targets(enuf_nufft *plan, int64_t n, const double *s, const double *t,
                                   const double *u, int64_t stride)
{
    return set_targets(plan, n, (const void *const[3]){s, t, u}, stride, ENUF_DOUBLE);
}

enuf_status enuf_nufft_set_targets_f32(enuf_nufft *plan, int64_t n, const float *s, const float *t,
                                       const float *u, int64_t stride)
{
    return set_targets(plan, n, (const void *const[3]){s, t, u}, stride, ENUF_FLOAT);
}

/* ---- Execution ---- */

static enuf_status need_targets(const enuf_nufft *plan, const char *function)
{
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan is NULL", function);
    if (!plan->type3)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: the plan is of type 1 and 2: set options.type3 = 1", function);
    if (!plan->type3->targets_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_targets() first", function);
    return ENUF_SUCCESS;
}

static enuf_status need_pointer(const void *pointer, int64_t n, const char *function,
                                const char *name)
{
    if (pointer || n == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL", function, name);
}

/* The whole grid of cells, one row after the other. */
static enuf_brick whole(const enuf_type3 *t)
{
    enuf_brick brick = {.stride = {1, t->method.cells[0], t->method.cells[0] * t->method.cells[1]}};
    for (int d = 0; d < 3; d++) brick.global[d] = brick.n[d] = t->method.cells[d];
    return brick;
}

/* Bytes of the strengths of a vector. */
static int64_t strength_bytes(const enuf_nufft *plan)
{
    const int parts = plan->type3->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    return plan->type3->n_points * parts * (int64_t)enuf_number_size(plan);
}

static int64_t value_bytes(const enuf_nufft *plan)
{
    return plan->type3->n_targets * (int64_t)complex_size(plan);
}

static enuf_status to_targets(enuf_nufft *plan, const void *strengths, void *values)
{
    const enuf_type3 *t = plan->type3;
    const enuf_type3_passes *passes = plan->backend->type3;
    const enuf_brick brick = whole(t);
    const void *from;
    void *to;
    ENUF_TRY(passes->take(plan, "strengths", strengths, strength_bytes(plan), t->room, &from));
    const enuf_type3_product before = {.n = t->n_points,
                                       .factors = t->of_points,
                                       .from = from,
                                       .to = t->work,
                                       .from_real = t->options.strengths == ENUF_REAL_STRENGTHS};
    ENUF_TRY(passes->multiply(plan, &before));
    ENUF_TRY(enuf_stage_spread(t->spreading, t->work, NULL, &brick, t->cells, 0));
    ENUF_TRY(passes->place(plan, "values", values, t->room, &to));
    ENUF_TRY(enuf_nufft_type2(t->transform, t->cells, to, NULL));
    const enuf_type3_product after = {
        .n = t->n_targets, .factors = t->of_targets, .from = to, .to = to};
    ENUF_TRY(passes->multiply(plan, &after));
    return passes->give(plan, values, value_bytes(plan), to);
}

static enuf_status to_points(enuf_nufft *plan, const void *values, void *strengths)
{
    const enuf_type3 *t = plan->type3;
    const enuf_type3_passes *passes = plan->backend->type3;
    const enuf_brick brick = whole(t);
    const void *from;
    void *to;
    ENUF_TRY(passes->take(plan, "values", values, value_bytes(plan), t->room, &from));
    const enuf_type3_product before = {
        .n = t->n_targets, .factors = t->of_targets, .conjugate = 1, .from = from, .to = t->work};
    ENUF_TRY(passes->multiply(plan, &before));
    ENUF_TRY(enuf_nufft_type1(t->transform, t->work, t->cells));
    ENUF_TRY(enuf_stage_interpolate(t->spreading, &brick, t->cells, NULL, t->work, NULL, 0));
    ENUF_TRY(passes->place(plan, "strengths", strengths, t->room, &to));
    const enuf_type3_product after = {.n = t->n_points,
                                      .factors = t->of_points,
                                      .conjugate = 1,
                                      .from = t->work,
                                      .to = to,
                                      .to_real = t->options.strengths == ENUF_REAL_STRENGTHS};
    ENUF_TRY(passes->multiply(plan, &after));
    return passes->give(plan, strengths, strength_bytes(plan), to);
}

/* Host memory with a GPU: the inner plans are in device memory, and report at a check. */
static enuf_status finish(enuf_nufft *plan)
{
    return plan->options.memory == ENUF_HOST ? enuf_type3_check(plan) : ENUF_SUCCESS;
}

enuf_status enuf_nufft_type3(enuf_nufft *plan, const void *strengths, void *values)
{
    ENUF_TRY(need_targets(plan, "enuf_nufft_type3"));
    ENUF_TRY(need_pointer(strengths, plan->type3->n_points, "enuf_nufft_type3", "strengths"));
    ENUF_TRY(need_pointer(values, plan->type3->n_targets, "enuf_nufft_type3", "values"));
    for (int b = 0; b < plan->type3->options.batch; b++)
        ENUF_TRY(to_targets(plan, (const char *)strengths + b * strength_bytes(plan),
                            (char *)values + b * value_bytes(plan)));
    return finish(plan);
}

enuf_status enuf_nufft_type3_adjoint(enuf_nufft *plan, const void *values, void *strengths)
{
    ENUF_TRY(need_targets(plan, "enuf_nufft_type3_adjoint"));
    ENUF_TRY(need_pointer(values, plan->type3->n_targets, "enuf_nufft_type3_adjoint", "values"));
    ENUF_TRY(
        need_pointer(strengths, plan->type3->n_points, "enuf_nufft_type3_adjoint", "strengths"));
    for (int b = 0; b < plan->type3->options.batch; b++)
        ENUF_TRY(to_points(plan, (const char *)values + b * value_bytes(plan),
                           (char *)strengths + b * strength_bytes(plan)));
    return finish(plan);
}
