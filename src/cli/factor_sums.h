/*
 * factor_sums.h - sums over ions at any wave vectors, on the request's backend.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_FACTOR_SUMS_H
#define ENUF_CLI_FACTOR_SUMS_H

#include "factor_request.h"

#include "enuf/direct.h"

typedef struct cli_factor_sums {
    enuf_direct *sums;
    double *strengths; /* [ions] complex */
} cli_factor_sums;

/** Ions at places [n][3]. Free with cli_factor_sums_free(), after an error too. */
enuf_status cli_factor_sums_make(const cli_factor_request *request, const double *places,
                                 cli_factor_sums *sums);
void cli_factor_sums_free(cli_factor_sums *sums);

/** values [n] complex = sum w exp(2 pi i target.place). targets [n][3]. */
enuf_status cli_factor_sums_at(cli_factor_sums *sums, int64_t n, const double *targets,
                               double *values);

#endif
