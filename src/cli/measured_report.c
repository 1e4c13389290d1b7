/* measured_report.c - see measured_report.h. SPDX-License-Identifier: BSD-3-Clause */
#include "measured_report.h"

#include "candidate_report.h"
#include "error.h"
#include "json_values.h"
#include "safe_text.h"
#include "units.h"

#include <stdio.h>

static enuf_status get(const cli_measured_choice *choice, int i, enuf_ewald_timed *candidate)
{
    *candidate = (enuf_ewald_timed){.struct_size = sizeof *candidate};
    return enuf_ewald_tuning_get(choice->tuning, i, candidate);
}

/* Milliseconds; a dash for a time that is not known. */
static const char *time_text(double seconds, char text[24])
{
    snprintf(text, 24, seconds > 0 ? "%.3f" : "-", 1e3 * seconds);
    return text;
}

static void print_row(const enuf_ewald_timed *candidate)
{
    const enuf_ewald_candidate *c = &candidate->parameters;
    char grid[80], model[24], measured[24];
    snprintf(grid, sizeof grid, "%lldx%lldx%lld", (long long)c->grid[0], (long long)c->grid[1],
             (long long)c->grid[2]);
    printf("%c %-8s %8.3f %8.4f  %-11s %5.2f %5d  %8.1e %9.2f %10s %10s  %s\n",
           c->chosen ? '*' : ' ', enuf_split_name(c->split), c->cutoff,
           c->split == ENUF_SPLIT_GAUSSIAN ? c->alpha : c->c, grid,
           (double)c->grid[0] / (double)c->modes[0], c->width, c->predicted,
           1e-6 * (double)candidate->bytes, time_text(candidate->predicted_seconds, model),
           time_text(candidate->measured_seconds, measured),
           enuf_candidate_state_text(candidate->state));
}

enuf_status cli_measured_print(const cli_settings *settings, const enuf_structure *structure,
                               const cli_measured_choice *choice)
{
    const enuf_unit_system *units = enuf_unit_system_of(structure->units);
    const enuf_ewald_report *report = &choice->report;
    char input[CLI_SHOWN_NAME];
    enuf_ewald_timed c, chosen = {0};
    printf("%s %s: %lld ions, accuracy %.2g of F_ref = %.6g %s, %s precision, %d thread%s\n\n",
           settings->name, cli_safe_text(settings->input, input, sizeof input),
           (long long)structure->n, report->requested, report->f_ref, units->force,
           enuf_arithmetic_name(report->arithmetic), report->threads,
           report->threads == 1 ? "" : "s");
    printf("  %-8s %8s %8s  %-11s %5s %5s  %8s %9s %10s %10s  %s\n", "split", "cutoff", "alpha|c",
           "grid", "sigma", "width", "error", "MB", "model ms", "time ms", "state");
    for (int i = 0; i < enuf_ewald_tuning_count(choice->tuning); ++i) {
        ENUF_TRY(get(choice, i, &c));
        print_row(&c);
        if (c.state == ENUF_CANDIDATE_CHOSEN) chosen = c;
    }
    printf("\n* chosen by %s", enuf_ewald_tuning_from_wisdom(choice->tuning) ? "wisdom" : "time");
    if (chosen.measured_error > 0) printf("; error at these positions %.1e", chosen.measured_error);
    printf(". Window %s; lengths in %s,\nsigma: cells a mode, error: predicted, as accuracy; "
           "MB: of the whole object.\n",
           enuf_window_name(report->window), units->length);
    return ENUF_SUCCESS;
}

static cJSON *candidate_object(const enuf_ewald_timed *c)
{
    cJSON *object = cJSON_CreateObject();
    cli_candidate_add_parameters(object, &c->parameters);
    cli_json_text(object, "state", enuf_candidate_state_text(c->state));
    cli_json_number_if(object, "measured_error", c->measured_error > 0, c->measured_error);
    cli_json_number(object, "bytes", (double)c->bytes);
    cli_json_number(object, "predicted_seconds", c->predicted_seconds);
    cli_json_number_if(object, "seconds", c->measured_seconds > 0, c->measured_seconds);
    cli_json_number(object, "timings", c->timings);
    return object;
}

static void add_problem(cJSON *object, const cli_settings *settings,
                        const enuf_structure *structure, const cli_measured_choice *choice)
{
    const enuf_ewald_report *report = &choice->report;
    cli_json_text(object, "input", settings->input);
    cli_json_number(object, "ions", (double)structure->n);
    cli_json_number(object, "requested", report->requested);
    cli_json_number(object, "f_ref", report->f_ref);
    cli_json_text(object, "precision", enuf_arithmetic_name(report->arithmetic));
    cli_json_text(object, "backend", enuf_backend_name(report->backend));
    cli_json_number(object, "threads", report->threads);
    cli_json_text(object, "calibration", settings->ewald.calibration_file);
    cli_json_basis(object, report->basis);
    cli_json_number(object, "tune_seconds", choice->seconds);
    cli_json_text(object, "wisdom", settings->wisdom);
    cJSON_AddBoolToObject(object, "from_wisdom", enuf_ewald_tuning_from_wisdom(choice->tuning));
}

enuf_status cli_measured_print_json(const cli_settings *settings, const enuf_structure *structure,
                                    const cli_measured_choice *choice)
{
    cJSON *object = cJSON_CreateObject(), *list = cJSON_CreateArray();
    enuf_status status = ENUF_SUCCESS;
    add_problem(object, settings, structure, choice);
    for (int i = 0; i < enuf_ewald_tuning_count(choice->tuning) && status == ENUF_SUCCESS; ++i) {
        enuf_ewald_timed c;
        status = get(choice, i, &c);
        if (status == ENUF_SUCCESS && c.state == ENUF_CANDIDATE_CHOSEN)
            cJSON_AddItemToObject(object, "chosen", candidate_object(&c));
        if (status == ENUF_SUCCESS) cJSON_AddItemToArray(list, candidate_object(&c));
    }
    cJSON_AddItemToObject(object, "candidates", list);
    if (status == ENUF_SUCCESS) return cli_json_print(object);
    cJSON_Delete(object);
    return status;
}
