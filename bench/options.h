/* options.h - the options of a benchmark, read from its command line. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "arguments.h"
#include "table.h"

typedef enum bench_option_kind {
    BENCH_OPTION_FLAG,    /* int: 1 */
    BENCH_OPTION_INTEGER, /* int, 0 or more */
    BENCH_OPTION_REAL,    /* double */
    BENCH_OPTION_LIST,    /* double [BENCH_MOST_VALUES]; *n: how many */
    BENCH_OPTION_NAMES,   /* int: bits of n_names names */
    BENCH_OPTION_WORD     /* const char * */
} bench_option_kind;

typedef struct bench_option {
    const char *name; /* with its dashes */
    bench_option_kind kind;
    void *to;
    int *n;
    const char *const *names;
    int n_names;
} bench_option;

#define BENCH_FLAG(name, to)                                                                       \
    {                                                                                              \
        name, BENCH_OPTION_FLAG, to, NULL, NULL, 0                                                 \
    }
#define BENCH_INTEGER(name, to)                                                                    \
    {                                                                                              \
        name, BENCH_OPTION_INTEGER, to, NULL, NULL, 0                                              \
    }
#define BENCH_REAL(name, to)                                                                       \
    {                                                                                              \
        name, BENCH_OPTION_REAL, to, NULL, NULL, 0                                                 \
    }
#define BENCH_LIST(name, to, n)                                                                    \
    {                                                                                              \
        name, BENCH_OPTION_LIST, to, n, NULL, 0                                                    \
    }
#define BENCH_NAMES(name, to, names, n_names)                                                      \
    {                                                                                              \
        name, BENCH_OPTION_NAMES, to, NULL, names, n_names                                         \
    }
#define BENCH_WORD(name, to)                                                                       \
    {                                                                                              \
        name, BENCH_OPTION_WORD, to, NULL, NULL, 0                                                 \
    }

/** Reads the command line, the options of the output too. A word that is no option, a value that is
 * missing or no number ends the program. */
void bench_read_options(bench_output *output, int argc, char **argv, const bench_option *options,
                        int n);

#endif
