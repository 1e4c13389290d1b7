/*
 * table.h - the tables for people, with units. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_TABLE_H
#define ENUF_CLI_TABLE_H

#include "evaluation.h"
#include "lattice_constant.h"

/** Prints the result of `enuf energy`, or of `enuf madelung` where `constant` is not NULL. */
void cli_table_print(const cli_settings *settings, const enuf_structure *structure,
                     const cli_evaluation *evaluation, const cli_lattice_constant *constant);

/** One row for a frame of several, below a head before the `first`; it is flushed. */
void cli_table_print_frame(const cli_settings *settings, const enuf_structure *structure,
                           const cli_evaluation *evaluation, int first);

/** Prints the list of crystals. */
void cli_table_print_crystals(void);

#endif
