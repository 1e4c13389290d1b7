/*
 * options.h - the options of every command: one table gives the parser and the help text.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_OPTIONS_H
#define ENUF_CLI_OPTIONS_H

#include "option_values.h"
#include "settings.h"

#include <stdio.h>

/** Fills `settings` with the defaults of a command. */
void cli_settings_init(cli_command command, cli_settings *settings);

/**
 * Reads the words behind the command's name. Stops at --help, which sets settings->help. Errors:
 * ENUF_BAD_ARGUMENT; the text names the option, the given value and the allowed values.
 */
enuf_status cli_options_parse(int n_words, char **words, cli_settings *settings);

/** Walks the table, headings included: the next line of any of `commands`; NULL ends it. */
const cli_option *cli_options_next(unsigned commands, const cli_option *after);

/** Prints the table as help. */
void cli_options_help(cli_command command, FILE *out);

#endif
