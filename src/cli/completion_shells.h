/* completion_shells.h - the script of each shell; see completion.h. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_CLI_COMPLETION_SHELLS_H
#define ENUF_CLI_COMPLETION_SHELLS_H

#include "commands.h"

#include <stdio.h>

void cli_completion_bash(const cli_command_entry *commands, int n_commands, FILE *out);
void cli_completion_zsh(const cli_command_entry *commands, int n_commands, FILE *out);
void cli_completion_fish(const cli_command_entry *commands, int n_commands, FILE *out);

#endif
