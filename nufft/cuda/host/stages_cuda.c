/* stages_cuda.c - see stages_cuda.h. SPDX-License-Identifier: BSD-3-Clause */
#include "stages_cuda.h"
#include "record.h"
#include "cuda/levels/level.h"
#include "cuda/sort/slice.h"
#include "device_copies.h"

/* Parts of copied_points: the values of all points, the gradients, the factors. */
typedef struct copied_points {
    char *values, *gradients, *factors;
    int64_t value_bytes, gradient_bytes, factor_bytes;
} copied_points;

static copied_points parts_of(const enuf_nufft *plan)
{
    copied_points s = {.values = enuf_cuda_of(plan)->copied_points};
    s.factor_bytes = plan->n_points * (int64_t)enuf_cuda_number(plan);
    s.value_bytes = s.factor_bytes * (plan->real ? 1 : 2);
    s.gradient_bytes = s.value_bytes * plan->options.dim;
    s.gradients = s.values + enuf_cuda_behind(s.value_bytes);
    s.factors = s.gradients + enuf_cuda_behind(s.gradient_bytes);
    return s;
}

static int64_t span_bytes(const enuf_nufft *plan, const enuf_target *target)
{
    return enuf_target_span(plan, target) * (int64_t)enuf_cuda_number(plan);
}

static enuf_status spread_slices(enuf_nufft *plan, const enuf_spread_job *job)
{
    const int64_t slices = enuf_cuda_slices(plan);
    for (int64_t k = 0; k < slices; k++) {
        ENUF_TRY(enuf_cuda_slice_load(plan, k));
        ENUF_TRY(enuf_cuda_level_spread(plan, job, 1));
    }
    return ENUF_SUCCESS;
}

static enuf_status interpolate_slices(enuf_nufft *plan, const enuf_interpolate_job *job)
{
    const int64_t slices = enuf_cuda_slices(plan);
    for (int64_t k = 0; k < slices; k++) {
        ENUF_TRY(enuf_cuda_slice_load(plan, k));
        ENUF_TRY(enuf_cuda_level_interpolate(plan, job, 1));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_brick_spread(enuf_nufft *plan, const void *strengths, const void *factors,
                                   const enuf_brick *brick, void *cells, int add)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_spread_job job = {.strengths = strengths,
                           .factors = factors,
                           .target = enuf_target_brick(plan, brick),
                           .cells = cells};
    int64_t bytes = span_bytes(plan, &job.target);
    if (plan->n_points > 0) ENUF_TRY(enuf_cuda_check_memory(plan, strengths, "strengths"));
    if (plan->n_points > 0) ENUF_TRY(enuf_cuda_check_memory(plan, factors, "factors"));
    ENUF_TRY(enuf_cuda_check_memory(plan, cells, "cells"));
    if (enuf_cuda_on_host(plan)) {
        copied_points s = parts_of(plan);
        ENUF_TRY(enuf_cuda_copied_cells(plan, bytes));
        /* copied in without `add` too: the space between rows is the caller's */
        ENUF_TRY(enuf_cuda_copy_in(plan, cuda->copied_cells, cells, bytes));
        ENUF_TRY(enuf_cuda_copy_in(plan, s.values, strengths, s.value_bytes));
        if (factors) ENUF_TRY(enuf_cuda_copy_in(plan, s.factors, factors, s.factor_bytes));
        job.strengths = s.values;
        job.factors = factors ? s.factors : NULL;
        job.cells = cuda->copied_cells;
        ENUF_TRY(enuf_cuda_look_at_brick_strengths(plan, job.strengths, job.factors));
        ENUF_TRY(enuf_cuda_record_report(plan, NULL));
    }
    if (!add) ENUF_TRY(enuf_cuda_zero_brick(plan, &job.target, job.cells));
    ENUF_TRY(spread_slices(plan, &job));
    return enuf_cuda_on_host(plan) ? enuf_cuda_copy_out(plan, cells, job.cells, bytes)
                                   : ENUF_SUCCESS;
}

enuf_status enuf_cuda_brick_interpolate(enuf_nufft *plan, const enuf_brick *brick,
                                        const void *cells, const void *factors, void *values,
                                        void *gradients, int add)
{
    enuf_interpolate_job job = {.target = enuf_target_brick(plan, brick),
                                .cells = cells,
                                .factors = factors,
                                .values = values,
                                .gradients = gradients,
                                .add = add};
    enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t bytes = span_bytes(plan, &job.target);
    copied_points s = parts_of(plan);
    if (plan->n_points == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_memory(plan, cells, "cells"));
    ENUF_TRY(enuf_cuda_check_memory(plan, factors, "factors"));
    ENUF_TRY(enuf_cuda_check_memory(plan, values, "values"));
    ENUF_TRY(enuf_cuda_check_memory(plan, gradients, "gradients"));
    if (!enuf_cuda_on_host(plan)) return interpolate_slices(plan, &job);
    ENUF_TRY(enuf_cuda_copied_cells(plan, bytes));
    ENUF_TRY(enuf_cuda_copy_in(plan, cuda->copied_cells, cells, bytes));
    if (factors) ENUF_TRY(enuf_cuda_copy_in(plan, s.factors, factors, s.factor_bytes));
    /* copied in without `add` too: results of points outside the brick do not change */
    if (values) ENUF_TRY(enuf_cuda_copy_in(plan, s.values, values, s.value_bytes));
    if (gradients) ENUF_TRY(enuf_cuda_copy_in(plan, s.gradients, gradients, s.gradient_bytes));
    job.cells = cuda->copied_cells;
    job.factors = factors ? s.factors : NULL;
    job.values = values ? s.values : NULL;
    job.gradients = gradients ? s.gradients : NULL;
    ENUF_TRY(interpolate_slices(plan, &job));
    if (values) ENUF_TRY(enuf_cuda_copy_out(plan, values, s.values, s.value_bytes));
    if (gradients) ENUF_TRY(enuf_cuda_copy_out(plan, gradients, s.gradients, s.gradient_bytes));
    return ENUF_SUCCESS;
}

/* ---- Boxes of a spectrum ---- */

/* Bytes of a real number for each of the box's elements. */
static int64_t box_bytes(const enuf_nufft *plan, const enuf_spectral_box *box)
{
    int64_t count = 1;
    for (int d = 0; d < plan->options.dim; d++) count *= box->n[d];
    return count * (int64_t)enuf_cuda_number(plan);
}

/* Host memory: the spectrum and behind it a multiplier or a weight of so many bytes. */
static enuf_status copy_box(enuf_nufft *plan, const enuf_spectral_box *box, const void *spectrum,
                            int64_t more, char **copied, char **behind)
{
    int64_t bytes = 2 * box_bytes(plan, box);
    ENUF_TRY(enuf_cuda_copied_cells(plan, enuf_cuda_behind(bytes) + more));
    *copied = enuf_cuda_of(plan)->copied_cells;
    *behind = *copied + enuf_cuda_behind(bytes);
    return enuf_cuda_copy_in(plan, *copied, spectrum, bytes);
}

enuf_status enuf_cuda_box_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box, void *spectrum)
{
    char *copied, *behind;
    if (box_bytes(plan, box) == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_memory(plan, spectrum, "spectrum"));
    if (!enuf_cuda_on_host(plan)) return enuf_cuda_stage_deconvolve(plan, box, spectrum);
    ENUF_TRY(copy_box(plan, box, spectrum, 0, &copied, &behind));
    ENUF_TRY(enuf_cuda_stage_deconvolve(plan, box, copied));
    return enuf_cuda_copy_out(plan, spectrum, copied, 2 * box_bytes(plan, box));
}

