/* level_table.h - a table of times and bytes of levels, in place of the clock of tuning.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_LEVEL_TABLE_H
#define ENUF_LEVEL_TABLE_H

#include "conformance.h"
#include "enuf/nufft_tuning.h"

enum { LEVELS = 5, OF_POINTS = 4 /* without GRAM */ };

/** Levels in the order of what they keep, and their bytes. */
extern const enuf_level level_ascending[LEVELS];
extern const int64_t level_bytes[LEVELS];

/** Place of a level among them. */
int level_place(enuf_level level);

/** What is timed: rounds of type 1 and type 2, and calls of the Gram operator. */
typedef struct level_table {
    double repeats, gram;
    int calls, bytes_over; /* 1: a matrix takes more than any limit */
} level_table;

/** A timer, whose context is a level_table. Lines of time of none, sorted, weights and matrix cross
 * after 2, 10 and 80 repeats; those of none, matrix and gram after 7.52 and 10 calls. */
enuf_status level_look_up(void *context, const enuf_nufft_options *o, double *seconds,
                          int64_t *bytes);

/** Options of the problem, and a request; t NULL: the clock. */
enuf_nufft_options level_problem(void);
enuf_tuning_request level_request(enuf_tune_effort effort, double repeats, level_table *t);

#endif
