/* workspace.c - see workspace.h. SPDX-License-Identifier: BSD-3-Clause */
#include "workspace.h"
#include "record.h"
#include "cuda/device_memory.h"
#include "cuda/levels/level.h"
#include "device_array.h"
#include "fp64_rate.h"
#include "windows/window_table.h"

#include <string.h>

/* Copies a table of the host's to new device memory. */
static enuf_status upload(enuf_nufft *plan, void *pointer, const void *from, int64_t count,
                          size_t size, const char *what)
{
    void *to;
    ENUF_TRY(enuf_cuda_allocate(plan, &to, count, size, what));
    memcpy(pointer, &to, sizeof to);
    if (count > 0)
        ENUF_CUDA_TRY(cudaMemcpyAsync(to, from, (size_t)count * size, cudaMemcpyHostToDevice,
                                      enuf_cuda_of(plan)->stream),
                      what);
    return ENUF_SUCCESS;
}

/* The same of numbers of the plan's precision; the host's table may go afterwards. */
static enuf_status upload_now(enuf_nufft *plan, void *pointer, const void *from, int64_t count,
                              const char *what)
{
    ENUF_TRY(upload(plan, pointer, from, count, enuf_cuda_number(plan), what));
    ENUF_CUDA_TRY(cudaStreamSynchronize(enuf_cuda_of(plan)->stream), what);
    return ENUF_SUCCESS;
}

/* ---- The parts ---- */

static void put(const enuf_nufft *plan, void *array, int64_t at, double value)
{
    if (plan->options.precision == ENUF_FLOAT)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static enuf_status make_window_table(enuf_nufft *plan)
{
    const enuf_window_fit *fit = &plan->method.fit;
    const int pieces = plan->method.table_pieces, step = (fit->width + 3) / 4 * 4;
    enuf_cuda_window *w = &enuf_cuda_of(plan)->window;
    void *table;
    if (pieces == 0) return ENUF_SUCCESS;
    while (1 << w->piece_bits < pieces) w->piece_bits++;
    const int64_t numbers = 2 * (int64_t)pieces * step;
    ENUF_TRY(enuf_allocate(&table, numbers, enuf_cuda_number(plan), "the window's table"));
    for (int k = 0; k < pieces; k++)
        for (int cell = 0; cell < step; cell++) {
            const int inside = cell < fit->width;
            const double here = inside ? enuf_window_table_value(fit, pieces, k, cell) : 0;
            const double next = inside ? enuf_window_table_value(fit, pieces, k + 1, cell) : 0;
            put(plan, table, 2 * (int64_t)k * step + cell, here);
            put(plan, table, (2 * (int64_t)k + 1) * step + cell, next - here);
        }
    const enuf_status status = upload_now(plan, &w->table, table, numbers, "the window's table");
    enuf_release(&table);
    return status;
}

static enuf_status make_window(enuf_nufft *plan)
{
    const enuf_window_fit *fit = &plan->method.fit;
    enuf_cuda_window *w = &enuf_cuda_of(plan)->window;
    union {
        double f64[ENUF_MAX_COEFFICIENTS * ENUF_MAX_WIDTH];
        float f32[ENUF_MAX_COEFFICIENTS * ENUF_MAX_WIDTH];
    } table;
    w->width = fit->width;
    w->n_coefficients = fit->n_coefficients;
    int count = fit->width * fit->n_coefficients;
    for (int i = 0; i < count; i++)
        put(plan, &table, i, fit->coefficients[i / fit->width][i % fit->width]);
    return upload_now(plan, &w->coefficients, &table, count, "the window's polynomials");
}

static enuf_status make_grid(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t *grid = plan->method.grid;
    size_t number = enuf_cuda_number(plan);
    cuda->row = plan->real ? 2 * (grid[0] / 2 + 1) : 2 * grid[0];
    cuda->plane = cuda->row * grid[1];
    cuda->batch_cells = cuda->plane * grid[2];
    if (plan->options.no_grid) return ENUF_SUCCESS;
    int64_t count = cuda->batch_cells * plan->options.batch;
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->grid, count, number, "the fine grid"));
    if (plan->options.deterministic && plan->options.precision == ENUF_FLOAT)
        ENUF_TRY(enuf_cuda_allocate(plan, &cuda->fixed, count, sizeof(int64_t),
                                    "the integer fine grid"));
    else if (plan->options.deterministic)
        cuda->fixed = cuda->grid;
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->spectrum, 2 * plan->n_modes * plan->options.batch,
                                number, "the spectrum"));
    return enuf_cuda_fft_create(plan);
}

