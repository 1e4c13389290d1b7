/*
 * enuf/ewald_tuning.h - the fastest parameters of Ewald sums on this machine: a list of candidates
 * that all serve the accuracy, their predicted and measured times, and wisdom that keeps what was
 * found.
 *
 *     enuf_ewald_tuning_request request;
 *     enuf_ewald_tuning_request_init(&request);
 *     request.effort = ENUF_TUNE_MEASURE;
 *     if (enuf_ewald_tune_with(ewald, &request, positions, 3, NULL) != ENUF_SUCCESS)
 *         die(enuf_last_error());
 *     enuf_ewald_compute(ewald, positions, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result);
 *
 * Efforts, states and wisdom are those of enuf/nufft_tuning.h; one file holds the wisdom of both.
 * Serves objects of one process on every backend.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_TUNING_H
#define ENUF_EWALD_TUNING_H

#include "enuf/ewald.h"
#include "enuf/nufft_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fields that stay as the object has them: a mask. */
enum {
    ENUF_KEEP_SPLIT = 1,  /* Gaussian or prolate */
    ENUF_KEEP_CUTOFF = 2, /* of the real-space sum */
    ENUF_KEEP_GRID = 4,
    ENUF_KEEP_WIDTH = 8 /* of the window */
};

/**
 * Times one evaluation.
 *
 * parameters  of the candidate
 * seconds     that an evaluation took
 * bytes       that the object held
 *
 * ENUF_OUT_OF_MEMORY leaves the candidate out. Any other error ends the tuning with that status.
 */
typedef enuf_status (*enuf_ewald_tune_timer)(void *context, const enuf_ewald_candidate *parameters,
                                             double *seconds, int64_t *bytes);

/** What to tune for. Fill with enuf_ewald_tuning_request_init(), then change what differs. */
typedef struct enuf_ewald_tuning_request {
    size_t struct_size;      /* sizeof(enuf_ewald_tuning_request), set by _init */
    enuf_tune_effort effort; /* [ENUF_TUNE_ESTIMATE] */
    int keep;                /* ENUF_KEEP_...; options of the object that are given stay too [0] */
    int with_virial;         /* 1: energy, forces and virial are timed, 0: energy and forces [0] */
    /* 1: errors are predicted for uncorrelated charges, as by enuf_ewald_tune() without positions;
     * 0: they are calibrated at the positions. Deterministic objects always take 1 [0] */
    int uncorrelated;
    int trials;           /* timings of a candidate that may be the best [8] */
    double time_limit;    /* seconds of timing; no timing begins after it; 0: none [0] */
    int64_t memory_limit; /* bytes that the object may hold; 0: options.memory_limit [0] */
    double dearest;      /* candidates may cost so many times the cheapest, by the cost model [2] */
    enuf_wisdom *wisdom; /* read first, and given what was measured; NULL: none [NULL] */
    /* in place of the library's own clock, for tests; NULL: own [NULL] */
    enuf_ewald_tune_timer timer;
    void *timer_context; /* of the timer [NULL] */
} enuf_ewald_tuning_request;

/** Fills `request` with the defaults in brackets above. */
ENUF_API void enuf_ewald_tuning_request_init(enuf_ewald_tuning_request *request);

/** Parameters that were looked at. */
typedef struct enuf_ewald_timed {
    size_t struct_size;              /* sizeof(enuf_ewald_timed), to be set before the call */
    enuf_ewald_candidate parameters; /* with the predicted error and the cost model's seconds */
    enuf_candidate_state state;
    double measured_error;    /* A at the positions, of those that won by time; 0: not measured */
    int64_t bytes;            /* that the object held; predicted if it was not timed */
    double predicted_seconds; /* of an evaluation, by the cost model, on all threads */
    double measured_seconds;  /* the same, the fastest of up to 3 timings, the second fastest of
                                 more; 0: not timed */
    int timings;              /* evaluations or groups of them that were timed */
} enuf_ewald_timed;

/** The candidates of a tuning, in ascending predicted time. */
typedef struct enuf_ewald_tuning enuf_ewald_tuning;
/** Their number; 0 of NULL, and without charges. */
ENUF_API int enuf_ewald_tuning_count(const enuf_ewald_tuning *tuning);
/** 1: nothing was looked at but wisdom. */
ENUF_API int enuf_ewald_tuning_from_wisdom(const enuf_ewald_tuning *tuning);
ENUF_API enuf_status enuf_ewald_tuning_get(const enuf_ewald_tuning *tuning, int i,
                                           enuf_ewald_timed *candidate);
ENUF_API void enuf_ewald_tuning_destroy(enuf_ewald_tuning **tuning);

/**
 * Finds the fastest parameters at positions and sets them.
 *
 * request    NULL: the defaults
 * positions  [n][stride] in the memory of options.memory
 * tuning     the list of candidates, to be destroyed by the caller; may be NULL
 *
 * Chooses by the model, as enuf_ewald_tune() does. The candidates are each splitting and grid with
 * the smallest cutoff that it serves, and the narrowest window for the accuracy. ENUF_TUNE_MEASURE
 * times those that the model finds within 1.5 times of the cheapest, and halves them: the faster
 * half, and all within 3 % of the fastest, are timed twice as often, up to `trials`, by turns.
 * ENUF_TUNE_EXHAUSTIVE times all as often. The fastest one that meets the accuracy at the positions
 * is set; compute() does not verify it once more, except with `uncorrelated`.
 *
 * Wisdom of the same or more effort is taken without any timing: of this machine, as many charges,
 * density and shape of the cell (in steps of 5 %), accuracy, arithmetic, threads and given options.
 * Its parameters have to meet the accuracy of the object. Parameters are the same in every bit.
 * They are set until the object chooses again, after a large change of the cell for example.
 *
 * options.log receives a line for each timing. With `deterministic` parameters must not depend on a
 * clock: they come from wisdom, of an object without it that was tuned with `uncorrelated`, or from
 * the model.
 *
 * Errors, after which object, wisdom and *tuning (NULL) are as if nothing had been called:
 * ENUF_BAD_ARGUMENT; ENUF_UNSUPPORTED on ranks of MPI, for ENUF_TUNE_WISDOM_ONLY without an entry,
 * and for timings with `deterministic`; ENUF_UNREACHABLE_ACCURACY if no candidate meets the
 * accuracy; ENUF_OUT_OF_MEMORY if none fits into the limit: the text has the least need; those of
 * the timer and of enuf_ewald_tune().
 */
ENUF_API enuf_status enuf_ewald_tune_with(enuf_ewald *ewald,
                                          const enuf_ewald_tuning_request *request,
                                          const double *positions, int64_t stride,
                                          enuf_ewald_tuning **tuning);

#ifdef __cplusplus
}
#endif
#endif
