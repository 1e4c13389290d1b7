/*
 * picture.h - the files of --plot: a picture, drawn by gnuplot, and its numbers beside it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_PICTURE_H
#define ENUF_CLI_PICTURE_H

#include "output.h"
#include "settings.h"

typedef struct cli_picture {
    const char *terminal; /* of gnuplot */
    enuf_output *picture; /* NULL: no --plot */
    enuf_output *numbers;
} cli_picture;

/** What is drawn: comma-separated values, and a script for gnuplot behind "set terminal", which may
 * take the values as $numbers. */
typedef struct cli_drawing {
    const void *context;
    void (*write_numbers)(const void *context, FILE *stream);
    void (*write_script)(const void *context, FILE *script);
} cli_drawing;

/** Opens FILE.png (or .svg) and FILE.csv; without --plot nothing. */
enuf_status cli_picture_open(const cli_settings *settings, cli_picture *files);

/** Draws and completes both. Without gnuplot it warns and writes the numbers only. */
enuf_status cli_picture_draw(const cli_settings *settings, const cli_drawing *drawing,
                             cli_picture *files);

/** Discards the open files. */
void cli_picture_discard(cli_picture *files);

/** Writes "set title" with any text. */
void cli_picture_title(const char *text, FILE *script);

/** The unit of length in the text of a picture: Å, or the name. */
const char *cli_picture_length(const char *unit);

#endif
