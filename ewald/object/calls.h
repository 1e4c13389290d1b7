/*
 * calls.h - the table of functions behind the public functions of an object. There are three: for
 * one process (calls/alone.c), for ranks of MPI, and for ranks that share a GPU (ewald/mpi).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CALLS_H
#define ENUF_EWALD_CALLS_H

#include "ewald_object.h"

struct enuf_ewald_mpi_report; /* enuf/ewald_mpi.h */

/* X(who, call, parameters): begin and finish are the two halves of ewald->pending. */
#define ENUF_CALLS(X, who)                                                                         \
    X(who, set_cell, (enuf_ewald * ewald, const double cell[9]))                                   \
    X(who, set_charges,                                                                            \
      (enuf_ewald * ewald, int64_t n, const double *charges, const enuf_exclusions *exclusions))   \
    X(who, tune, (enuf_ewald * ewald, const double *positions, int64_t stride))                    \
    X(who, verify, (enuf_ewald * ewald, const double *positions, int64_t stride))                  \
    X(who, measure_tail, (enuf_ewald * ewald, const double *positions, int64_t stride))            \
    X(who, compute, (enuf_ewald * ewald, const enuf_evaluation *what))                             \
    X(who, begin, (enuf_ewald * ewald))                                                            \
    X(who, finish, (enuf_ewald * ewald))                                                           \
    X(who, measure_error,                                                                          \
      (enuf_ewald * ewald, const double *positions, int64_t stride, int64_t sample, uint64_t seed, \
       enuf_ewald_error *error))                                                                   \
    X(who, get_report, (const enuf_ewald *ewald, enuf_ewald_report *report))                       \
    X(who, list_candidates,                                                                        \
      (enuf_ewald * ewald, double dearest, int64_t capacity, enuf_ewald_candidate *candidates,     \
       int64_t *n))
#define ENUF_CALL_MEMBER(who, call, parameters)   enuf_status(*call) parameters;
#define ENUF_CALL_FUNCTION(who, call, parameters) enuf_status enuf_##who##_##call parameters;
#define ENUF_CALL_ENTRY(who, call, parameters)    .call = enuf_##who##_##call,

/** Called with an idle object; collective on ranks. */
typedef struct enuf_ewald_calls {
    void (*destroy)(enuf_ewald *ewald);
    ENUF_CALLS(ENUF_CALL_MEMBER, )
    /* NULL: one process */
    enuf_status (*get_mpi_report)(const enuf_ewald *ewald, struct enuf_ewald_mpi_report *report);
} enuf_ewald_calls;

/** The body of a public function: calls the object's own function if the object is idle. */
#define ENUF_CALL(ewald, name, arguments)                                                          \
    do {                                                                                           \
        enuf_status status_ = enuf_ewald_check_idle(ewald);                                        \
        if (status_ == ENUF_SUCCESS) status_ = (ewald)->calls->name arguments;                     \
        return enuf_named(status_, __func__);                                                      \
    } while (0)

/* The functions of one process, and of the object that a rank has for itself. */
ENUF_CALLS(ENUF_CALL_FUNCTION, alone)
ENUF_PRIVATE extern const enuf_ewald_calls enuf_calls_alone;

#endif