enuf_status enuf_cuda_box_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                   enuf_multiplier kind, const void *multiplier, void *spectrum)
{
    char *copied, *behind;
    int64_t bytes = box_bytes(plan, box) * (kind == ENUF_REAL ? 1 : 2);
    if (bytes == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_memory(plan, spectrum, "spectrum"));
    ENUF_TRY(enuf_cuda_check_memory(plan, multiplier, "multiplier"));
    if (!enuf_cuda_on_host(plan))
        return enuf_cuda_stage_multiply(plan, box, kind, multiplier, spectrum);
    ENUF_TRY(copy_box(plan, box, spectrum, bytes, &copied, &behind));
    ENUF_TRY(enuf_cuda_copy_in(plan, behind, multiplier, bytes));
    ENUF_TRY(enuf_cuda_stage_multiply(plan, box, kind, behind, copied));
    return enuf_cuda_copy_out(plan, spectrum, copied, 2 * box_bytes(plan, box));
}

enuf_status enuf_cuda_box_reduce(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                 const void *weights, int moments, const void *spectrum,
                                 double *sums)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    char *copied = NULL, *behind = NULL;
    int64_t bytes = box_bytes(plan, box);
    int per = moments ? ENUF_REDUCE_MOMENTS : 1, host = enuf_cuda_on_host(plan);
    ENUF_TRY(enuf_cuda_check_memory(plan, sums, "sums"));
    if (bytes > 0) ENUF_TRY(enuf_cuda_check_memory(plan, weights, "weights"));
    if (bytes > 0) ENUF_TRY(enuf_cuda_check_memory(plan, spectrum, "spectrum"));
    if (host) ENUF_TRY(copy_box(plan, box, spectrum, bytes, &copied, &behind));
    for (int w = 0; w < n; w++) {
        const void *weight = bytes > 0 ? (const char *)weights + w * bytes : NULL;
        if (host) ENUF_TRY(enuf_cuda_copy_in(plan, behind, weight, bytes));
        ENUF_TRY(enuf_cuda_stage_reduce(plan, box, host ? behind : weight, moments,
                                        host ? copied : spectrum,
                                        host ? cuda->copied_sums : sums + w * per));
        if (host) ENUF_TRY(enuf_cuda_copy_out(plan, sums + w * per, cuda->copied_sums, per * 8));
    }
    return ENUF_SUCCESS;
}
