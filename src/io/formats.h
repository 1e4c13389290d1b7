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
    /* Formats with frames: bytes that the text seems to lack to hold its first frame and the line
     * that follows; 0: none, or there is no frame to wait for. NULL: a file is one structure. */
    int64_t (*missing)(const enuf_text *text);
} enuf_format;

/**
 * The format of a name (ENUF_BAD_ARGUMENT if there is none such), or where that is NULL the one
 * that the text's name or else its content tells (ENUF_BAD_FILE).
 */
enuf_status enuf_format_find(const enuf_text *text, const char *name, const enuf_format **format);

#endif
