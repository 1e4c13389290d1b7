/* stages.c - the public stages on the caller's arrays. SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#define L(x) ((long long)(x))

/* Rows and planes that overlap would be summed into each other, by several threads at once. */
static enuf_status check_strides(const char *function, const enuf_brick *brick)
{
    double cells[3]; /* in double, so that nothing overflows */
    for (int d = 0; d < 3; d++)
        cells[d] = (double)brick->n[d] + (double)brick->halo_lo[d] + (double)brick->halo_hi[d];
    int y_first = brick->stride[1] <= brick->stride[2];
    int order[3] = {0, y_first ? 1 : 2, y_first ? 2 : 1}; /* the fastest axis first */
    double needed = cells[0];
    for (int k = 1; k < 3; k++) {
        int d = order[k];
        if (cells[d] == 1) continue;
        if ((double)brick->stride[d] < needed)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: stride[%d] is %lld: the faster axes, halos included, take %.0f",
                             function, d, L(brick->stride[d]), needed);
        needed = (double)brick->stride[d] * cells[d];
    }
    return ENUF_SUCCESS;
}

static enuf_status check_brick(const enuf_nufft *plan, const char *function,
                               const enuf_brick *brick, const void *cells)
{
    if (!plan || !brick || !cells)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan, brick or cells is NULL", function);
    if (plan->type3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: the plan is of type 3, it has no grid", function);
    if (plan->n_others > 0)
        return enuf_fail(ENUF_UNSUPPORTED, "%s: a plan with point_sets has no stages", function);
    if (!plan->points_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_nufft_set_points() first", function);
    for (int d = 0; d < 3; d++) {
        if (brick->global[d] != plan->method.grid[d])
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: brick->global[%d] is %lld, the plan's fine grid has %lld",
                             function, d, L(brick->global[d]), L(plan->method.grid[d]));
        int halo = brick->halo_lo[d] != 0 || brick->halo_hi[d] != 0;
        if (brick->n[d] < 1 || brick->lo[d] < 0 || brick->lo[d] > brick->global[d] - brick->n[d] ||
            brick->halo_lo[d] < 0 || brick->halo_hi[d] < 0)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: axis %d: lo %lld, n %lld, halos %lld %lld leave the grid of %lld",
                             function, d, L(brick->lo[d]), L(brick->n[d]), L(brick->halo_lo[d]),
                             L(brick->halo_hi[d]), L(brick->global[d]));
        if (!halo && brick->n[d] != brick->global[d])
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: axis %d has no halo and only %lld of %lld cells: it cannot wrap",
                             function, d, L(brick->n[d]), L(brick->global[d]));
        if (brick->stride[d] < 1 || (d == 0 && brick->stride[0] != 1))
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: stride[%d] is %lld; x has stride 1, all are "
                             "positive",
                             function, d, L(brick->stride[d]));
    }
    return check_strides(function, brick);
}

static enuf_status check_box(const enuf_nufft *plan, const char *function,
                             const enuf_spectral_box *box, const void *spectrum)
{
    if (!plan || !box) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: plan or box is NULL", function);
    if (plan->type3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: the plan is of type 3, it has no grid", function);
    int64_t count = 1;
    int seen[3] = {0};
    for (int d = 0; d < plan->options.dim; d++) {
        int64_t length = d == box->half_axis ? box->global_grid[d] / 2 + 1 : box->global_grid[d];
        if (box->global_grid[d] != plan->method.grid[d] || box->modes[d] != plan->options.modes[d])
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: axis %d: %lld cells and %lld modes, the plan has %lld and %lld",
                             function, d, L(box->global_grid[d]), L(box->modes[d]),
                             L(plan->method.grid[d]), L(plan->options.modes[d]));
        if (box->lo[d] < 0 || box->n[d] < 0 || box->lo[d] > length - box->n[d])
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: axis %d: lo %lld, n %lld leave 0..%lld",
                             function, d, L(box->lo[d]), L(box->n[d]), L(length - 1));
        int axis = box->axis_order[d];
        if (axis < 0 || axis >= plan->options.dim || seen[axis]++)
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: axis_order is no permutation of the axes",
                             function);
        count *= box->n[d];
    }
    if (box->half_axis < -1 || box->half_axis >= plan->options.dim ||
        (box->half_axis >= 0) != (plan->real != 0))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: half_axis %d: an axis for real strengths, -1 for complex ones",
                         function, box->half_axis);
    if (!spectrum && count > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: spectrum is NULL", function);
    return ENUF_SUCCESS;
}

enuf_status enuf_stage_spread(enuf_nufft *plan, const void *strengths, const void *factors,
                              const enuf_brick *brick, void *cells, int add)
{
    ENUF_TRY(check_brick(plan, "enuf_stage_spread", brick, cells));
    if (!strengths && plan->n_points > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_stage_spread: strengths is NULL");
    return plan->backend->stage_spread(plan, strengths, factors, brick, cells, add);
}

enuf_status enuf_stage_interpolate(enuf_nufft *plan, const enuf_brick *brick, const void *cells,
                                   const void *factors, void *values, void *gradients, int add)
{
    ENUF_TRY(check_brick(plan, "enuf_stage_interpolate", brick, cells));
    if (!values && !gradients) return ENUF_SUCCESS;
    return plan->backend->stage_interpolate(plan, brick, cells, factors, values, gradients, add);
}

enuf_status enuf_stage_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box, void *spectrum)
{
    ENUF_TRY(check_box(plan, "enuf_stage_deconvolve", box, spectrum));
    return plan->backend->stage_deconvolve(plan, box, spectrum);
}

enuf_status enuf_stage_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                enuf_multiplier kind, const void *multiplier, void *spectrum)
{
    ENUF_TRY(check_box(plan, "enuf_stage_multiply", box, spectrum));
    if (kind != ENUF_REAL && kind != ENUF_COMPLEX)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_stage_multiply: kind is %d", (int)kind);
    if (spectrum && !multiplier)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_stage_multiply: multiplier is NULL");
    return plan->backend->stage_multiply(plan, box, kind, multiplier, spectrum);
}

enuf_status enuf_stage_reduce(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                              const void *weights, int moments, const void *spectrum, double *sums)
{
    ENUF_TRY(check_box(plan, "enuf_stage_reduce", box, spectrum));
    if (n < 0 || (n > 0 && (!sums || (!weights && spectrum))))
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_stage_reduce: n is %d, weights or sums NULL", n);
    if (n == 0) return ENUF_SUCCESS;
    ENUF_TRY(plan->backend->stage_reduce(plan, box, n, weights, moments, spectrum, sums));
    return enuf_check_sums(plan, "enuf_stage_reduce", (int64_t)n * (moments ? 7 : 1), sums);
}
