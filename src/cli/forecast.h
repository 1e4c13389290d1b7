/*
 * forecast.h - time of the modes on many ranks in both decompositions, predicted and, under mpirun,
 * measured. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_FORECAST_H
#define ENUF_CLI_FORECAST_H

#include "json_values.h"
#include "settings.h"

#include "enuf/decomposition.h"

/* Cost of energy and forces on the busiest rank. */
typedef struct cli_rank_cost {
    double seconds, work; /* predicted; work: the part without messages */
    double bytes_sent, messages, memory;
    double measured; /* seconds; NaN: not timed */
} cli_rank_cost;

typedef struct cli_forecast {
    int ranks, threads; /* 0: not requested; threads of each rank */
    int64_t charges;
    enuf_backend backend;
    enuf_arithmetic arithmetic;
    enuf_ewald_candidate parameters;
    enuf_decomposition chosen;
    cli_rank_cost pairs, replicated, distributed;
} cli_forecast;

const char *cli_decomposition_name(enuf_decomposition decomposition);

void cli_forecast_print(const cli_settings *settings, const cli_forecast *forecast);
/** Adds the object `mpi`; null if no forecast was requested. */
void cli_forecast_add_json(cJSON *object, const cli_forecast *forecast);

#endif
