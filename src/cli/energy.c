/*
 * energy.c - `enuf energy FILE ...`: energy, forces and virial of the ions in every frame of files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

#include "error.h"
#include "evaluation.h"
#include "explain.h"
#include "input.h"
#include "ion_files.h"
#include "json_report.h"
#include "messages.h"
#include "ranks.h"
#include "table.h"
#include "units.h"
#include "wall_clock.h"
#include "wisdom_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Systems of at least this size get a progress bar. */
enum { LARGE_SYSTEM = 20000 };

typedef struct energy_job {
    cli_settings settings; /* its input is the current file */
    cli_ion_files files;
    enuf_trajectory *frames; /* NULL between files */
    int next_file;
    enuf_structure structure, ahead; /* the current frame; the second frame, read in advance */
    int has_ahead, several;          /* files or frames */
    int64_t computed;                /* frames */
    enuf_exclusions exclusions;
    enuf_wisdom *wisdom; /* NULL: parameters are chosen */
    cli_evaluator evaluator;
    cli_evaluation evaluation;
    cli_progress progress;
    int warned_of_charge, warned_of_accuracy; /* in the current file */
    cli_exit worst;
} energy_job;

/* Prints the error. The command continues with other files and frames. */
static void report_failure(energy_job *job, enuf_status status)
{
    cli_progress_end(&job->progress);
    const cli_exit code = cli_fail(job->settings.name, status);
    if (job->worst != CLI_INTERNAL) job->worst = code;
}

static void close_file(energy_job *job)
{
    enuf_trajectory_close(&job->frames);
    job->warned_of_charge = job->warned_of_accuracy = 0;
}

/* Reads the next frame of the open file; 0 behind the last frame and after an error. */
static int read_frame(energy_job *job, enuf_structure *structure)
{
    int found = 0;
    const enuf_status status = cli_frames_next(&job->settings, job->frames, structure, &found);
    if (status) {
        enuf_structure_free(structure);
        report_failure(job, status);
    }
    return !status && found;
}

/* Finds out whether the file has a second frame: one frame gives a table, several give rows. */
static void look_ahead(energy_job *job)
{
    if (job->several || job->structure.frame > 1 || !job->structure.more_frames) return;
    job->has_ahead = read_frame(job, &job->ahead);
    job->several = job->has_ahead || job->worst != CLI_SUCCESS;
}

static int open_next_file(energy_job *job)
{
    cli_settings *settings = &job->settings;
    while (job->next_file < settings->n_inputs) {
        settings->input = settings->inputs[job->next_file++];
        const enuf_status status = cli_frames_open(settings, &job->frames);
        if (!status) return 1;
        report_failure(job, status);
    }
    return 0;
}

/* On rank 0: the next frame of any file, with its excluded pairs; 0 behind the last. */
static int next_frame(energy_job *job)
{
    enuf_structure_free(&job->structure);
    cli_excluded_pairs_free(&job->exclusions);
    if (job->has_ahead) {
        job->structure = job->ahead;
        job->ahead = (enuf_structure){0};
        job->has_ahead = 0;
        return 1;
    }
    while (job->frames || open_next_file(job)) {
        if (read_frame(job, &job->structure)) {
            look_ahead(job);
            return 1;
        }
        close_file(job);
    }
    return 0;
}

/* Estimates the number of frames from the bytes read so far; 0: unknown. */
static int64_t expected_frames(const energy_job *job)
{
    int64_t done = 0, total = 0;
    if (!job->several) return 1;
    if (!job->frames) return 0;
    enuf_trajectory_progress(job->frames, &done, &total);
    const int64_t seen = job->has_ahead ? 2 : job->structure.frame > 1 ? job->structure.frame : 1;
    if (done <= 0 || total <= 0) return 0;
    return (int64_t)fmax(1, round((double)seen * (double)total / (double)done)) *
           job->settings.n_inputs;
}

