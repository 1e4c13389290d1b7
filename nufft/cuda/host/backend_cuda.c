/*
 * backend_cuda.c - the CUDA backend's table. Each slot makes the plan's device current and calls
 * steps_cuda.c and stages_cuda.c, which call the stages (cuda.h).
 *
 * Host memory: a call waits until its data is complete. Device memory: only check and create wait,
 * so that a step can be captured in a CUDA graph; `elapsed` then holds the time that enqueuing
 * takes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cufft_library.h"
#include "device_arguments.h"
#include "direct/engine.h"
#include "encoding_cuda.h"
#include "gram_cuda.h"
#include "machine_cuda.h"
#include "on_device.h"
#include "record.h"
#include "runs_cuda.h"
#include "stages_cuda.h"
#include "steps_cuda.h"
#include "type3_cuda.h"
#include "workspace.h"

#include <string.h>

/* ---- Making and freeing ---- */

static int usable(const char **reason)
{
    const char *no_library;
    if (!enuf_cuda_device_usable(reason)) return 0;
    if (enuf_cufft_load(&no_library)) return 1;
    *reason = no_library;
    return 0;
}

static enuf_status create(enuf_nufft *plan)
{
    enuf_cuda *cuda;
    ENUF_TRY(enuf_allocate(&cuda, 1, sizeof *cuda, "a workspace"));
    memset(cuda, 0, sizeof *cuda);
    plan->workspace = cuda; /* from here on destroy() cleans up */
    cuda->device = -1;
    cuda->stream = plan->options.stream;
    ENUF_TRY(enuf_cuda_device_choose("enuf_nufft_create", plan->options.device, cuda->stream,
                                     &cuda->device));
    plan->options.device = cuda->device; /* that of the plans of type 3 too */
    ON_DEVICE(plan, enuf_cuda_workspace_make(plan));
}

static enuf_status take_axes(enuf_nufft *plan)
{
    ON_DEVICE(plan, enuf_cuda_workspace_axes(plan));
}

static void destroy(enuf_nufft *plan)
{
    enuf_cuda *cuda = plan->workspace;
    int callers = -1, device;
    if (!cuda) return;
    device = cuda->device;
    if (device >= 0 && enuf_cuda_enter(device, &callers) != ENUF_SUCCESS) callers = -1;
    enuf_cuda_workspace_free(plan);
    if (callers >= 0) enuf_cuda_leave(device, callers);
}

static enuf_status reserve(enuf_nufft *plan, int64_t max_points)
{
    ON_DEVICE(plan, enuf_cuda_workspace_reserve(plan, max_points));
}

/* ---- Points and errors of the data ---- */

static enuf_status set_points(enuf_nufft *plan, const enuf_coordinates *coordinates)
{
    ON_DEVICE(plan, enuf_cuda_step_set_points(plan, coordinates));
}

static enuf_status read_runs(enuf_nufft *plan, const char *name, const void *array, int64_t bytes,
                             void *to)
{
    ON_DEVICE(plan, enuf_cuda_runs_read(plan, name, array, bytes, to));
}

static enuf_status count_runs(enuf_nufft *plan, const int64_t *lengths, enuf_runs *runs)
{
    ON_DEVICE(plan, enuf_cuda_runs_count(plan, lengths, runs));
}

static enuf_status fill_runs(enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    ON_DEVICE(plan, enuf_cuda_runs_fill(plan, runs, numbers));
}

static enuf_status check_here(enuf_nufft *plan, int64_t *first_bad)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t bad = -1;
    enuf_status status = enuf_cuda_record_report(plan, &bad);
    if (status == ENUF_SUCCESS && cuda->reported_point >= 0) { /* set_points has reported it */
        bad = cuda->reported_point;
        status = enuf_cuda_bad_point(bad);
    }
    cuda->reported_point = -1;
    if (first_bad) *first_bad = bad;
    return status;
}

static enuf_status check(enuf_nufft *plan, int64_t *first_bad)
{
    ON_DEVICE(plan, check_here(plan, first_bad));
}

static const uint64_t *first_bad(const enuf_nufft *plan)
{
    _Static_assert(sizeof(uint64_t) == sizeof enuf_cuda_of(plan)->record->bad_point, "its type");
    return (const uint64_t *)&enuf_cuda_of(plan)->record->bad_point;
}

static enuf_status keep_weights(enuf_nufft *plan, const void *from, int64_t count, void **numbers)
{
    ON_DEVICE(plan, enuf_cuda_step_keep_weights(plan, from, count, numbers));
}

static enuf_status make_terms(enuf_nufft *plan)
{
    ON_DEVICE(plan, enuf_cuda_step_make_terms(plan));
}

/* ---- The steps on the plan's grid and spectrum: steps_cuda.c ---- */

static enuf_status spread(enuf_nufft *plan, const void *strengths)
{
    ON_DEVICE(plan, enuf_cuda_step_spread(plan, strengths));
}

