/*
 * commands.h - the commands of the program, one file each. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_COMMANDS_H
#define ENUF_CLI_COMMANDS_H

#include "settings.h"

typedef struct cli_command_entry {
    cli_command bit;
    const char *name, *full_name, *arguments, *what;
    cli_exit (*run)(const cli_settings *settings);
} cli_command_entry;

/* Each runs with its options parsed and gives the exit status of the program. */
cli_exit cli_energy(const cli_settings *settings);
cli_exit cli_madelung(const cli_settings *settings);
cli_exit cli_structure_factor(const cli_settings *settings);
cli_exit cli_tune(const cli_settings *settings);
cli_exit cli_plan(const cli_settings *settings);
cli_exit cli_info(const cli_settings *settings);
cli_exit cli_bench(const cli_settings *settings);

#endif