static void begin_progress(energy_job *job, int64_t expected)
{
    const cli_settings *settings = &job->settings;
    const int large = job->structure.n >= LARGE_SYSTEM || settings->sample > 0;
    const int shown = cli_rank() == 0 && !settings->quiet;
    if (!job->several)
        cli_progress_begin(&job->progress, CLI_EVALUATION_STEPS, shown && large);
    else if (!job->progress.shown) /* no bar if rows on the same terminal show the progress */
        cli_progress_begin(&job->progress, expected, shown && !isatty(STDOUT_FILENO));
    if (!job->several || !job->progress.shown) return;
    char what[48];
    snprintf(what, sizeof what, "frame %lld of file %d", (long long)job->structure.frame,
             job->next_file);
    if (job->computed >= expected) cli_progress_set_steps(&job->progress, job->computed + 1);
    cli_progress_at(&job->progress, job->computed + 1, what);
}

static int wanted(const energy_job *job)
{
    const int mask = ENUF_WANT_ENERGY | cli_ion_files_wanted(&job->settings) |
                     (job->settings.virial ? ENUF_WANT_VIRIAL : 0);
    return mask | cli_ranks_of_first(cli_wants_shares(&job->structure, mask));
}

/* On all ranks. */
static enuf_status compute(energy_job *job)
{
    const cli_settings *settings = &job->settings;
    enuf_ewald_options options = settings->ewald;
    const int64_t expected = cli_rank() == 0 ? expected_frames(job) : 1;
    options.coulomb = enuf_unit_system_of(job->structure.units)->coulomb;
    options.evaluations = settings->by_positions ? 0 : expected;
    options.truncated = options.kmax > 0; /* the user gave kmax: accept the truncation */
    const cli_request request = {.options = &options,
                                 .structure = &job->structure,
                                 .exclusions = job->exclusions.n > 0 ? &job->exclusions : NULL,
                                 .wanted = wanted(job),
                                 .calibrate = 1,
                                 .wisdom = job->wisdom,
                                 .sample = settings->sample,
                                 .decomposition = settings->decomposition,
                                 .file = job->next_file};
    begin_progress(job, expected);
    const enuf_status status = cli_ranks_evaluate(
        &job->evaluator, &request, job->several ? NULL : &job->progress, &job->evaluation);
    if (!job->several) cli_progress_end(&job->progress);
    return cli_explain(settings, &job->structure, cli_wisdom_explain(settings, status));
}

/* Warns once for each file, because the frames of a file are alike. */
static void warn(energy_job *job)
{
    const cli_settings *settings = &job->settings;
    const enuf_ewald_report *report = &job->evaluation.report;
    const enuf_decomposition requested = settings->decomposition;
    const int hidden = job->progress.shown;
    const int charged = cli_is_charged(&job->structure, report->net_charge);
    const int inaccurate = report->predicted > report->requested;
    const int first = job->computed == 0;
    if (hidden && ((charged && !job->warned_of_charge) || (inaccurate && !job->warned_of_accuracy)))
        cli_progress_end(&job->progress);
    if (!job->several) cli_warn_of_frames(settings, &job->structure);
    if (charged && !job->warned_of_charge++)
        cli_warn_of_charge(settings, &job->structure, report->net_charge);
    if (inaccurate && !job->warned_of_accuracy++) cli_warn_of_accuracy(settings, report);
    if (first && requested != ENUF_DECOMPOSITION_AUTO && job->evaluation.ranks.n == 0)
        cli_warn(settings, "--decomposition has no effect without mpirun");
    else if (first && requested == ENUF_DECOMPOSITION_DISTRIBUTED && settings->ewald.deterministic)
        cli_warn(settings, "--deterministic needs all modes on every rank: --decomposition "
                           "replicated is in use");
}

