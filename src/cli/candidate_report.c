/* candidate_report.c - see candidate_report.h. SPDX-License-Identifier: BSD-3-Clause */
#include "candidate_report.h"

#include "safe_text.h"

#include "json_values.h"
#include "units.h"

#include <math.h>
#include <stdio.h>

static double splitting_parameter(const enuf_ewald_candidate *c)
{
    return c->split == ENUF_SPLIT_GAUSSIAN ? c->alpha : c->c;
}

static void print_row(const cli_candidate *candidate)
{
    const enuf_ewald_candidate *c = &candidate->parameters;
    char grid[40];
    snprintf(grid, sizeof grid, "%lldx%lldx%lld", (long long)c->grid[0], (long long)c->grid[1],
             (long long)c->grid[2]);
    printf("%c %-8s %8.3f %8.4f  %-11s %5.2f %5d  %8.1e %10.3f %10.3f %9.3f %9.3f\n",
           c->chosen ? '*' : ' ', enuf_split_name(c->split), c->cutoff, splitting_parameter(c),
           grid, (double)c->grid[0] / (double)c->modes[0], c->width, c->predicted,
           1e3 * candidate->predicted, 1e3 * cli_measured(candidate),
           1e3 * candidate->measured_real, 1e3 * candidate->measured_reciprocal);
}

/* Parameters of a forecast; they were not timed. */
static void print_forecast_parameters(const cli_candidates *candidates,
                                      const enuf_unit_system *units)
{
    const enuf_ewald_candidate *c = &candidates->forecast.parameters;
    printf("  split %s, %s %.6g, cutoff %.6g %s, grid %lld x %lld x %lld, width %d, predicted "
           "error %.2g\n",
           enuf_split_name(c->split), c->split == ENUF_SPLIT_GAUSSIAN ? "alpha" : "c",
           splitting_parameter(c), c->cutoff, units->length, (long long)c->grid[0],
           (long long)c->grid[1], (long long)c->grid[2], c->width, c->predicted);
}

static void print_table(const cli_settings *settings, const cli_candidates *candidates,
                        const enuf_unit_system *units)
{
    const enuf_ewald_report *report = &candidates->report;
    printf("  %-8s %8s %8s  %-11s %5s %5s  %8s %10s %10s %9s %9s\n", "split", "cutoff", "alpha|c",
           "grid", "sigma", "width", "error", "model ms", "time ms", "pairs ms", "mesh ms");
    for (int64_t k = 0; k < candidates->n; ++k) print_row(&candidates->of[k]);
    const double chosen = cli_measured(cli_chosen(candidates));
    printf("\n* chosen by the model, %s rates; %.1f %% above the least time measured. Window %s;\n"
           "lengths in %s, sigma: cells a mode, error: predicted, as accuracy.\n",
           settings->ewald.calibration_file ? "this machine's" : "the shipped",
           100 * (chosen / cli_measured(candidates->of) - 1), enuf_window_name(report->window),
           units->length);
}

void cli_candidates_print(const cli_settings *settings, const enuf_structure *structure,
                          const cli_candidates *candidates)
{
    const enuf_unit_system *units = enuf_unit_system_of(structure->units);
    const enuf_ewald_report *report = &candidates->report;
    char input[CLI_SHOWN_NAME];
    printf("%s %s: %lld ions, accuracy %.2g of F_ref = %.6g %s", settings->name,
           cli_safe_text(settings->input, input, sizeof input), (long long)structure->n,
           report->requested, report->f_ref, units->force);
    if (candidates->n > 0) {
        printf(", %s precision, %d thread%s\n\n", enuf_arithmetic_name(report->arithmetic),
               report->threads, report->threads == 1 ? "" : "s");
        print_table(settings, candidates, units);
    } else {
        printf("\nPrediction for %lld x %lld x %lld cells:\n\n", (long long)settings->cells,
               (long long)settings->cells, (long long)settings->cells);
        print_forecast_parameters(candidates, units);
    }
    cli_forecast_print(settings, &candidates->forecast);
}

void cli_candidate_add_parameters(cJSON *object, const enuf_ewald_candidate *c)
{
    cJSON_AddBoolToObject(object, "chosen", c->chosen);
    cli_json_split(object, c->split, c->alpha, c->c);
    cli_json_number(object, "cutoff", c->cutoff);
    cli_json_number(object, "kmax", c->kmax);
    cli_json_triple(object, "modes", c->modes);
    cli_json_triple(object, "grid", c->grid);
    cli_json_number(object, "upsampling", (double)c->grid[0] / (double)c->modes[0]);
    cJSON_AddStringToObject(object, "window", enuf_window_name(c->window));
    cli_json_number(object, "width", c->width);
    cli_json_number(object, "shape", c->shape);
    cli_json_number(object, "predicted_error", c->predicted);
}

static cJSON *candidate_object(const cli_candidate *candidate)
{
    cJSON *object = cJSON_CreateObject();
    cli_candidate_add_parameters(object, &candidate->parameters);
    cli_json_number(object, "predicted_seconds", candidate->predicted);
    cli_json_number(object, "seconds", cli_measured(candidate));
    cli_json_number(object, "seconds_real", candidate->measured_real);
    cli_json_number(object, "seconds_reciprocal", candidate->measured_reciprocal);
    return object;
}

static void add_cells(cJSON *object, int64_t cells)
{
    cli_json_number(object, "cells", cells > 0 ? (double)cells : NAN);
}

static cli_candidate only_predicted(const cli_forecast *f)
{
    return (cli_candidate){.parameters = f->parameters,
                           .measured_real = NAN,
                           .measured_reciprocal = NAN,
                           .predicted = NAN};
}

enuf_status cli_candidates_print_json(const cli_settings *settings, const enuf_structure *structure,
                                      const cli_candidates *candidates)
{
    const enuf_ewald_report *report = &candidates->report;
    const cli_candidate predicted = only_predicted(&candidates->forecast);
    const cli_candidate chosen = candidates->n > 0 ? *cli_chosen(candidates) : predicted;
    cJSON *object = cJSON_CreateObject();
    cli_json_text(object, "input", settings->input);
    cli_json_number(object, "ions", (double)structure->n);
    cli_json_number(object, "requested", report->requested);
    cli_json_number(object, "f_ref", report->f_ref);
    cJSON_AddStringToObject(object, "precision", enuf_arithmetic_name(report->arithmetic));
    cJSON_AddStringToObject(object, "backend", enuf_backend_name(report->backend));
    cli_json_number(object, "threads", report->threads);
    cli_json_text(object, "calibration", settings->ewald.calibration_file);
    cli_json_basis(object, report->basis);
    cli_json_number(object, "tune_seconds", candidates->seconds_tune);
    cJSON_AddItemToObject(object, "chosen", candidate_object(&chosen));
    cJSON *list = cJSON_AddArrayToObject(object, "candidates");
    for (int64_t k = 0; k < candidates->n; ++k)
        cJSON_AddItemToArray(list, candidate_object(&candidates->of[k]));
    add_cells(object, settings->cells);
    cli_forecast_add_json(object, &candidates->forecast);
    return cli_json_print(object);
}
