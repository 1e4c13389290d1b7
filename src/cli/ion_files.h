/*
 * ion_files.h - the files of --forces, --per-atom and --potential: extended XYZ, a frame for each
 * computed frame. SPDX-License-Identifier: BSD-3-Clause
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
 * Opens the requested files before the computation, so errors appear early. Refuses the name of an
 * input, and the same name for two outputs.
 */
enuf_status cli_ion_files_open(const cli_settings *settings, cli_ion_files *files);

/** Whether one of the files is the standard output; nothing else is then printed there. */
int cli_ion_files_on_stdout(const cli_settings *settings);

/** ENUF_WANT_... of the results that the files need. */
int cli_ion_files_wanted(const cli_settings *settings);

void cli_ion_files_add(cli_ion_files *files, const enuf_structure *structure,
                       const enuf_ewald_result *result);

/** Completes all files, or none. */
enuf_status cli_ion_files_commit(cli_ion_files *files);

/** Discards the open files. */
void cli_ion_files_discard(cli_ion_files *files);

#endif
