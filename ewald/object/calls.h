/*
 * calls.h - the public functions of an object, by who computes: one process (calls/alone.c), ranks
 * of MPI, or ranks that share a GPU (ewald/mpi). SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CALLS_H
#define ENUF_EWALD_CALLS_H

#include "ewald_object.h"

struct enuf_ewald_mpi_report; /* enuf/ewald_mpi.h */

/** Called with an idle object; collective on ranks. */
typedef struct enuf_ewald_calls {
    void (*destroy)(enuf_ewald *ewald);
    enuf_status (*set_cell)(enuf_ewald *ewald, const double cell[9]);
    enuf_status (*set_charges)(enuf_ewald *ewald, int64_t n, const double *charges,
                               const enuf_exclusions *exclusions);
    enuf_status (*tune)(enuf_ewald *ewald, const double *positions, int64_t stride);
    enuf_status (*verify)(enuf_ewald *ewald, const double *positions, int64_t stride);
    enuf_status (*compute)(enuf_ewald *ewald, const enuf_evaluation *what);
    /* the two halves of ewald->pending */
    enuf_status (*begin)(enuf_ewald *ewald);
    enuf_status (*finish)(enuf_ewald *ewald);
    enuf_status (*measure_error)(enuf_ewald *ewald, const double *positions, int64_t stride,
                                 int64_t sample, uint64_t seed, enuf_ewald_error *error);
    enuf_status (*get_report)(const enuf_ewald *ewald, enuf_ewald_report *report);
    enuf_status (*list_candidates)(enuf_ewald *ewald, double dearest, int64_t capacity,
                                   enuf_ewald_candidate *candidates, int64_t *n);
    /* NULL: one process */
    enuf_status (*get_mpi_report)(const enuf_ewald *ewald, struct enuf_ewald_mpi_report *report);
} enuf_ewald_calls;

/** The whole of a public function. */
#define ENUF_CALL(ewald, name, arguments)                                                          \
    do {                                                                                           \
        enuf_status status_ = enuf_ewald_check_idle(ewald);                                        \
        if (status_ == ENUF_SUCCESS) status_ = (ewald)->calls->name arguments;                     \
        return enuf_named(status_, __func__);                                                      \
    } while (0)

/* Those of one process, and of the object that a rank has for itself. */
ENUF_PRIVATE enuf_status enuf_alone_set_cell(enuf_ewald *ewald, const double cell[9]);
enuf_status enuf_alone_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                   const enuf_exclusions *exclusions);
enuf_status enuf_alone_tune(enuf_ewald *ewald, const double *positions, int64_t stride);
enuf_status enuf_alone_verify(enuf_ewald *ewald, const double *positions, int64_t stride);
enuf_status enuf_alone_compute(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_alone_begin(enuf_ewald *ewald);
enuf_status enuf_alone_finish(enuf_ewald *ewald);
enuf_status enuf_alone_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int64_t sample, uint64_t seed, enuf_ewald_error *error);
enuf_status enuf_alone_get_report(const enuf_ewald *ewald, enuf_ewald_report *report);
ENUF_PRIVATE enuf_status enuf_alone_list_candidates(enuf_ewald *ewald, double dearest,
                                                    int64_t capacity,
                                                    enuf_ewald_candidate *candidates, int64_t *n);

ENUF_PRIVATE extern const enuf_ewald_calls enuf_calls_alone;

#endif