/* Host memory: device copies of modes, multipliers, weights and sums. */
static enuf_status make_copies(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    cuda->reported_point = -1;
    if (!enuf_cuda_on_host(plan)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->copied_sums, ENUF_REDUCE_MOMENTS, 8, "sums"));
    if (plan->options.no_grid) return ENUF_SUCCESS;
    int64_t numbers = 2 * plan->n_modes * (plan->options.batch + 1); /* modes and a multiplier */
    return enuf_cuda_allocate(plan, &cuda->copied_modes, numbers, enuf_cuda_number(plan),
                              "modes on their way");
}

static enuf_status make_axes(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    for (int d = 0; d < 3; d++) {
        const enuf_mode_axis *from = &plan->axis[d];
        enuf_cuda_axis *to = &cuda->axis[d];
        int64_t n = from->n, ni = from->n_inverse;
        to->n = n;
        to->n_frequency = from->n_frequency;
        to->n_inverse = ni;
        to->places = from->places;
        ENUF_TRY(enuf_cuda_allocate(plan, &to->number, n, 8, "mode numbers"));
        ENUF_TRY(enuf_cuda_allocate(plan, &to->inverse, n, 8, "deconvolution factors"));
        ENUF_TRY(enuf_cuda_allocate(plan, &to->inverse_of, ni, 8, "deconvolution factors"));
        if (!cuda->avoids_fp64) continue;
        ENUF_TRY(enuf_cuda_allocate(plan, &to->number_float, n, 4, "mode numbers"));
        ENUF_TRY(enuf_cuda_allocate(plan, &to->inverse_float, n, 4, "deconvolution factors"));
    }
    return ENUF_SUCCESS;
}

static enuf_status copy_axis(const enuf_nufft *plan, const void *to, const void *from, int64_t n)
{
    if (n > 0)
        ENUF_CUDA_TRY(cudaMemcpyAsync((void *)(uintptr_t)to, from, (size_t)n * 8,
                                      cudaMemcpyHostToDevice, enuf_cuda_of(plan)->stream),
                      "copying the plan's axes");
    return ENUF_SUCCESS;
}

