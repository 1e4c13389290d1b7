/*
 * explain.h - the library's errors in the words of the command line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_EXPLAIN_H
#define ENUF_CLI_EXPLAIN_H

#include "settings.h"
#include "structure.h"

/**
 * Rewrites the library's last error for these ions and options. Fields become the given options.
 * Atoms counted from 0 become ions counted from 1, with name and id. An error without an option
 * names the file; an error of the cell also names the cell's line. Returns `status`.
 */
enuf_status cli_explain(const cli_settings *settings, const enuf_structure *structure,
                        enuf_status status);

#endif
