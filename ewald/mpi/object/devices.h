/*
 * devices.h - evaluations of ranks that lead one GPU each. devices/devices_cuda.c fills the
 * table. In a library without GPU support, stub/devices_missing.c fills it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_H
#define ENUF_EWALD_MPI_DEVICES_H

#include "mpi/mesh/reciprocal.h"

struct enuf_rank_state;
typedef struct enuf_devices enuf_devices;

enum { ENUF_DEVICE_NAME = 64 };

typedef struct enuf_devices_table {
    /* Local: number of GPUs that this rank sees; if 0, *reason says what is missing */
    int (*count)(const char **reason);
    /* Local: unique identifier of a GPU on its machine; ordinals differ between ranks */
    enuf_status (*name_of)(int device, char name[ENUF_DEVICE_NAME]);
    /* Collective, the same status on all. alone: 1 if this rank's GPU has no other leader */
    enuf_status (*create)(struct enuf_rank_state *m, int alone, enuf_devices **made);
    void (*destroy)(enuf_devices **made);
    /* Local: enter() makes this GPU current for the mesh; leave() makes the caller's GPU current */
    enuf_status (*enter)(const enuf_devices *devices, int *callers);
    void (*leave)(const enuf_devices *devices, int callers);
    /* Collective, after the check of the request; the method must be up to date */
    enuf_status (*evaluate)(struct enuf_rank_state *m, const enuf_evaluation *what);
    /* communication between the GPUs, and the name of its transport */
    struct enuf_device_ranks *(*ranks)(enuf_devices *devices);
    const char *(*transport)(const enuf_devices *devices);
    int64_t (*bytes)(const enuf_devices *devices); /* without the Ewald object's and the mesh's */
    const enuf_reciprocal_table *replicated, *distributed; /* NULL: not available */
} enuf_devices_table;

extern const enuf_devices_table enuf_ranks_backend_cuda;

#endif
