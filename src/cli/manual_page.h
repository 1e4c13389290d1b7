/*
 * manual_page.h - the manual page, made from the tables of commands and options.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_MANUAL_PAGE_H
#define ENUF_CLI_MANUAL_PAGE_H

#include "commands.h"

#include <stdio.h>

/** Writes enuf(1) in the macros of man(7). */
void cli_manual_page(const cli_command_entry *commands, int n_commands, FILE *out);

#endif
