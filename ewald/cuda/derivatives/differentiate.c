/*
 * differentiate.c - slopes of an evaluation on the device. With arrays in its memory the host waits
 * once: the last kernel writes results where nothing is wrong. If something may be, if sums are
 * integers, or with arrays on the host, it waits for the sums, looks for errors, and waits for the
 * results. Cells, plan and streams of evaluations are used in order with them; an evaluation sets
 * its own points and cells anew.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "derivatives/slope_backend.h"
#include "device_arguments.h"
#include "steps.h"
#include "take.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static enuf_status room_for(enuf_cuda_ewald *cuda, enuf_device_array *array, int64_t n,
                            const char *what)
{
    return enuf_device_array_reserve(&cuda->memory, array, n, sizeof(double), what);
}

static enuf_status reserve(enuf_cuda_slope_work *w)
{
    enuf_cuda_slope_room *room = w->room;
    enuf_cuda_ewald *cuda = w->cuda;
    const int64_t n = w->atoms.n;
    ENUF_TRY(room_for(cuda, &room->forces, 3 * n, "slopes of forces"));
    ENUF_TRY(room_for(cuda, &room->potential, n, "slopes of potentials"));
    ENUF_TRY(room_for(cuda, &room->mesh_forces, 3 * n, "mesh forces"));
    ENUF_TRY(room_for(cuda, &room->mesh_potential, n, "mesh potentials"));
    ENUF_TRY(room_for(cuda, &room->totals, ALL_TOTALS, "totals of slopes"));
    w->atoms.forces = room->forces.at;
    w->atoms.potential = room->potential.at;
    return ENUF_SUCCESS;
}

static enuf_status zero(const enuf_device_array *array, int64_t n, cudaStream_t stream)
{
    ENUF_CUDA_TRY(cudaMemsetAsync(array->at, 0, (size_t)n * sizeof(double), stream),
                  "clearing slopes");
    return ENUF_SUCCESS;
}

static enuf_status clear(const enuf_cuda_slope_work *w, cudaStream_t stream)
{
    const enuf_cuda_slope_room *room = w->room;
    const int64_t n = w->atoms.n;
    ENUF_TRY(zero(&room->forces, 3 * n, stream));
    return zero(&room->potential, n, stream);
}

static enuf_status send_totals(const enuf_cuda_slope_work *w)
{
    ENUF_CUDA_TRY(cudaMemcpyAsync(w->outcome->totals, w->room->totals.at, sizeof w->outcome->totals,
                                  cudaMemcpyDeviceToHost, w->cuda->work),
                  "reading totals of slopes");
    return ENUF_SUCCESS;
}

static enuf_status wait_for(const enuf_cuda_slope_work *w)
{
    ENUF_CUDA_TRY(cudaStreamSynchronize(w->cuda->work), "slopes");
    return ENUF_SUCCESS;
}

static enuf_status add_exclusions(const enuf_cuda_slope_work *w, cudaStream_t stream)
{
    if (w->ewald->charges.n_excluded == 0) return ENUF_SUCCESS;
    const enuf_cuda_exclusions x = enuf_cuda_describe_exclusions(w->ewald);
    return enuf_cuda_add_exclusion_slopes(&w->atoms, &x, w->room->partial.at, w->room->totals.at,
                                          stream);
}

/* The sums over the atoms that all others need, after totals of 0. */
static enuf_status survey(const enuf_cuda_slope_work *w, cudaStream_t stream)
{
    const enuf_cuda_slope_room *room = w->room;
    const enuf_cuda_settling settling = {.leaves_mean = w->atoms.motion.moves &&
                                                        !w->ewald->options.keep_net_force,
                                         .bound = w->ewald->method.grid_bound};
    ENUF_TRY(zero(&room->totals, ALL_TOTALS, stream));
    ENUF_TRY(enuf_cuda_survey(&w->atoms, &w->forms, room->partial.at, room->totals.at, stream));
    return enuf_cuda_settle_slopes(&settling, room->totals.at, room->record.at, stream);
}

static enuf_status prepare(enuf_cuda_slope_work *w)
{
    ENUF_TRY(reserve(w));
    ENUF_TRY(enuf_cuda_prepare_pair_slopes(w));
    return enuf_cuda_prepare_mesh_slopes(w);
}

