/* type3_set.c - points and targets of type 3. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"

#include <math.h>
#include <string.h>

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
                    (samples[d * count + k] - extent->centre[d]) / extent->half[d];
    return ENUF_SUCCESS;
}

/* To `packed`, or NULL: only their extent. */
static enuf_status pack(enuf_nufft *plan, const char *what, const enuf_coordinates *from,
                        double *packed, double low[3], double high[3])
{
    int64_t bad = -1;
    ENUF_TRY(plan->backend->type3->pack(plan, from, packed, low, high, &bad));
    if (bad < 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE, "%s %lld has a coordinate that is NaN or infinite", what,
                     (long long)bad);
}

/* The caller's coordinates to `packed`, and their extent. `what` is a point or a target. */
static enuf_status read_coordinates(enuf_nufft *plan, const char *what,
                                    const enuf_coordinates *from, double *packed,
                                    enuf_type3_extent *extent)
{
    double low[3] = {0}, high[3] = {0};
    memset(extent, 0, sizeof *extent);
    if (from->n == 0) return ENUF_SUCCESS;
    ENUF_TRY(pack(plan, what, from, packed, low, high));
    for (int d = 0; d < plan->options.dim; d++) {
        extent->centre[d] = 0.5 * low[d] + 0.5 * high[d];
        extent->half[d] = fmax(high[d] - extent->centre[d], extent->centre[d] - low[d]);
    }
    return take_samples(plan, from->n, packed, extent);
}

static enuf_status allocate_coordinates(enuf_nufft *plan, int64_t n, double **packed)
{
    return enuf_type3_allocate(plan, packed, n * plan->options.dim, sizeof(double), "coordinates");
}

/* What is there stays for so many points. A memory_limit leaves no room for what may not serve. */
static int stays(const enuf_nufft *plan, const double *packed, int64_t n, int64_t made)
{
    return packed && n == made && plan->options.memory_limit == 0;
}

/* Points in place of as many: the earlier ones stay if one is bad. */
static enuf_status set_points_again(enuf_nufft *plan, const enuf_coordinates *points)
{
    enuf_type3 *t = plan->type3;
    double low[3], high[3];
    if (points->n > 0) ENUF_TRY(pack(plan, "point", points, NULL, low, high));
    t->targets_set = 0;
    const enuf_status status =
        read_coordinates(plan, "point", points, t->packed_points, &t->points);
    t->points_set = status == ENUF_SUCCESS;
    return status;
}

static enuf_status set_new_points(enuf_nufft *plan, const enuf_coordinates *points)
{
    enuf_type3 *t = plan->type3;
    double *packed = NULL;
    enuf_type3_extent extent;
    const int64_t bytes = t->bytes; /* enuf_type3_bytes() counts those of the points */
    enuf_status status = allocate_coordinates(plan, points->n, &packed);
    if (status == ENUF_SUCCESS) status = read_coordinates(plan, "point", points, packed, &extent);
    t->bytes = bytes;
    if (status != ENUF_SUCCESS) {
        enuf_type3_release(plan, &packed);
        return status;
    }
    enuf_type3_drop_targets(plan);
    enuf_type3_release(plan, &t->packed_points);
    t->packed_points = packed;
    t->points = extent;
    t->n_points = points->n;
    t->points_set = 1;
    enuf_type3_count_bytes(plan);
    return ENUF_SUCCESS;
}

enuf_status enuf_type3_set_points(enuf_nufft *plan, const enuf_coordinates *points)
{
    const enuf_type3 *t = plan->type3;
    return !enuf_type3_copies(plan) && stays(plan, t->packed_points, points->n, t->n_points)
               ? set_points_again(plan, points)
               : set_new_points(plan, points);
}

static enuf_status make_factor_arrays(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    const size_t size = enuf_type3_complex_size(plan);
    ENUF_TRY(enuf_type3_allocate(plan, &t->of_points, t->n_points, size, "factors of the points"));
    return enuf_type3_allocate(plan, &t->of_targets, t->n_targets, size, "factors of the targets");
}

/* The method, and passes for it. */
static enuf_status choose(enuf_nufft *plan)
{
    enuf_type3 *t = plan->type3;
    enuf_type3_method method;
    ENUF_TRY(enuf_type3_choose(&t->options, t->n_points, &t->points, t->n_targets, &t->targets,
                               &method));
    const int serve = t->transform && enuf_type3_serves(&t->method, &method);
    if (!serve) enuf_type3_drop_passes(plan);
    t->method = method;
    if (!t->of_points) ENUF_TRY(make_factor_arrays(plan));
    return serve ? enuf_type3_set_inner_points(plan) : enuf_type3_make_passes(plan);
}

static enuf_status prepare(enuf_nufft *plan, const enuf_coordinates *targets)
{
    enuf_type3 *t = plan->type3;
    if (!t->packed_targets) ENUF_TRY(allocate_coordinates(plan, targets->n, &t->packed_targets));
    ENUF_TRY(read_coordinates(plan, "target", targets, t->packed_targets, &t->targets));
    t->n_targets = targets->n;
    ENUF_TRY(choose(plan));
    ENUF_TRY(enuf_type3_factors_of_points(plan));
    ENUF_TRY(enuf_type3_factors_of_targets(plan));
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
    plan->type3->targets_set = 0;
    if (!stays(plan, plan->type3->packed_targets, n, plan->type3->n_targets))
        enuf_type3_drop_targets(plan);
    const enuf_status status = prepare(plan, &targets);
    if (status != ENUF_SUCCESS) enuf_type3_drop_targets(plan);
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
