/* evaluation.c - see evaluation.h. SPDX-License-Identifier: BSD-3-Clause */
#include "evaluation.h"

#include "enuf/ewald_tuning.h"
#include "given_options.h"
#include "memory.h"
#include "messages.h"
#include "units.h"
#include "wall_clock.h"

#include <math.h>
#include <stdio.h>

/* docs/conventions.md: the promised error of the energy is 20 A 1/2 sum |q phi|. */
static const double PROMISED = 20;
/* 1/2 sum |q phi| of an ionic crystal or melt over C sum q^2 (N/V)^(1/3). */
static const double ATTRACTION = 0.9;
/* Rounding error of sums, relative to their largest parts. */
static const double ROUNDING = 1e-15;

/* Up to this many ions, per-ion energies take less time than the start of the program. */
enum { FEW_IONS = 10000 };

/* Net charges below this fraction of sum |q| are rounding of the sum. */
static const double NEUTRAL = 1e-10;

static enuf_status allocate_results(const cli_request *request, enuf_ewald_result *result)
{
    const int64_t n = request->structure->n;
    if (request->wanted & ENUF_WANT_FORCES)
        ENUF_TRY(enuf_allocate(&result->forces, 3 * n, sizeof(double), "forces"));
    if (request->wanted & ENUF_WANT_ATOM_ENERGY)
        ENUF_TRY(enuf_allocate(&result->atom_energy, n, sizeof(double), "per-atom energies"));
    if (request->wanted & ENUF_WANT_POTENTIAL)
        ENUF_TRY(enuf_allocate(&result->potential, n, sizeof(double), "potentials"));
    if (request->wanted & ENUF_WANT_ATOM_VIRIAL)
        ENUF_TRY(enuf_allocate(&result->atom_virial, 6 * n, sizeof(double), "per-atom virials"));
    return ENUF_SUCCESS;
}

static void step(cli_progress *progress, const char *what)
{
    if (progress) cli_progress_step(progress, what);
}

static enuf_status take_wisdom(const cli_request *request, enuf_ewald *ewald)
{
    enuf_ewald_tuning_request tuning;
    enuf_ewald_tuning_request_init(&tuning);
    tuning.effort = ENUF_TUNE_WISDOM_ONLY;
    tuning.wisdom = request->wisdom;
    return enuf_ewald_tune_with(ewald, &tuning, request->structure->positions, 3, NULL);
}

static enuf_status prepare(const cli_request *request, int is_first, enuf_ewald *ewald)
{
    const enuf_structure *structure = request->structure;
    ENUF_TRY(enuf_ewald_set_cell(ewald, structure->cell));
    ENUF_TRY(enuf_ewald_set_charges(ewald, structure->n, structure->charges, request->exclusions));
    if (!is_first) return ENUF_SUCCESS;
    if (request->wisdom) return take_wisdom(request, ewald);
    return enuf_ewald_tune(ewald, request->calibrate ? structure->positions : NULL, 3);
}

enuf_status cli_evaluation_compute(const cli_request *request, int is_first, enuf_ewald *ewald,
                                   cli_after_half *after, cli_progress *progress,
                                   cli_evaluation *evaluation)
{
    const double *positions = request->structure->positions;
    enuf_ewald_result *result = &evaluation->result;
    const double begin = enuf_seconds();

    step(progress, "parameters and plan");
    ENUF_TRY(prepare(request, is_first, ewald));
    const double tuned = enuf_seconds();
    step(progress, "pairs");
    ENUF_TRY(enuf_ewald_real(ewald, positions, 3, request->wanted, result));
    if (after) ENUF_TRY(after(ewald, evaluation));
    const double paired = enuf_seconds();
    step(progress, "modes");
    result->add = 1;
    ENUF_TRY(enuf_ewald_reciprocal(ewald, positions, 3, request->wanted, result));
    evaluation->timing.tune = tuned - begin;
    evaluation->timing.real = paired - tuned;
    evaluation->timing.reciprocal = enuf_seconds() - paired;
    if (after) ENUF_TRY(after(ewald, evaluation));

    step(progress, request->sample ? "exact sums" : "report");
    if (!request->sample) return ENUF_SUCCESS;
    return enuf_ewald_measure_error(ewald, positions, 3, request->sample, CLI_SAMPLE_SEED,
                                    &evaluation->error);
}

