/*
 * calibration.h - the search that makes the error estimate true, by whoever chooses and measures:
 * one process, or many ranks. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CALIBRATION_H
#define ENUF_CALIBRATION_H

#include "ewald_object.h"

/** Atoms whose exact sums are made where charges are few. */
enum { ENUF_CALIBRATION_SAMPLE = 128 };

/** The steps of the search. On many ranks all are collective, and everything that they leave is the
 * same on all. */
typedef struct enuf_calibration_steps {
    void *context;
    const double *positions; /* [charges.n][stride], on the host */
    int64_t stride;
    /* chooses anew, with ewald->calibration, and adopts it */
    enuf_status (*choose)(void *context);
    /* the error of the method in use against the reference */
    enuf_status (*measure)(void *context, enuf_ewald_error *found);
    /* agrees on the status and adds up sums over ranks; NULL: there is one */
    enuf_status (*add_up)(void *context, enuf_status mine, int64_t n, double *sums);
} enuf_calibration_steps;

/** 1 where the estimate of the method in use is to be made true by positions. */
int enuf_calibration_is_due(const enuf_ewald *ewald);
/** 1 where a finer mesh takes less than exact sums. */
int enuf_calibration_by_finer_mesh(const enuf_ewald *ewald);

/** Leaves ewald->calibration and the method chosen with it, whose first choice is the caller's. */
enuf_status enuf_calibration_search(enuf_ewald *ewald, const enuf_calibration_steps *steps);

/** Measures what the modes left out have of energy and virial: the last step of the search, and the
 * only one where the rest is not due. */
enuf_status enuf_calibration_tail(enuf_ewald *ewald, const enuf_calibration_steps *steps);

#endif
