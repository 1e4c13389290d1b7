/*
 * gnuplot.h - pictures drawn by the program gnuplot. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_GNUPLOT_H
#define ENUF_CLI_GNUPLOT_H

#include "enuf/status.h"

#include <stdio.h>

/** Whether a picture of this name can be drawn: *terminal is then gnuplot's name of its format. */
enuf_status cli_gnuplot_terminal(const char *path, const char **terminal);

/**
 * Runs gnuplot on a script, a temporary file at any position. The script writes the picture to
 * gnuplot's standard output, which is copied to `picture`. Errors: ENUF_UNSUPPORTED where gnuplot
 * is not installed; ENUF_IO where it fails.
 */
enuf_status cli_gnuplot_run(FILE *script, FILE *picture);

#endif
