/*
 * output.h - a file that appears whole or not at all.
 *
 * Opening it tells before a long computation whether its result can be written. The bytes go to
 * "PATH.<process>.part" in the same directory, which the commit renames and a signal that ends the
 * program removes; a file that stood there before stays until then. "-", and everything that is no
 * plain file (a pipe, /dev/...), is written directly.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_OUTPUT_H
#define ENUF_OUTPUT_H

#include "enuf/status.h"

#include <stdio.h>

typedef struct enuf_output enuf_output;

/** Opens; "-" is the standard output. ENUF_IO with the system's reason; *output is then NULL. */
enuf_status enuf_output_open(const char *path, enuf_output **output);

/** Where to write; errors of writing are reported by the commit. */
FILE *enuf_output_stream(enuf_output *output);

/** Completes and closes the file, also when it fails: ENUF_IO, and nothing is left behind. */
enuf_status enuf_output_commit(enuf_output **output);

/** Gives the file up; NULL behind `output` is legal. */
void enuf_output_discard(enuf_output **output);

#endif
