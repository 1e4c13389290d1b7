/*
 * crystal_names.h - what people call crystals: minerals, and compounds of the same structure.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_CRYSTAL_NAMES_H
#define ENUF_CLI_CRYSTAL_NAMES_H

#include "crystals.h"

/**
 * Whether a structure has this name, in any case, blanks, - and _ left out: "NaCl", "rock salt",
 * "MgO". A compound has its own species, and charges that are a multiple of the structure's.
 */
int cli_crystal_find(const char *name, enuf_crystal *crystal);

/** Prints the structures' other names, a line each. */
void cli_crystal_print_names(void);

#endif
