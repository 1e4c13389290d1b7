/*
 * devices_evaluation.h - the data of ranks that lead GPUs, and the steps of an evaluation.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_DEVICES_EVALUATION_H
#define ENUF_EWALD_MPI_DEVICES_DEVICES_EVALUATION_H

#include "mpi/object/rank_state.h"
#include "mpi/devices/domains/device_domain.h"
#include "mpi/object/devices.h"
#include "cuda/cuda_ewald.h"

struct enuf_devices {
    enuf_device_ranks ranks;
    enuf_device_domain domain;
    enuf_device_memory memory;
#define ENUF_X(BIT, name, width, text) enuf_device_array name; /* of the domain's atoms */
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    enuf_device_array mesh_virial;       /* [6][n] */
    enuf_device_array requested, picked; /* positions of remote exclusions */
};

/* One evaluation. */
typedef struct enuf_devices_evaluation {
    enuf_rank_state *m;
    const enuf_evaluation *what;
    enuf_devices *devices;
    enuf_cuda_ewald *cuda;
    enuf_mesh_points points;
    enuf_mesh_sums mesh;
    enuf_cuda_atom_sums found; /* of the domain's atoms */
} enuf_devices_evaluation;

/* pairs_devices.c */
/** The error of the position that a record names. */
enuf_status enuf_devices_refuse(const void *evaluation, const enuf_cuda_pair_record *record);
/** Local: starts enuf_devices_place(), up to the first communication. enuf_devices_place() reports
 * its errors. */
void enuf_devices_begin_placing(enuf_devices_evaluation *e);
/** Collective, the same status on all: sends atoms to the GPUs of their domains. */
enuf_status enuf_devices_place(enuf_devices_evaluation *e);
/** Local: enqueues the sums of pairs. */
enuf_status enuf_devices_sum_pairs(enuf_devices_evaluation *e);
/** Collective, the same status on all: sends results back to the arrays of sums. */
enuf_status enuf_devices_bring_home(enuf_devices_evaluation *e);
/** Collective, the same status on all: reports errors of the pairs. */
enuf_status enuf_devices_report_pairs(enuf_devices_evaluation *e);

/* sums_devices.c */
/** Local: the net force of the mesh, which does not wait for pairs. In integers: one pass. */
enuf_status enuf_devices_enqueue_net_force(enuf_devices_evaluation *e, int pass);
/** Local: one pass of the other sums over atoms, in integers. */
enuf_status enuf_devices_enqueue_terms(enuf_devices_evaluation *e, int pass);
/** Local: reads or writes the host copy; reading waits for the device. */
enuf_status enuf_devices_read_scalars(enuf_devices_evaluation *e);
enuf_status enuf_devices_write_scalars(enuf_devices_evaluation *e);
/** Collective, the same status on all: reductions in the host copy. */
enuf_status enuf_devices_sum_in_integers(enuf_devices_evaluation *e);
enuf_status enuf_devices_sum_scalars(enuf_devices_evaluation *e);

/* evaluate_devices.c: the slot of the table */
enuf_status enuf_devices_evaluate(enuf_rank_state *m, const enuf_evaluation *what);

#endif
