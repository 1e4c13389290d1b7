/* steps_cuda.c - see steps_cuda.h. SPDX-License-Identifier: BSD-3-Clause */
#include "steps_cuda.h"
#include "record.h"
#include "cuda/device_memory.h"
#include "cuda/levels/level.h"
#include "cuda/levels/matrix.h"
#include "cuda/sort/slice.h"
#include "device_copies.h"
#include "runs_cuda.h"
#include "workspace.h"

/* Bytes of the values of all points, one batch. */
static int64_t point_bytes(const enuf_nufft *plan)
{
    return plan->n_points * (plan->real ? 1 : 2) * (int64_t)enuf_cuda_number(plan);
}

static int64_t mode_bytes(const enuf_nufft *plan)
{
    return 2 * plan->n_modes * (int64_t)enuf_cuda_number(plan);
}

/* ---- Points ---- */

/* Host memory: reports bad points at once; the earlier points stay. */
static enuf_status sort_copied(enuf_nufft *plan, const enuf_coordinates *host)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_coordinates copied;
    int64_t bytes;
    cuda->reported_point = -1;
    ENUF_TRY(host->runs ? enuf_cuda_runs_in(plan, host, &copied, &bytes)
                        : enuf_cuda_coordinates_in(plan, host, &copied, &bytes));
    const enuf_coordinates former = cuda->points.coordinates; /* where they are now */
    ENUF_TRY(enuf_cuda_sort(plan, &copied));
    const enuf_status status = enuf_cuda_record_report(plan, &cuda->reported_point);
    if (status == ENUF_SUCCESS) return enuf_cuda_coordinates_keep(plan, &copied, bytes);
    cuda->points.coordinates = former;
    return status;
}

/* Sorts, and fills what the level keeps. Without it the points are lost: the records are new. */
static enuf_status sort_and_keep(enuf_nufft *plan, const enuf_coordinates *coordinates)
{
    ENUF_TRY(enuf_cuda_on_host(plan) ? sort_copied(plan, coordinates)
                                     : enuf_cuda_sort(plan, coordinates));
    const enuf_status status = enuf_cuda_level_fill(plan);
    if (status != ENUF_SUCCESS) enuf_nufft_void_points(plan);
    return status;
}

enuf_status enuf_cuda_step_set_points(enuf_nufft *plan, const enuf_coordinates *coordinates)
{
    static const char *const names[3] = {"x", "y", "z"};
    for (int d = 0; d < plan->options.dim && coordinates->n > 0; d++)
        ENUF_TRY(enuf_cuda_check_memory(plan, coordinates->axis[d], names[d]));
    enuf_cuda_room former;
    int grown, refused = 0;
    ENUF_TRY(enuf_cuda_workspace_grow(plan, coordinates->n, &former, &grown));
    enuf_status status = sort_and_keep(plan, coordinates);
    if (!grown) return status;
    /* device memory: work enqueued from here on reads these arrays */
    if (status == ENUF_SUCCESS && plan->points_set) status = enuf_cuda_sort_refused(plan, &refused);
    if (status != ENUF_SUCCESS || refused)
        enuf_cuda_workspace_put_back(plan, &former);
    else
        enuf_cuda_workspace_free_room(plan, &former);
    return status;
}

/* ---- Weights ---- */

/* A copy of the caller's numbers, in *fresh. */
static enuf_status copy_weights(enuf_nufft *plan, const void *from, int64_t count, void **fresh)
{
    const size_t size = enuf_cuda_number(plan);
    const enum cudaMemcpyKind kind =
        enuf_cuda_on_host(plan) ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
    ENUF_TRY(enuf_cuda_allocate(plan, fresh, count, size, "weights"));
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(*fresh, from, (size_t)count * size, kind, enuf_cuda_of(plan)->stream),
        "copying weights");
    return enuf_cuda_on_host(plan) ? enuf_cuda_wait(plan) : ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_keep_weights(enuf_nufft *plan, const void *from, int64_t count,
                                        void **numbers)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    const int of_points = numbers == &plan->point_weights.numbers;
    void *fresh = NULL, *room = NULL;
    enuf_status status = enuf_cuda_check_memory(plan, from, "weights");
    if (status == ENUF_SUCCESS && count > 0) status = copy_weights(plan, from, count, &fresh);
    if (status == ENUF_SUCCESS && count > 0 && of_points && !enuf_cuda_on_host(plan))
        status = enuf_cuda_allocate(plan, &room, point_bytes(plan) * plan->options.batch, 1,
                                    "weighted strengths");
    if (status != ENUF_SUCCESS) {
        enuf_cuda_release(plan, &fresh);
        return status;
    }
    enuf_cuda_release(plan, numbers);
    *numbers = fresh;
    if (!of_points) return ENUF_SUCCESS;
    enuf_cuda_release(plan, &cuda->weighted);
    cuda->weighted = room;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_make_terms(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_release(plan, &cuda->weighted);
    return enuf_cuda_allocate(plan, &cuda->weighted, point_bytes(plan) * plan->options.batch, 1,
                              "terms of the points");
}