int cli_wants_shares(const enuf_structure *structure, int wanted)
{
    const int of_ions = ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_ATOM_VIRIAL;
    return structure->n <= FEW_IONS || (wanted & of_ions) ? ENUF_WANT_ATOM_ENERGY : 0;
}

const char *cli_error_source_name(cli_error_source source)
{
    static const char *const names[] = {
#define ENUF_X(NAME, name) #name,
        CLI_ERROR_SOURCES(ENUF_X)
#undef ENUF_X
    };
    return names[source];
}

/*
 * 1/2 sum |q phi|: from the per-ion energies, or from a sample of ions. Without both it is
 * estimated by ATTRACTION (rock salt 0.87, fluorite 0.87, rutile 0.90, liquid water with its bonds
 * excluded 0.12).
 */
static double scale_of_energy(const cli_request *request, const cli_evaluation *evaluation,
                              int64_t n_charged)
{
    const enuf_structure *ions = request->structure;
    const enuf_ewald_error *error = &evaluation->error;
    double shares = 0, squares = 0;
    for (int64_t i = 0; i < ions->n; ++i) {
        if (evaluation->result.atom_energy) shares += fabs(evaluation->result.atom_energy[i]);
        squares += ions->charges[i] * ions->charges[i];
    }
    if (!evaluation->result.atom_energy && error->sample > 0)
        shares = error->energy_scale * (double)n_charged / (double)error->sample;
    else if (!evaluation->result.atom_energy)
        shares = ATTRACTION * request->options->coulomb * squares *
                 cbrt((double)n_charged / enuf_structure_volume(ions));
    return fmax(shares, fabs(evaluation->result.energy));
}

void cli_evaluation_judge(const cli_request *request, cli_evaluation *evaluation)
{
    const enuf_ewald_report *report = &evaluation->report;
    const enuf_ewald_parts *parts = &evaluation->result.parts;
    int64_t n_charged = 0;
    for (int64_t i = 0; i < request->structure->n; ++i)
        n_charged += request->structure->charges[i] != 0;
    /* fmax() ignores NaN: not measured */
    const double accuracy = fmax(fmax(report->requested, report->predicted), report->measured);
    const double rounding =
        ROUNDING * (fabs(parts->real) + fabs(parts->reciprocal) + fabs(parts->self) +
                    fabs(parts->background) + fabs(parts->surface) + fabs(parts->excluded));
    evaluation->energy_source =
        evaluation->result.atom_energy ? CLI_ERROR_PROMISED : CLI_ERROR_ESTIMATED;
    evaluation->energy_error = evaluation->virial_error =
        PROMISED * accuracy * scale_of_energy(request, evaluation, n_charged) + rounding;
    if (evaluation->error.sample == 0 || evaluation->error.sample < n_charged) return;
    evaluation->energy_source = CLI_ERROR_MEASURED;
    evaluation->energy_error = fmax(evaluation->error.energy, rounding);
    if (!isnan(evaluation->error.virial))
        evaluation->virial_error = fmax(evaluation->error.virial, rounding);
}

enuf_status cli_evaluation_begin(const cli_request *request, cli_evaluation *evaluation)
{
    *evaluation = (cli_evaluation){.result.struct_size = sizeof evaluation->result,
                                   .report.struct_size = sizeof evaluation->report,
                                   .error.struct_size = sizeof evaluation->error};
    return allocate_results(request, &evaluation->result);
}

cli_system cli_request_system(const cli_request *request)
{
    return cli_system_of(request->structure, request->file, request->options->coulomb);
}

int cli_evaluator_serves(const cli_evaluator *evaluator, const cli_request *request)
{
    const cli_system system = cli_request_system(request);
    return cli_is_same_system(&evaluator->system, &system);
}

