/*
 * safe_text.h - texts from outside, such as names of files, for a terminal and for JSON.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_SAFE_TEXT_H
#define ENUF_CLI_SAFE_TEXT_H

#include <stddef.h>
#include <stdio.h>

enum { CLI_SHOWN_NAME = 4096 };

/**
 * Writes a text in a form that is safe on a terminal. Control characters, bytes that are not UTF-8,
 * and characters that change the direction of writing become \x1b, \xff, \u202e. A line break
 * becomes a blank.
 */
void cli_put_safe(const char *text, FILE *out);

/** The same into a buffer; a long text is cut. Returns the buffer. */
const char *cli_safe_text(const char *text, char *buffer, size_t size);

/**
 * A JSON string with its quotes, ASCII but for printable UTF-8: control characters are escaped,
 * bytes that are not UTF-8 become U+FFFD. The caller frees it. NULL: not enough memory.
 */
char *cli_json_quoted(const char *text);

#endif
