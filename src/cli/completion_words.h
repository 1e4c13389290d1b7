/*
 * completion_words.h - words for the completion scripts of all shells. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CLI_COMPLETION_WORDS_H
#define ENUF_CLI_COMPLETION_WORDS_H

#include "commands.h"
#include "option_values.h"

/**
 * Word `index` of an option's words; *help is its description, perhaps "". NULL past the last, and
 * for an option that takes numbers, files or free text.
 */
const char *cli_option_word(const cli_option *option, int index, const char **help);

/** Whether an option's argument, or a command's, is the name of a file. */
int cli_takes_file(const char *argument);

/** Whether a command takes the name of a crystal. */
int cli_takes_structure(const cli_command_entry *command);

/** The first line of an option's help: a description that fits a menu. */
int cli_help_length(const cli_option *option);

#endif