/* ---- Spreading ---- */

/* The cells of spreading: numbers, or integers. */
static void *grid_of(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    return plan->options.deterministic ? (void *)cuda->fixed : cuda->grid;
}

/* The points of a slice. */
static enuf_status spread_slice(enuf_nufft *plan, const void *strengths)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t batch = plan->options.batch, bytes = enuf_cuda_grid_bytes(plan) / batch;
    enuf_spread_job job = {.strengths = strengths,
                           .target = enuf_target_whole(plan, cuda->row, cuda->plane),
                           .cells = grid_of(plan)};
    if (!plan->options.deterministic)
        return enuf_cuda_level_spread(plan, &job, plan->options.batch);
    for (int64_t b = 0; b < batch; b++) {
        ENUF_TRY(enuf_cuda_level_spread_fixed(plan, &job));
        job.strengths = (const char *)job.strengths + point_bytes(plan);
        job.cells = (char *)job.cells + bytes;
    }
    return ENUF_SUCCESS;
}

static enuf_status spread_batches(enuf_nufft *plan, const void *strengths)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t slices = enuf_cuda_slices(plan);
    plan->grid_filled = 0; /* until all is spread */
    cuda->host_grid_lent = 0;
    if (enuf_cuda_level_multiplies(plan))
        return enuf_cuda_matrix_spread(plan, strengths, grid_of(plan));
    ENUF_TRY(enuf_cuda_clear_grid(plan, grid_of(plan)));
    for (int64_t k = 0; k < slices; k++) {
        ENUF_TRY(enuf_cuda_slice_load(plan, k));
        ENUF_TRY(spread_slice(plan, strengths));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_spread(enuf_nufft *plan, const void *strengths)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (plan->n_points > 0) ENUF_TRY(enuf_cuda_check_memory(plan, strengths, "strengths"));
    const int weigh = plan->point_weights.numbers != NULL;
    if (!enuf_cuda_on_host(plan)) {
        if (weigh) {
            ENUF_TRY(enuf_cuda_weigh_points(plan, 1, strengths, cuda->weighted, NULL));
            strengths = cuda->weighted;
        }
        /* without integers the transform, if any, detects values that are not finite */
        if (plan->options.deterministic || plan->n_modes == 0)
            ENUF_TRY(enuf_cuda_look_at_strengths(plan, strengths));
        return spread_batches(plan, strengths);
    }
    ENUF_TRY(enuf_cuda_copy_in(plan, cuda->copied_points, strengths,
                               point_bytes(plan) * plan->options.batch));
    if (weigh)
        ENUF_TRY(enuf_cuda_weigh_points(plan, 1, cuda->copied_points, cuda->copied_points, NULL));
    ENUF_TRY(enuf_cuda_look_at_strengths(plan, cuda->copied_points));
    ENUF_TRY(enuf_cuda_record_report(plan, NULL));
    ENUF_TRY(spread_batches(plan, cuda->copied_points));
    return enuf_cuda_wait(plan);
}

/* Host memory: a copy of the grid, which the transform takes back. */
static enuf_status lend_grid(enuf_nufft *plan, const void *cells)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (cuda->host_grid_lent) return ENUF_SUCCESS;
    int64_t bytes = enuf_cuda_grid_bytes(plan);
    if (!cuda->host_grid) {
        ENUF_TRY(enuf_cuda_check_limit(plan, (double)bytes, "the fine grid's copy"));
        ENUF_TRY(enuf_allocate(&cuda->host_grid, bytes, 1, "the fine grid's copy"));
    }
    ENUF_TRY(enuf_cuda_copy_out(plan, cuda->host_grid, cells, bytes));
    ENUF_TRY(enuf_cuda_wait(plan));
    cuda->host_grid_lent = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_grid(enuf_nufft *plan, void **cells, int64_t *count,
                                enuf_cell_type *type)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    void *here = grid_of(plan);
    if (enuf_cuda_on_host(plan)) ENUF_TRY(lend_grid(plan, here));
    *cells = enuf_cuda_on_host(plan) ? cuda->host_grid : here;
    *count = cuda->batch_cells * plan->options.batch;
    *type = plan->options.deterministic             ? ENUF_CELL_INT64
            : plan->options.precision == ENUF_FLOAT ? ENUF_CELL_FLOAT
                                                    : ENUF_CELL_DOUBLE;
    return ENUF_SUCCESS;
}

/* ---- Transforms and the modes ---- */

