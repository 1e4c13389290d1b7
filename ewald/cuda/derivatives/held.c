/*
 * held.c - positions held on the device, and potentials of sets of charges at them: the table of
 * held_backend.h. Sets in device memory are enqueued without a wait of the host, pairs beside the
 * modes; it waits once, at the end, and more often if deterministic. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "derivatives/checks.h"
#include "derivatives/held_backend.h"
#include "device_arguments.h"
#include "held_steps.h"
#include "object/held.h"
#include "take.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Positions ---- */

static enuf_status take_on_device(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    ENUF_TRY(enuf_cuda_order(cuda->stream, cuda->event[EVENT_FORK], cuda->work));
    ENUF_TRY(enuf_cuda_take_rows(cuda, &cuda->held.given, ewald->charges.n, 3, stride, positions,
                                 "held positions"));
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->work), "held positions");
    return ENUF_SUCCESS;
}

static enuf_status take(enuf_ewald *ewald, const double *positions, int64_t stride,
                        const double **there)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    *there = NULL;
    if (ewald->charges.n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_check_place(positions, ewald->options.memory, cuda->device, "positions"));
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = take_on_device(ewald, positions, stride);
    enuf_cuda_leave(cuda->device, callers);
    *there = cuda->held.given.at;
    return status;
}

static enuf_status make_on_device(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    cuda->held.made++;
    cuda->held.has_weights = 0;
    cuda->held.most_lanes = ENUF_MATRIX_VECTORS;
    ENUF_TRY(enuf_cuda_make_resident(ewald));
    ENUF_TRY(enuf_cuda_order(cuda->stream, cuda->event[EVENT_FORK], cuda->work));
    return enuf_cuda_make_held_pairs(ewald);
}

static enuf_status make(enuf_ewald *ewald)
{
    const int device = enuf_cuda_ewald_of(ewald)->device;
    int callers;
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    const enuf_status status = make_on_device(ewald);
    enuf_cuda_leave(device, callers);
    return status;
}

/* ---- Sets of charges ---- */

static enuf_status begin_on_device(enuf_ewald *ewald)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    memset(cuda->held.found, 0xff, sizeof *cuda->held.found); /* no kernel is at work on it */
    return enuf_cuda_order(cuda->stream, cuda->event[EVENT_FORK], cuda->work);
}

static enuf_status begin(enuf_ewald *ewald, int64_t vectors, const double *charges,
                         double *potentials)
{
    const enuf_memory memory = ewald->options.memory;
    const int device = enuf_cuda_ewald_of(ewald)->device;
    int callers;
    (void)vectors;
    ENUF_TRY(enuf_cuda_check_place(charges, memory, device, "charges"));
    ENUF_TRY(enuf_cuda_check_place(potentials, memory, device, "potentials"));
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    const enuf_status status = begin_on_device(ewald);
    enuf_cuda_leave(device, callers);
    return status;
}

static enuf_status reserve(enuf_cuda_held_work *w)
{
    enuf_cuda_held_room *room = w->room;
    enuf_device_memory *memory = &w->cuda->memory;
    enuf_cuda_sets *s = &w->sets;
    const int64_t numbers = s->sets.n * s->sets.lanes, moments = s->sets.lanes * s->each;
    const size_t mesh = s->mesh_single ? sizeof(float) : sizeof(double),
                 pairs = s->pairs_single ? sizeof(float) : sizeof(double);
    ENUF_TRY(enuf_device_array_reserve(memory, &room->charges, numbers, pairs, "sets of charges"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->strengths, numbers, mesh, "strengths"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->values, numbers, mesh, "mesh potentials"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->sums, numbers, sizeof(double),
                                       "sets of potentials"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->partial, ENUF_CUDA_PARTIAL_ROWS * moments,
                                       sizeof(double), "partial sums"));
    ENUF_TRY(enuf_device_array_reserve(memory, &room->moments, moments, sizeof(double),
                                       "moments of charges"));
    s->charges = room->charges.at;
    s->strengths = room->strengths.at;
    s->values = room->values.at;
    s->sums = room->sums.at;
    s->partial = room->partial.at;
    s->moments = room->moments.at;
    return ENUF_SUCCESS;
}

/* Arrays on the device in place of the caller's on the host. */
static enuf_status bring(enuf_cuda_held_work *w)
{
    enuf_cuda_held_room *room = w->room;
    enuf_charge_sets *sets = &w->sets.sets;
    const int64_t numbers = sets->n * sets->used;
    if (enuf_cuda_arrays_are_there(w->ewald)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&w->cuda->memory, &room->results, numbers, sizeof(double),
                                       "sets of potentials"));
    ENUF_TRY(enuf_cuda_take_rows(w->cuda, &room->given_charges, numbers, 1, 1, sets->charges,
                                 "sets of charges"));
    sets->charges = room->given_charges.at;
    sets->potentials = room->results.at;
    return ENUF_SUCCESS;
}

