/*
 * text.h - a file in memory: its lines, their words, and numbers in them.
 *
 * A file is loaded whole, so a pipe works like a file. A reader compares a count with the bytes of
 * the text before it allocates arrays. Lines and words point into the text.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TEXT_H
#define ENUF_TEXT_H

#include "enuf/status.h"

typedef struct enuf_text {
    const char *name; /* in error texts; the caller's */
    char *bytes;      /* [size + 1], ends in a 0, holds no other */
    int64_t size;
    int64_t lines_before; /* lines of the file before this part of it */
} enuf_text;

/** One line without its end; {0} stands before the first. */
typedef struct enuf_line {
    const char *begin, *end;
    const char *next; /* line; NULL before the first */
    int64_t number;   /* from 1 */
} enuf_line;

typedef struct enuf_word {
    const char *begin;
    size_t length; /* 0: the line has no more words */
} enuf_word;

/**
 * Loads a file; "-" is the standard input. Release with enuf_text_free().
 * Errors: ENUF_IO (the system's reason); ENUF_BAD_FILE for an empty or binary file.
 */
enuf_status enuf_text_load(const char *path, enuf_text *text);

/** A text made of bytes in memory, which are copied; errors as for a file. */
enuf_status enuf_text_copy(const char *name, const void *bytes, size_t size, enuf_text *text);

void enuf_text_free(enuf_text *text);

/** Steps to the next line; 0 at the end of the text. */
int enuf_text_next(const enuf_text *text, enuf_line *line);

/** Steps to the next line that has a word before any '#', and cuts the comment off. */
int enuf_text_next_filled(const enuf_text *text, enuf_line *line);

/** The text behind the '#' at which enuf_text_next_filled() cut a line; empty if the line has no
 * '#'. */
enuf_line enuf_line_comment(const enuf_line *line);

/** Skips up to n complete lines; returns the number of skipped lines. */
int64_t enuf_text_skip(const enuf_text *text, enuf_line *line, int64_t n);

/** Bytes behind a line. */
int64_t enuf_text_left(const enuf_text *text, const enuf_line *line);

/** Splits a line at blanks; stores up to `most` words and returns how many there are. */
int enuf_line_split(const enuf_line *line, enuf_word *words, int most);

/** Whether a word is `text`, and whether it begins like a number. */
int enuf_word_is(enuf_word word, const char *text);
int enuf_word_begins_number(enuf_word word);

/** The word as a number, finite; else an error that names the line and `what`. */
enuf_status enuf_word_integer(const enuf_text *text, int64_t line, enuf_word word, const char *what,
                              int64_t *value);
enuf_status enuf_word_real(const enuf_text *text, int64_t line, enuf_word word, const char *what,
                           double *value);

/**
 * ENUF_BAD_FILE with the text "name, line 12: ..." (line 0: "name: ..."). Unprintable bytes become
 * '?'.
 */
enuf_status enuf_text_fail(const enuf_text *text, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints any word, 40 characters at most: printf("%.*s", ENUF_SHOWN(word)). */
#define ENUF_SHOWN(word) ((int)((word).length < 40 ? (word).length : 40)), (word).begin

#endif
