/*
 * completion.h - scripts with which shells complete commands, options, values and file names of
 * enuf. The tables of commands and options are their source. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_COMPLETION_H
#define ENUF_CLI_COMPLETION_H

#include "commands.h"

#include <stdio.h>

/** Writes the script for "bash", "zsh" or "fish"; ENUF_BAD_ARGUMENT for another name. */
enuf_status cli_completion(const char *shell, const cli_command_entry *commands, int n_commands,
                           FILE *out);

#endif
