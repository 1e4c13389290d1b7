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
 * Chooses parameters for the structure, calibrated by its positions, lists the others up to
 * `dearest` times as dear, and times them all; forecasts for ranks where that is asked for, and
 * nothing else where it is for other numbers of cells: n is 0 then.
 */
enuf_status cli_time_candidates(const cli_settings *settings, const enuf_structure *structure,
                                const enuf_exclusions *exclusions, cli_progress *progress,
                                cli_candidates *candidates);

/** The options of a candidate in full, so that nothing is left to choose. */
enuf_ewald_options cli_explicit_options(const enuf_ewald_options *options,
                                        const enuf_ewald_candidate *candidate);

/** The one that is chosen. */
const cli_candidate *cli_chosen(const cli_candidates *candidates);

/** Seconds measured of both halves. */
double cli_measured(const cli_candidate *candidate);

#endif
