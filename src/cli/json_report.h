/*
 * json_report.h - the objects of --json; docs/cli.md documents the keys, which are stable.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_JSON_REPORT_H
#define ENUF_CLI_JSON_REPORT_H

#include "evaluation.h"
#include "lattice_constant.h"
#include "alpha_sweep.h"
#include "json_values.h"

/** A report's first keys: input, frame, step, ions. */
cJSON *cli_json_begin(const cli_settings *settings, const enuf_structure *structure);

/** The object of `enuf energy`, or of `enuf madelung` where `constant` is not NULL. */
cJSON *cli_json_evaluation(const cli_settings *settings, const enuf_structure *structure,
                           const cli_evaluation *evaluation, const cli_lattice_constant *constant);

/** The object of `enuf madelung --sweep-alpha`. */
cJSON *cli_json_sweep(const cli_settings *settings, const enuf_structure *structure,
                      const cli_lattice_constant *constant, const cli_alpha_sweep *sweep);

#endif
