/*
 * new_file.h - files that appear whole or not at all: written under another name, then renamed.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_NEW_FILE_H
#define IMAGING_NEW_FILE_H

#include <stddef.h>
#include <stdio.h>

enum { MOST_PATH = 4096 };

typedef struct new_file {
    FILE *stream;
    char path[MOST_PATH], part[MOST_PATH + 8]; /* the name at last, the name until then */
} new_file;

/** folder/name into path [MOST_PATH]. */
void join_path(char *path, const char *folder, const char *name);

/** Begins a file. Errors of these three end the program, and leave what stood at `path`. */
void new_file_begin(new_file *file, const char *path);
void new_file_write(new_file *file, const void *bytes, size_t count);
void new_file_end(new_file *file);

#endif
