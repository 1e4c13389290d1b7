/*
 * error_scale.h - the search that makes the error estimate true, by whoever chooses and measures:
 * one process, or many ranks. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ERROR_SCALE_H
#define ENUF_ERROR_SCALE_H

#include "private.h"
#include "sample.h"

/** The steps of the search. On many ranks all are collective, and everything that they leave is the
 * same on all. */
typedef struct enuf_error_scale_steps {
    void *context;
    const double *positions; /* [charges.n][stride], on the host */
    int64_t stride;
    /* chooses anew, with ewald->error_scale, and adopts it */
    enuf_status (*choose)(void *context);
    /* the error of the method in use against the reference */
    enuf_status (*measure)(void *context, enuf_ewald_error *found);
    /* agrees on the status and adds up sums over ranks; NULL: there is one */
    enuf_status (*reduce)(void *context, enuf_status mine, int64_t n, double *sums);
    /* takes this reference, at `size` charged atoms (0: all, as every mesh has them), in place of
     * the one before */
    enuf_status (*refer)(void *context, enuf_reference reference, int64_t size);
} enuf_error_scale_steps;

/** One process. */
typedef struct enuf_error_scale_alone {
    enuf_ewald *ewald;
    const double *positions;
    int64_t stride;
    enuf_sample sample; /* the reference */
} enuf_error_scale_alone;

/** The steps of that. */
enuf_error_scale_steps enuf_error_scale_steps_alone(enuf_error_scale_alone *alone);

/** Chooses, and makes the estimate of the method true by positions where that pays. Leaves
 * ewald->error_scale and the method chosen with it; after an error what was there before, to be
 * chosen anew. Collective on ranks. */
ENUF_PRIVATE enuf_status enuf_error_scale_run(enuf_ewald *ewald,
                                              const enuf_error_scale_steps *steps);

/** What the method in use errs by, and its ratio to the prediction by the spectrum. Forces of a
 * crystal vanish, and with them their errors; those of energy and virial do not. */
typedef struct enuf_measurement {
    double error, ratio;
    int is_of_totals; /* 1: it is that of energy or virial, as the larger part of their promise */
} enuf_measurement;

enuf_status enuf_error_scale_measure(const enuf_ewald *ewald, const enuf_error_scale_steps *steps,
                                     enuf_measurement *m);
/** The prediction by the spectrum, without what no order of theirs changes: their own force on the
 * mesh and rounding. */
double enuf_error_scale_estimate(const enuf_ewald *ewald);
/** 1 where parameters may depend on positions: not where deterministic, nor below the accuracy from
 * which on rounding decides. */
int enuf_error_scale_may_choose(const enuf_ewald *ewald);

/* verify.c */
/** 1 where the choice in use is to be compared with a reference before it first serves: where both
 * halves are asked for, or the modes alone with a splitting that the options give. */
ENUF_PRIVATE int enuf_verification_is_due(const enuf_ewald *ewald, const enuf_evaluation *what);
/** Compares it, and chooses anew where it errs by more than was asked for; keeps the choice where
 * no other errs less. Leaves method.found. Collective on ranks. */
ENUF_PRIVATE enuf_status enuf_verification_run(enuf_ewald *ewald,
                                               const enuf_error_scale_steps *steps);
/** What becomes of its status before an evaluation, which tells itself what is wrong with the
 * positions. An error that had been found before it failed stays in the report. */
ENUF_PRIVATE enuf_status enuf_verification_forgive(enuf_ewald *ewald, const enuf_evaluation *what,
                                                   enuf_status status);

#endif
