/*
 * input.h - the FILE of a command, read and checked. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_INPUT_H
#define ENUF_CLI_INPUT_H

#include "excluded_pairs.h"
#include "settings.h"
#include "structure.h"
#include "trajectory.h"

/** Opens settings->input, to read its frames in the units, with the charges and the cell asked for.
 */
enuf_status cli_frames_open(const cli_settings *settings, enuf_trajectory **frames);

/** The next one, as enuf_trajectory_next(); its boundaries are not looked at. */
enuf_status cli_frames_next(const cli_settings *settings, enuf_trajectory *frames,
                            enuf_structure *structure, int *found);

/** ENUF_BAD_ARGUMENT where the cell is not periodic along what the sum repeats: all three vectors,
 * or a and b of a slab, whatever the file says of c. */
enuf_status cli_check_periodic(const cli_settings *settings, const enuf_structure *structure);

/** Reads the first frame of settings->input in the same way. */
enuf_status cli_read_structure(const cli_settings *settings, enuf_structure *structure);

/**
 * Reads settings->input, in the units and with the charges asked for, and finds the pairs that
 * --exclude names. Release both, after an error too: they may hold a part.
 */
enuf_status cli_read_input(const cli_settings *settings, enuf_structure *structure,
                           enuf_exclusions *exclusions);

#endif
