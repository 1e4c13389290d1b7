/*
 * replacement.h - a file that takes the place of an old one when it is complete, or not at all.
 *
 * The new file has no name until it is complete and on the disk. If the process ends early, no file
 * is left. On a file system without unnamed files the new file is called `part`. Pipes, devices and
 * the process's own streams (/dev/stdout, /dev/fd/3) are written directly; "-" is the standard
 * output. A link stays a link: its target is replaced. The new file has the permissions of the old
 * file, and its owner and group if the process may set them.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_REPLACEMENT_H
#define ENUF_REPLACEMENT_H

#include "enuf/status.h"

#include <limits.h>
#include <stdio.h>

typedef struct enuf_replacement {
    FILE *stream;        /* write here; errors of writing are reported by the commit */
    const char *name;    /* the caller's name; the caller keeps it */
    char path[PATH_MAX]; /* the file to replace, without links and dots */
    char part[PATH_MAX]; /* in the same folder; "": written directly */
    int named;           /* 1 while there is a file `part` */
    int undo;            /* inside a commit: how to undo the replacement */
} enuf_replacement;

/**
 * First step: finds the file to replace and fills all members but the stream. Creates nothing.
 * Errors: ENUF_IO, "cannot write NAME: reason", if the file cannot be replaced.
 */
enuf_status enuf_replacement_name(const char *name, enuf_replacement *file);

/** Second step: opens the stream. Error: ENUF_IO; no file is left. */
enuf_status enuf_replacement_open(enuf_replacement *file);

/**
 * Completes n files and puts them into place, all or none: all bytes reach the disk before the
 * first old file is replaced. Closes all files and clears the pointers. Error: ENUF_IO; the old
 * files stay. Only on a file system without exchanges and links, files before the failing one are
 * replaced.
 */
enuf_status enuf_replacement_commit(int n, enuf_replacement *const files[]);

/** Closes the stream and removes the new file. Legal if the stream was never opened. */
void enuf_replacement_discard(enuf_replacement *file);

#endif
