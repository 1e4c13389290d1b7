/*
 * tuning.h - what the files of this room share: candidates, their timing, wisdom.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TUNING_ROOM_H
#define ENUF_NUFFT_TUNING_ROOM_H

#include "enuf/nufft_tuning.h"
#include "error.h"
#include "memory.h"
#include "plan/options.h"
#include "plan/plan.h"
#include "wisdom_sums.h"

#include <string.h>

/* Of 6 windows, 11 grids, 5 levels there are 330; of ways of a GPU up to 7. */
enum { ENUF_MAX_CANDIDATES = 340 };

/** What calls of the Gram operator take, at every level and window the same. */
typedef struct enuf_gram_needs {
    int served;             /* 1: there are such calls, and a plan of level GRAM can serve them */
    double spectrum, apply; /* nanoseconds of one core, or of the GPU: to make it, of a call for the
                               whole batch */
    int64_t bytes;          /* of level GRAM at most, besides the plan with its points */
    int64_t values;         /* bytes of the other levels: of the values at the points */
} enuf_gram_needs;

struct enuf_tuning {
    int n, from_wisdom;
    double spent;              /* seconds of timing */
    enuf_candidate *confirmed; /* by enuf_tuning_confirm(); or NULL */
    enuf_gram_needs gram;
    enuf_nufft_method own; /* what a plan of the options chooses by itself */
    enuf_candidate candidate[ENUF_MAX_CANDIDATES];
};

/** 1: equal methods. */
static inline int enuf_methods_equal(const enuf_nufft_method *a, const enuf_nufft_method *b)
{
    return a->window == b->window && a->width == b->width && a->shape == b->shape &&
           a->level == b->level && a->spreading == b->spreading &&
           a->interpolation == b->interpolation &&
           memcmp(a->fine_grid, b->fine_grid, sizeof a->fine_grid) == 0;
}

/** 1: a plan chooses the candidate by itself. Level GRAM has none: its grids are equally fast. */
static inline int enuf_tuning_is_own(const enuf_tuning *tuning, const enuf_candidate *c)
{
    return tuning->own.level != ENUF_LEVEL_GRAM && enuf_methods_equal(&tuning->own, &c->method);
}

/** The points of a tuning; x NULL: random ones have to be drawn. */
typedef struct enuf_tuning_points {
    int64_t n, stride;
    const double *x, *y, *z;
} enuf_tuning_points;

/** The problem's method, as the public record has it. method.c */
enuf_nufft_method enuf_method_record(const enuf_method *method);

/** Lists all candidates in ascending predicted time, none of them chosen; tuning->gram is known.
 * candidates.c */
enuf_status enuf_tuning_list(const enuf_nufft_options *options, const enuf_tuning_request *request,
                             const enuf_tuning_points *points, enuf_tuning *tuning);

/** Needs at level GRAM are found if it may be chosen. If any level may be and GRAM cannot be had,
 * for its accuracy or memory, it does not serve; else that is an error. gram_cost.c */
enuf_status enuf_gram_needs_of(const enuf_nufft_options *options,
                               const enuf_tuning_request *request, int64_t n_points,
                               enuf_gram_needs *needs);
/** Time and bytes of level GRAM, which has to be had. gram_cost.c */
enuf_status enuf_gram_find_needs(const enuf_nufft_options *options, int64_t n_points,
                                 enuf_gram_needs *needs);
/** Bytes that the calls take at the options' level. gram_cost.c */
int64_t enuf_gram_bytes_at(const enuf_nufft_options *options, const enuf_gram_needs *needs);

/** Bytes of a plan at the options' level with its points: grid, spectrum, points and what the level
 * keeps, without the small arrays, and without the Gram operator. level_bytes.c */
int64_t enuf_tuning_bytes(const enuf_nufft_options *options, const enuf_method *method,
                          int64_t n_points);
/** 1: a plan can have the options' level. level_bytes.c */
int enuf_level_serves(const enuf_nufft_options *options, const enuf_method *method,
                      int64_t n_points);
/** Bytes that a candidate of the options' level may take: memory_limit, or else, if any level may
 * be chosen, half of the machine's memory for those that keep more than the points. level_bytes.c
 */
int64_t enuf_level_limit(const enuf_nufft_options *options, int any_level);

/** How near neighbours in the caller's order are: extents of runs of points, in periods. */
enum { ENUF_RUN_SAMPLES = 64 };
typedef struct enuf_point_runs {
    int n;
    double extent[ENUF_RUN_SAMPLES][3];
} enuf_point_runs;
/** Of a sample of the points, or of random ones. level_cost.c */
void enuf_point_runs_of(const enuf_nufft_options *options, const enuf_tuning_points *points,
                        enuf_point_runs *runs);

