/*
 * error_scale.h - the search for the error scale of a system, in one process or on many ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ERROR_SCALE_H
#define ENUF_ERROR_SCALE_H

#include "private.h"
#include "sample.h"

/** The steps of the search. On many ranks all are collective, with equal results on all. */
typedef struct enuf_error_scale_steps {
    void *context;
    const double *positions; /* [charges.n][stride], on the host */
    int64_t stride;
    /* chooses parameters with ewald->error_scale, and applies them */
    enuf_status (*choose)(void *context);
    /* the error of the method in use against the reference */
    enuf_status (*measure)(void *context, enuf_ewald_error *found);
    /* agrees on the status and sums over ranks; NULL: one process */
    enuf_status (*reduce)(void *context, enuf_status mine, int64_t n, double *sums);
    /* computes this reference at `size` charged atoms (0: all; a mesh always has all), in place of
     * the last one */
    enuf_status (*refer)(void *context, enuf_reference reference, int64_t size);
} enuf_error_scale_steps;

/** One process. */
typedef struct enuf_error_scale_alone {
    enuf_ewald *ewald;
    const double *positions;
    int64_t stride;
    enuf_sample sample; /* the reference */
} enuf_error_scale_alone;

/** The steps of one process. */
enuf_error_scale_steps enuf_error_scale_steps_alone(enuf_error_scale_alone *alone);

/** Chooses parameters, and searches the error scale if that saves time. Sets ewald->error_scale and
 * the method. After an error both are as before, and the next update chooses again. Collective. */
ENUF_PRIVATE enuf_status enuf_error_scale_run(enuf_ewald *ewald,
                                              const enuf_error_scale_steps *steps);

/** The error of the method in use, and its ratio to the prediction by the structure factor. In a
 * crystal forces and their errors vanish, but errors of energy and virial do not. */
typedef struct enuf_measurement {
    double error, ratio;
    int is_of_totals; /* 1: the error of energy or virial is the larger part of its promise */
} enuf_measurement;

enuf_status enuf_error_scale_measure(const enuf_ewald *ewald, const enuf_error_scale_steps *steps,
                                     enuf_measurement *m);
/** Computes the reference of such measurements: exact sums on a sample, or for many charges a finer
 * mesh. */
enuf_status enuf_error_scale_refer(const enuf_ewald *ewald, const enuf_error_scale_steps *steps);
/** The prediction by the structure factor, without self-force and rounding, which do not depend on
 * it.
 */
double enuf_error_scale_estimate(const enuf_ewald *ewald);
/** 1 if parameters may depend on positions: not with `deterministic`, and not for accuracies near
 * rounding. */
ENUF_PRIVATE int enuf_error_scale_may_choose(const enuf_ewald *ewald);

/* verify.c */
/** 1 if the choice in use has to be verified before its first use: for evaluations of both halves,
 * or of the modes alone if options give the splitting. */
ENUF_PRIVATE int enuf_verification_is_due(const enuf_ewald *ewald, const enuf_evaluation *what);
/** Verifies it, and chooses again if the error exceeds the request; keeps the choice if no other
 * errs less. Sets method.found. Collective. */
ENUF_PRIVATE enuf_status enuf_verification_run(enuf_ewald *ewald,
                                               const enuf_error_scale_steps *steps);
/** The status of a verification for the evaluation that follows. Errors of positions become
 * success, because the evaluation reports them. method.found keeps an error found before the
 * failure. */
ENUF_PRIVATE enuf_status enuf_verification_forgive(enuf_ewald *ewald, const enuf_evaluation *what,
                                                   enuf_status status);

#endif
