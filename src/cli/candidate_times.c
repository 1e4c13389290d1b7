/* candidate_times.c - see candidate_times.h. SPDX-License-Identifier: BSD-3-Clause */
#include "candidate_times.h"

#include "error.h"
#include "memory.h"
#include "ranks.h"
#include "units.h"
#include "wall_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds of repetitions for each candidate, and their least and greatest number. */
static const double ENOUGH_SECONDS = 0.3;
enum { LEAST_REPEATS = 3, MOST_REPEATS = 50 };

double cli_measured(const cli_candidate *candidate)
{
    return candidate->measured_real + candidate->measured_reciprocal;
}

const cli_candidate *cli_chosen(const cli_candidates *candidates)
{
    const cli_candidate *candidate = candidates->of;
    while (!candidate->parameters.chosen) candidate++;
    return candidate;
}

static enuf_status make(const enuf_ewald_options *options, const enuf_structure *structure,
                        const double cell[9], const enuf_exclusions *exclusions, enuf_ewald **ewald)
{
    ENUF_TRY(enuf_ewald_create(options, ewald));
    ENUF_TRY(enuf_ewald_set_cell(*ewald, cell));
    return enuf_ewald_set_charges(*ewald, structure->n, structure->charges, exclusions);
}

/* Lists all candidates. The report and the forecast describe the chosen one. */
static enuf_status list(const cli_settings *settings, const enuf_ewald_options *options,
                        const enuf_structure *structure, const enuf_exclusions *exclusions,
                        cli_candidates *candidates)
{
    enuf_ewald_candidate found[CLI_MOST_CANDIDATES] = {{.struct_size = sizeof *found}};
    enuf_ewald *ewald = NULL;
    const double begin = enuf_seconds();
    enuf_status status = make(options, structure, structure->cell, exclusions, &ewald);
    if (!status) status = enuf_ewald_tune(ewald, structure->positions, 3);
    candidates->seconds_tune = enuf_seconds() - begin;
    if (!status && settings->cells == 0) {
        status = enuf_ewald_list_candidates(ewald, settings->dearest, settings->candidates, found,
                                            &candidates->n);
    }
    if (!status && (settings->cells > 0 || candidates->n > 0))
        status = cli_ranks_predict(settings, ewald, &candidates->forecast);
    candidates->report.struct_size = sizeof candidates->report;
    if (!status) status = enuf_ewald_get_report(ewald, &candidates->report);
    enuf_ewald_destroy(&ewald);
    for (int64_t k = 0; k < candidates->n && !status; ++k) candidates->of[k].parameters = found[k];
    return status;
}

enuf_ewald_options cli_explicit_options(const enuf_ewald_options *options,
                                        const enuf_ewald_candidate *c)
{
    enuf_ewald_options o = *options;
    o.split = c->split;
    o.cutoff = c->cutoff;
    o.alpha = c->alpha;
    o.c = c->c;
    o.kmax = c->kmax;
    for (int d = 0; d < 3; ++d) o.grid[d] = c->grid[d];
    o.window = c->window;
    o.width = c->width;
    o.shape = c->shape;
    return o;
}

static enuf_status time_repeats(enuf_ewald *ewald, const enuf_structure *structure, double *forces,
                                cli_candidate *candidate)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
    enuf_ewald_report report = {.struct_size = sizeof report};
    const double begin = enuf_seconds();
    candidate->measured_real = candidate->measured_reciprocal = HUGE_VAL;
    for (int k = 0;
         k < LEAST_REPEATS || (k < MOST_REPEATS && enuf_seconds() - begin < ENOUGH_SECONDS); ++k) {
        ENUF_TRY(enuf_ewald_compute(ewald, structure->positions, 3,
                                    ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result));
        ENUF_TRY(enuf_ewald_get_report(ewald, &report));
        candidate->measured_real = fmin(candidate->measured_real, report.seconds_real);
        candidate->measured_reciprocal =
            fmin(candidate->measured_reciprocal, report.seconds_reciprocal);
    }
    return ENUF_SUCCESS;
}

/* Times a candidate in the cell `basis`; the candidate's grid refers to these vectors. */
static enuf_status time_candidate(const enuf_ewald_options *options,
                                  const enuf_structure *structure, const double basis[9],
                                  const enuf_exclusions *exclusions, double *forces,
                                  cli_candidate *candidate)
{
    const enuf_ewald_options given = cli_explicit_options(options, &candidate->parameters);
    enuf_ewald *ewald = NULL;
    enuf_status status = make(&given, structure, basis, exclusions, &ewald);
    if (!status) status = time_repeats(ewald, structure, forces, candidate);
    enuf_ewald_destroy(&ewald);
    return status;
}

static int by_measured_time(const void *a, const void *b)
{
    const double x = cli_measured(a), y = cli_measured(b);
    return (x > y) - (x < y);
}

enuf_status cli_time_candidates(const cli_settings *settings, const enuf_structure *structure,
                                const enuf_exclusions *exclusions, cli_progress *progress,
                                cli_candidates *candidates)
{
    enuf_ewald_options options = settings->ewald;
    double *forces;
    options.coulomb = enuf_unit_system_of(structure->units)->coulomb;
    if (settings->cells > 0) {
        /* a forecast for another machine: use the CPU, because a GPU may be missing here */
        options.backend = ENUF_BACKEND_CPU;
        options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
        cli_progress_set_steps(progress, 1);
    }
    cli_progress_step(progress, "choice, calibrated by the positions");
    ENUF_TRY(list(settings, &options, structure, exclusions, candidates));
    if (settings->cells > 0) return ENUF_SUCCESS;
    if (candidates->n == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%.80s holds no charges: there is nothing to choose",
                         settings->input);
    cli_progress_set_steps(progress, candidates->n + 1);
    ENUF_TRY(enuf_allocate(&forces, 3 * structure->n, sizeof *forces, "forces"));
    enuf_status status = ENUF_SUCCESS;
    for (int64_t k = 0; k < candidates->n && !status; ++k) {
        cli_candidate *candidate = &candidates->of[k];
        cli_progress_step(progress, "timing");
        candidate->predicted =
            (candidate->parameters.seconds_real + candidate->parameters.seconds_reciprocal) /
            candidates->report.threads;
        status = time_candidate(&options, structure, candidates->report.basis, exclusions, forces,
                                candidate);
    }
    enuf_release(&forces);
    qsort(candidates->of, (size_t)candidates->n, sizeof *candidates->of, by_measured_time);
    return status;
}
