/*
 * tune.c - `enuf tune`: predicts and times candidates of parameters for the ions in a file, and
 * calibrates the cost model on this machine. SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

#include "candidate_report.h"
#include "error.h"
#include "evaluation.h"
#include "explain.h"
#include "input.h"
#include "measured_report.h"
#include "messages.h"
#include "ranks.h"

#include <stdio.h>

enum { CALIBRATION_STEPS = 8 }; /* number of steps that enuf_ewald_calibrate_machine() logs */

static void log_step(void *progress, const char *text)
{
    cli_progress_step(progress, text);
}

static enuf_status calibrate(const cli_settings *settings)
{
    enuf_ewald_options options = settings->ewald;
    cli_progress progress;
    const int first = cli_rank() == 0;
    cli_progress_begin(&progress, CALIBRATION_STEPS + cli_on_ranks(), first && !settings->quiet);
    options.log = first ? log_step : NULL;
    options.log_context = &progress;
    const enuf_status status = cli_ranks_calibrate(&options, settings->calibrate);
    cli_progress_end(&progress);
    return status;
}

typedef struct tune_job {
    enuf_structure structure;
    enuf_exclusions exclusions;
    cli_candidates candidates;
} tune_job;

/* Refuses options for the cost of messages if there is only one process. */
static enuf_status check_messages(const cli_settings *settings)
{
    const int ranks = settings->ranks > 0 || settings->cells > 0 || cli_on_ranks();
    if (ranks || (settings->latency == 0 && settings->bandwidth == 0)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "--%s describes messages between ranks, but there is one process: give "
                     "--ranks P as well, or start with mpirun",
                     settings->latency > 0 ? "latency" : "bandwidth");
}

/* First step, on rank 0. */
static enuf_status choose(const cli_settings *settings, tune_job *job)
{
    ENUF_TRY(check_messages(settings));
    /* a prediction needs no GPU here */
    if (settings->cells == 0) ENUF_TRY(cli_check_backend(settings));
    ENUF_TRY(cli_read_input(settings, &job->structure, &job->exclusions));
    cli_progress progress;
    cli_progress_begin(&progress, settings->candidates + 1, !settings->quiet);
    const enuf_status status = cli_time_candidates(settings, &job->structure,
                                                   job->exclusions.n > 0 ? &job->exclusions : NULL,
                                                   &progress, &job->candidates);
    cli_progress_end(&progress);
    return cli_explain(settings, &job->structure, status);
}

/* Times both decompositions on all ranks, with the options chosen on rank 0. */
static enuf_status time_ranks(const cli_settings *settings, tune_job *job)
{
    enuf_ewald_options options = settings->ewald;
    if (job->candidates.n > 0)
        options = cli_explicit_options(&options, &cli_chosen(&job->candidates)->parameters);
    return cli_ranks_time(&options, &job->structure, &job->candidates.forecast);
}

static enuf_status report(const cli_settings *settings, const tune_job *job)
{
    const cli_candidates *candidates = &job->candidates;
    cli_warn_of_frames(settings, &job->structure);
    cli_warn_of_charge(settings, &job->structure, candidates->report.net_charge);
    cli_warn_of_accuracy(settings, &candidates->report);
    if (settings->json) return cli_candidates_print_json(settings, &job->structure, candidates);
    cli_candidates_print(settings, &job->structure, candidates);
    return ENUF_SUCCESS;
}

static enuf_status tune(const cli_settings *settings, tune_job *job)
{
    const int first = cli_rank() == 0;
    ENUF_TRY(cli_ranks_threads(&settings->ewald, &job->candidates.forecast.threads));
    ENUF_TRY(cli_ranks_share(first ? choose(settings, job) : ENUF_SUCCESS));
    ENUF_TRY(time_ranks(settings, job));
    return cli_ranks_share(first ? report(settings, job) : ENUF_SUCCESS);
}

/* --measure: on one process, with a report of its own. */
static enuf_status measure(const cli_settings *settings, tune_job *job)
{
    cli_measured_choice choice = {.tuning = NULL};
    ENUF_TRY(check_messages(settings));
    ENUF_TRY(cli_check_backend(settings));
    ENUF_TRY(cli_read_input(settings, &job->structure, &job->exclusions));
    enuf_status status = cli_measure(settings, &job->structure,
                                     job->exclusions.n > 0 ? &job->exclusions : NULL, &choice);
    if (status == ENUF_SUCCESS) {
        cli_warn_of_frames(settings, &job->structure);
        cli_warn_of_charge(settings, &job->structure, choice.report.net_charge);
        cli_warn_of_accuracy(settings, &choice.report);
        status = settings->json ? cli_measured_print_json(settings, &job->structure, &choice)
                                : cli_measured_print(settings, &job->structure, &choice);
    }
    enuf_ewald_tuning_destroy(&choice.tuning);
    return status;
}

static enuf_status run(const cli_settings *settings)
{
    ENUF_TRY(cli_measure_check(settings));
    if (settings->calibrate && settings->input)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "--calibrate measures the machine, not %.80s: give one of the two; then use "
            "--calibration %.80s with the FILE",
            settings->input, settings->calibrate);
    if (settings->calibrate) {
        ENUF_TRY(cli_check_backend(settings));
        return calibrate(settings);
    }
    tune_job job = {.structure = {0}};
    const enuf_status status = settings->measure ? measure(settings, &job) : tune(settings, &job);
    cli_excluded_pairs_free(&job.exclusions);
    enuf_structure_free(&job.structure);
    return status;
}

cli_exit cli_tune(const cli_settings *settings)
{
    const enuf_status status = run(settings);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