/* The spread grid as numbers, ready for its transform. */
static enuf_status take_grid(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (cuda->host_grid_lent)
        ENUF_TRY(
            enuf_cuda_copy_in(plan, grid_of(plan), cuda->host_grid, enuf_cuda_grid_bytes(plan)));
    cuda->host_grid_lent = 0;
    return plan->options.deterministic ? enuf_cuda_from_fixed(plan) : ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_forward_fft(enuf_nufft *plan)
{
    ENUF_TRY(take_grid(plan));
    ENUF_TRY(enuf_cuda_transform(plan, 0));
    return enuf_cuda_on_host(plan) ? enuf_cuda_wait(plan) : ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_backward_fft(enuf_nufft *plan)
{
    ENUF_TRY(enuf_cuda_transform(plan, 1));
    return enuf_cuda_on_host(plan) ? enuf_cuda_wait(plan) : ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_deconvolve(enuf_nufft *plan, void *modes)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    ENUF_TRY(enuf_cuda_check_memory(plan, modes, "modes"));
    if (!enuf_cuda_on_host(plan)) return enuf_cuda_deconvolve(plan, modes);
    ENUF_TRY(enuf_cuda_deconvolve(plan, modes ? cuda->copied_modes : NULL));
    if (modes)
        ENUF_TRY(enuf_cuda_copy_out(plan, modes, cuda->copied_modes,
                                    mode_bytes(plan) * plan->options.batch));
    return enuf_cuda_record_report(plan, NULL);
}

enuf_status enuf_cuda_step_amplify(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                                   const void *multiplier)
{
    char *copied = enuf_cuda_of(plan)->copied_modes;
    int64_t bytes = mode_bytes(plan), all = bytes * plan->options.batch;
    enuf_cuda_of(plan)->host_grid_lent = 0;
    ENUF_TRY(enuf_cuda_check_memory(plan, modes, "modes"));
    ENUF_TRY(enuf_cuda_check_memory(plan, multiplier, "multiplier"));
    if (!enuf_cuda_on_host(plan)) return enuf_cuda_amplify(plan, modes, kind, multiplier);
    if (modes) ENUF_TRY(enuf_cuda_copy_in(plan, copied, modes, all));
    if (multiplier)
        ENUF_TRY(enuf_cuda_copy_in(plan, copied + all, multiplier,
                                   kind == ENUF_REAL ? bytes / 2 : bytes));
    ENUF_TRY(
        enuf_cuda_amplify(plan, modes ? copied : NULL, kind, multiplier ? copied + all : NULL));
    return enuf_cuda_wait(plan);
}

enuf_status enuf_cuda_step_filter(enuf_nufft *plan, const void *multiplier)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int host = enuf_cuda_on_host(plan);
    ENUF_TRY(enuf_cuda_check_memory(plan, multiplier, "multiplier"));
    ENUF_TRY(take_grid(plan));
    if (host) {
        ENUF_TRY(enuf_cuda_copy_in(plan, cuda->copied_modes, multiplier, mode_bytes(plan) / 2));
        multiplier = cuda->copied_modes;
    }
    if (cuda->small.columns) {
        ENUF_TRY(enuf_cuda_small_filter(plan, multiplier));
    } else {
        ENUF_TRY(enuf_cuda_transform(plan, 0));
        ENUF_TRY(enuf_cuda_filter(plan, multiplier));
        ENUF_TRY(enuf_cuda_transform(plan, 1));
    }
    return host ? enuf_cuda_record_report(plan, NULL) : ENUF_SUCCESS;
}

/* Host memory: all modes, or index and packed numbers side by side in copied_cells. */
static enuf_status copy_index(enuf_nufft *plan, int64_t n, const int64_t *index, int64_t **copied,
                              char **packed)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    *copied = NULL;
    *packed = cuda->copied_modes;
    if (!index) return ENUF_SUCCESS;
    int64_t behind = enuf_cuda_behind(n * 8);
    int64_t numbers = 2 * n * plan->options.batch;
    ENUF_TRY(enuf_cuda_copied_cells(plan, behind + numbers * (int64_t)enuf_cuda_number(plan)));
    *copied = cuda->copied_cells;
    *packed = (char *)cuda->copied_cells + behind;
    return enuf_cuda_copy_in(plan, *copied, index, n * 8);
}

enuf_status enuf_cuda_step_get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                        void *packed)
{
    int64_t *copied_index;
    char *copied;
    if (!index) n = plan->n_modes;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_memory(plan, index, "mode_index"));
    ENUF_TRY(enuf_cuda_check_memory(plan, packed, "packed"));
    if (!enuf_cuda_on_host(plan)) return enuf_cuda_get_spectrum(plan, n, index, packed);
    ENUF_TRY(copy_index(plan, n, index, &copied_index, &copied));
    ENUF_TRY(enuf_cuda_get_spectrum(plan, n, copied_index, copied));
    ENUF_TRY(enuf_cuda_copy_out(plan, packed, copied,
                                2 * n * plan->options.batch * (int64_t)enuf_cuda_number(plan)));
    return enuf_cuda_wait(plan);
}