static enuf_status grid(enuf_nufft *plan, void **cells, int64_t *count, enuf_cell_type *type)
{
    ON_DEVICE(plan, enuf_cuda_step_grid(plan, cells, count, type));
}

static enuf_status forward_fft(enuf_nufft *plan)
{
    ON_DEVICE(plan, enuf_cuda_step_forward_fft(plan));
}

static enuf_status backward_fft(enuf_nufft *plan)
{
    ON_DEVICE(plan, enuf_cuda_step_backward_fft(plan));
}

static enuf_status deconvolve(enuf_nufft *plan, void *modes)
{
    ON_DEVICE(plan, enuf_cuda_step_deconvolve(plan, modes));
}

static enuf_status amplify(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                           const void *multiplier)
{
    ON_DEVICE(plan, enuf_cuda_step_amplify(plan, modes, kind, multiplier));
}

static enuf_status filter(enuf_nufft *plan, const void *multiplier)
{
    ON_DEVICE(plan, enuf_cuda_step_filter(plan, multiplier));
}

static enuf_status get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index, void *packed)
{
    ON_DEVICE(plan, enuf_cuda_step_get_spectrum(plan, n, index, packed));
}

static enuf_status put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                const void *packed)
{
    ON_DEVICE(plan, enuf_cuda_step_put_spectrum(plan, n, index, packed));
}

static enuf_status reduce(enuf_nufft *plan, int n, const void *weights, int moments, double *sums)
{
    ON_DEVICE(plan, enuf_cuda_step_reduce(plan, n, weights, moments, sums));
}

static enuf_status interpolate(enuf_nufft *plan, void *values, void *gradients)
{
    ON_DEVICE(plan, enuf_cuda_step_interpolate(plan, values, gradients));
}

/* ---- The stages on the caller's arrays: stages_cuda.c ---- */

/* Host memory: waits and reports errors of the data. */
static enuf_status finish(enuf_nufft *plan, enuf_status status)
{
    if (status != ENUF_SUCCESS || !enuf_cuda_on_host(plan)) return status;
    return enuf_cuda_record_report(plan, NULL);
}

static enuf_status stage_spread(enuf_nufft *plan, const void *strengths, const void *factors,
                                const enuf_brick *brick, void *cells, int add)
{
    ON_DEVICE(plan,
              finish(plan, enuf_cuda_brick_spread(plan, strengths, factors, brick, cells, add)));
}

static enuf_status stage_interpolate(enuf_nufft *plan, const enuf_brick *brick, const void *cells,
                                     const void *factors, void *values, void *gradients, int add)
{
    ON_DEVICE(plan, finish(plan, enuf_cuda_brick_interpolate(plan, brick, cells, factors, values,
                                                             gradients, add)));
}

static enuf_status stage_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box, void *spectrum)
{
    ON_DEVICE(plan, finish(plan, enuf_cuda_box_deconvolve(plan, box, spectrum)));
}

static enuf_status stage_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                  enuf_multiplier kind, const void *multiplier, void *spectrum)
{
    ON_DEVICE(plan, finish(plan, enuf_cuda_box_multiply(plan, box, kind, multiplier, spectrum)));
}

static enuf_status stage_reduce(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                const void *weights, int moments, const void *spectrum,
                                double *sums)
{
    ON_DEVICE(plan,
              finish(plan, enuf_cuda_box_reduce(plan, box, n, weights, moments, spectrum, sums)));
}

const enuf_nufft_backend enuf_nufft_backend_cuda = {
    .name = "cuda",
    .kind = ENUF_BACKEND_CUDA,
    .usable = usable,
    .machine = enuf_cuda_machine,
    .create = create,
    .take_axes = take_axes,
    .destroy = destroy,
    .bytes = enuf_cuda_workspace_bytes,
    .reserve = reserve,
    .keep_weights = keep_weights,
    .make_terms = make_terms,
    .set_points = set_points,
    .read_runs = read_runs,
    .count_runs = count_runs,
    .fill_runs = fill_runs,
    .spread = spread,
    .grid = grid,
    .forward_fft = forward_fft,
    .deconvolve = deconvolve,
    .get_spectrum = get_spectrum,
    .put_spectrum = put_spectrum,
    .reduce = reduce,
    .amplify = amplify,
    .filter = filter,
    .backward_fft = backward_fft,
    .interpolate = interpolate,
    .check = check,
    .first_bad = first_bad,
    .type3 = &enuf_cuda_type3,
    .direct = &enuf_direct_engine_cuda,
    .encoding = &enuf_cuda_encoding,
    .gram = &enuf_cuda_gram_engine,
    .stage_spread = stage_spread,
    .stage_interpolate = stage_interpolate,
    .stage_deconvolve = stage_deconvolve,
    .stage_multiply = stage_multiply,
    .stage_reduce = stage_reduce,
};
