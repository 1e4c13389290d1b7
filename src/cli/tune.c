/*
 * tune.c - `enuf tune`: the parameters that come into question for the ions in a file, predicted
 * and timed; and the calibration of the cost model on this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

#include "candidate_report.h"
#include "error.h"
#include "evaluation.h"
#include "input.h"
#include "messages.h"

#include <stdio.h>

enum { CALIBRATION_STEPS = 8 }; /* enuf_ewald_calibrate_machine() logs so many */

static void log_step(void *progress, const char *text)
{
    cli_progress_step(progress, text);
}

static enuf_status calibrate(const cli_settings *settings)
{
    enuf_ewald_options options = settings->ewald;
    cli_progress progress;
    cli_progress_begin(&progress, CALIBRATION_STEPS, !settings->quiet);
    options.log = log_step;
    options.log_context = &progress;
    const enuf_status status = enuf_ewald_calibrate_machine(&options, settings->calibrate);
    cli_progress_end(&progress);
    return status;
}

static enuf_status tune_file(const cli_settings *settings, enuf_structure *structure,
                             enuf_exclusions *exclusions, cli_candidates *candidates)
{
    ENUF_TRY(cli_read_input(settings, structure, exclusions));
    cli_progress progress;
    cli_progress_begin(&progress, settings->candidates + 1, !settings->quiet);
    const enuf_status status = cli_time_candidates(
        settings, structure, exclusions->n > 0 ? exclusions : NULL, &progress, candidates);
    cli_progress_end(&progress);
    ENUF_TRY(status);
    cli_warn_of_frames(settings, structure);
    cli_warn_of_charge(settings, structure, candidates->report.net_charge);
    cli_warn_of_accuracy(settings, &candidates->report);
    if (settings->json) return cli_candidates_print_json(settings, structure, candidates);
    cli_candidates_print(settings, structure, candidates);
    return ENUF_SUCCESS;
}

static enuf_status run(const cli_settings *settings)
{
    if (settings->calibrate && settings->input)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--calibrate measures the machine, not %.80s: give one of the two, then "
                         "--calibration %.80s with the FILE",
                         settings->input, settings->calibrate);
    ENUF_TRY(cli_check_backend(settings));
    if (settings->calibrate) return calibrate(settings);
    enuf_structure structure = {0};
    enuf_exclusions exclusions = {0};
    cli_candidates candidates = {0};
    const enuf_status status = tune_file(settings, &structure, &exclusions, &candidates);
    cli_excluded_pairs_free(&exclusions);
    enuf_structure_free(&structure);
    return status;
}

cli_exit cli_tune(const cli_settings *settings)
{
    const enuf_status status = run(settings);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
