/*
 * explain.h - the library's errors in the words of the command line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_EXPLAIN_H
#define ENUF_CLI_EXPLAIN_H

#include "settings.h"
#include "structure.h"

/**
 * Rewrites the last error, which the library made of these ions and options: fields become the
 * options that were given, atoms counted from 0 become ions counted from 1, with name and id, and
 * what no option brought about is said of the file, at the line of its cell where that is at fault.
 * Passes the status on.
 */
enuf_status cli_explain(const cli_settings *settings, const enuf_structure *structure,
                        enuf_status status);

#endif
