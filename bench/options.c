/* options.c - see options.h. SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static double number_of(const char *program, const char *name, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end) bench_die(program, "%s '%s': give a number", name, text);
    return value;
}

static void set(const char *program, const bench_option *o, const char *value)
{
    if (o->kind == BENCH_OPTION_FLAG) {
        *(int *)o->to = 1;
    } else if (o->kind == BENCH_OPTION_INTEGER) {
        const double number = number_of(program, o->name, value);
        if (!(number >= 0 && number <= INT_MAX) || number != (int)number)
            bench_die(program, "%s '%s': give a whole number, 0 or more", o->name, value);
        *(int *)o->to = (int)number;
    } else if (o->kind == BENCH_OPTION_REAL) {
        *(double *)o->to = number_of(program, o->name, value);
    } else if (o->kind == BENCH_OPTION_LIST) {
        *o->n = bench_numbers(program, value, o->to);
    } else if (o->kind == BENCH_OPTION_NAMES) {
        *(int *)o->to = bench_names(program, value, o->names, o->n_names);
    } else {
        *(const char **)o->to = value;
    }
}

void bench_read_options(bench_output *output, int argc, char **argv, const bench_option *options,
                        int n)
{
    const char *program = output->program;
    for (int i = 1; i < argc; i++) {
        int k = 0;
        if (bench_output_argument(output, argc, argv, &i)) continue;
        while (k < n && strcmp(argv[i], options[k].name) != 0) k++;
        if (k == n) bench_die(program, "'%s' is no option; see the head of its source", argv[i]);
        if (options[k].kind != BENCH_OPTION_FLAG && ++i >= argc)
            bench_die(program, "%s: its value is missing", options[k].name);
        set(program, &options[k], argv[i]);
    }
}