enuf_status cli_evaluator_next(cli_evaluator *evaluator, const cli_request *request,
                               cli_progress *progress, cli_evaluation *evaluation)
{
    if (!cli_evaluator_serves(evaluator, request)) cli_evaluator_end(evaluator);
    const int is_first = !evaluator->ewald;
    if (is_first) evaluator->system = cli_request_system(request);
    enuf_status status = cli_evaluation_begin(request, evaluation);
    if (!status && is_first) status = enuf_ewald_create(request->options, &evaluator->ewald);
    if (!status)
        status =
            cli_evaluation_compute(request, is_first, evaluator->ewald, NULL, progress, evaluation);
    if (!status) status = enuf_ewald_get_report(evaluator->ewald, &evaluation->report);
    if (!status) {
        cli_evaluation_judge(request, evaluation);
        return ENUF_SUCCESS;
    }
    cli_evaluation_free(evaluation);
    cli_evaluator_end(evaluator);
    return status;
}

void cli_evaluator_end(cli_evaluator *evaluator)
{
    enuf_ewald_destroy(&evaluator->ewald);
}

enuf_status cli_evaluate(const cli_request *request, cli_progress *progress,
                         cli_evaluation *evaluation)
{
    cli_evaluator evaluator = {.ewald = NULL};
    const enuf_status status = cli_evaluator_next(&evaluator, request, progress, evaluation);
    cli_evaluator_end(&evaluator);
    return status;
}

void cli_evaluation_free(cli_evaluation *evaluation)
{
    enuf_release(&evaluation->result.forces);
    enuf_release(&evaluation->result.atom_energy);
    enuf_release(&evaluation->result.atom_virial);
    enuf_release(&evaluation->result.potential);
    enuf_release(&evaluation->ranks.points);
    enuf_release(&evaluation->ranks.cells);
    enuf_release(&evaluation->ranks.bytes);
}

enuf_status cli_check_backend(const cli_settings *settings)
{
    const enuf_backend backend = settings->ewald.backend;
    const char *reason = NULL;
    if (backend == ENUF_BACKEND_AUTO || enuf_backend_usable(backend, &reason)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NO_BACKEND, "--backend %s: no usable %s: %s", enuf_backend_name(backend),
                     backend == ENUF_BACKEND_CUDA ? "GPU" : "device",
                     reason ? reason : "it is not built in");
}

void cli_warn_of_frames(const cli_settings *settings, const enuf_structure *structure)
{
    if (structure->more_frames)
        cli_warn(settings, "%.80s holds several frames: this is the first", settings->input);
}

int cli_is_charged(const enuf_structure *structure, double net_charge)
{
    double sum = 0;
    for (int64_t i = 0; i < structure->n; ++i) sum += fabs(structure->charges[i]);
    return fabs(net_charge) > NEUTRAL * sum;
}

void cli_warn_of_charge(const cli_settings *settings, const enuf_structure *structure,
                        double net_charge)
{
    if (cli_is_charged(structure, net_charge)) {
        cli_warn(settings, "net charge %.10g %s: a uniform background neutralises it", net_charge,
                 enuf_unit_system_of(structure->units)->charge);
    }
}

void cli_warn_of_accuracy(const cli_settings *settings, const enuf_ewald_report *report)
{
    char given[CLI_GIVEN_SIZE], why[160] = "no known parameters have a smaller error";
    if (report->predicted <= report->requested) return;
    const int rounding = report->predicted_rounding > 0.5 * report->predicted;
    if (rounding && report->arithmetic == ENUF_ARITHMETIC_DOUBLE)
        snprintf(why, sizeof why, "rounding sets this limit");
    else if (rounding)
        snprintf(why, sizeof why, "this is the rounding of %s precision; use --precision double",
                 enuf_arithmetic_name(report->arithmetic));
    else if (cli_given(settings, given))
        snprintf(why, sizeof why, "%s kept as given", given);
    cli_warn(settings, "predicted accuracy %.2g exceeds the %.2g asked for: %s", report->predicted,
             report->requested, why);
}
