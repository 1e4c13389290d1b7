/*
 * devices_cuda.c - the table of devices.h: creates and frees the data of ranks that lead GPUs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "devices_evaluation.h"
#include "memory.h"
#include "mpi/devices/slabs/slab.h"

#include <string.h>

static int count(const char **reason)
{
    int n = 0;
    /* ranks that send their atoms to a leader must not create a context */
    if (cudaGetDeviceCount(&n) == cudaSuccess && n > 0) return n;
    cudaGetLastError();
    enuf_cuda_device_usable(reason);
    return 0;
}

static enuf_status name_of(int device, char name[ENUF_DEVICE_NAME])
{
    memset(name, 0, ENUF_DEVICE_NAME);
    ENUF_CUDA_TRY(cudaDeviceGetPCIBusId(name, ENUF_DEVICE_NAME - 1, device),
                  "asking for a GPU's place");
    return ENUF_SUCCESS;
}

static void destroy(enuf_devices **made)
{
    enuf_devices *d = *made;
    int callers;
    if (!d) return;
    enuf_alarm_release(&d->ranks.alarm); /* collective: also after a failure on this rank */
    const int device = d->ranks.device;
    if (enuf_cuda_enter(device, &callers) == ENUF_SUCCESS) {
        enuf_device_ranks_release(&d->ranks);
        enuf_device_domain_release(&d->domain);
#define ENUF_X(BIT, name, width, text) enuf_device_array_release(&d->memory, &d->name);
        ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
        enuf_device_array_release(&d->memory, &d->mesh_virial);
        enuf_device_array_release(&d->memory, &d->requested);
        enuf_device_array_release(&d->memory, &d->picked);
        enuf_cuda_leave(device, callers);
    }
    enuf_release(made);
}

/* Logs a transport through the host, because it is slower. */
static void log_transport(const enuf_rank_state *m, const enuf_device_ranks *ranks)
{
    const enuf_ewald_options *o = &m->ewald->options;
    if (o->log && m->ranks.rank == 0 && strcmp(ranks->name, "host") == 0)
        o->log(o->log_context, "arrays go between GPUs through the host: ranks share a GPU, or "
                               "neither NCCL nor an MPI that reads device memory serves here");
}

static enuf_status create(enuf_rank_state *m, int alone, enuf_devices **made)
{
    enuf_devices *d = NULL;
    int callers = 0;
    enuf_status status = enuf_allocate(&d, 1, sizeof *d, "ranks of GPUs");
    if (status == ENUF_SUCCESS) {
        memset(d, 0, sizeof *d);
        d->ranks.device = enuf_cuda_ewald_of(m->ewald)->device;
        *made = d;
        status = enuf_cuda_enter(d->ranks.device, &callers);
    }
    const int entered = status == ENUF_SUCCESS;
    status = enuf_ranks_agree(&m->ranks, status);
    if (status != ENUF_SUCCESS) {
        if (entered) enuf_cuda_leave(d->ranks.device, callers);
        return status;
    }
    status = enuf_device_ranks_create(&m->ranks, d->ranks.device, alone, &d->ranks);
    if (status == ENUF_SUCCESS)
        status = enuf_ranks_agree(&m->ranks, enuf_device_domain_create(&d->ranks, &d->domain));
    enuf_cuda_leave(d->ranks.device, callers);
    if (status == ENUF_SUCCESS) log_transport(m, &d->ranks);
    return status;
}

static enuf_status enter(const enuf_devices *devices, int *callers)
{
    return enuf_cuda_enter(devices->ranks.device, callers);
}

static void leave(const enuf_devices *devices, int callers)
{
    enuf_cuda_leave(devices->ranks.device, callers);
}

static enuf_device_ranks *ranks(enuf_devices *devices)
{
    return &devices->ranks;
}

static const char *transport(const enuf_devices *devices)
{
    return devices->ranks.name;
}

static int64_t bytes(const enuf_devices *devices)
{
    return devices->memory.held + devices->domain.memory.held;
}

const enuf_devices_table enuf_ranks_backend_cuda = {
    .count = count,
    .name_of = name_of,
    .create = create,
    .destroy = destroy,
    .enter = enter,
    .leave = leave,
    .evaluate = enuf_devices_evaluate,
    .ranks = ranks,
    .transport = transport,
    .bytes = bytes,
    .replicated = &enuf_reciprocal_replicated_cuda,
    .distributed = &enuf_reciprocal_slabs,
};
