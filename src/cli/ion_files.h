/*
 * ion_files.h - the files of --forces, --per-atom and --potential: extended XYZ, a frame for each
 * that was computed. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_ION_FILES_H
#define ENUF_CLI_ION_FILES_H

#include "output.h"
#include "settings.h"
#include "structure.h"

enum { CLI_ION_FILES = 3 };

typedef struct cli_ion_files {
    enuf_output *of[CLI_ION_FILES]; /* forces, per-atom, potential; NULL: not wanted */
} cli_ion_files;

/**
 * Opens what is wanted, before the computation, so that it is not made in vain. Refuses names that
 * are those of an input, or of each other.
 */
enuf_status cli_ion_files_open(const cli_settings *settings, cli_ion_files *files);

/** Whether one of them is the standard output, which then holds nothing else. */
int cli_ion_files_on_stdout(const cli_settings *settings);

/** ENUF_WANT_... of what is written. */
int cli_ion_files_wanted(const cli_settings *settings);

void cli_ion_files_add(cli_ion_files *files, const enuf_structure *structure,
                       const enuf_ewald_result *result);

/** All appear, or none. */
enuf_status cli_ion_files_commit(cli_ion_files *files);

/** Gives up what is open. */
void cli_ion_files_discard(cli_ion_files *files);

#endif
