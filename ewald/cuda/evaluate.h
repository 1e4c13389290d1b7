/*
 * evaluate.h - the CUDA backend's part of an Ewald object. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_EVALUATE_H
#define ENUF_EWALD_CUDA_EVALUATE_H

#include "evaluation.h"
#include "object/ewald_object.h"
#include "pairs.h"
#include "private.h"

/* X(array): device arrays besides those of the pairs */
#define ENUF_CUDA_EVALUATION_ARRAYS(X)                                                             \
    X(scalars)                                                                                     \
    X(q)                                                                                           \
    X(q_single)                                                                                    \
    X(excluded_first)                                                                              \
    X(excluded_partner)                                                                            \
    X(excluded_removed)                                                                            \
    X(influence)                                                                                   \
    X(multiplier)                                                                                  \
    X(positions)                                                                                   \
    X(half_potential) X(half_gradient) X(forces) X(atom_energy) X(atom_virial) X(potential) X(field)

/* Those that tell times, then those that order streams. */
enum { EVENT_START, EVENT_MIDDLE, EVENT_END, EVENT_FORK, EVENT_JOIN, EVENTS, TIMES = EVENT_FORK };

/** All that decides what an evaluation enqueues. */
typedef struct enuf_cuda_request_key {
    const double *positions;
    int64_t stride;
    enuf_cuda_atom_sums to;
    int64_t charge_changes, method_changes, allocations;
    double cell[9];
    int wanted, real, reciprocal, add;
} enuf_cuda_request_key;

/** An evaluation asked for of late; a graph from the second time on. */
typedef struct enuf_cuda_recording {
    enuf_cuda_request_key key;
    cudaGraphExec_t graph;
    int64_t evaluations, latest; /* how often, and when last */
} enuf_cuda_recording;

/* Hosts ask for forces, at times for energy and virial too, some in two sets of arrays by turns. */
enum { RECORDINGS = 4 };

typedef struct enuf_cuda_ewald {
    int device;
    cudaStream_t stream;     /* the caller's */
    cudaStream_t work, side; /* what is enqueued goes here, and pairs beside it; can be recorded */
    enuf_cuda_recording recording_of[RECORDINGS];
    int64_t evaluations;
    int recording;
    enuf_device_memory memory;
    enuf_cuda_pairs pairs;
#define ENUF_X(name) enuf_device_array name;
    ENUF_CUDA_EVALUATION_ARRAYS(ENUF_X)
#undef ENUF_X
    enuf_cuda_scalars *host_copy; /* the scalars' copy, page-locked */
    cudaEvent_t event[EVENTS];
    /* charges and method of which copies are on the device */
    int64_t charge_changes, method_changes;
    /* of the evaluation that has been started */
    enuf_cuda_atoms atoms;
    enuf_cuda_atom_sums sums, to; /* gathered before, where that is needed; delivered */
    enuf_closed_forms closed;     /* 0: without modes */
    int has_modes, has_pairs;
    int half_pairs; /* pairs are met once */
    int beside;     /* they run beside the modes */
    int sent;       /* ENUF_WANT_...: results on their way to the host */
    /* ewald/mpi: partners of excluded pairs, behind the atoms in positions and q */
    int64_t n_partners;
    double modes_energy, modes_virial[6]; /* and what the modes give, of all devices together */
} enuf_cuda_ewald;

static inline enuf_cuda_ewald *enuf_cuda_ewald_of(const enuf_ewald *ewald)
{
    return ewald->workspace;
}

/* resident.c: brings copies of charges, exclusions and influence up to date. */
enuf_status enuf_cuda_make_resident(enuf_ewald *ewald);
/* The same file: what the weights of the modes follow from, all but h1, n2, n3, which stay 0. */
ENUF_PRIVATE void enuf_cuda_describe_influence(const enuf_splitting *splitting,
                                               const enuf_cell_geometry *cell, double k_c,
                                               enuf_cuda_influence *influence);

/* streams.c: tells the time at this place of a stream. */
ENUF_PRIVATE enuf_status enuf_cuda_time(enuf_cuda_ewald *cuda, int event, cudaStream_t stream);
/* What follows on the second stream waits for what the first holds. */
ENUF_PRIVATE enuf_status enuf_cuda_order(cudaStream_t first, cudaEvent_t event, cudaStream_t then);

/* evaluate.c: arguments and room, then what is enqueued on work and side. */
ENUF_PRIVATE enuf_status enuf_cuda_prepare(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_cuda_enqueue(enuf_ewald *ewald, const enuf_evaluation *what);
/* Its steps, for evaluations on many devices (ewald/mpi/cuda). Those objects are without_mesh:
 * pairs and modes are summed elsewhere, sums.* are the arrays that pairs have been added to. */
ENUF_PRIVATE enuf_status enuf_cuda_clear_sums(const enuf_ewald *ewald, cudaStream_t stream);
/* Pairs of the object's own atoms, added to these sums. */
ENUF_PRIVATE enuf_cuda_pair_request enuf_cuda_request_pairs(const enuf_ewald *ewald, int wanted,
                                                            const enuf_cuda_atom_sums *sums);
ENUF_PRIVATE enuf_status enuf_cuda_take_exclusions_off(enuf_ewald *ewald, int pass,
                                                       cudaStream_t stream);
int enuf_cuda_wants_mesh_values(const enuf_cuda_ewald *cuda);
int enuf_cuda_wants_mesh_gradients(const enuf_cuda_ewald *cuda);
ENUF_PRIVATE enuf_status enuf_cuda_enqueue_delivery(enuf_ewald *ewald, const enuf_evaluation *what);
/* deliver.c: arrays and totals to the caller, once the copies `host_copy` have come and hold the
 * totals of all devices. Errors: ENUF_NOT_FINITE for the energy. */
ENUF_PRIVATE enuf_status enuf_cuda_hand_over(enuf_ewald *ewald, const enuf_evaluation *what);
ENUF_PRIVATE void enuf_cuda_keep_times(enuf_ewald *ewald, const enuf_evaluation *what);

/* replay.c: the slot start, on the device that is current. */
enuf_status enuf_cuda_start(enuf_ewald *ewald, const enuf_evaluation *what);
void enuf_cuda_forget_recordings(enuf_cuda_ewald *cuda);

/* deliver.c: results that go to page-locked memory, behind what is enqueued; the slot finish */
enuf_status enuf_cuda_send_results(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_cuda_finish(enuf_ewald *ewald, const enuf_evaluation *what);

/** That an array of the caller's lives where `memory` says: a pointer that does not would end the
 * process' CUDA context. Errors: ENUF_BAD_MEMORY, which names the array. */
enuf_status enuf_cuda_check_place(const void *at, enuf_memory memory, int device, const char *name);

#endif
