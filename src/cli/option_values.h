/*
 * option_values.h - kinds of option arguments: how each is read and described.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_OPTION_VALUES_H
#define ENUF_CLI_OPTION_VALUES_H

#include "settings.h"

typedef enum cli_kind {
    CLI_FLAG,   /* int, set to 1; no argument */
    CLI_TEXT,   /* const char * */
    CLI_REAL,   /* double, least ... most */
    CLI_COUNT,  /* int64_t, least ... most */
    CLI_NUMBER, /* int, least ... most */
    CLI_CHOICE, /* int or enum, one of `choices` */
    CLI_GRID,   /* int64_t[3] */
    CLI_MODES,  /* cli_modes */
    CLI_RANGE,  /* cli_range */
    CLI_SPHERE, /* cli_sphere */
    CLI_CHARGE, /* adds one to the charge rules */
    CLI_CELL    /* sets cell and cell_given */
} cli_kind;

typedef struct cli_choice {
    const char *name, *help;
} cli_choice;

typedef struct cli_option {
    const char *name;     /* without --; NULL: a heading of the help text */
    const char *argument; /* its name in the help text; NULL: a flag */
    unsigned commands;    /* bits of cli_command */
    cli_kind kind;
    size_t offset;             /* of the field in cli_settings */
    double least, most;        /* most 0: no upper limit */
    const cli_choice *choices; /* ends with a NULL name */
    const char *help;
} cli_option;

/** Reads `text` into the option's field of `settings`. The error text says what would be right. */
enuf_status cli_option_read(const cli_option *option, const char *text, cli_settings *settings);

#endif
