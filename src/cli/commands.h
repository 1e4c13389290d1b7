/*
 * commands.h - the commands of the program, one file each. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_COMMANDS_H
#define ENUF_CLI_COMMANDS_H

#include "settings.h"

/* Each runs with its options parsed and gives the exit status of the program. */
cli_exit cli_energy(const cli_settings *settings);
cli_exit cli_madelung(const cli_settings *settings);
cli_exit cli_info(const cli_settings *settings);

#endif
