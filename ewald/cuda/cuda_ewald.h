/*
 * cuda_ewald.h - struct enuf_cuda_ewald, the CUDA part of an Ewald object, and the steps of an
 * evaluation, each in the file named. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_EWALD_H
#define ENUF_EWALD_CUDA_EWALD_H

#include "cuda/derivatives/held_room.h"
#include "cuda/derivatives/slope_room.h"
#include "evaluation.h"
#include "object/ewald_object.h"
#include "pairs.h"
#include "recordings.h"
#include "totals.h"
#include "private.h"
#include "staged_copy.h"

/* X(array): device arrays, without the arrays of the pairs */
#define ENUF_CUDA_EVALUATION_ARRAYS(X)                                                             \
    X(scalars)                                                                                     \
    X(charge_sums)                                                                                 \
    X(fault)                                                                                       \
    X(q)                                                                                           \
    X(q_single)                                                                                    \
    X(excluded_first)                                                                              \
    X(excluded_partner)                                                                            \
    X(excluded_removed)                                                                            \
    X(next_first)                                                                                  \
    X(next_partner)                                                                                \
    X(next_removed)                                                                                \
    X(list_count)                                                                                  \
    X(list_scan)                                                                                   \
    X(influence)                                                                                   \
    X(multiplier)                                                                                  \
    X(positions)                                                                                   \
    X(float_room)                                                                                  \
    X(half_potential) X(half_gradient) X(forces) X(atom_energy) X(atom_virial) X(potential) X(field)

/* Events that measure times come first, then events that order streams. */
enum { EVENT_START, EVENT_MIDDLE, EVENT_END, EVENT_FORK, EVENT_JOIN, EVENTS, TIMES = EVENT_FORK };

/** Two evaluations with equal keys enqueue the same kernels. */
typedef struct enuf_cuda_request_key {
    const double *positions;
    int64_t stride;
    enuf_cuda_atom_sums to;
    const enuf_ewald_totals *totals;
    int64_t method_changes, allocations;
    double cell[9];
    int wanted, real, reciprocal, add;
    /* what kernels are told of the charges; those, and exclusions, are read from the same arrays */
    int64_t number_changes, n_charged, n_excluded;
    const void *lists;                  /* of exclusions: two sets of arrays take turns */
    double largest, sum_q2, net_charge; /* 0 where kernels do not need them, or read them */
    int on_device;
} enuf_cuda_request_key;

typedef struct enuf_cuda_ewald {
    int device;
    int fp64_slow;       /* of the device, fp64_rate.h */
    cudaStream_t stream; /* the caller's */
    enuf_staging staging;
    cudaStream_t work, side; /* of the evaluation, can be recorded; pairs may run on side */
    enuf_cuda_recordings recordings;
    int recording; /* 1: a sequence is being recorded */
    enuf_device_memory memory;
    enuf_cuda_pairs pairs;
#define ENUF_X(name) enuf_device_array name;
    ENUF_CUDA_EVALUATION_ARRAYS(ENUF_X)
#undef ENUF_X
    /* host copies of the scalars and of the fault, page-locked */
    enuf_cuda_scalars *host_copy;
    enuf_cuda_fault *host_fault;
    cudaEvent_t event[EVENTS];
    enuf_cuda_slope_room slopes;
    enuf_cuda_held_room held;
    /* the changes of charges and method that the device has */
    int64_t charge_changes, method_changes;
    int64_t n, number_changes; /* atoms of the last evaluation; how often their number changed */
    int sums_sent; /* 1: the sums of the charges are in host_copy when the stream has finished */
    /* the started evaluation */
    enuf_cuda_atoms atoms;
    enuf_cuda_atom_sums sums, to; /* gathered sums (NULL: none); results */
    enuf_closed_forms closed;     /* 0: without modes */
    int has_modes, has_pairs;
    int half_pairs; /* each pair is summed once */
    int beside;     /* pairs run beside the modes */
    int sent;       /* ENUF_WANT_...: results on their way to the host */
    /* ewald/mpi, 1: devices sum the pairs of their domains, and send them to `sums`. Positions are
     * then packed. Partners of excluded pairs follow the atoms in positions and q. */
    int pairs_in_domains;
    int64_t n_partners;
    double modes_energy, modes_virial[6]; /* sums of the mesh */
} enuf_cuda_ewald;

static inline enuf_cuda_ewald *enuf_cuda_ewald_of(const enuf_ewald *ewald)
{
    return ewald->workspace;
}

/* charges.c: charges of device memory, as the backend's slots. */
enuf_status enuf_cuda_sum_charges(enuf_cuda_ewald *cuda, int64_t n, const double *charges,
                                  const enuf_exclusions *exclusions);
