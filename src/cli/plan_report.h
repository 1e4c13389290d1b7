/*
 * plan_report.h - the table and the JSON object of `enuf plan`. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CLI_PLAN_REPORT_H
#define ENUF_CLI_PLAN_REPORT_H

#include "enuf/nufft_tuning.h"
#include "plan_points.h"

/** What was found, and for what. */
typedef struct cli_plan_tuning {
    enuf_nufft_options options; /* of the problem; threads as in use */
    enuf_tuning_request request;
    enuf_tuning *found;
} cli_plan_tuning;

enuf_status cli_plan_print(const cli_settings *settings, const cli_plan_points *points,
                           const cli_plan_tuning *tuning);

enuf_status cli_plan_print_json(const cli_settings *settings, const cli_plan_points *points,
                                const cli_plan_tuning *tuning);

#endif
