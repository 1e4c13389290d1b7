/*
 * output.h - a file of results: it appears only when it is complete, and a signal leaves no
 * unfinished file.
 *
 * Opening fails before a long computation if the result cannot be written. replacement.h describes
 * how a file is replaced.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_OUTPUT_H
#define ENUF_OUTPUT_H

#include "enuf/status.h"

#include <stdio.h>

typedef struct enuf_output enuf_output;

/** Opens; "-" is the standard output. `path` has to exist until the file is closed. Error: ENUF_IO
 * with the system's reason; *output is then NULL. */
enuf_status enuf_output_open(const char *path, enuf_output **output);

/** The stream to write to; the commit reports errors of writing. */
FILE *enuf_output_stream(enuf_output *output);

/** Whether two outputs, both not NULL, are one file. The file need not exist. */
int enuf_output_same(const enuf_output *a, const enuf_output *b);

/** Completes the file and closes it. Error: ENUF_IO; the file is then closed, and no unfinished
 * file is left. */
enuf_status enuf_output_commit(enuf_output **output);

/** The same for files that belong together: all of them appear, or none. NULLs are left out. */
enuf_status enuf_output_commit_all(int n, enuf_output **const outputs[]);

/** Closes and removes the unfinished file; *output may be NULL. */
void enuf_output_discard(enuf_output **output);

#endif
