/*
 * evaluate.h - the CUDA backend's part of an Ewald object. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_EVALUATE_H
#define ENUF_EWALD_CUDA_EVALUATE_H

#include "evaluation.h"
#include "ewald_object.h"
#include "pairs.h"

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

enum { EVENT_START, EVENT_MIDDLE, EVENT_END, EVENTS };

typedef struct enuf_cuda_ewald {
    int device;
    cudaStream_t stream;
    enuf_device_memory memory;
    enuf_cuda_pairs pairs;
#define ENUF_X(name) enuf_device_array name;
    ENUF_CUDA_EVALUATION_ARRAYS(ENUF_X)
#undef ENUF_X
    enuf_cuda_scalars *told; /* the scalars' copy, page-locked */
    cudaEvent_t event[EVENTS];
    /* charges and method of which copies are on the device */
    int64_t charge_changes, method_changes;
    /* of the evaluation that has been started */
    enuf_cuda_atoms atoms;
    enuf_cuda_atom_sums sums;
    enuf_cuda_boundary boundary;
    int has_modes, has_pairs;
} enuf_cuda_ewald;

static inline enuf_cuda_ewald *enuf_cuda_ewald_of(const enuf_ewald *ewald)
{
    return ewald->workspace;
}

/* resident.c: brings copies of charges, exclusions and influence up to date. */
enuf_status enuf_cuda_make_resident(enuf_ewald *ewald);

/* evaluate.c: slots start and finish, on the device that is current. */
enuf_status enuf_cuda_start(enuf_ewald *ewald, const enuf_evaluation *what);
/* deliver.c */
enuf_status enuf_cuda_finish(enuf_ewald *ewald, const enuf_evaluation *what);

#endif
