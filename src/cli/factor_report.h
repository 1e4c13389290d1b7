/*
 * factor_report.h - structure factors as comma-separated values, as JSON, and as a picture.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_FACTOR_REPORT_H
#define ENUF_CLI_FACTOR_REPORT_H

#include "json_values.h"
#include "picture.h"
#include "structure_factors.h"

/** What a command has computed: a list or shells. */
typedef struct cli_factors {
    int64_t n;
    cli_q_vectors vectors; /* of a list, with factors at [n]; else NULL */
    cli_q_factor *at;
    cli_q_shell *shells; /* [n]; else NULL */
    int cartesian;       /* of the vectors */
    double squares;      /* sum w^2 */
} cli_factors;

/** Writes a line of names, then a line for each vector, or for each shell that is not empty. */
void cli_factors_write(const cli_factors *factors, FILE *stream);

/** The object of --json. */
cJSON *cli_json_factors(const cli_settings *settings, const enuf_structure *structure,
                        const cli_factors *factors);

/** Draws s against |q| into the files of --plot, if there are any; `length` is the unit of lengths.
 */
enuf_status cli_factors_draw(const cli_settings *settings, const cli_factors *factors,
                             const char *length, cli_picture *files);

#endif