/* All terms but the closed forms: the survey beside the sort of points, pairs beside the mesh. */
static enuf_status enqueue(void *context)
{
    enuf_cuda_slope_work *w = context;
    const enuf_cuda_ewald *cuda = w->cuda;
    ENUF_TRY(enuf_cuda_order(cuda->work, cuda->event[EVENT_FORK], cuda->side));
    ENUF_TRY(survey(w, cuda->side));
    ENUF_TRY(enuf_cuda_enqueue_slope_points(w));
    ENUF_TRY(enuf_cuda_order(cuda->side, cuda->event[EVENT_FORK], cuda->work));
    if (enuf_cuda_arrays_are_there(w->ewald))
        ENUF_TRY(enuf_cuda_enqueue_look(cuda, &w->atoms, cuda->side));
    ENUF_TRY(clear(w, cuda->side));
    ENUF_TRY(enuf_cuda_enqueue_pair_slopes(w, cuda->side));
    ENUF_TRY(add_exclusions(w, cuda->side));
    ENUF_TRY(enuf_cuda_enqueue_mesh_slopes(w));
    ENUF_TRY(enuf_cuda_order(cuda->side, cuda->event[EVENT_JOIN], cuda->work));
    ENUF_CUDA_TRY(cudaMemcpyAsync(&w->outcome->record, w->room->record.at,
                                  sizeof w->outcome->record, cudaMemcpyDeviceToHost, w->cuda->work),
                  "reading errors of pairs");
    return ENUF_SUCCESS;
}

static enuf_cuda_slope_key key_of(const enuf_cuda_slope_work *w)
{
    const enuf_ewald *ewald = w->ewald;
    const enuf_charge_set *set = &ewald->charges;
    enuf_cuda_slope_key key;
    memset(&key, 0, sizeof key); /* keys are compared as bytes */
    key.motion = w->atoms.motion;
    key.forms = w->forms;
    key.wanted = w->wanted;
    key.method_changes = ewald->method_changes;
    key.number_changes = w->cuda->number_changes;
    key.allocations = w->cuda->memory.allocations;
    key.n_excluded = set->n_excluded;
    key.plan = w->plan;
    key.lists = set->n_excluded > 0 ? w->cuda->excluded_first.at : NULL;
    memcpy(key.cell, ewald->geometry.cell, sizeof key.cell);
    return key;
}

/* In a graph, from the second product of its kind on. */
static enuf_status enqueue_sums(enuf_cuda_slope_work *w)
{
    const enuf_cuda_sequence sequence = {.enqueue = enqueue,
                                         .context = w,
                                         .stream = w->cuda->work,
                                         .recording = &w->cuda->recording,
                                         .what = "recording a second derivative"};
    cudaGraphExec_t graph;
    static_assert(sizeof(enuf_cuda_slope_key) <= ENUF_CUDA_KEY_BYTES, "room for the key");
    ENUF_TRY(prepare(w));
    const enuf_cuda_slope_key key = key_of(w);
    ENUF_TRY(enuf_cuda_find_graph(&w->room->recordings, &key, sizeof key, &sequence, &graph));
    if (graph)
        ENUF_CUDA_TRY(cudaGraphLaunch(graph, w->cuda->work), "replaying a second derivative");
    else
        ENUF_TRY(enqueue(w));
    return ENUF_SUCCESS;
}

/* The overflow of an integer is known to the plan alone. */
static int delivers_at_once(const enuf_ewald *ewald)
{
    return enuf_cuda_arrays_are_there(ewald) && !ewald->options.deterministic;
}

/* Waits, and looks for errors of the data. */
static enuf_status report(enuf_cuda_slope_work *w)
{
    ENUF_TRY(wait_for(w));
    if (enuf_cuda_arrays_are_there(w->ewald))
        ENUF_TRY(enuf_cuda_report_direction(w->cuda, &w->atoms.motion));
    ENUF_TRY(enuf_cuda_report_pair_slopes(w));
    return enuf_cuda_report_mesh_slopes(w);
}