/* Rounded on the host, so that no kernel converts them. */
static enuf_status copy_rounded(const enuf_nufft *plan, const float *to, const double *from,
                                int64_t n)
{
    float *rounded;
    if (n == 0 || !to) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&rounded, n, sizeof *rounded, "the plan's axes"));
    for (int64_t k = 0; k < n; k++) rounded[k] = (float)from[k];
    cudaError_t error = cudaMemcpyAsync((void *)(uintptr_t)to, rounded, (size_t)n * 4,
                                        cudaMemcpyHostToDevice, enuf_cuda_of(plan)->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(enuf_cuda_of(plan)->stream);
    enuf_release(&rounded);
    ENUF_CUDA_TRY(error, "copying the plan's axes");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_workspace_axes(enuf_nufft *plan)
{
    for (int d = 0; d < 3; d++) {
        const enuf_mode_axis *from = &plan->axis[d];
        const enuf_cuda_axis *to = &enuf_cuda_of(plan)->axis[d];
        ENUF_TRY(copy_axis(plan, to->number, from->number, from->n));
        ENUF_TRY(copy_axis(plan, to->inverse, from->inverse, from->n));
        ENUF_TRY(copy_axis(plan, to->inverse_of, from->inverse_of, from->n_inverse));
        ENUF_TRY(copy_rounded(plan, to->number_float, from->number, from->n));
        ENUF_TRY(copy_rounded(plan, to->inverse_float, from->inverse, from->n));
    }
    ENUF_TRY(enuf_cuda_small_fill(plan));
    ENUF_CUDA_TRY(cudaStreamSynchronize(enuf_cuda_of(plan)->stream), "making a plan");
    return ENUF_SUCCESS;
}

static enuf_status look_at_device(const enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    ENUF_TRY(enuf_cuda_fp64_slow(cuda->device, &cuda->fp64_slow, NULL));
    cuda->avoids_fp64 = cuda->fp64_slow && plan->options.precision == ENUF_FLOAT;
    ENUF_CUDA_TRY(cudaDeviceGetAttribute(&cuda->multiprocessors, cudaDevAttrMultiProcessorCount,
                                         cuda->device),
                  "asking the GPU");
    ENUF_CUDA_TRY(cudaDeviceGetAttribute(&cuda->shared_bytes_per_block,
                                         cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda->device),
                  "asking the GPU");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_workspace_make(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    ENUF_TRY(look_at_device(plan));
    ENUF_TRY(make_grid(plan));
    ENUF_TRY(enuf_cuda_level_create(plan));
    ENUF_TRY(make_copies(plan));
    cuda->n_partial = enuf_cuda_reduce_partial(plan);
    if (enuf_cuda_strengths_partial(plan) > cuda->n_partial)
        cuda->n_partial = enuf_cuda_strengths_partial(plan);
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->partial, cuda->n_partial, 8, "partial sums"));
    const int64_t counters = 1 + ENUF_CUDA_TICKETS + 1;
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->arrived, counters, sizeof *cuda->arrived, "counters"));
    cuda->shares_taken = cuda->arrived + 1;
    ENUF_CUDA_TRY(
        cudaMemsetAsync(cuda->arrived, 0, (size_t)counters * sizeof *cuda->arrived, cuda->stream),
        "counters");
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->fixed_scale, 2, 8, "a scale"));
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->fixed_scale, 0, 16, cuda->stream), "a scale");
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->record, 1, sizeof *cuda->record, "errors' record"));
    if (enuf_allocation_fails())
        return enuf_cuda_no_memory(sizeof *cuda->host_copy, "errors' record");
    ENUF_CUDA_TRY(cudaMallocHost((void **)&cuda->host_copy, sizeof *cuda->host_copy),
                  "errors' record");
    ENUF_TRY(enuf_cuda_record_clear(plan));
    ENUF_TRY(make_axes(plan));
    ENUF_TRY(enuf_cuda_small_make(plan));
    ENUF_TRY(make_window(plan));
    ENUF_TRY(make_window_table(plan));
    return enuf_cuda_sort_create(plan);
}

void enuf_cuda_workspace_free(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_cuda_fft_destroy(plan);
    /* cudaFree(NULL) would make a context on the current GPU */
    for (int slot = 0; slot < ENUF_CUDA_ALLOCATIONS; slot++)
        if (cuda->allocation[slot].at) cudaFree(cuda->allocation[slot].at);
    enuf_staging_free(&cuda->staging);
    if (cuda->host_copy) cudaFreeHost(cuda->host_copy);
    cudaGetLastError(); /* after a sticky error all of these fail, and there is nothing to free */
    enuf_release(&cuda->host_grid);
    enuf_release(&cuda->packed);
    enuf_release(&plan->workspace);
}

int64_t enuf_cuda_workspace_bytes(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t host_grid = cuda->host_grid ? enuf_cuda_grid_bytes(plan) : 0;
    return cuda->bytes + host_grid + cuda->packed_room * (int64_t)sizeof *cuda->packed;
}

/* Bytes of the arrays that a larger reserve replaces, and then releases. Old and new arrays exist
 * together during the reserve, but memory_limit counts only the new ones. */
static int64_t bytes_to_release(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    return enuf_cuda_allocated(cuda, p->records) + enuf_cuda_allocated(cuda, p->rank) +
           enuf_cuda_allocated(cuda, p->list) + enuf_cuda_allocated(cuda, p->tile_at) +
           enuf_cuda_allocated(cuda, p->taken) + enuf_cuda_allocated(cuda, p->taken_bin) +
           enuf_cuda_allocated(cuda, p->bucket) + enuf_cuda_allocated(cuda, p->bucket_place) +
           enuf_cuda_allocated(cuda, p->order) + enuf_cuda_allocated(cuda, p->slice_list) +
           enuf_cuda_allocated(cuda, cuda->copied_points) +
           enuf_cuda_allocated(cuda, cuda->copied_coordinates) + enuf_cuda_level_bytes(plan);
}

/* Bytes of a point in copied_points. It holds either coordinates, or strengths and factors, or
 * values, gradients and factors. */
