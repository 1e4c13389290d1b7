/* type3_cuda.c - passes of type 3: memory, and copies of the caller's arrays.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "type3_cuda.h"
#include "cuda/device_memory.h"
#include "cuda/sort/slice.h"
#include "cuda/type3/type3.h"
#include "device_copies.h"
#include "memory.h"
#include "on_device.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* ---- Memory ---- */

static enuf_status allocate(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                            const char *what)
{
    ON_DEVICE(plan, enuf_cuda_allocate(plan, pointer, count, size, what));
}

static void release(enuf_nufft *plan, void *pointer)
{
    int callers;
    void *array;
    memcpy(&array, pointer, sizeof array);
    if (!array || enuf_cuda_enter(enuf_cuda_of(plan)->device, &callers) != ENUF_SUCCESS) return;
    enuf_cuda_release(plan, pointer);
    enuf_cuda_leave(enuf_cuda_of(plan)->device, callers);
}

/* ---- Coordinates ---- */

typedef struct gather_loop {
    const enuf_coordinates *from;
    int dim;
    double *packed;
} gather_loop;

static void gather(void *context, int64_t j, int64_t end, int thread)
{
    const gather_loop *loop = context;
    const enuf_coordinates *c = loop->from;
    (void)thread;
    for (; j < end; j++)
        for (int d = 0; d < loop->dim; d++) {
            const int64_t at = j * c->stride;
            loop->packed[d * c->n + j] = c->precision == ENUF_FLOAT
                                             ? (double)((const float *)c->axis[d])[at]
                                             : ((const double *)c->axis[d])[at];
        }
}

/* Coordinates on the host, packed there, to the device; *copied describes them. */
static enuf_status copy_packed(enuf_nufft *plan, const enuf_coordinates *host, double *packed,
                               enuf_coordinates *copied)
{
    const int dim = plan->options.dim;
    gather_loop loop = {host, dim, NULL};
    ENUF_TRY(enuf_allocate(&loop.packed, host->n * dim, sizeof(double), "packed coordinates"));
    enuf_parallel_for(plan->threads, host->n, 0, gather, &loop);
    enuf_status status =
        enuf_cuda_copy_in(plan, packed, loop.packed, host->n * dim * (int64_t)sizeof(double));
    if (status == ENUF_SUCCESS) status = enuf_cuda_wait(plan);
    enuf_release(&loop.packed);
    *copied = (enuf_coordinates){.n = host->n, .stride = 1, .precision = ENUF_DOUBLE};
    for (int d = 0; d < dim; d++) copied->axis[d] = packed + d * host->n;
    return status;
}

/* What the blocks have seen, put together. */
static void join(const enuf_cuda_extent *extent, int dim, double low[3], double high[3])
{
    for (int d = 0; d < dim; d++) {
        double most = -INFINITY, minus_least = -INFINITY;
        for (int k = 0; k < ENUF_CUDA_EXTENT_BLOCKS; k++) {
            most = fmax(most, extent->high[d][k]);
            minus_least = fmax(minus_least, extent->minus_low[d][k]);
        }
        high[d] = most;
        low[d] = -minus_least;
    }
}

static enuf_status measure(enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                           enuf_cuda_extent *there, enuf_cuda_extent *here)
{
    memset(here, 0, sizeof *here); /* of axes past dim too, which are copied back */
    here->bad = ENUF_CUDA_NONE;
    ENUF_TRY(enuf_cuda_copy_in(plan, there, here, sizeof *here));
    ENUF_TRY(enuf_cuda_type3_pack(plan, from, packed, there));
    ENUF_TRY(enuf_cuda_copy_out(plan, here, there, sizeof *here));
    return enuf_cuda_wait(plan);
}

static enuf_status pack_here(enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                             double low[3], double high[3], int64_t *bad)
{
    static const char *const names[3] = {"coordinate x", "coordinate y", "coordinate z"};
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_coordinates copied = *from;
    enuf_cuda_extent here;
    for (int d = 0; d < plan->options.dim; d++)
        ENUF_TRY(enuf_cuda_check_memory(plan, from->axis[d], names[d]));
    if (enuf_cuda_on_host(plan)) ENUF_TRY(copy_packed(plan, from, packed, &copied));
    if (!cuda->extent) ENUF_TRY(enuf_cuda_allocate(plan, &cuda->extent, 1, sizeof here, "extents"));
    ENUF_TRY(measure(plan, &copied, packed, cuda->extent, &here));
    join(&here, plan->options.dim, low, high);
    *bad = here.bad == ENUF_CUDA_NONE ? -1 : (int64_t)here.bad;
    return ENUF_SUCCESS;
}

static enuf_status pack(enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                        double low[3], double high[3], int64_t *bad)
{
    ON_DEVICE(plan, pack_here(plan, from, packed, low, high, bad));
}

/* ---- Passes ---- */

