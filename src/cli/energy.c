/*
 * energy.c - `enuf energy FILE`: energy, forces and virial of the ions in a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

#include "error.h"
#include "evaluation.h"
#include "explain.h"
#include "input.h"
#include "json_report.h"
#include "messages.h"
#include "ranks.h"
#include "table.h"
#include "units.h"
#include "wall_clock.h"
#include "write.h"

#include <string.h>
#include <sys/stat.h>

/* From this many ions on the work takes long enough for a progress bar. */
enum { LARGE_SYSTEM = 20000 };

typedef struct energy_job {
    enuf_output *forces, *per_atom; /* NULL: not wanted */
    enuf_structure structure;
    enuf_exclusions exclusions;
    cli_evaluation evaluation;
} energy_job;

static int is_stdout(const char *output)
{
    return output && (strcmp(output, "-") == 0 || strcmp(output, "/dev/stdout") == 0);
}

/* Links and other spellings of the same file included. */
static int is_input(const cli_settings *settings, const char *output)
{
    struct stat in, out;
    return output && strcmp(settings->input, "-") != 0 && stat(settings->input, &in) == 0 &&
           S_ISREG(in.st_mode) && stat(output, &out) == 0 && in.st_dev == out.st_dev &&
           in.st_ino == out.st_ino;
}

static enuf_status check_outputs(const cli_settings *settings)
{
    const char *forces = settings->forces, *per_atom = settings->per_atom;
    if (is_input(settings, forces) || is_input(settings, per_atom))
        return enuf_fail(ENUF_BAD_ARGUMENT, "--%s names the FILE itself: give another name",
                         is_input(settings, forces) ? "forces" : "per-atom");
    return ENUF_SUCCESS;
}

/* Before the computation, so that it is not made in vain. */
static enuf_status open_outputs(const cli_settings *settings, energy_job *job)
{
    const char *forces = settings->forces, *per_atom = settings->per_atom;
    ENUF_TRY(check_outputs(settings));
    if (forces) ENUF_TRY(enuf_output_open(forces, &job->forces));
    if (per_atom) ENUF_TRY(enuf_output_open(per_atom, &job->per_atom));
    if (forces && per_atom && enuf_output_same(job->forces, job->per_atom))
        return enuf_fail(ENUF_BAD_ARGUMENT, "--forces and --per-atom name the same file");
    return ENUF_SUCCESS;
}

static int wanted(const cli_settings *settings, const enuf_structure *structure)
{
    int mask = ENUF_WANT_ENERGY | cli_ranks_of_first(cli_wants_shares(structure));
    if (settings->forces) mask |= ENUF_WANT_FORCES;
    if (settings->virial) mask |= ENUF_WANT_VIRIAL;
    if (settings->per_atom) mask |= ENUF_WANT_ATOM_ENERGY | ENUF_WANT_ATOM_VIRIAL;
    return mask;
}

static enuf_status compute(const cli_settings *settings, energy_job *job)
{
    enuf_ewald_options options = settings->ewald;
    options.coulomb = enuf_unit_system_of(job->structure.units)->coulomb;
    options.evaluations = settings->by_positions ? 0 : 1;
    options.truncated = options.kmax > 0; /* who says where sums end means it */
    const cli_request request = {.options = &options,
                                 .structure = &job->structure,
                                 .exclusions = job->exclusions.n > 0 ? &job->exclusions : NULL,
                                 .wanted = wanted(settings, &job->structure),
                                 .calibrate = 1,
                                 .sample = settings->sample,
                                 .decomposition = settings->decomposition};
    cli_progress progress;
    const int large = job->structure.n >= LARGE_SYSTEM || settings->sample > 0;
    cli_progress_begin(&progress, CLI_EVALUATION_STEPS, large && !settings->quiet);
    const enuf_status status = cli_ranks_evaluate(&request, &progress, &job->evaluation);
    cli_progress_end(&progress);
    return cli_explain(settings, &job->structure, status);
}

static enuf_status write_outputs(energy_job *job)
{
    const enuf_ewald_result *result = &job->evaluation.result;
    char comment[64];
    snprintf(comment, sizeof comment, "energy=%.17g", result->energy);
    const enuf_column forces[] = {{"charge", 1, job->structure.charges},
                                  {"forces", 3, result->forces}};
    const enuf_column per_atom[] = {{"charge", 1, job->structure.charges},
                                    {"energy", 1, result->atom_energy},
                                    {"virial", 6, result->atom_virial}};
    if (job->forces)
        enuf_write_extxyz(enuf_output_stream(job->forces), &job->structure, forces, 2, comment);
    if (job->per_atom)
        enuf_write_extxyz(enuf_output_stream(job->per_atom), &job->structure, per_atom, 3, comment);
    enuf_output **const all[] = {&job->forces, &job->per_atom};
    return enuf_output_commit_all(2, all);
}

static enuf_status read_all(const cli_settings *settings, energy_job *job)
{
    if (!settings->input)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no FILE given (see enuf energy --help)");
    ENUF_TRY(cli_check_backend(settings));
    ENUF_TRY(open_outputs(settings, job));
    return cli_read_input(settings, &job->structure, &job->exclusions);
}

static void warn(const cli_settings *settings, const energy_job *job)
{
    const enuf_decomposition asked = settings->decomposition;
    const cli_rank_report *ranks = &job->evaluation.ranks;
    cli_warn_of_frames(settings, &job->structure);
    cli_warn_of_charge(settings, &job->structure, job->evaluation.report.net_charge);
    cli_warn_of_accuracy(settings, &job->evaluation.report);
    if (asked != ENUF_DECOMPOSITION_AUTO && ranks->n == 0)
        cli_warn(settings, "--decomposition has no effect without mpirun");
    else if (asked == ENUF_DECOMPOSITION_DISTRIBUTED && settings->ewald.deterministic)
        cli_warn(settings, "--deterministic needs all modes on every rank: --decomposition "
                           "replicated is in use");
}

/* What rank 0 says and writes. */
static enuf_status report(const cli_settings *settings, energy_job *job, double begin)
{
    ENUF_TRY(write_outputs(job));
    job->evaluation.timing.total = cli_seconds() - begin;
    warn(settings, job);
    /* the ions on stdout are for another program to read: nothing may follow them */
    if (is_stdout(settings->forces) || is_stdout(settings->per_atom)) return ENUF_SUCCESS;
    if (settings->json)
        return cli_json_print(
            cli_json_evaluation(settings, &job->structure, &job->evaluation, NULL));
    cli_table_print(settings, &job->structure, &job->evaluation, NULL);
    return ENUF_SUCCESS;
}

static enuf_status run(const cli_settings *settings, energy_job *job)
{
    const double begin = cli_seconds();
    const int first = cli_rank() == 0;
    ENUF_TRY(cli_ranks_share(first ? read_all(settings, job) : ENUF_SUCCESS));
    const double read = cli_seconds() - begin;
    ENUF_TRY(compute(settings, job));
    job->evaluation.timing.read = read;
    return cli_ranks_share(first ? report(settings, job, begin) : ENUF_SUCCESS);
}

cli_exit cli_energy(const cli_settings *settings)
{
    energy_job job = {0};
    const enuf_status status = run(settings, &job);
    enuf_output_discard(&job.forces);
    enuf_output_discard(&job.per_atom);
    cli_evaluation_free(&job.evaluation);
    cli_excluded_pairs_free(&job.exclusions);
    enuf_structure_free(&job.structure);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
