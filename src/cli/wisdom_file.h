/*
 * wisdom_file.h - the file of --wisdom. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_WISDOM_FILE_H
#define ENUF_CLI_WISDOM_FILE_H

#include "enuf/nufft_tuning.h"
#include "settings.h"

/**
 * Makes the wisdom of --wisdom; NULL without the option. A file that is there is loaded. For a new
 * one the folder has to be writable, so that the time of measuring is not lost. Free with
 * enuf_wisdom_destroy(), after an error too.
 */
enuf_status cli_wisdom_open(const cli_settings *settings, enuf_wisdom **wisdom);

/** Loads the file of --wisdom, which is there; NULL without the option. Free as above. */
enuf_status cli_wisdom_read(const cli_settings *settings, enuf_wisdom **wisdom);

/** Adds to the text of an error for want of an entry how one is made. Returns the status. */
enuf_status cli_wisdom_explain(const cli_settings *settings, enuf_status status);

/** Saves wisdom to its file if something was measured. */
enuf_status cli_wisdom_keep(const cli_settings *settings, const enuf_wisdom *wisdom,
                            int was_measured);

#endif
