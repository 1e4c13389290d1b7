/*
 * output.h - a file of results: it appears whole or not at all, and a signal leaves no part of it.
 *
 * Opening it tells before a long computation whether its result can be written. What replacing a
 * file means: replacement.h.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_OUTPUT_H
#define ENUF_OUTPUT_H

#include "enuf/status.h"

#include <stdio.h>

typedef struct enuf_output enuf_output;

/** Opens; "-" is the standard output. `path` has to live on. ENUF_IO with the system's reason;
 * *output is then NULL. */
enuf_status enuf_output_open(const char *path, enuf_output **output);

/** Where to write; errors of writing are reported by the commit. */
FILE *enuf_output_stream(enuf_output *output);

/** Whether two names, both not NULL, stand for one file, though it may not be there yet. */
int enuf_output_same(const enuf_output *a, const enuf_output *b);

/** Completes and closes the file, also when it fails: ENUF_IO, and nothing is left behind. */
enuf_status enuf_output_commit(enuf_output **output);

/** The same for files that belong together: all of them appear, or none. NULLs are left out. */
enuf_status enuf_output_commit_all(int n, enuf_output **const outputs[]);

/** Gives the file up; NULL behind `output` is legal. */
void enuf_output_discard(enuf_output **output);

#endif