static enuf_status make_factors(enuf_nufft *plan, int64_t n, const double *packed,
                                const enuf_type3_factors *spec, void *factors)
{
    ON_DEVICE(plan, enuf_cuda_type3_factors(plan, n, packed, spec, factors));
}

static enuf_status multiply(enuf_nufft *plan, const enuf_type3_product *product)
{
    ON_DEVICE(plan, enuf_cuda_type3_multiply(plan, product));
}

/* All vectors; their cells follow each other, as those of the plan's own grid would. */
static enuf_status spread_here(enuf_nufft *spreading, const void *strengths, void *cells)
{
    const enuf_cuda *cuda = enuf_cuda_of(spreading);
    const enuf_spread_job job = {.strengths = strengths,
                                 .target = enuf_target_whole(spreading, cuda->row, cuda->plane),
                                 .cells = cells};
    const int64_t slices = enuf_cuda_slices(spreading);
    ENUF_CUDA_TRY(cudaMemsetAsync(cells, 0, (size_t)enuf_cuda_grid_bytes(spreading), cuda->stream),
                  "clearing the cells");
    for (int64_t k = 0; k < slices; k++) {
        ENUF_TRY(enuf_cuda_slice_load(spreading, k));
        ENUF_TRY(enuf_cuda_spread(spreading, &job, spreading->options.batch));
    }
    return ENUF_SUCCESS;
}

static enuf_status spread(enuf_nufft *spreading, const void *strengths, void *cells)
{
    ON_DEVICE(spreading, spread_here(spreading, strengths, cells));
}

static enuf_status interpolate_here(enuf_nufft *spreading, const void *cells, void *values)
{
    const enuf_cuda *cuda = enuf_cuda_of(spreading);
    const enuf_interpolate_job job = {.target =
                                          enuf_target_whole(spreading, cuda->row, cuda->plane),
                                      .cells = cells,
                                      .values = values};
    const int64_t slices = enuf_cuda_slices(spreading);
    for (int64_t k = 0; k < slices; k++) {
        ENUF_TRY(enuf_cuda_slice_load(spreading, k));
        ENUF_TRY(enuf_cuda_interpolate(spreading, &job, spreading->options.batch));
    }
    return ENUF_SUCCESS;
}

static enuf_status interpolate(enuf_nufft *spreading, const void *cells, void *values)
{
    ON_DEVICE(spreading, interpolate_here(spreading, cells, values));
}

/* ---- Arrays of the caller's ---- */

static enuf_status take_here(enuf_nufft *plan, const char *name, const void *array, int64_t bytes,
                             void *room, const void **taken)
{
    ENUF_TRY(enuf_cuda_check_memory(plan, array, name));
    *taken = enuf_cuda_on_host(plan) ? room : array;
    return enuf_cuda_on_host(plan) ? enuf_cuda_copy_in(plan, room, array, bytes) : ENUF_SUCCESS;
}

static enuf_status take(enuf_nufft *plan, const char *name, const void *array, int64_t bytes,
                        void *room, const void **taken)
{
    ON_DEVICE(plan, take_here(plan, name, array, bytes, room, taken));
}

static enuf_status place(enuf_nufft *plan, const char *name, void *array, void *room, void **placed)
{
    *placed = enuf_cuda_on_host(plan) ? room : array;
    ON_DEVICE(plan, enuf_cuda_check_memory(plan, array, name));
}

static enuf_status give_here(enuf_nufft *plan, void *array, int64_t bytes, const void *placed)
{
    if (!enuf_cuda_on_host(plan)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_copy_out(plan, array, placed, bytes));
    return enuf_cuda_wait(plan);
}

static enuf_status give(enuf_nufft *plan, void *array, int64_t bytes, const void *placed)
{
    ON_DEVICE(plan, give_here(plan, array, bytes, placed));
}

static enuf_status sample_here(enuf_nufft *plan, int64_t n, const double *packed, int64_t step,
                               int64_t count, double *samples)
{
    const size_t size = sizeof(double);
    for (int d = 0; d < plan->options.dim; d++)
        ENUF_CUDA_TRY(cudaMemcpy2DAsync(samples + d * count, size, packed + d * n,
                                        (size_t)step * size, size, (size_t)count,
                                        cudaMemcpyDeviceToHost, enuf_cuda_of(plan)->stream),
                      "copying some of the coordinates");
    return enuf_cuda_wait(plan);
}

static enuf_status sample(enuf_nufft *plan, int64_t n, const double *packed, int64_t step,
                          int64_t count, double *samples)
{
    ON_DEVICE(plan, sample_here(plan, n, packed, step, count, samples));
}

const enuf_type3_passes enuf_cuda_type3 = {
    .allocate = allocate,
    .release = release,
    .pack = pack,
    .sample = sample,
    .make_factors = make_factors,
    .multiply = multiply,
    .spread = spread,
    .interpolate = interpolate,
    .take = take,
    .place = place,
    .give = give,
};
