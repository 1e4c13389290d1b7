/*
 * sweep_picture.h - the picture of a sweep over alpha. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_SWEEP_PICTURE_H
#define ENUF_CLI_SWEEP_PICTURE_H

#include "alpha_sweep.h"
#include "picture.h"

/** Draws the sweep into the files of --plot, if there are any; `length` is the unit of lengths. */
enuf_status cli_sweep_draw(const cli_settings *settings, const cli_alpha_sweep *sweep,
                           const cli_lattice_constant *constant, const char *length,
                           cli_picture *files);

#endif
