/*
 * evaluate_devices.c - an evaluation of ranks that lead a GPU each. Modes use the atoms on the
 * caller's GPUs. Pairs use the atoms on the GPUs of their domains. Both run at the same time. The
 * host waits four times: twice for counts of atoms, for sums over modes, for sums over atoms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "devices_evaluation.h"

#include <stdio.h>
#include <string.h>

/* ---- First steps ---- */

/* Collective, the same status on all: receives the positions of remote exclusions behind the own
 * atoms. */
static enuf_status fetch_partners(enuf_devices_evaluation *e)
{
    enuf_remote_exclusions *p = &e->m->remote_exclusions;
    enuf_devices *d = e->devices;
    enuf_cuda_ewald *cuda = e->cuda;
    const int64_t n_requested = p->exchange.n_receive;
    const size_t row = 3 * sizeof(double);
    const double *positions = cuda->atoms.positions;
    double *behind = cuda->positions.at; /* with remote exclusions: the same array */
    if (p->n > 0) behind += 3 * cuda->atoms.n;
    enuf_status status = enuf_device_array_reserve(&d->memory, &d->requested, n_requested,
                                                   sizeof *p->requested, "partners");
    if (status == ENUF_SUCCESS)
        status = enuf_device_array_reserve(&d->memory, &d->picked, n_requested, row, "partners");
    if (status == ENUF_SUCCESS && n_requested > 0) {
        const cudaError_t error = cudaMemcpyAsync(d->requested.at, p->requested,
                                                  (size_t)n_requested * sizeof *p->requested,
                                                  cudaMemcpyHostToDevice, cuda->work);
        status = error == cudaSuccess ? enuf_placing_pick(n_requested, d->requested.at, positions,
                                                          d->picked.at, cuda->work)
                                      : enuf_cuda_status(error, "copying partners to the GPU");
    }
    ENUF_TRY(enuf_ranks_agree(&e->m->ranks, status));
    status =
        enuf_device_exchange_back(&d->ranks, &p->exchange, row, d->picked.at, behind, cuda->work);
    return enuf_ranks_agree(&e->m->ranks, status);
}

/* The arrays that enuf_cuda_prepare() made for the results of the modes, and one for virials. All
 * ranks request the same arrays, also ranks without atoms. */
static enuf_status name_mesh_arrays(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    const int wanted = e->what->wanted;
    const size_t size = enuf_ewald_single_mesh(e->m->ewald) ? sizeof(float) : sizeof(double);
    e->mesh.with_virial = (wanted & ENUF_WANT_VIRIAL) != 0;
    if (!cuda->has_modes) return ENUF_SUCCESS;
    if (wanted & (ENUF_WANT_POTENTIAL | ENUF_WANT_ATOM_ENERGY))
        e->mesh.half_potential = cuda->half_potential.at;
    if (wanted & (ENUF_WANT_FORCES | ENUF_WANT_FIELD))
        e->mesh.half_gradient = cuda->half_gradient.at;
    if (!(wanted & ENUF_WANT_ATOM_VIRIAL)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&e->devices->memory, &e->devices->mesh_virial,
                                       6 * cuda->atoms.n, size, "virials of the mesh"));
    e->mesh.atom_virial = e->devices->mesh_virial.at;
    return ENUF_SUCCESS;
}

/* Makes room and enqueues copies. */
static enuf_status start(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    enuf_ewald *ewald = e->m->ewald;
    cuda->pairs_in_domains = 1;
    cuda->n_partners = e->m->remote_exclusions.n;
    ENUF_TRY(enuf_cuda_prepare(ewald, e->what));
    ENUF_TRY(name_mesh_arrays(e));
    ENUF_TRY(enuf_cuda_time(cuda, EVENT_START, cuda->stream));
    ENUF_TRY(enuf_cuda_order(cuda->stream, cuda->event[EVENT_FORK], cuda->work));
    return enuf_cuda_clear_sums(ewald, cuda->work);
}

static void describe_mesh(enuf_devices_evaluation *e)
{
    const enuf_cuda_ewald *cuda = e->cuda;
    e->points = (enuf_mesh_points){.n = cuda->atoms.n,
                                   .positions = cuda->atoms.positions,
                                   .q = cuda->q.at,
                                   .q_single = cuda->q_single.at};
}

/* ---- All steps ---- */

static enuf_status add_mesh_virial(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    const int single = enuf_ewald_single_mesh(e->m->ewald);
    const size_t size = single ? sizeof(float) : sizeof(double);
    const char *values = e->mesh.atom_virial;
    if (!values || cuda->atoms.n == 0) return ENUF_SUCCESS;
    for (int c = 0; c < 6; c++)
        ENUF_TRY(enuf_cuda_add_virial(&cuda->atoms, values + (size_t)(c * cuda->atoms.n) * size,
                                      single, c, cuda->sums.atom_virial, cuda->work));
    return ENUF_SUCCESS;
}

