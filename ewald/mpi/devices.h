/*
 * devices.h - evaluations of ranks that lead a GPU each: cuda/evaluate_devices.c fills the table,
 * or, where the library is built without GPU support, stub/devices_missing.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_H
#define ENUF_EWALD_MPI_DEVICES_H

#include "reciprocal.h"

struct enuf_rank_state;
typedef struct enuf_devices enuf_devices;

enum { ENUF_DEVICE_NAME = 64 };

typedef struct enuf_devices_table {
    /* Local: GPUs that this rank can see; if 0, the error text names what is missing */
    int (*count)(const char **reason);
    /* Local: unique identifier of a GPU on its machine; ordinals differ between ranks */
    enuf_status (*name_of)(int device, char name[ENUF_DEVICE_NAME]);
    /* Collective, the same status on all. alone: no other of these ranks leads this rank's GPU */
    enuf_status (*create)(struct enuf_rank_state *m, int alone, enuf_devices **made);
    void (*destroy)(enuf_devices **made);
    /* Local: makes this GPU current for the functions of a mesh, and later the caller's again */
    enuf_status (*enter)(const enuf_devices *devices, int *callers);
    void (*leave)(const enuf_devices *devices, int callers);
    /* Collective, after the check of the request, with the method up to date */
    enuf_status (*evaluate)(struct enuf_rank_state *m, const enuf_evaluation *what);
    /* what goes between the GPUs, and its name */
    struct enuf_device_ranks *(*ranks)(enuf_devices *devices);
    const char *(*transport)(const enuf_devices *devices);
    int64_t (*bytes)(const enuf_devices *devices); /* besides the Ewald object's and the mesh's */
    const enuf_reciprocal_table *replicated, *distributed; /* NULL: there is none */
} enuf_devices_table;

extern const enuf_devices_table enuf_ranks_backend_cuda;

#endif
