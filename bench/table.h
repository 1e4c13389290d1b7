/*
 * table.h - the output of every benchmark: one table, printed row by row as aligned text or
 * markdown on stdout, and as CSV with the command and the machine in its head.
 *
 *     bench_output output = {.program = "pairs"};
 *     for (int i = 1; i < argc; i++)
 *         if (!bench_output_argument(&output, argc, argv, &i)) ...;
 *     bench_table_begin(&table, &output, NULL, columns, n_columns);
 *     bench_text(&table, "double");  bench_number(&table, "%.3f", seconds);  ...
 *     bench_table_end(&table);
 *
 * A row ends with its last cell.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdint.h>
#include <stdio.h>

/** Where a benchmark's output goes: --csv FILE, --markdown. */
typedef struct bench_output {
    const char *program;
    const char *csv;
    int markdown;
    int argc;
    char **argv;
} bench_output;

/** Takes argv[*i] (and its value) if it is --csv or --markdown; returns 0 if it is not. */
int bench_output_argument(bench_output *output, int argc, char **argv, int *i);

typedef struct bench_column {
    const char *title; /* in CSV with underscores */
    int width;         /* at least the title's length; negative: text, on the left */
} bench_column;

typedef struct bench_table {
    const bench_output *output;
    const bench_column *columns;
    int n, at;
    FILE *csv;
} bench_table;

/** Prints the head. `peers` gives name and version of the peer; NULL without one. */
void bench_table_begin(bench_table *table, const bench_output *output, const char *peers,
                       const bench_column *columns, int n);

/** Prints the next cell; empty for NaN. In CSV numbers have ten digits with any format. */
void bench_text(bench_table *table, const char *text);
void bench_number(bench_table *table, const char *format, double value);

/** A line about the whole table: below it on stdout, a comment in CSV. */
void bench_remark(bench_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void bench_table_end(bench_table *table);

/** Prints one line of progress on stderr, if it is a terminal. */
void bench_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
