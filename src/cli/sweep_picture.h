/*
 * sweep_picture.h - the files of --plot: a picture of the sweep and its numbers beside it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_SWEEP_PICTURE_H
#define ENUF_CLI_SWEEP_PICTURE_H

#include "alpha_sweep.h"
#include "output.h"

typedef struct cli_sweep_picture {
    const char *terminal;
    enuf_output *picture; /* NULL: no --plot */
    enuf_output *numbers;
} cli_sweep_picture;

/** Opens FILE.png (or .svg) and FILE.csv; without --plot nothing. */
enuf_status cli_picture_open(const cli_settings *settings, cli_sweep_picture *files);

/**
 * Draws and completes both; `length` is the unit of lengths. Without gnuplot it warns and writes
 * the numbers only.
 */
enuf_status cli_picture_draw(const cli_settings *settings, const cli_alpha_sweep *sweep,
                             const cli_lattice_constant *constant, const char *length,
                             cli_sweep_picture *files);

/** Discards the open files. */
void cli_picture_discard(cli_sweep_picture *files);

#endif
