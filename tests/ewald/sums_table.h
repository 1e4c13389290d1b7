/*
 * sums_table.h - tuning of Ewald sums by a table of times in place of a clock.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TESTS_SUMS_TABLE_H
#define ENUF_TESTS_SUMS_TABLE_H

#include "enuf/ewald_tuning.h"
#include "systems.h"

/* A table of times: the model's with an error of a candidate, and what disturbs each timing. */
typedef struct sums_table {
    unsigned seed;
    double error, scatter; /* error 0: times have nothing to do with the model */
    int64_t bytes;         /* of each cell of the grid */
    int unlucky;           /* timings of the candidate timed first that take half as long again */
    double first;          /* its time */
    int calls, fail_at;
    enuf_status failure;
} sums_table;

/** Time of a candidate, without what disturbs it. */
double seconds_of(const sums_table *t, const enuf_ewald_candidate *c);

/** A request whose timer is the table; NULL: the library's clock. */
enuf_ewald_tuning_request request_of(enuf_tune_effort effort, sums_table *t);

/** Options for an accuracy, of one thread. */
enuf_ewald_options options_of(double accuracy);

enuf_ewald_timed candidate_at(const enuf_ewald_tuning *tuning, int i);

/** The only one that is chosen. */
enuf_ewald_timed chosen_of(const enuf_ewald_tuning *tuning);

enuf_ewald_report report_of(const enuf_ewald *ewald);

/** 1: the report is of these parameters, in every bit. */
int has_parameters(const enuf_ewald_report *r, const enuf_ewald_candidate *c);

/** Energy, virial and forces, whose bits tell whether the object is as it was. */
enuf_ewald_result results_of(enuf_ewald *ewald, const charge_system *s);
int same_bits(const enuf_ewald_result *a, const enuf_ewald_result *b, int64_t n);

#endif