static enuf_status enqueue(void *context)
{
    const enuf_cuda_held_work *w = context;
    enuf_cuda_ewald *cuda = w->cuda;
    const int scales = w->sets.bound != 0; /* by the moments */
    ENUF_TRY(enuf_cuda_take_sets(&w->sets, cuda->work));
    if (scales) ENUF_TRY(enuf_cuda_sum_set_moments(&w->sets, cuda->work));
    ENUF_TRY(enuf_cuda_order(cuda->work, cuda->event[EVENT_FORK], cuda->side));
    ENUF_TRY(enuf_cuda_enqueue_held_pairs(w, cuda->side));
    if (scales)
        ENUF_TRY(enuf_cuda_scale_sets(&w->sets, cuda->work));
    else
        ENUF_TRY(enuf_cuda_sum_set_moments(&w->sets, cuda->side));
    ENUF_TRY(enuf_cuda_enqueue_held_mesh(w));
    ENUF_TRY(enuf_cuda_order(cuda->side, cuda->event[EVENT_JOIN], cuda->work));
    return enuf_cuda_deliver_sets(&w->sets, cuda->work);
}

/* In a graph, from the second call of its kind on. */
static enuf_status run(enuf_cuda_held_work *w)
{
    const enuf_cuda_sequence sequence = {.enqueue = enqueue,
                                         .context = w,
                                         .stream = w->cuda->work,
                                         .recording = &w->cuda->recording,
                                         .what = "recording sets of charges"};
    cudaGraphExec_t graph;
    enuf_cuda_sets_key key;
    static_assert(sizeof key <= ENUF_CUDA_KEY_BYTES, "room for the key");
    memset(&key, 0, sizeof key); /* keys are compared as bytes */
    key.sets = w->sets;
    key.plan = w->plan;
    key.each = w->each;
    key.made = w->room->made;
    key.allocations = w->cuda->memory.allocations;
    ENUF_TRY(enuf_cuda_find_graph(&w->room->recordings, &key, sizeof key, &sequence, &graph));
    if (!graph) return enqueue(w);
    ENUF_CUDA_TRY(cudaGraphLaunch(graph, w->cuda->work), "replaying sets of charges");
    return ENUF_SUCCESS;
}

static enuf_status add_on_device(enuf_ewald *ewald, const enuf_charge_sets *sets)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_held_work w = {.ewald = ewald,
                             .cuda = cuda,
                             .room = &cuda->held,
                             .sets = {.sets = *sets,
                                      .given = cuda->held.given.at,
                                      .home = cuda->held.pairs.home.at,
                                      .pairs_single = cuda->held.pairs.single,
                                      .mesh_single = enuf_ewald_single_mesh(ewald),
                                      .each = enuf_needed_moments(&sets->forms),
                                      .bound = ewald->method.grid_bound,
                                      .coulomb = ewald->options.coulomb,
                                      .found = cuda->held.found}};
    ENUF_TRY(enuf_cuda_find_held_plan(ewald, sets->lanes, &w.plan, &w.each));
    ENUF_TRY(reserve(&w));
    ENUF_TRY(bring(&w));
    ENUF_TRY(run(&w));
    if (enuf_cuda_arrays_are_there(ewald)) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaMemcpyAsync(sets->potentials, w.sets.sets.potentials,
                                  (size_t)(sets->n * sets->used) * sizeof(double),
                                  cudaMemcpyDeviceToHost, cuda->work),
                  "reading potentials");
    return ENUF_SUCCESS;
}

static enuf_status add(enuf_ewald *ewald, const enuf_charge_sets *sets)
{
    const int device = enuf_cuda_ewald_of(ewald)->device;
    int callers;
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    const enuf_status status = add_on_device(ewald, sets);
    enuf_cuda_leave(device, callers);
    return status;
}

/* The first charge that is not finite, and its value: potentials may have taken its place. */
static unsigned long long bad_charge(const enuf_cuda_sets_found *found, double *value)
{
    unsigned long long first = found->nan;
    *value = NAN;
    if (found->infinite < first) {
        first = found->infinite;
        *value = INFINITY;
    }
    if (found->minus_infinite < first) {
        first = found->minus_infinite;
        *value = -INFINITY;
    }
    return first;
}

/* Waits. The plans see overflows of the mesh; their check waits once more, so they are asked only
 * if a result is not finite, or if sums are integers. */
static enuf_status report(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_cuda_sets_found *found = cuda->held.found;
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->work), "potentials of sets of charges");
    double q;
    const unsigned long long bad = bad_charge(found, &q);
    const enuf_status mesh = ewald->options.deterministic || bad != ENUF_CUDA_NO_ATOM ||
                                     found->potential != ENUF_CUDA_NO_ATOM
                                 ? enuf_cuda_check_held_plans(ewald)
                                 : ENUF_SUCCESS;
    if (bad == ENUF_CUDA_NO_ATOM) return mesh;
    return enuf_set_not_finite(ewald->charges.n, (int64_t)bad, q);
}

/* Kernels read the caller's arrays: they have ended when this returns. */
static enuf_status stop(enuf_ewald *ewald, enuf_status status)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    char text[1024];
    snprintf(text, sizeof text, "%s", enuf_last_error());
    cudaStreamSynchronize(cuda->work);
    cudaStreamSynchronize(cuda->side);
    cudaGetLastError();
    enuf_cuda_check_held_plans(ewald);
    return enuf_fail(status, "%s", text);
}

static enuf_status end(enuf_ewald *ewald, enuf_status status)
{
    const int device = enuf_cuda_ewald_of(ewald)->device;
    int callers;
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    if (status == ENUF_SUCCESS) status = report(ewald);
    if (status != ENUF_SUCCESS) status = stop(ewald, status);
    enuf_cuda_leave(device, callers);
    return status;
}

const enuf_held_backend enuf_held_backend_cuda = {
    .take = take, .make = make, .begin = begin, .add = add, .end = end};
