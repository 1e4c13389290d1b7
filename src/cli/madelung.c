/*
 * madelung.c - `enuf madelung STRUCTURE|FILE`: the Madelung constant of a crystal.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

#include "alpha_sweep.h"
#include "crystal_names.h"
#include "error.h"
#include "evaluation.h"
#include "explain.h"
#include "input.h"
#include "json_report.h"
#include "messages.h"
#include "read.h"
#include "supercell.h"
#include "sweep_picture.h"
#include "table.h"
#include "units.h"
#include "wall_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { DEFAULT_CELLS = 4, LARGE_SYSTEM = 20000 };

typedef struct madelung_job {
    cli_settings settings; /* the Coulomb constant in it is the structure's */
    enuf_structure structure;
    enuf_crystal crystal; /* if STRUCTURE is given */
    cli_lattice_constant constant;
    cli_picture picture;
    cli_alpha_sweep sweep;
    cli_evaluation evaluation;
} madelung_job;

static enuf_status fail_unknown(const char *name)
{
    char names[200] = "";
    for (int c = 0; c < enuf_crystal_count(); ++c) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                 enuf_crystal_at(c)->name);
    }
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "'%.80s' is neither a file nor a structure: %s, or another name "
                     "in enuf madelung --list",
                     name, names);
}

static enuf_status check_options(const cli_settings *settings)
{
    if (!settings->input) {
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "no STRUCTURE or FILE given (see enuf madelung --help)");
    }
    if (settings->plot && settings->sweep.n == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "--plot draws a sweep: give --sweep-alpha LO:HI:N too");
    if (settings->sweep.n > 0 && settings->ewald.alpha > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "give either --alpha or --sweep-alpha");
    if (settings->sweep.n > 0 && settings->ewald.split == ENUF_SPLIT_PROLATE) {
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--sweep-alpha varies the Gaussian splitting, not the prolate one");
    }
    return cli_check_backend(settings);
}

/* Puts the option --cells before the text of an out-of-memory error. */
static enuf_status enough_memory(const cli_settings *settings, enuf_status status)
{
    char option[40];
    if (status != ENUF_OUT_OF_MEMORY || settings->cells == 0) return status;
    snprintf(option, sizeof option, "--cells %lld", (long long)settings->cells);
    return enuf_fail_in(status, option);
}

static enuf_status build_crystal(const enuf_crystal *crystal, madelung_job *job)
{
    cli_settings *settings = &job->settings;
    if (settings->n_rules > 0 || settings->format || settings->units != CLI_UNITS_OF_FILE) {
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--charge, --format and --units are for a FILE, not for the structure %s",
                         crystal->name);
    }
    const int64_t cells = settings->cells > 0 ? settings->cells : DEFAULT_CELLS;
    job->constant = cli_constant_of_crystal(crystal, cells);
    return enough_memory(settings, enuf_crystal_build(crystal, cells, &job->structure));
}

static enuf_status read_crystal(madelung_job *job)
{
    cli_settings *settings = &job->settings;
    enuf_structure *structure = &job->structure;
    ENUF_TRY(cli_read_structure(settings, structure));
    for (int d = 0; d < 3; ++d) {
        if (!structure->periodic[d]) {
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%.80s: the cell is not periodic along %c: not a "
                             "crystal",
                             settings->input, "abc"[d]);
        }
    }
    const int64_t cells = settings->cells > 0 ? settings->cells : 1;
    const enuf_status status = cli_constant_of_structure(structure, cells, &job->constant);
    if (status) return enuf_fail_in(status, settings->input);
    return enough_memory(settings, cli_make_supercell(cells, structure));
}

static enuf_status get_structure(madelung_job *job)
{
    const char *input = job->settings.input;
    struct stat found;
    if (cli_crystal_find(input, &job->crystal)) return build_crystal(&job->crystal, job);
    if (strcmp(input, "-") != 0 && !strpbrk(input, "./") && stat(input, &found) != 0)
        return fail_unknown(input);
    return read_crystal(job);
}

