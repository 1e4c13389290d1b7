/* measured_choice.c - see measured_choice.h. SPDX-License-Identifier: BSD-3-Clause */
#include "measured_choice.h"

#include "error.h"
#include "explain.h"
#include "progress.h"
#include "ranks.h"
#include "units.h"
#include "wall_clock.h"
#include "wisdom_file.h"

#include <stdio.h>
#include <string.h>

enuf_status cli_measure_check(const cli_settings *settings)
{
    if (!settings->measure && settings->wisdom)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--wisdom keeps what --measure has timed: give --measure as well");
    if (!settings->measure && settings->uncorrelated)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--uncorrelated is of --measure: give --measure as well");
    if (!settings->measure) return ENUF_SUCCESS;
    if (settings->calibrate)
        return enuf_fail(ENUF_BAD_ARGUMENT, "--measure and --calibrate: give one of the two");
    if (settings->ranks > 0 || settings->cells > 0 || cli_on_ranks())
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--measure times one process: leave out --ranks, --cells and mpirun");
    if (settings->ewald.deterministic && !settings->wisdom)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--measure chooses by time, which differs from run to run: with "
                         "--deterministic give --wisdom FILE, which --measure --uncorrelated has "
                         "written without it");
    return ENUF_SUCCESS;
}

/* "timing 3 of 17: ..." moves the bar; other lines are about long work before. */
static void log_line(void *context, const char *text)
{
    cli_progress *progress = context;
    int at = 0, of = 0;
    if (sscanf(text, "timing %d of %d", &at, &of) != 2) {
        cli_progress_step(progress, "choice, calibrated by the positions");
        return;
    }
    cli_progress_set_steps(progress, of);
    cli_progress_at(progress, at, "timing");
}

static int was_measured(const enuf_ewald_tuning *tuning)
{
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); ++i) {
        enuf_ewald_timed c = {.struct_size = sizeof c};
        if (enuf_ewald_tuning_get(tuning, i, &c) == ENUF_SUCCESS && c.timings > 0) return 1;
    }
    return 0;
}

static enuf_status tune(const cli_settings *settings, enuf_ewald_options *options,
                        const enuf_structure *structure, const enuf_exclusions *exclusions,
                        enuf_wisdom *wisdom, cli_measured_choice *choice)
{
    enuf_ewald *ewald = NULL;
    enuf_ewald_tuning_request request;
    enuf_ewald_tuning_request_init(&request);
    request.effort = options->deterministic ? ENUF_TUNE_WISDOM_ONLY : ENUF_TUNE_MEASURE;
    request.uncorrelated = settings->uncorrelated;
    request.dearest = settings->dearest;
    request.wisdom = wisdom;
    enuf_status status = enuf_ewald_create(options, &ewald);
    if (!status) status = enuf_ewald_set_cell(ewald, structure->cell);
    if (!status)
        status = enuf_ewald_set_charges(ewald, structure->n, structure->charges, exclusions);
    const double begin = enuf_seconds();
    if (!status)
        status = enuf_ewald_tune_with(ewald, &request, structure->positions, 3, &choice->tuning);
    choice->seconds = enuf_seconds() - begin;
    choice->report = (enuf_ewald_report){.struct_size = sizeof choice->report};
    if (!status) status = enuf_ewald_get_report(ewald, &choice->report);
    enuf_ewald_destroy(&ewald);
    return cli_wisdom_explain(settings, status);
}

enuf_status cli_measure(const cli_settings *settings, const enuf_structure *structure,
                        const enuf_exclusions *exclusions, cli_measured_choice *choice)
{
    enuf_ewald_options options = settings->ewald;
    enuf_wisdom *wisdom;
    cli_progress progress;
    options.coulomb = enuf_unit_system_of(structure->units)->coulomb;
    options.log = log_line;
    options.log_context = &progress;
    enuf_status status = cli_wisdom_open(settings, &wisdom);
    cli_progress_begin(&progress, 1, !settings->quiet);
    if (!status)
        status = cli_explain(settings, structure,
                             tune(settings, &options, structure, exclusions, wisdom, choice));
    cli_progress_end(&progress);
    if (!status && enuf_ewald_tuning_count(choice->tuning) == 0)
        status = enuf_fail(ENUF_BAD_ARGUMENT, "%.80s holds no charges: there is nothing to choose",
                           settings->input);
    if (!status) status = cli_wisdom_keep(settings, wisdom, was_measured(choice->tuning));
    enuf_wisdom_destroy(&wisdom);
    return status;
}
