/*
 * measured_report.h - the table and the JSON object of `enuf tune --measure`.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_MEASURED_REPORT_H
#define ENUF_CLI_MEASURED_REPORT_H

#include "measured_choice.h"

enuf_status cli_measured_print(const cli_settings *settings, const enuf_structure *structure,
                               const cli_measured_choice *choice);

enuf_status cli_measured_print_json(const cli_settings *settings, const enuf_structure *structure,
                                    const cli_measured_choice *choice);

#endif
