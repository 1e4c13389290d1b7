/*
 * commands.h - what the program does. Each ends the program with one line if it cannot.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_COMMANDS_H
#define IMAGING_COMMANDS_H

#include "settings.h"

void command_simulate(const settings *s);
void command_reconstruct(const settings *s);
void command_table(const settings *s);
void command_pictures(const settings *s);

#endif
