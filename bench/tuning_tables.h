/* tuning_tables.h - the three tables of the program tuning, problem by problem.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_TUNING_TABLES_H
#define BENCH_TUNING_TABLES_H

#include "table.h"
#include "tuning_case.h"

enum { TUNING_MOST_TURNS = 100 };

/** What the command line asks of every problem. */
typedef struct tuning_request {
    double repeats;  /* calls of each type for a set of points */
    int trials;      /* of a candidate */
    int turns;       /* of what was chosen, up to TUNING_MOST_TURNS */
    int all_windows; /* 1: every window is a candidate */
    double seconds;  /* no timing of an exhaustive search begins after so many; 0: no limit */
} tuning_request;

/** A table: its columns, the rows of one problem, a line below. */
typedef struct tuning_table {
    const bench_column *columns;
    int n_columns;
    void (*rows)(bench_table *table, const tuning_request *request, const tuning_case *c);
    const char *remark;
} tuning_table;

/** The first cells of every row: which problem. */
#define TUNING_PROBLEM_COLUMNS                                                                     \
    {"trajectory", -14}, {"side", 4}, {"R", 3}, {"points", 8}, {"precision", -9},                  \
    {                                                                                              \
        "tolerance", 9                                                                             \
    }
void tuning_problem_cells(bench_table *table, const tuning_case *c);

/** What each effort chose, how long it took, and the chosen methods timed in turns.
 * tuning_efforts.c */
extern const tuning_table tuning_efforts;
/** Time against upsampling at each level. tuning_sweep.c */
extern const tuning_table tuning_sweep;
/** The Gram operator beside type 2 and type 1. tuning_gram.c */
extern const tuning_table tuning_gram;

#endif