static enuf_status add_totals(const enuf_cuda_slope_work *w, enuf_slope_sums *sums)
{
    enuf_cuda_add_pair_totals(w, sums);
    enuf_slope_sums_add_pairs(w->outcome->totals + TOTAL_EXCLUDED, sums);
    enuf_cuda_add_mesh_totals(w, sums);
    enuf_add_closed_totals(&w->forms, &w->atoms.motion, w->outcome->totals + TOTAL_SURVEY, sums);
    return enuf_slope_sums_check(sums);
}

/* The array of the device that receives a result: the caller's, or the slopes themselves. */
static double *target(const enuf_cuda_slope_work *w, int bit, double *callers, double *own)
{
    if (!(w->wanted & bit)) return NULL;
    return w->ewald->options.memory == ENUF_DEVICE ? callers : own;
}

static enuf_status fetch(const enuf_cuda_slope_work *w, int bit, int64_t n, const double *from,
                         double *to)
{
    if (!(w->wanted & bit)) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(to, from, (size_t)n * sizeof *to, cudaMemcpyDeviceToHost, w->cuda->work),
        "reading slopes");
    return ENUF_SUCCESS;
}

/* checked: the host has looked for errors. */
static enuf_status enqueue_delivery(const enuf_cuda_slope_work *w, const enuf_ewald_slopes *slopes,
                                    int checked)
{
    const enuf_cuda_slope_delivery d = {
        .mesh_forces = w->room->mesh_forces.at,
        .mesh_potential = w->room->mesh_potential.at,
        .scale = w->ewald->options.coulomb,
        .forms = w->forms,
        .keeps_net_force = w->ewald->options.keep_net_force,
        .totals = w->room->totals.at,
        .found = checked ? NULL : w->room->found.at,
        .record = checked ? NULL : w->room->record.at,
        .forces = target(w, ENUF_WANT_FORCES, slopes->forces, w->atoms.forces),
        .potential = target(w, ENUF_WANT_POTENTIAL, slopes->potential, w->atoms.potential),
    };
    return enuf_cuda_deliver_slopes(&w->atoms, &d, w->room->partial.at, w->cuda->work);
}

/* Waits for the results, which a kernel has not written yet. */
static enuf_status deliver(const enuf_cuda_slope_work *w, const enuf_ewald_slopes *slopes)
{
    ENUF_TRY(enqueue_delivery(w, slopes, 1));
    if (!enuf_cuda_arrays_are_there(w->ewald)) {
        ENUF_TRY(fetch(w, ENUF_WANT_FORCES, 3 * w->atoms.n, w->atoms.forces, slopes->forces));
        ENUF_TRY(fetch(w, ENUF_WANT_POTENTIAL, w->atoms.n, w->atoms.potential, slopes->potential));
    }
    ENUF_TRY(send_totals(w));
    return wait_for(w);
}

/* Nothing is charged, and no charge changes. */
static enuf_status deliver_zeros(enuf_cuda_slope_work *w, enuf_ewald_slopes *slopes)
{
    const enuf_slope_sums sums = {0};
    const double forces_x[9] = {0};
    const int64_t n = w->atoms.n;
    const size_t number = sizeof(double);
    cudaStream_t work = w->cuda->work;
    if (n > 0 && w->ewald->options.memory == ENUF_HOST) {
        if (w->wanted & ENUF_WANT_FORCES) memset(slopes->forces, 0, (size_t)(3 * n) * number);
        if (w->wanted & ENUF_WANT_POTENTIAL) memset(slopes->potential, 0, (size_t)n * number);
    } else if (n > 0) {
        if (w->wanted & ENUF_WANT_FORCES)
            ENUF_CUDA_TRY(cudaMemsetAsync(slopes->forces, 0, (size_t)(3 * n) * number, work),
                          "slopes of forces");
        if (w->wanted & ENUF_WANT_POTENTIAL)
            ENUF_CUDA_TRY(cudaMemsetAsync(slopes->potential, 0, (size_t)n * number, work),
                          "slopes of potentials");
        ENUF_CUDA_TRY(cudaStreamSynchronize(work), "slopes");
    }
    enuf_slope_sums_deliver(w->ewald, w->wanted, &sums, forces_x, slopes);
    return ENUF_SUCCESS;
}