static enuf_status sum_both(enuf_devices_evaluation *e)
{
    enuf_rank_state *m = e->m;
    enuf_cuda_ewald *cuda = e->cuda;
    describe_mesh(e);
    if (cuda->has_pairs && m->ewald->charges.n_excluded > 0) ENUF_TRY(fetch_partners(e));
    /* pairs need the positions and the cleared sums */
    enuf_status status = enuf_cuda_order(cuda->work, cuda->event[EVENT_FORK], cuda->side);
    /* without pairs: check positions here; with pairs, the placing of atoms checks them */
    if (status == ENUF_SUCCESS && !cuda->has_pairs && cuda->atoms.n > 0)
        status = enuf_cuda_check_positions(&cuda->atoms, cuda->scalars.at, cuda->work);
    if (cuda->has_pairs) enuf_devices_begin_placing(e);
    if (cuda->has_modes && m->table->begin) m->table->begin(m->mesh, &e->points);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    if (cuda->has_pairs) {
        ENUF_TRY(enuf_devices_place(e));
        ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_devices_sum_pairs(e)));
    }
    if (cuda->has_modes) ENUF_TRY(m->table->compute(m->mesh, &e->points, &e->mesh));
    cuda->modes_energy = e->mesh.energy;
    memcpy(cuda->modes_virial, e->mesh.virial, sizeof cuda->modes_virial);
    status = enuf_devices_enqueue_net_force(e, 0);
    if (status == ENUF_SUCCESS && !cuda->has_pairs)
        status = enuf_cuda_time(cuda, EVENT_MIDDLE, cuda->work);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    /* after the modes, because messages between GPUs follow each other */
    return cuda->has_pairs ? enuf_devices_bring_home(e) : ENUF_SUCCESS;
}

static enuf_status sum_up(enuf_devices_evaluation *e)
{
    enuf_ranks *ranks = &e->m->ranks;
    /* the same order as on one device gives the same bits */
    enuf_status status = enuf_devices_enqueue_terms(e, 0);
    if (status == ENUF_SUCCESS) status = add_mesh_virial(e);
    if (status == ENUF_SUCCESS) status = enuf_devices_read_scalars(e);
    if (status == ENUF_SUCCESS && e->cuda->host_copy->record.bad_atom != ENUF_CUDA_NO_ATOM)
        status = enuf_devices_refuse(e, &e->cuda->host_copy->record);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    ENUF_TRY(enuf_devices_report_pairs(e));
    ENUF_TRY(enuf_devices_sum_in_integers(e));
    return enuf_devices_sum_scalars(e);
}

static enuf_status deliver(enuf_devices_evaluation *e)
{
    enuf_cuda_ewald *cuda = e->cuda;
    enuf_ewald *ewald = e->m->ewald;
    ENUF_TRY(enuf_devices_write_scalars(e));
    ENUF_TRY(enuf_cuda_enqueue_delivery(ewald, e->what));
    ENUF_TRY(enuf_cuda_order(cuda->work, cuda->event[EVENT_JOIN], cuda->stream));
    ENUF_TRY(enuf_cuda_time(cuda, EVENT_END, cuda->stream));
    ENUF_TRY(enuf_cuda_hand_over(ewald, e->what));
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "an evaluation");
    cuda->beside = 1;
    enuf_cuda_keep_times(ewald, e->what);
    return ENUF_SUCCESS;
}

/* After an error: waits for all enqueued work, because it reads the caller's arrays. */
static enuf_status stop(enuf_devices_evaluation *e, enuf_status status)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", enuf_last_error());
    enuf_device_ranks_stop(&e->devices->ranks);
    cudaStreamSynchronize(e->cuda->stream);
    cudaStreamSynchronize(e->cuda->work);
    cudaStreamSynchronize(e->cuda->side);
    cudaGetLastError();
    return enuf_fail(status, "%s", text);
}

enuf_status enuf_devices_evaluate(enuf_rank_state *m, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(m->ewald);
    enuf_devices_evaluation e = {.m = m, .what = what, .devices = m->devices, .cuda = cuda};
    int callers;
    enuf_status status = enuf_cuda_enter(cuda->device, &callers);
    const int entered = status == ENUF_SUCCESS;
    status = enuf_ranks_agree(&m->ranks, status);
    if (status != ENUF_SUCCESS) {
        if (entered) enuf_cuda_leave(cuda->device, callers);
        return status;
    }
    status = enuf_ranks_agree(&m->ranks, start(&e));
    if (status == ENUF_SUCCESS) status = sum_both(&e);
    if (status == ENUF_SUCCESS) status = sum_up(&e);
    if (status == ENUF_SUCCESS) status = enuf_ranks_agree(&m->ranks, deliver(&e));
    if (status != ENUF_SUCCESS) status = stop(&e, status);
    enuf_cuda_leave(cuda->device, callers);
    return status;
}