static enuf_status print(energy_job *job)
{
    const cli_settings *settings = &job->settings;
    /* another program reads the ions from stdout: print nothing behind them */
    if (cli_ion_files_on_stdout(settings)) return ENUF_SUCCESS;
    if (settings->json) {
        cJSON *report = cli_json_evaluation(settings, &job->structure, &job->evaluation, NULL);
        return job->several ? cli_json_print_line(report) : cli_json_print(report);
    }
    if (job->several)
        cli_table_print_frame(settings, &job->structure, &job->evaluation, job->computed == 0);
    else
        cli_table_print(settings, &job->structure, &job->evaluation, NULL);
    return ENUF_SUCCESS;
}

/* On rank 0: reports a computed frame. The files of a single frame are written before its report.
 * */
static enuf_status report(energy_job *job, double begin)
{
    cli_ion_files_add(&job->files, &job->structure, &job->evaluation.result);
    if (!job->several) ENUF_TRY(cli_ion_files_commit(&job->files));
    job->evaluation.timing.total = enuf_seconds() - begin;
    warn(job);
    ENUF_TRY(print(job));
    ++job->computed;
    return ENUF_SUCCESS;
}

/* On all ranks. A failure of this frame is reported, and the command continues with the next frame.
 * */
static enuf_status compute_frame(energy_job *job, double begin)
{
    const int first = cli_rank() == 0;
    const double read = enuf_seconds() - begin;
    enuf_status status = ENUF_SUCCESS;
    if (first) status = cli_check_periodic(&job->settings, &job->structure);
    if (first && !status)
        status = cli_excluded_pairs((cli_exclude)job->settings.exclude, &job->structure,
                                    &job->exclusions);
    const enuf_status shared = cli_ranks_share(status);
    if (!shared) status = compute(job);
    if (shared || status) {
        report_failure(job, status ? status : shared);
        return ENUF_SUCCESS;
    }
    job->evaluation.timing.read = read;
    status = cli_ranks_share(first ? report(job, begin) : ENUF_SUCCESS);
    cli_evaluation_free(&job->evaluation);
    return status;
}

static enuf_status read_wisdom(energy_job *job)
{
    const cli_settings *settings = &job->settings;
    if (settings->wisdom && settings->by_positions)
        return enuf_fail(ENUF_BAD_ARGUMENT, "--wisdom and --calibrate: give one of the two");
    if (settings->wisdom && cli_on_ranks())
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--wisdom has parameters of one process: leave out mpirun");
    return cli_wisdom_read(settings, &job->wisdom);
}

static enuf_status prepare(energy_job *job)
{
    if (!job->settings.input)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no FILE given (see enuf energy --help)");
    ENUF_TRY(cli_check_backend(&job->settings));
    ENUF_TRY(read_wisdom(job));
    return cli_ion_files_open(&job->settings, &job->files);
}

static enuf_status run(energy_job *job)
{
    const int first = cli_rank() == 0;
    ENUF_TRY(cli_ranks_share(first ? prepare(job) : ENUF_SUCCESS));
    for (;;) {
        const double begin = enuf_seconds();
        if (!cli_ranks_of_first(first ? next_frame(job) : 0)) break;
        job->several = cli_ranks_of_first(job->several);
        ENUF_TRY(compute_frame(job, begin));
    }
    cli_progress_end(&job->progress);
    return first && job->computed > 0 ? cli_ion_files_commit(&job->files) : ENUF_SUCCESS;
}

cli_exit cli_energy(const cli_settings *settings)
{
    energy_job job = {.settings = *settings, .several = settings->n_inputs > 1};
    const enuf_status status = run(&job);
    if (status) report_failure(&job, status);
    cli_ion_files_discard(&job.files);
    cli_evaluation_free(&job.evaluation);
    cli_evaluator_end(&job.evaluator);
    enuf_wisdom_destroy(&job.wisdom);
    cli_excluded_pairs_free(&job.exclusions);
    enuf_structure_free(&job.structure);
    enuf_structure_free(&job.ahead);
    enuf_trajectory_close(&job.frames);
    const cli_exit printed = cli_flush_stdout(settings->name);
    return job.worst != CLI_SUCCESS ? job.worst : printed;
}