static enuf_status run(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                       enuf_ewald_slopes *slopes)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int64_t n = ewald->charges.n;
    enuf_slope_sums sums = {0};
    enuf_cuda_slope_work w = {.ewald = ewald,
                              .cuda = cuda,
                              .room = &cuda->slopes,
                              .outcome = cuda->slopes.outcome,
                              .wanted = wanted,
                              .atoms = {.n = n, .motion = enuf_cuda_motion_of(ewald, motion)}};
    if (ewald->charges.n_charged == 0) return deliver_zeros(&w, slopes);
    w.forms = enuf_closed_forms_of(ewald);
    ENUF_TRY(enuf_cuda_make_resident(ewald));
    ENUF_TRY(enuf_cuda_order(cuda->stream, cuda->event[EVENT_FORK], cuda->work));
    w.atoms.q = cuda->q.at;
    /* plans may move their arrays, so that recordings for another number of atoms are stale */
    if (cuda->n != n) cuda->number_changes++;
    cuda->n = n;
    ENUF_TRY(enqueue_sums(&w));
    if (delivers_at_once(ewald)) ENUF_TRY(enqueue_delivery(&w, slopes, 0));
    ENUF_TRY(send_totals(&w));
    ENUF_TRY(report(&w));
    ENUF_TRY(add_totals(&w, &sums));
    if (w.outcome->totals[TOTAL_DELIVERED] == 0) ENUF_TRY(deliver(&w, slopes));
    enuf_slope_sums_deliver(ewald, wanted, &sums, w.outcome->totals + TOTAL_FORCES_X, slopes);
    return ENUF_SUCCESS;
}

static void check_plans(const enuf_ewald *ewald)
{
    enuf_nufft *const *plans = enuf_cuda_ewald_of(ewald)->slopes.plans;
    if (ewald->method.plan) enuf_nufft_check(ewald->method.plan, NULL);
    for (int k = 0; k < ENUF_CUDA_SLOPE_PLANS; k++)
        if (plans[k]) enuf_nufft_check(plans[k], NULL);
}

/* Kernels read the caller's arrays: they have ended when this returns, after an error too. What the
 * plan has recorded of an error belongs to this call. */
static enuf_status run_or_stop(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                               enuf_ewald_slopes *slopes)
{
    char text[1024];
    const enuf_status status = run(ewald, motion, wanted, slopes);
    if (status == ENUF_SUCCESS) return status;
    snprintf(text, sizeof text, "%s", enuf_last_error());
    cudaStreamSynchronize(enuf_cuda_ewald_of(ewald)->work);
    cudaStreamSynchronize(enuf_cuda_ewald_of(ewald)->side);
    cudaGetLastError();
    check_plans(ewald);
    return enuf_fail(status, "%s", text);
}

static enuf_status check_results(const enuf_ewald *ewald, int wanted,
                                 const enuf_ewald_slopes *slopes)
{
    const enuf_memory memory = ewald->options.memory;
    const int device = enuf_cuda_ewald_of(ewald)->device;
    if (ewald->charges.n == 0) return ENUF_SUCCESS;
    if (wanted & ENUF_WANT_FORCES)
        ENUF_TRY(enuf_cuda_check_place(slopes->forces, memory, device, "slopes->forces"));
    if (wanted & ENUF_WANT_POTENTIAL)
        ENUF_TRY(enuf_cuda_check_place(slopes->potential, memory, device, "slopes->potential"));
    return ENUF_SUCCESS;
}

static enuf_status take(enuf_ewald *ewald, const enuf_motion *motion, int *recharges)
{
    const int device = enuf_cuda_ewald_of(ewald)->device;
    int callers;
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    const enuf_status status = enuf_cuda_take_motion(ewald, motion, recharges);
    enuf_cuda_leave(device, callers);
    return status;
}

static enuf_status differentiate(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                                 enuf_ewald_slopes *slopes)
{
    const int device = enuf_cuda_ewald_of(ewald)->device;
    int callers;
    ENUF_TRY(check_results(ewald, wanted, slopes));
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    const enuf_status status = run_or_stop(ewald, motion, wanted, slopes);
    enuf_cuda_leave(device, callers);
    return status;
}

const enuf_slope_backend enuf_slope_backend_cuda = {.take = take, .differentiate = differentiate};
