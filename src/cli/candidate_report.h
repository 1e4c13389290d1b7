/*
 * candidate_report.h - the table and the JSON object of `enuf tune`.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_CANDIDATE_REPORT_H
#define ENUF_CLI_CANDIDATE_REPORT_H

#include "candidate_times.h"

#include <cjson/cJSON.h>

void cli_candidates_print(const cli_settings *settings, const enuf_structure *structure,
                          const cli_candidates *candidates);

enuf_status cli_candidates_print_json(const cli_settings *settings, const enuf_structure *structure,
                                      const cli_candidates *candidates);

/** Adds the parameters of a candidate to an object of JSON. */
void cli_candidate_add_parameters(cJSON *object, const enuf_ewald_candidate *candidate);

#endif
