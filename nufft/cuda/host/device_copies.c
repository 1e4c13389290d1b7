/* device_copies.c - see device_copies.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_copies.h"
#include "device_arguments.h"
#include "parallel.h"
#include "cuda/device_memory.h"

#include <string.h>

enuf_status enuf_cuda_check_memory(const enuf_nufft *plan, const void *array, const char *name)
{
    return enuf_cuda_check_place(array, plan->options.memory, enuf_cuda_of(plan)->device, name);
}

enuf_status enuf_cuda_copy_in(const enuf_nufft *plan, void *device, const void *host, int64_t bytes)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (bytes <= 0) return ENUF_SUCCESS;
    return enuf_staged_copy_in(&cuda->staging, cuda->stream, plan->threads, device, host,
                               (size_t)bytes, "copying to the GPU");
}

enuf_status enuf_cuda_copy_out(const enuf_nufft *plan, void *host, const void *device,
                               int64_t bytes)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (bytes <= 0) return ENUF_SUCCESS;
    return enuf_staged_copy_out(&cuda->staging, cuda->stream, plan->threads, host, device,
                                (size_t)bytes, "copying from the GPU");
}

enuf_status enuf_cuda_wait(const enuf_nufft *plan)
{
    ENUF_CUDA_TRY(cudaStreamSynchronize(enuf_cuda_of(plan)->stream), "waiting for the GPU");
    return ENUF_SUCCESS;
}

/* The first number that any axis reads; *span: numbers from there to the end of one point's
 * coordinates. */
static const char *first_coordinate(const enuf_coordinates *c, int dim, size_t size, int64_t *span)
{
    const char *first = c->axis[0], *last = first;
    for (int d = 1; d < dim; d++) {
        const char *at = c->axis[d];
        if (at < first) first = at;
        if (at > last) last = at;
    }
    *span = (last - first) / (int64_t)size + 1;
    return first;
}

static enuf_status copy_within(const enuf_nufft *plan, void *to, const void *from, int64_t bytes)
{
    if (bytes > 0)
        ENUF_CUDA_TRY(cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDeviceToDevice,
                                      enuf_cuda_of(plan)->stream),
                      "copying coordinates");
    return ENUF_SUCCESS;
}

/* The coordinates of `points` from one place to another of the same layout. */
static void rebase(enuf_coordinates *points, int dim, const char *from, char *to)
{
    for (int d = 0; d < dim; d++)
        if (points->axis[d]) points->axis[d] = to + ((const char *)points->axis[d] - from);
}

enuf_status enuf_cuda_room_to_keep(enuf_nufft *plan, int64_t bytes)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (!cuda->points.indexed || bytes <= cuda->copied_coordinates_bytes) return ENUF_SUCCESS;
    char *fresh, *old = cuda->copied_coordinates;
    ENUF_TRY(enuf_cuda_allocate(plan, &fresh, bytes, 1, "coordinates"));
    enuf_status status = copy_within(plan, fresh, old, cuda->copied_coordinates_bytes);
    if (status != ENUF_SUCCESS) {
        enuf_cuda_release(plan, &fresh);
        return status;
    }
    if (old) rebase(&cuda->points.coordinates, plan->options.dim, old, fresh);
    enuf_cuda_release(plan, &cuda->copied_coordinates);
    cuda->copied_coordinates = fresh;
    cuda->copied_coordinates_bytes = bytes;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_coordinates_keep(enuf_nufft *plan, const enuf_coordinates *copied,
                                       int64_t bytes)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (!cuda->points.indexed) return ENUF_SUCCESS;
    ENUF_TRY(copy_within(plan, cuda->copied_coordinates, cuda->copied_points, bytes));
    cuda->points.coordinates = *copied;
    rebase(&cuda->points.coordinates, plan->options.dim, cuda->copied_points,
           cuda->copied_coordinates);
    return ENUF_SUCCESS;
}

/* Points of a narrow stride, [n][3] among them: copied whole. */
static enuf_status copy_interleaved(enuf_nufft *plan, const enuf_coordinates *host,
                                    const char *first, int64_t bytes, enuf_coordinates *device)
{
    char *copied = enuf_cuda_of(plan)->copied_points;
    ENUF_TRY(enuf_cuda_room_to_keep(plan, bytes));
    for (int d = 0; d < plan->options.dim; d++)
        device->axis[d] = copied + ((const char *)host->axis[d] - first);
    return enuf_cuda_copy_in(plan, copied, first, bytes);
}

