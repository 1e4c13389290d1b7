/*
 * formats.h - the table of formats: their names, the names of their files, their readers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FORMATS_H
#define ENUF_FORMATS_H

#include "reading.h"

typedef struct enuf_format {
    const char *name;
    const char *files;                  /* patterns of file names, e.g. "*.data data.*" */
    int (*fits)(const enuf_text *text); /* whether the content looks like it */
    enuf_status (*read)(const enuf_text *text, enuf_reading *reading);
    /* Formats with frames: estimate of the bytes that are still to be loaded for the first frame
     * and the next line. 0: the frame is complete, or the text has no frame. NULL: a file has one
     * structure. */
    int64_t (*missing)(const enuf_text *text);
} enuf_format;

/**
 * The format called `name` (ENUF_BAD_ARGUMENT if unknown). If `name` is NULL: the format of the
 * file's name, or else of its content (ENUF_BAD_FILE if unknown).
 */
enuf_status enuf_format_find(const enuf_text *text, const char *name, const enuf_format **format);

#endif
