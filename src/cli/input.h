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

/** The next one, as enuf_trajectory_next(), its boundaries checked. */
enuf_status cli_frames_next(const cli_settings *settings, enuf_trajectory *frames,
                            enuf_structure *structure, int *found);

/** Reads the first frame of settings->input in the same way; its boundaries are not looked at. */
enuf_status cli_read_structure(const cli_settings *settings, enuf_structure *structure);

/**
 * Reads settings->input, in the units and with the charges asked for, and finds the pairs that
 * --exclude names. Release both, after an error too: they may hold a part.
 */
enuf_status cli_read_input(const cli_settings *settings, enuf_structure *structure,
                           enuf_exclusions *exclusions);

#endif