static enuf_status compute(madelung_job *job)
{
    const cli_request request = {.options = &job->settings.ewald,
                                 .structure = &job->structure,
                                 .wanted = ENUF_WANT_ENERGY | cli_wants_shares(&job->structure, 0)};
    cli_progress progress;
    cli_progress_begin(&progress, CLI_EVALUATION_STEPS,
                       job->structure.n >= LARGE_SYSTEM && !job->settings.quiet);
    const enuf_status status = cli_evaluate(&request, &progress, &job->evaluation);
    cli_progress_end(&progress);
    return cli_explain(&job->settings, &job->structure, status);
}

/* Computes the reference of a file's sweep: the constant with parameters chosen by the accuracy. */
static enuf_status converge(madelung_job *job)
{
    enuf_ewald_options options;
    cli_evaluation evaluation;
    if (!isnan(job->constant.reference)) return ENUF_SUCCESS;
    enuf_ewald_options_init(&options);
    options.accuracy = CLI_CRYSTAL_TARGET;
    options.coulomb = job->settings.ewald.coulomb;
    options.threads = job->settings.ewald.threads;
    const cli_request request = {
        .options = &options, .structure = &job->structure, .wanted = ENUF_WANT_ENERGY};
    ENUF_TRY(cli_evaluate(&request, NULL, &evaluation));
    job->constant.reference = job->constant.per_energy * evaluation.result.energy;
    job->constant.converged = 1;
    cli_evaluation_free(&evaluation);
    return ENUF_SUCCESS;
}

static enuf_status run_sweep(madelung_job *job)
{
    const cli_settings *settings = &job->settings;
    ENUF_TRY(cli_explain(settings, &job->structure, converge(job)));
    ENUF_TRY(cli_explain(settings, &job->structure,
                         cli_sweep(settings, &job->structure, &job->constant, &job->sweep)));
    cli_warn_of_frames(settings, &job->structure);
    ENUF_TRY(cli_sweep_draw(settings, &job->sweep, &job->constant,
                            enuf_unit_system_of(job->structure.units)->length, &job->picture));
    if (settings->json) {
        return cli_json_print(
            cli_json_sweep(settings, &job->structure, &job->constant, &job->sweep));
    }
    cli_sweep_write(&job->sweep, stdout);
    return ENUF_SUCCESS;
}

static enuf_status run(madelung_job *job)
{
    cli_settings *settings = &job->settings;
    const double begin = enuf_seconds();
    if (settings->list) {
        cli_table_print_crystals();
        return ENUF_SUCCESS;
    }
    ENUF_TRY(check_options(settings));
    ENUF_TRY(cli_picture_open(settings, &job->picture));
    ENUF_TRY(get_structure(job));
    settings->ewald.coulomb = enuf_unit_system_of(job->structure.units)->coulomb;
    settings->ewald.evaluations = 1;
    const double read = enuf_seconds() - begin;
    if (settings->sweep.n > 0) return run_sweep(job);

    ENUF_TRY(compute(job));
    cli_warn_of_frames(settings, &job->structure);
    job->evaluation.timing.read = read;
    job->evaluation.timing.total = enuf_seconds() - begin;
    /* a Wigner crystal has a background on purpose */
    if (!job->constant.crystal)
        cli_warn_of_charge(settings, &job->structure, job->evaluation.report.net_charge);
    cli_warn_of_accuracy(settings, &job->evaluation.report);
    if (settings->json) {
        return cli_json_print(
            cli_json_evaluation(settings, &job->structure, &job->evaluation, &job->constant));
    }
    cli_table_print(settings, &job->structure, &job->evaluation, &job->constant);
    return ENUF_SUCCESS;
}

cli_exit cli_madelung(const cli_settings *settings)
{
    madelung_job job = {.settings = *settings};
    const enuf_status status = run(&job);
    cli_picture_discard(&job.picture);
    cli_sweep_free(&job.sweep);
    cli_evaluation_free(&job.evaluation);
    enuf_structure_free(&job.structure);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
