/*
 * settings.h - the options of the command line. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_SETTINGS_H
#define ENUF_CLI_SETTINGS_H

#include "charge_rules.h"
#include "enuf/decomposition.h"
#include "enuf/ewald.h"

/* Default accuracy of `enuf madelung`. */
#define CLI_CRYSTAL_TARGET 1e-12

/* A command, and its bit in the table of options. */
typedef enum cli_command {
    CLI_ENERGY = 1,
    CLI_MADELUNG = 2,
    CLI_INFO = 4,
    CLI_TUNE = 8,
    CLI_BENCH = 16,
    CLI_STRUCTURE_FACTOR = 32,
    CLI_PLAN = 64
} cli_command;

typedef enum cli_exit { CLI_SUCCESS = 0, CLI_INTERNAL = 1, CLI_MENDABLE = 2 } cli_exit;

/* X(NAME, name, help) */
#define CLI_EXCLUDES(X)                                                                            \
    X(NONE, none, "every pair interacts (default)")                                                \
    X(BONDS, bonds, "not the pairs of the file's Bonds section")                                   \
    X(MOLECULE, molecule, "not the pairs inside one molecule")

typedef enum cli_exclude {
#define ENUF_X(NAME, name, help) CLI_EXCLUDE_##NAME,
    CLI_EXCLUDES(ENUF_X)
#undef ENUF_X
} cli_exclude;

/* X(NAME, name, help) */
#define CLI_WEIGHTS(X)                                                                             \
    X(CHARGES, charges, "charges (default)")                                                       \
    X(UNIT, unit, "1 for each ion")                                                                \
    X(NUMBERS, numbers, "atomic numbers, by the symbols that names begin with")

typedef enum cli_weights {
#define ENUF_X(NAME, name, help) CLI_WEIGHTS_##NAME,
    CLI_WEIGHTS(ENUF_X)
#undef ENUF_X
} cli_weights;

enum { CLI_MOST_RULES = 64, CLI_UNITS_OF_FILE = -1 };

/* LO:HI:N, both ends included */
typedef struct cli_range {
    double low, high;
    int64_t n; /* 0: no sweep */
} cli_range;

/* QMAX[:N] */
typedef struct cli_sphere {
    double largest; /* |q|; 0: no sphere */
    int64_t shells;
} cli_sphere;

/* N[,N[,N]] */
typedef struct cli_modes {
    int dim; /* how many; 0: none */
    int64_t n[3];
} cli_modes;

/* The options of `enuf plan`. */
typedef struct cli_plan_settings {
    cli_modes modes;
    const char *points; /* a file, or KIND[:R] */
    double tolerance;
    double repeats, type1, type2; /* calls of each type; below 0: `repeats` of them */
    double gram;                  /* calls of the Gram operator */
    int64_t memory;               /* bytes; 0: no limit */
    int effort;                   /* an enuf_tune_effort */
    int single;                   /* 1: float */
} cli_plan_settings;

typedef struct cli_settings {
    cli_command command;
    const char *name; /* "enuf energy": begins every line on stderr */
    const char
        *input;    /* FILE or STRUCTURE; "-" is the standard input; of several the current one */
    char **inputs; /* [n_inputs] all of them */
    int n_inputs;
    enuf_ewald_options ewald;

    const char *format; /* of FILE; NULL: by name or content */
    int n_rules;
    enuf_charge_rule rules[CLI_MOST_RULES];
    int units;      /* an enuf_units, or CLI_UNITS_OF_FILE */
    int cell_given; /* 1: --cell was given */
    double cell[9]; /* rows a, b, c */
    int exclude;

    const char *forces; /* output files; NULL: none */
    const char *per_atom;
    const char *potential;
    const char *plot;
    int virial;
    enuf_decomposition decomposition; /* on the ranks of mpirun */
    int64_t sample;                   /* atoms of --measure-error; 0: none */

    int64_t cells;             /* along each axis; 0: not given */
    int ranks;                 /* tune: to predict for; 0: those of mpirun */
    double latency, bandwidth; /* of messages between them, us and GB/s; 0: as calibrated */
    cli_range sweep;
    int list;

    const char *q_list, *q_file; /* structure-factor: wave vectors, as text and in a file */
    cli_sphere sphere;
    int cartesian; /* 1: they are along x, y, z, in 1/length */
    int weights;   /* a cli_weights */

    const char *calibrate; /* tune: file to write */
    int by_positions;      /* energy: parameters chosen by the positions, as for many evaluations */
    double dearest;        /* candidates up to so many times the cheapest ... */
    int64_t candidates;    /* ... and at most so many */
    int measure;           /* tune: 1: the fastest by time is chosen */
    int uncorrelated;      /* tune: 1: errors are predicted without the positions */
    const char *wisdom;    /* plan, tune, energy: file; NULL: none */

    cli_plan_settings plan;

    int quick; /* bench: a few seconds instead of half a minute */

    int json, quiet, help;
} cli_settings;

#endif
