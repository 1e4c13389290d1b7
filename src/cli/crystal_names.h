/*
 * crystal_names.h - other names of crystals: minerals, and compounds of the same structure.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_CRYSTAL_NAMES_H
#define ENUF_CLI_CRYSTAL_NAMES_H

#include "crystals.h"

/**
 * Finds the structure of a name: "NaCl", "rock salt", "MgO". Case, blanks, - and _ are ignored. A
 * compound has its own species, and charges that are a multiple of the structure's.
 */
int cli_crystal_find(const char *name, enuf_crystal *crystal);

/** Prints the structures' other names, a line each. */
void cli_crystal_print_names(void);

#endif
