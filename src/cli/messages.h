/*
 * messages.h - lines on stderr: each begins with the command's name, "enuf energy: ...".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_MESSAGES_H
#define ENUF_CLI_MESSAGES_H

#include "settings.h"

/** One line "enuf energy: warning: ..."; nothing with --quiet. */
void cli_warn(const cli_settings *settings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The text without names of C functions at its start. */
const char *cli_without_functions(const char *text);

/** Prints the last error as one line. Returns the exit status of `status`. */
cli_exit cli_fail(const char *name, enuf_status status);

/** Flushes stdout; prints a line on stderr if writing failed. */
cli_exit cli_flush_stdout(const char *name);

#endif