static int64_t copied_bytes_per_point(const enuf_nufft *plan)
{
    int64_t numbers = (plan->real ? 1 : 2) * (int64_t)plan->options.batch;
    numbers *= 1 + plan->options.dim;
    numbers += 1; /* factors */
    int64_t bytes = numbers * (int64_t)enuf_cuda_number(plan);
    int64_t coordinates = ENUF_CUDA_COPIED_STRIDE * 8;
    return bytes > coordinates ? bytes : coordinates;
}

/* Bytes of a point's coordinates that stay on the device, for indexed points on the host. A stride
 * wider than [n][3] takes more: room_to_keep() makes room when the points are set. */
static int64_t kept_bytes_per_point(const enuf_nufft *plan)
{
    const int kept = enuf_cuda_on_host(plan) && plan->options.point_storage == ENUF_POINTS_INDEXED;
    return kept ? 3 * (int64_t)sizeof(double) : 0;
}

/* New arrays for max_points. */
static enuf_status make_room(enuf_nufft *plan, int64_t max_points, enuf_cuda_room *room)
{
    int64_t bytes = max_points * copied_bytes_per_point(plan) + 1024; /* parts begin aligned */
    int64_t kept = max_points * kept_bytes_per_point(plan);
    if (enuf_cuda_on_host(plan))
        ENUF_TRY(enuf_cuda_allocate(plan, &room->copied_points, bytes, 1, "points on their way"));
    if (kept > 0)
        ENUF_TRY(enuf_cuda_allocate(plan, &room->copied_coordinates, kept, 1, "coordinates"));
    room->copied_coordinates_bytes = kept;
    ENUF_TRY(enuf_cuda_sort_allocate(plan, max_points, &room->points));
    return enuf_cuda_level_room(plan, max_points, &room->points.kept);
}

/* Exchanges the plan's arrays with the arrays in *room. */
static void exchange(enuf_nufft *plan, enuf_cuda_room *room)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_room given = *room;
    *room = (enuf_cuda_room){cuda->points, cuda->copied_points, cuda->copied_coordinates,
                             cuda->copied_coordinates_bytes};
    cuda->points = given.points;
    cuda->copied_points = given.copied_points;
    cuda->copied_coordinates = given.copied_coordinates;
    cuda->copied_coordinates_bytes = given.copied_coordinates_bytes;
    plan->point_storage = cuda->points.capacity == 0 ? plan->options.point_storage
                          : cuda->points.indexed     ? ENUF_POINTS_INDEXED
                                                     : ENUF_POINTS_PACKED;
}

void enuf_cuda_workspace_free_room(enuf_nufft *plan, enuf_cuda_room *room)
{
    enuf_cuda_sort_release(plan, &room->points);
    enuf_cuda_level_free(plan, &room->points.kept);
    enuf_cuda_release(plan, &room->copied_points);
    enuf_cuda_release(plan, &room->copied_coordinates);
}

void enuf_cuda_workspace_put_back(enuf_nufft *plan, enuf_cuda_room *former)
{
    exchange(plan, former);
    enuf_cuda_workspace_free_room(plan, former);
}

enuf_status enuf_cuda_workspace_grow(enuf_nufft *plan, int64_t max_points, enuf_cuda_room *former,
                                     int *grown)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    *grown = max_points > cuda->points.capacity;
    if (!*grown) return ENUF_SUCCESS;
    if (max_points > (int64_t)1e12) /* from here on no count overflows */
        return enuf_fail(ENUF_OUT_OF_MEMORY, "%lld points: no GPU holds them",
                         (long long)max_points);
    *former = (enuf_cuda_room){0};
    cuda->to_release = bytes_to_release(plan);
    enuf_status status = make_room(plan, max_points, former);
    cuda->to_release = 0;
    if (status == ENUF_SUCCESS)
        exchange(plan, former);
    else
        enuf_cuda_workspace_free_room(plan, former);
    return status;
}

enuf_status enuf_cuda_workspace_reserve(enuf_nufft *plan, int64_t max_points)
{
    enuf_cuda_room former;
    int grown;
    ENUF_TRY(enuf_cuda_workspace_grow(plan, max_points, &former, &grown));
    if (!grown) return ENUF_SUCCESS;
    enuf_cuda_workspace_free_room(plan, &former);
    enuf_nufft_void_points(plan);
    return enuf_cuda_sort_forget(plan);
}
