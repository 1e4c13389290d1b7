/* runs_cuda.c - see runs_cuda.h. SPDX-License-Identifier: BSD-3-Clause */
#include "runs_cuda.h"
#include "cuda/device_memory.h"
#include "cuda/runs/runs.h"
#include "device_copies.h"

#include <string.h>

enuf_status enuf_cuda_runs_read(enuf_nufft *plan, const char *name, const void *array,
                                int64_t bytes, void *to)
{
    ENUF_TRY(enuf_cuda_check_memory(plan, array, name));
    if (enuf_cuda_on_host(plan)) {
        memcpy(to, array, (size_t)bytes);
        return ENUF_SUCCESS;
    }
    ENUF_TRY(enuf_cuda_copy_out(plan, to, array, bytes));
    return enuf_cuda_wait(plan);
}

/* The runs in a block of the device: start, step, first. */
static enuf_status copy_runs(enuf_nufft *plan, const enuf_runs *runs, double *block,
                             enuf_cuda_runs *there)
{
    const int64_t numbers = runs->count * plan->options.dim;
    int64_t *first = (int64_t *)(block + 2 * numbers);
    ENUF_TRY(enuf_cuda_copy_in(plan, block, runs->start, numbers * (int64_t)sizeof(double)));
    ENUF_TRY(
        enuf_cuda_copy_in(plan, block + numbers, runs->step, numbers * (int64_t)sizeof(double)));
    ENUF_TRY(
        enuf_cuda_copy_in(plan, first, runs->first, (runs->count + 1) * (int64_t)sizeof(int64_t)));
    *there = (enuf_cuda_runs){runs->count, runs->first[runs->count], first, block, block + numbers};
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_runs_fill(enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    _Static_assert(sizeof(int64_t) == sizeof(double), "the block holds both");
    const int64_t words = runs->count + 1 + 2 * runs->count * plan->options.dim;
    enuf_cuda_runs there;
    double *block;
    ENUF_TRY(enuf_cuda_allocate(plan, &block, words, sizeof(double), "runs"));
    enuf_status status = copy_runs(plan, runs, block, &there);
    if (status == ENUF_SUCCESS) status = enuf_cuda_runs_write(plan, &there, numbers);
    if (status == ENUF_SUCCESS) status = enuf_cuda_wait(plan);
    enuf_cuda_release(plan, &block);
    return status;
}

enuf_status enuf_cuda_runs_in(enuf_nufft *plan, const enuf_coordinates *points,
                              enuf_coordinates *device, int64_t *bytes)
{
    char *copied = enuf_cuda_of(plan)->copied_points;
    const int64_t axis = points->n * (int64_t)enuf_cuda_number(plan);
    *device = *points;
    device->runs = NULL;
    *bytes = axis * plan->options.dim;
    if (points->n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_room_to_keep(plan, *bytes));
    for (int d = 0; d < plan->options.dim; d++) device->axis[d] = copied + d * axis;
    return enuf_cuda_runs_fill(plan, points->runs, copied);
}