enuf_status enuf_cuda_step_put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                        const void *packed)
{
    int64_t *copied_index;
    char *copied;
    if (!index) n = plan->n_modes;
    if (n > 0) ENUF_TRY(enuf_cuda_check_memory(plan, index, "mode_index"));
    if (n > 0) ENUF_TRY(enuf_cuda_check_memory(plan, packed, "packed"));
    if (enuf_cuda_on_host(plan)) ENUF_TRY(copy_index(plan, n, index, &copied_index, &copied));
    plan->spectrum_filled = 0; /* until all is in */
    if (!enuf_cuda_on_host(plan)) return enuf_cuda_put_spectrum(plan, n, index, packed);
    ENUF_TRY(enuf_cuda_copy_in(plan, copied, packed,
                               2 * n * plan->options.batch * (int64_t)enuf_cuda_number(plan)));
    ENUF_TRY(enuf_cuda_put_spectrum(plan, n, copied_index, copied));
    return enuf_cuda_wait(plan);
}

enuf_status enuf_cuda_step_reduce(enuf_nufft *plan, int n, const void *weights, int moments,
                                  double *sums)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t bytes = mode_bytes(plan) / 2;
    int per = moments ? ENUF_REDUCE_MOMENTS : 1, host = enuf_cuda_on_host(plan);
    if (n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_memory(plan, weights, "weights"));
    ENUF_TRY(enuf_cuda_check_memory(plan, sums, "sums"));
    for (int w = 0; w < n; w++) {
        const void *weight = (const char *)weights + w * bytes;
        if (host) ENUF_TRY(enuf_cuda_copy_in(plan, cuda->copied_modes, weight, bytes));
        for (int b = 0; b < plan->options.batch; b++) {
            double *to = sums + ((int64_t)b * n + w) * per;
            ENUF_TRY(enuf_cuda_reduce(plan, b, host ? cuda->copied_modes : weight, moments,
                                      host ? cuda->copied_sums : to));
            if (host) ENUF_TRY(enuf_cuda_copy_out(plan, to, cuda->copied_sums, per * 8));
        }
    }
    return host ? enuf_cuda_wait(plan) : ENUF_SUCCESS;
}

/* ---- Interpolation ---- */

/* The points of a slice. */
static enuf_status interpolate_slice(enuf_nufft *plan, void *values, void *gradients)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_interpolate_job job = {.target = enuf_target_whole(plan, cuda->row, cuda->plane),
                                .cells = cuda->grid,
                                .values = values,
                                .gradients = gradients};
    if (enuf_cuda_level_multiplies(plan)) {
        if (values) ENUF_TRY(enuf_cuda_matrix_interpolate(plan, values));
        job.values = NULL;
    }
    return enuf_cuda_level_interpolate(plan, &job, plan->options.batch);
}

static enuf_status interpolate_batches(enuf_nufft *plan, void *values, void *gradients)
{
    const int64_t slices = enuf_cuda_slices(plan);
    void *to = plan->terms ? enuf_cuda_of(plan)->weighted : values;
    for (int64_t k = 0; k < slices; k++) {
        ENUF_TRY(enuf_cuda_slice_load(plan, k));
        ENUF_TRY(interpolate_slice(plan, to, gradients));
    }
    if (plan->terms) return enuf_cuda_add_terms(plan, to, values);
    if (!plan->point_weights.numbers) return ENUF_SUCCESS;
    int *bad = &enuf_cuda_of(plan)->record->bad_value;
    if (values) ENUF_TRY(enuf_cuda_weigh_points(plan, 1, values, values, bad));
    if (gradients)
        ENUF_TRY(enuf_cuda_weigh_points(plan, plan->options.dim, gradients, gradients, bad));
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_step_interpolate(enuf_nufft *plan, void *values, void *gradients)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t bytes = point_bytes(plan) * plan->options.batch;
    if (plan->n_points == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_memory(plan, values, "values"));
    ENUF_TRY(enuf_cuda_check_memory(plan, gradients, "gradients"));
    if (!enuf_cuda_on_host(plan)) return interpolate_batches(plan, values, gradients);
    char *copied = cuda->copied_points, *behind = copied + enuf_cuda_behind(bytes);
    ENUF_TRY(interpolate_batches(plan, values ? copied : NULL, gradients ? behind : NULL));
    if (values) ENUF_TRY(enuf_cuda_copy_out(plan, values, copied, bytes));
    if (gradients) ENUF_TRY(enuf_cuda_copy_out(plan, gradients, behind, bytes * plan->options.dim));
    return enuf_cuda_record_report(plan, NULL);
}
