/*
 * tuning.h - what the files of this room share: candidates, their timing, wisdom.
 *
 * A new level of precomputation is one more field of enuf_nufft_method, of an entry of wisdom, and
 * one more loop in enuf_tuning_list(). SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TUNING_ROOM_H
#define ENUF_NUFFT_TUNING_ROOM_H

#include "enuf/nufft_tuning.h"
#include "error.h"
#include "memory.h"
#include "plan/options.h"
#include "plan/plan.h"

enum { ENUF_MAX_CANDIDATES = 128 };

struct enuf_tuning {
    int n, from_wisdom;
    enuf_candidate candidate[ENUF_MAX_CANDIDATES];
};

/** The points of a tuning; x NULL: random ones have to be drawn. */
typedef struct enuf_tuning_points {
    int64_t n, stride;
    const double *x, *y, *z;
} enuf_tuning_points;

/** The problem's method, as the public record has it. method.c */
enuf_nufft_method enuf_method_record(const enuf_method *method);

/** Lists all candidates in ascending predicted time, none of them chosen. candidates.c */
enuf_status enuf_tuning_list(const enuf_nufft_options *options, const enuf_tuning_request *request,
                             int64_t n_points, enuf_tuning *tuning);

/** Times candidates by the request's timer; options are those of the problem. search.c */
enuf_status enuf_tuning_search(const enuf_nufft_options *options,
                               const enuf_tuning_request *request, enuf_tuning *tuning);

/** The library's own timer. measure.c */
typedef struct enuf_tuning_clock enuf_tuning_clock;
enuf_status enuf_tuning_clock_make(const enuf_nufft_options *options,
                                   const enuf_tuning_request *request,
                                   const enuf_tuning_points *points, enuf_tuning_clock **clock);
void enuf_tuning_clock_free(enuf_tuning_clock **clock);
enuf_status enuf_tuning_time(void *clock, const enuf_nufft_options *options, double *seconds,
                             int64_t *bytes);

/* ---- Wisdom ---- */

enum { ENUF_WISDOM_KEY = 400, ENUF_WISDOM_MACHINE = 300 };

/** What is known of one problem on one machine. */
typedef struct enuf_wisdom_entry {
    char machine[ENUF_WISDOM_MACHINE];
    char problem[ENUF_WISDOM_KEY];
    int effort; /* ENUF_TUNE_MEASURE, ENUF_TUNE_EXHAUSTIVE */
    enuf_nufft_method method;
    double error, seconds;
    int64_t bytes;
} enuf_wisdom_entry;

struct enuf_wisdom {
    int64_t n, room;
    enuf_wisdom_entry *entry;
};

/** Names of this machine and of a problem. wisdom_key.c */
enuf_status enuf_wisdom_machine(const enuf_nufft_options *options, char *name);
void enuf_wisdom_problem(const enuf_nufft_options *options, const enuf_tuning_request *request,
                         int64_t n_points, char *name);

/** An entry, or NULL; adds one, or puts it in the place of a worse one. wisdom.c */
const enuf_wisdom_entry *enuf_wisdom_find(const enuf_wisdom *wisdom, const char *machine,
                                          const char *problem);
enuf_status enuf_wisdom_add(enuf_wisdom *wisdom, const enuf_wisdom_entry *entry);

#endif
