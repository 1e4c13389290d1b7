/*
 * candidate_times.h - the admissible parameters of a system, each timed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_CANDIDATE_TIMES_H
#define ENUF_CLI_CANDIDATE_TIMES_H

#include "forecast.h"
#include "progress.h"
#include "settings.h"
#include "structure.h"

enum { CLI_MOST_CANDIDATES = 64 };

/* One set of parameters; seconds of energy and forces. */
typedef struct cli_candidate {
    enuf_ewald_candidate parameters;
    double predicted;                          /* by the cost model, shared by all threads */
    double measured_real, measured_reciprocal; /* best of several */
} cli_candidate;

typedef struct cli_candidates {
    int64_t n;
    cli_candidate of[CLI_MOST_CANDIDATES]; /* by time measured; one is chosen */
    enuf_ewald_report report;              /* of the chosen one */
    double seconds_tune;
    cli_forecast forecast; /* on many ranks */
} cli_candidates;

/**
 * Chooses parameters for the structure, calibrated by its positions. Lists candidates up to
 * `dearest` times as expensive and times them all. Adds a forecast for ranks if it is requested.
 * For another number of cells (settings->cells) there is only the forecast, and n is 0.
 */
enuf_status cli_time_candidates(const cli_settings *settings, const enuf_structure *structure,
                                const enuf_exclusions *exclusions, cli_progress *progress,
                                cli_candidates *candidates);

/** Options with all parameters of a candidate; the library then chooses nothing. */
enuf_ewald_options cli_explicit_options(const enuf_ewald_options *options,
                                        const enuf_ewald_candidate *candidate);

/** The chosen candidate. */
const cli_candidate *cli_chosen(const cli_candidates *candidates);

/** Seconds measured of both halves. */
double cli_measured(const cli_candidate *candidate);

#endif
