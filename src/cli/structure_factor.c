/*
 * structure_factor.c - `enuf structure-factor FILE`: structure factors of the ions in a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

#include "error.h"
#include "evaluation.h"
#include "factor_report.h"
#include "input.h"
#include "ion_weights.h"
#include "memory.h"
#include "messages.h"
#include "units.h"

#include <string.h>

typedef struct factor_job {
    const cli_settings *settings;
    enuf_structure structure;
    double *weights;
    cli_picture picture;
    cli_factors factors;
} factor_job;

static enuf_status check_options(const cli_settings *settings)
{
    if (!settings->input)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no FILE given (see %s --help)", settings->name);
    const int given =
        (settings->q_list != NULL) + (settings->q_file != NULL) + (settings->sphere.largest > 0);
    if (given != 1) return enuf_fail(ENUF_BAD_ARGUMENT, "give one of --q, --q-file and --sphere");
    if (settings->sphere.largest > 0 && settings->cartesian)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--cartesian is for --q and --q-file; QMAX of --sphere is a length");
    if (settings->q_file && strcmp(settings->q_file, "-") == 0 && strcmp(settings->input, "-") == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "--q-file - and FILE -: there is one standard input");
    return ENUF_SUCCESS;
}

static int has_cell(const enuf_structure *structure)
{
    return enuf_structure_volume(structure) > 0;
}

static int is_periodic(const enuf_structure *structure)
{
    const int *p = structure->periodic;
    return has_cell(structure) && p[0] && p[1] && p[2];
}

/* Puts the option before the text of an error that a smaller sphere avoids. */
static enuf_status name_sphere(const cli_settings *settings, enuf_status status)
{
    char text[1024];
    if (status != ENUF_OUT_OF_MEMORY && status != ENUF_BAD_ARGUMENT) return status;
    snprintf(text, sizeof text, "%s", cli_without_functions(enuf_last_error()));
    return enuf_fail(status, "--sphere %g: %s", settings->sphere.largest, text);
}

static enuf_status sum_lattice(const cli_factor_request *request, factor_job *job)
{
    const cli_sphere *sphere = &job->settings->sphere;
    int64_t count = 0;
    ENUF_TRY(cli_factors_of_lattice(request, sphere, job->factors.shells));
    for (int64_t i = 0; i < sphere->shells; ++i) count += job->factors.shells[i].count;
    if (count > 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "no vector of the reciprocal lattice is so short");
}

static enuf_status sum_shells(const cli_factor_request *request, factor_job *job)
{
    const cli_sphere *sphere = &job->settings->sphere;
    cli_factors *f = &job->factors;
    ENUF_TRY(enuf_allocate(&f->shells, sphere->shells, sizeof *f->shells, "shells"));
    f->n = sphere->shells;
    if (is_periodic(&job->structure)) return name_sphere(job->settings, sum_lattice(request, job));
    cli_progress progress;
    cli_progress_begin(&progress, sphere->shells, !job->settings->quiet);
    const enuf_status status = cli_factors_of_directions(request, sphere, &progress, f->shells);
    cli_progress_end(&progress);
    return status;
}

static enuf_status sum_list(const cli_factor_request *request, factor_job *job)
{
    cli_factors *f = &job->factors;
    ENUF_TRY(cli_q_vectors_read(job->settings, &f->vectors));
    ENUF_TRY(enuf_allocate(&f->at, f->vectors.n, sizeof *f->at, "structure factors"));
    f->n = f->vectors.n;
    return cli_factors_at(request, &f->vectors, f->at);
}

static enuf_status sum(factor_job *job)
{
    const cli_settings *settings = job->settings;
    const enuf_structure *structure = &job->structure;
    ENUF_TRY(enuf_allocate(&job->weights, structure->n, sizeof *job->weights, "weights of ions"));
    ENUF_TRY(cli_ion_weights(settings, structure, job->weights, &job->factors.squares));
    job->factors.cartesian = settings->cartesian || !has_cell(structure);
    const cli_factor_request request = {.structure = structure,
                                        .weights = job->weights,
                                        .squares = job->factors.squares,
                                        .cartesian = job->factors.cartesian,
                                        .threads = settings->ewald.threads,
                                        .backend = settings->ewald.backend};
    return settings->sphere.largest > 0 ? sum_shells(&request, job) : sum_list(&request, job);
}

static enuf_status run(factor_job *job)
{
    const cli_settings *settings = job->settings;
    ENUF_TRY(check_options(settings));
    ENUF_TRY(cli_check_backend(settings));
    ENUF_TRY(cli_picture_open(settings, &job->picture));
    ENUF_TRY(cli_read_any_structure(settings, &job->structure));
    ENUF_TRY(sum(job));
    cli_warn_of_frames(settings, &job->structure);
    ENUF_TRY(cli_factors_draw(settings, &job->factors,
                              enuf_unit_system_of(job->structure.units)->length, &job->picture));
    if (settings->json)
        return cli_json_print(cli_json_factors(settings, &job->structure, &job->factors));
    cli_factors_write(&job->factors, stdout);
    return ENUF_SUCCESS;
}

cli_exit cli_structure_factor(const cli_settings *settings)
{
    factor_job job = {.settings = settings};
    const enuf_status status = run(&job);
    cli_picture_discard(&job.picture);
    enuf_release(&job.weights);
    enuf_release(&job.factors.at);
    enuf_release(&job.factors.shells);
    cli_q_vectors_free(&job.factors.vectors);
    enuf_structure_free(&job.structure);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
