/*
 * tuned.h - what the files of this room share: the candidates of a tuning, and the object that is
 * tuned. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_TUNED_H
#define ENUF_EWALD_TUNED_H

#include "choose/candidates.h"
#include "enuf/ewald_tuning.h"
#include "object/ewald_object.h"
#include "verify/error_scale.h"

/* The model's choice, and the candidates of the cost model. */
enum { ENUF_MOST_TIMED = ENUF_MOST_CANDIDATES + 1 };

struct enuf_ewald_tuning {
    int n, from_wisdom;
    enuf_ewald_timed candidate[ENUF_MOST_TIMED];
};

/** A candidate, for the caller and for the object. */
typedef struct enuf_tuned {
    enuf_ewald_timed timed;
    enuf_parameters parameters;
    double least[2]; /* the least times, of those that were timed */
} enuf_tuned;

/** A tuning under way. */
typedef struct enuf_tuning_work {
    enuf_ewald *ewald;
    enuf_ewald_tuning_request request;
    const double *positions; /* [n][stride], the caller's, in the memory of the option */
    int64_t stride;
    enuf_error_scale_alone alone; /* the same on the host, and the reference, once it is needed */
    int has_reference;
    double *forces;             /* [n][3] of evaluations that are timed; NULL: none yet */
    enuf_choice_request choice; /* of the object */
    enuf_parameters model;      /* the model's choice */
    int from_wisdom;
    int replaced; /* 1: the method in use is another than the model's choice */
    int n;
    enuf_tuned candidate[ENUF_MOST_TIMED]; /* in ascending predicted time */
} enuf_tuning_work;

/** Checks the values of a request. request.c */
enuf_status enuf_tuning_check_request(const enuf_ewald_tuning_request *request);

/** Whether predicted errors are those of uncorrelated charges. */
static inline int enuf_tuning_is_uncorrelated(const enuf_tuning_work *w)
{
    return w->request.uncorrelated || w->ewald->options.deterministic;
}

/** Parameters from those that a choice leaves open, for the object's cell and charges: splitting,
 * k_c, grid, window, width and shape are given. *holds 0: the grid does not hold the modes.
 * candidates.c */
enuf_status enuf_tuning_complete(const enuf_ewald *ewald, enuf_parameters *parameters, int *holds);
/** The record of parameters, not timed. candidates.c */
void enuf_tuning_describe(const enuf_tuning_work *work, const enuf_parameters *parameters,
                          enuf_tuned *candidate);
/** Lists the candidates; those that miss the accuracy or need too much memory are marked.
 * candidates.c */
enuf_status enuf_tuning_list_sums(enuf_tuning_work *work);
/** "gaussian, cutoff 9.1, grid 32x32x32, width 7". candidates.c */
const char *enuf_tuning_text(const enuf_ewald_candidate *candidate, char text[160]);

/** Puts parameters to use. clock.c */
enuf_status enuf_tuning_apply(enuf_tuning_work *work, const enuf_parameters *parameters);
/** Times an evaluation with parameters: the library's own clock. clock.c */
enuf_status enuf_tuning_clock(enuf_tuning_work *work, const enuf_parameters *parameters,
                              double *seconds, int64_t *bytes);

/** Times candidates by the request's timer or the clock. search.c */
enuf_status enuf_tuning_time_sums(enuf_tuning_work *work);

/** Puts a candidate to use and measures its error at the positions, if parameters may depend on
 * them. *fits: whether it meets the accuracy. accuracy.c */
enuf_status enuf_tuning_try(enuf_tuning_work *work, enuf_tuned *candidate, int *fits);

/** Takes the parameters of wisdom, if it has some that serve, as the only candidate, and puts them
 * to use. wisdom.c */
enuf_status enuf_tuning_take_wisdom(enuf_tuning_work *work);
/** Adds what was measured to the wisdom of the request. wisdom.c */
enuf_status enuf_tuning_keep_wisdom(const enuf_tuning_work *work, const enuf_tuned *chosen);
/** Refuses: wisdom has nothing that serves. wisdom.c */
enuf_status enuf_tuning_refuse_wisdom(const enuf_tuning_work *work);

#endif