/* Separate arrays of stride 1: copied one by one. */
static enuf_status copy_arrays(enuf_nufft *plan, const enuf_coordinates *host,
                               enuf_coordinates *device)
{
    int64_t bytes = host->n * (host->precision == ENUF_FLOAT ? 4 : 8);
    char *copied = enuf_cuda_of(plan)->copied_points;
    ENUF_TRY(enuf_cuda_room_to_keep(plan, bytes * plan->options.dim));
    for (int d = 0; d < plan->options.dim; d++) {
        char *to = copied + d * bytes;
        device->axis[d] = to;
        ENUF_TRY(enuf_cuda_copy_in(plan, to, host->axis[d], bytes));
    }
    return ENUF_SUCCESS;
}

typedef struct strided_loop {
    double *packed;
    const double *f64; /* one of the two */
    const float *f32;
    int64_t stride;
} strided_loop;

static void pack_numbers(void *context, int64_t begin, int64_t end, int thread)
{
    const strided_loop *loop = context;
    const int64_t stride = loop->stride;
    (void)thread;
    for (int64_t j = begin; j < end; j++)
        loop->packed[j] = loop->f32 ? (double)loop->f32[j * stride] : loop->f64[j * stride];
}

/* Anything else: packed on the host, to double. */
static enuf_status pack(enuf_nufft *plan, const enuf_coordinates *host, enuf_coordinates *device)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t n = host->n, stride = host->stride;
    char *copied = cuda->copied_points;
    ENUF_TRY(enuf_cuda_room_to_keep(plan, n * 8 * plan->options.dim));
    if (n > cuda->packed_room) {
        enuf_release(&cuda->packed);
        cuda->packed_room = 0;
        ENUF_TRY(enuf_cuda_check_limit(plan, 8 * (double)n, "packed coordinates"));
        ENUF_TRY(enuf_allocate(&cuda->packed, n, sizeof(double), "packed coordinates"));
        cuda->packed_room = n;
    }
    double *packed = cuda->packed;
    for (int d = 0; d < plan->options.dim; d++) {
        const double *f64 = host->axis[d];
        const float *f32 = host->axis[d];
        int single = host->precision == ENUF_FLOAT;
        strided_loop loop = {packed, single ? NULL : f64, single ? f32 : NULL, stride};
        enuf_parallel_for(plan->threads, n, 0, pack_numbers, &loop);
        char *to = copied + d * n * 8;
        device->axis[d] = to;
        ENUF_TRY(enuf_cuda_copy_in(plan, to, packed, n * 8));
        ENUF_TRY(enuf_cuda_wait(plan)); /* the next axis overwrites the packed numbers */
    }
    device->precision = ENUF_DOUBLE;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_coordinates_in(enuf_nufft *plan, const enuf_coordinates *host,
                                     enuf_coordinates *device, int64_t *bytes)
{
    *device = *host;
    *bytes = 0;
    if (host->n == 0) return ENUF_SUCCESS;
    size_t size = host->precision == ENUF_FLOAT ? 4 : 8;
    int64_t span;
    const int dim = plan->options.dim;
    const char *first = first_coordinate(host, dim, size, &span);
    int whole = 1;
    for (int d = 0; d < dim; d++)
        whole = whole && ((const char *)host->axis[d] - first) % (int64_t)size == 0;
    if (whole && span <= host->stride && host->stride <= ENUF_CUDA_COPIED_STRIDE) {
        *bytes = ((host->n - 1) * host->stride + span) * (int64_t)size;
        return copy_interleaved(plan, host, first, *bytes, device);
    }
    device->stride = 1;
    *bytes = host->n * dim * (host->stride == 1 ? (int64_t)size : 8);
    return host->stride == 1 ? copy_arrays(plan, host, device) : pack(plan, host, device);
}

enuf_status enuf_cuda_copied_cells(enuf_nufft *plan, int64_t bytes)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    if (bytes <= cuda->copied_cells_bytes) return ENUF_SUCCESS;
    enuf_cuda_release(plan, &cuda->copied_cells);
    cuda->copied_cells_bytes = 0;
    ENUF_TRY(enuf_cuda_allocate(plan, &cuda->copied_cells, bytes, 1, "arrays on their way"));
    cuda->copied_cells_bytes = bytes;
    return ENUF_SUCCESS;
}
