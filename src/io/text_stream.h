/*
 * text_stream.h - a file whose text is loaded piece by piece. Text that was read can be dropped, so
 * a trajectory takes the memory of one frame. If the size of a file is known, enuf_text_load()
 * reads it into one buffer, without a copy. Files are not mapped: if a running simulation truncates
 * a mapped file, SIGBUS ends the process.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TEXT_STREAM_H
#define ENUF_TEXT_STREAM_H

#include "text.h"

#include <stdio.h>

typedef struct enuf_text_stream {
    enuf_text text;   /* loaded and not dropped; owned by the stream */
    FILE *file;       /* NULL: the whole file is loaded */
    char *buffer;     /* [capacity], dropped text, then the text */
    int64_t capacity; /* of the buffer */
    int64_t dropped;  /* bytes of the file before the text */
    int64_t total;    /* bytes of the file when it was opened; 0: not known, a pipe */
} enuf_text_stream;

/** Opens a file; "-" is the standard input. Nothing is loaded yet. Errors: ENUF_IO. */
enuf_status enuf_text_stream_open(const char *path, enuf_text_stream *stream);

/** A stream over a text in memory, which is copied. Errors as for enuf_text_copy(). */
enuf_status enuf_text_stream_copy(const enuf_text *text, enuf_text_stream *stream);

void enuf_text_stream_close(enuf_text_stream *stream);

/** Loads `bytes` more, fewer only at the file's end. Errors: ENUF_IO, ENUF_BAD_FILE (no text). */
enuf_status enuf_text_stream_load(enuf_text_stream *stream, int64_t bytes);

/** Loads the rest of the file. */
enuf_status enuf_text_stream_load_all(enuf_text_stream *stream);

/** Whether the text reaches to the file's end. */
int enuf_text_stream_at_end(const enuf_text_stream *stream);

/** Drops the text up to and including a line. */
void enuf_text_stream_drop(enuf_text_stream *stream, const enuf_line *line);

#endif
