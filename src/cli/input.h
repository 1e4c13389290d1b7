/*
 * input.h - the FILE of a command, read and checked. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_INPUT_H
#define ENUF_CLI_INPUT_H

#include "excluded_pairs.h"
#include "settings.h"
#include "structure.h"
#include "trajectory.h"

/** Opens settings->input. Its frames are read with the requested units, charges and cell. */
enuf_status cli_frames_open(const cli_settings *settings, enuf_trajectory **frames);

/** Reads the next frame like enuf_trajectory_next(), without a check of its boundaries. */
enuf_status cli_frames_next(const cli_settings *settings, enuf_trajectory *frames,
                            enuf_structure *structure, int *found);

/** ENUF_BAD_ARGUMENT if the cell is not periodic along the vectors that the sum repeats: all three,
 * or a and b of a slab. */
enuf_status cli_check_periodic(const cli_settings *settings, const enuf_structure *structure);

/** Reads the first frame of settings->input in the same way. */
enuf_status cli_read_structure(const cli_settings *settings, enuf_structure *structure);

/** The same of a file that may have no cell (then it is not periodic), and, unless charges are the
 * weights, no charges. */
enuf_status cli_read_any_structure(const cli_settings *settings, enuf_structure *structure);

/**
 * Reads settings->input with the requested units and charges, and lists the pairs of --exclude.
 * Release both, also after an error.
 */
enuf_status cli_read_input(const cli_settings *settings, enuf_structure *structure,
                           enuf_exclusions *exclusions);

#endif