enuf_status enuf_cuda_read_charge_sums(enuf_cuda_ewald *cuda, enuf_charge_sums *sums);
enuf_status enuf_cuda_keep_charges(enuf_cuda_ewald *cuda, int64_t n, const double *charges,
                                   int with_single, int with_lists);
enuf_status enuf_cuda_lists_to_host(const enuf_cuda_ewald *cuda, int64_t n, int64_t n_excluded,
                                    int64_t *first, int64_t *partner, double *removed);

/* resident.c: brings copies of charges, exclusions and influence up to date. */
enuf_status enuf_cuda_make_resident(enuf_ewald *ewald);
/* resident.c: fills everything but h1, n2, n3, which stay 0. */
ENUF_PRIVATE void enuf_cuda_describe_influence(const enuf_splitting *splitting,
                                               const enuf_cell_geometry *cell, double k_c,
                                               enuf_cuda_influence *influence);

/* slope_plans.c: destroys the plans of second derivatives; the bytes that they hold. */
void enuf_cuda_release_slope_plans(enuf_cuda_slope_room *room);
int64_t enuf_cuda_slope_plan_bytes(const enuf_cuda_slope_room *room);

/* streams.c: records an event that measures time. */
ENUF_PRIVATE enuf_status enuf_cuda_time(enuf_cuda_ewald *cuda, int event, cudaStream_t stream);
/* Later work on the second stream waits for earlier work on the first. */
ENUF_PRIVATE enuf_status enuf_cuda_order(cudaStream_t first, cudaEvent_t event, cudaStream_t then);

/* evaluate.c: prepare checks arguments and makes room; enqueue fills the streams work and side. */
ENUF_PRIVATE enuf_status enuf_cuda_prepare(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_cuda_enqueue(enuf_ewald *ewald, const enuf_evaluation *what);
/* The steps of enqueue, for evaluations on many devices (ewald/mpi/devices). */
ENUF_PRIVATE enuf_status enuf_cuda_clear_sums(const enuf_ewald *ewald, cudaStream_t stream);
/* The charge by which pair sums judge whether two charges are at one place: the largest.
 * Deterministic sums need it exactly. Others take the next power of two, so that fluctuating
 * charges keep a recording. */
double enuf_cuda_largest_charge(const enuf_ewald *ewald);
/* A request for pairs of the object's own atoms; `sums` receives them. */
ENUF_PRIVATE enuf_cuda_pair_request enuf_cuda_request_pairs(const enuf_ewald *ewald, int wanted,
                                                            const enuf_cuda_atom_sums *sums);
/* The exclusions and the lattice of the object, for kernels. */
enuf_cuda_exclusions enuf_cuda_describe_exclusions(const enuf_ewald *ewald);
ENUF_PRIVATE enuf_status enuf_cuda_take_exclusions_off(enuf_ewald *ewald, int pass,
                                                       cudaStream_t stream);
ENUF_PRIVATE enuf_status enuf_cuda_enqueue_delivery(enuf_ewald *ewald, const enuf_evaluation *what);
/* deliver.c: hands arrays and totals to the caller. host_copy has arrived and holds the totals of
 * all devices. Errors: ENUF_NOT_FINITE for the energy. */
ENUF_PRIVATE enuf_status enuf_cuda_hand_over(enuf_ewald *ewald, const enuf_evaluation *what);
ENUF_PRIVATE void enuf_cuda_keep_times(enuf_ewald *ewald, const enuf_evaluation *what);

/* report.c: waits, and reports errors of the data of the evaluation, or of those enqueued since the
 * last check (the slot check). */
enuf_status enuf_cuda_wait_and_report(enuf_ewald *ewald);
enuf_status enuf_cuda_check(enuf_ewald *ewald, const enuf_evaluation *what);
/* The error of a record that names an atom, at x, which is not finite or farther away than a
 * number. ENUF_SUCCESS: it names none. */
enuf_status enuf_cuda_report_atom(const enuf_cuda_pair_record *record, const double x[3],
                                  double farthest);

/* enqueue_totals.c */
enuf_cuda_totals enuf_cuda_totals_of(const enuf_ewald *ewald, int wanted);
/* Room for the fault of evaluations that are enqueued. */
enuf_status enuf_cuda_reserve_fault(enuf_cuda_ewald *cuda);
/* Enqueues the delivery to result->totals. */
enuf_status enuf_cuda_enqueue_totals(const enuf_ewald *ewald, const enuf_evaluation *what);

/* replay.c: the slot start. The object's device is current. */
enuf_status enuf_cuda_start(enuf_ewald *ewald, const enuf_evaluation *what);

/* deliver.c: enqueues copies of results to page-locked memory; the slot finish. */
enuf_status enuf_cuda_send_results(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_cuda_finish(enuf_ewald *ewald, const enuf_evaluation *what);

#endif
