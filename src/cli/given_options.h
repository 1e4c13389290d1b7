/*
 * given_options.h - which parameters of the sums were given on the command line and are kept.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_GIVEN_OPTIONS_H
#define ENUF_CLI_GIVEN_OPTIONS_H

#include "settings.h"

enum { CLI_GIVEN_SIZE = 80 };

/** Lists the given parameters: "--cutoff, --kmax". Returns their number; 0 with "": the accuracy
 * alone chooses everything. */
int cli_given(const cli_settings *settings, char list[CLI_GIVEN_SIZE]);

/** The option "--force-error" of the library's field "force_error", if it was given; else NULL. */
const char *cli_option_of_field(const cli_settings *settings, const char *field, size_t length);

#endif
