/* runs_cuda.c - see runs_cuda.h. SPDX-License-Identifier: BSD-3-Clause */
#include "runs_cuda.h"
#include "cuda/device_memory.h"
#include "cuda/runs/runs.h"
#include "device_copies.h"

#include <string.h>

_Static_assert(sizeof(int64_t) == sizeof(double), "the room holds both");

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

/* Makes run_room.first hold so many words; its contents are lost if it grows. */
static enuf_status make_room(enuf_nufft *plan, int64_t words)
{
    int64_t **room = &plan->run_room.first;
    const int64_t bytes = words * (int64_t)sizeof **room + ENUF_CUDA_ARRAY_SPARE;
    if (bytes <= enuf_cuda_allocated(enuf_cuda_of(plan), *room)) return ENUF_SUCCESS;
    enuf_cuda_release(plan, room);
    return enuf_cuda_allocate(plan, room, words, sizeof **room, "runs");
}

static enuf_status add_and_wait(enuf_nufft *plan, const int64_t *lengths, enuf_runs *runs)
{
    _Static_assert(sizeof(enuf_cuda_runs_found) <= sizeof(enuf_cuda_record), "its place");
    enuf_cuda_runs_found *found = (void *)enuf_cuda_of(plan)->host_copy; /* free between reports */
    found->bad = 0;
    plan->run_room.runs = 0;
    ENUF_TRY(make_room(plan, runs->count + 1));
    ENUF_TRY(
        enuf_cuda_runs_add(plan, lengths, runs, 1 + plan->n_others, plan->run_room.first, found));
    ENUF_TRY(enuf_cuda_wait(plan));
    runs->n = found->bad ? -1 : found->n;
    return ENUF_SUCCESS;
}

/* As many as the last call has had. */
static enuf_status add_in_graph(enuf_nufft *plan, const int64_t *lengths, enuf_runs *runs)
{
    const enuf_run_room *room = &plan->run_room;
    if (room->runs != runs->count)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_nufft_set_runs: a graph captures it after a call with as many runs: "
                         "the last one had %lld, this one has %lld",
                         (long long)room->runs, (long long)runs->count);
    runs->n = room->points;
    return enuf_cuda_runs_add(plan, lengths, runs, 1, room->first, NULL);
}

enuf_status enuf_cuda_runs_count(enuf_nufft *plan, const int64_t *lengths, enuf_runs *runs)
{
    enum cudaStreamCaptureStatus capture;
    runs->n = 0;
    if (runs->count == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_memory(plan, lengths, "lengths"));
    ENUF_TRY(enuf_cuda_check_memory(plan, runs->start, "start"));
    ENUF_TRY(enuf_cuda_check_memory(plan, runs->step, "step"));
    ENUF_CUDA_TRY(cudaStreamIsCapturing(enuf_cuda_of(plan)->stream, &capture),
                  "asking whether a graph is captured");
    ENUF_TRY(capture == cudaStreamCaptureStatusNone ? add_and_wait(plan, lengths, runs)
                                                    : add_in_graph(plan, lengths, runs));
    runs->first = plan->run_room.first;
    return ENUF_SUCCESS;
}

/* Host memory: first points, starts and steps to the device, one behind the other. */
static enuf_status copy_runs(enuf_nufft *plan, enuf_runs *runs)
{
    const int64_t numbers = runs->count * plan->options.dim, entries = runs->count + 1;
    const int64_t bytes = numbers * (int64_t)sizeof(double);
    ENUF_TRY(make_room(plan, entries + 2 * numbers));
    int64_t *first = plan->run_room.first;
    double *start = (double *)(first + entries), *step = start + numbers;
    ENUF_TRY(enuf_cuda_copy_in(plan, first, runs->first, entries * (int64_t)sizeof *first));
    ENUF_TRY(enuf_cuda_copy_in(plan, start, runs->start, bytes));
    ENUF_TRY(enuf_cuda_copy_in(plan, step, runs->step, bytes));
    *runs = (enuf_runs){runs->count, runs->n, first, start, step};
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_runs_fill(enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    enuf_runs there = *runs;
    if (enuf_cuda_on_host(plan)) ENUF_TRY(copy_runs(plan, &there));
    return enuf_cuda_runs_write(plan, &there, numbers);
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