/** Nanoseconds of one core, or of the GPU, at the options' level: of setting the points, of a call
 * for the whole batch. level_cost.c */
typedef struct enuf_level_cost {
    double set, type1, type2;
} enuf_level_cost;
enuf_level_cost enuf_level_cost_of(const enuf_nufft_options *options, const enuf_method *method,
                                   const enuf_point_runs *runs);

/** The same on a GPU, and of a call of the Gram operator, whose circulant has a spectrum of so many
 * numbers. gpu_cost.c */
enuf_level_cost enuf_gpu_level_cost(const enuf_nufft_options *options, const enuf_method *method);
void enuf_gpu_gram_cost(const enuf_nufft_options *options, double numbers, double *apply,
                        double *spectrum);

/** 1: the options' plan works on a GPU. */
static inline int enuf_tuning_on_gpu(const enuf_nufft_options *options)
{
    return options->backend == ENUF_BACKEND_CUDA;
}

/** Times candidates by the request's timer; options are those of the problem. search.c */
enuf_status enuf_tuning_search(const enuf_nufft_options *options,
                               const enuf_tuning_request *request, enuf_tuning *tuning);
/** One more round of a candidate; the least counts. *taken (or NULL): its seconds; 0: there was
 * none, after the time limit, or it does not serve. Rounds of an injected timer take the time they
 * say. search.c */
enuf_status enuf_tuning_time_once(const enuf_nufft_options *options,
                                  const enuf_tuning_request *request, enuf_tuning *tuning,
                                  enuf_candidate *candidate, double *taken);
/** The fastest few are timed again, in pairs with what a plan chooses by itself, which stays unless
 * one gains in most pairs, and then with that one. confirm.c */
enuf_status enuf_tuning_confirm(const enuf_nufft_options *options,
                                const enuf_tuning_request *request, enuf_tuning *tuning);
/** The fastest of those that were timed, or else of those that were predicted; NULL: none fits.
 * choice.c */
enuf_candidate *enuf_tuning_fastest(enuf_tune_effort effort, enuf_tuning *tuning);
/** Two measured times that differ by less than this factor count as equal. */
#define ENUF_TUNING_SCATTER 1.03
/** On a GPU: appends the fastest method with each other way of spreading and interpolation, and
 * times them. ways.c */
enuf_status enuf_tuning_try_ways(const enuf_nufft_options *options,
                                 const enuf_tuning_request *request, enuf_tuning *tuning);

/** The library's own timer. measure.c */
typedef struct enuf_tuning_clock enuf_tuning_clock;
enuf_status enuf_tuning_clock_make(const enuf_nufft_options *options,
                                   const enuf_tuning_request *request,
                                   const enuf_tuning_points *points, const enuf_gram_needs *gram,
                                   enuf_tuning_clock **clock);
void enuf_tuning_clock_free(enuf_tuning_clock **clock);
enuf_status enuf_tuning_time(void *clock, const enuf_nufft_options *options, double *seconds,
                             int64_t *bytes);

/* ---- Wisdom ---- */

enum { ENUF_WISDOM_KEY = ENUF_WISDOM_PROBLEM, ENUF_WISDOM_MACHINE = 300 };

/** What is known of one problem on one machine. */
typedef struct enuf_wisdom_entry {
    char machine[ENUF_WISDOM_MACHINE];
    char problem[ENUF_WISDOM_KEY];
    int effort; /* ENUF_TUNE_MEASURE, ENUF_TUNE_EXHAUSTIVE */
    enuf_nufft_method method;
    double error, seconds;
    int64_t bytes;
    /* of Ewald sums (wisdom_sums.h), else empty and 0 */
    char split[ENUF_WISDOM_SPLIT];
    double parameter, cutoff, band;
} enuf_wisdom_entry;

struct enuf_wisdom {
    int64_t n, room;
    enuf_wisdom_entry *entry;
};

/** Names of this machine and of a problem. wisdom_key.c */
enuf_status enuf_wisdom_machine(const enuf_nufft_options *options, char *name);
void enuf_wisdom_problem(const enuf_nufft_options *options, const enuf_tuning_request *request,
                         const enuf_tuning_points *points, char *name);

/** An entry, or NULL; adds one, or puts it in the place of a worse one. wisdom.c */
const enuf_wisdom_entry *enuf_wisdom_find(const enuf_wisdom *wisdom, const char *machine,
                                          const char *problem);
enuf_status enuf_wisdom_add(enuf_wisdom *wisdom, const enuf_wisdom_entry *entry);

#endif
