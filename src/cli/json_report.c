/* json_report.c - see json_report.h. SPDX-License-Identifier: BSD-3-Clause */
#include "json_report.h"

#include "forecast.h"
#include "number_text.h"
#include "units.h"

#include <math.h>

static void add_parts(cJSON *object, const enuf_ewald_parts *parts)
{
    cJSON *item = cJSON_AddObjectToObject(object, "parts");
    cli_json_number(item, "real", parts->real);
    cli_json_number(item, "reciprocal", parts->reciprocal);
    cli_json_number(item, "self", parts->self);
    cli_json_number(item, "background", parts->background);
    cli_json_number(item, "surface", parts->surface);
    cli_json_number(item, "excluded", parts->excluded);
}

static void add_virial(cJSON *object, int wanted, const double virial[6])
{
    static const char *const names[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    if (!wanted) {
        cJSON_AddNullToObject(object, "virial");
        return;
    }
    cJSON *item = cJSON_AddObjectToObject(object, "virial");
    for (int k = 0; k < 6; ++k) cli_json_number(item, names[k], virial[k]);
}

static void add_accuracy(cJSON *object, const cli_evaluation *evaluation)
{
    const enuf_ewald_report *report = &evaluation->report;
    const enuf_ewald_error *error = &evaluation->error;
    const int measured = error->sample > 0;
    cJSON *item = cJSON_AddObjectToObject(object, "accuracy");
    cli_json_number(item, "requested", report->requested);
    cli_json_number(item, "predicted", report->predicted);
    cJSON_AddBoolToObject(item, "calibrated", report->calibrated);
    cli_json_number_if(item, "measured", measured, report->measured);
    cli_json_number(item, "f_ref", report->f_ref);
    cli_json_number_if(item, "sample", measured, (double)error->sample);
    cli_json_number_if(item, "worst_force", measured, error->worst_force);
    cli_json_number(item, "energy_promised",
                    evaluation->energy_source == CLI_ERROR_MEASURED ? NAN
                                                                    : evaluation->energy_error);
    cli_json_text(item, "energy_error_is", cli_error_source_name(evaluation->energy_source));
    cli_json_number_if(item, "energy_error", measured, error->energy);
    cli_json_number_if(item, "energy_scale", measured, error->energy_scale);
    cli_json_number(item, "energy_tail", report->energy_tail);
    cli_json_number(item, "energy_bias", report->energy_bias);
    cli_json_number(item, "virial_bias", report->virial_bias);
}

static void add_parameters(cJSON *object, const cli_settings *settings,
                           const enuf_ewald_report *report)
{
    cJSON *item = cJSON_AddObjectToObject(object, "parameters");
    const enuf_ewald_options *options = &settings->ewald;
    cli_json_split(item, report->split, report->alpha, report->c);
    cli_json_number(item, "cutoff", report->cutoff);
    cli_json_number(item, "kmax", report->kmax);
    cli_json_triple(item, "modes", report->modes);
    cli_json_triple(item, "grid", report->grid);
    cli_json_basis(item, report->basis);
    cli_json_text(item, "window", enuf_window_name(report->window));
    cli_json_number(item, "width", report->width);
    cli_json_number(item, "shape", report->shape);
    cli_json_number_if(item, "surroundings", options->surroundings > 0, options->surroundings);
    cli_json_number_if(item, "slab", options->slab > 0, options->slab);
    cJSON_AddBoolToObject(item, "deterministic", options->deterministic);
    cli_json_number(item, "threads", report->threads);
}

static void add_counts(cJSON *object, const char *key, int n, const int64_t *counts)
{
    cJSON *list = cJSON_AddArrayToObject(object, key);
    for (int r = 0; r < n; ++r)
        cJSON_AddItemToArray(list, cJSON_CreateRaw(cli_number((double)counts[r]).text));
}

static void add_ranks(cJSON *object, const cli_rank_report *ranks)
{
    if (ranks->n == 0) {
        cJSON_AddNullToObject(object, "mpi");
        return;
    }
    cJSON *item = cJSON_AddObjectToObject(object, "mpi");
    cli_json_text(item, "decomposition", cli_decomposition_name(ranks->decomposition));
    cli_json_number(item, "ranks", ranks->n);
    cli_json_number(item, "devices", ranks->devices);
    cli_json_text(item, "transport", ranks->transport);
    add_counts(item, "points_per_rank", ranks->n, ranks->points);
    add_counts(item, "grid_cells_per_rank", ranks->n, ranks->cells);
    add_counts(item, "bytes_sent", ranks->n, ranks->bytes);
}

static void add_timing(cJSON *object, const cli_timing *timing)
{
    cJSON *item = cJSON_AddObjectToObject(object, "timing");
    cli_json_number(item, "read", timing->read);
    cli_json_number(item, "tune", timing->tune);
    cli_json_number(item, "real", timing->real);
    cli_json_number(item, "reciprocal", timing->reciprocal);
    cli_json_number(item, "total", timing->total);
}

static void add_constant(cJSON *object, const cli_lattice_constant *constant, enuf_units units,
                         double energy)
{
    double ignored;
    const double ev = cli_electronvolts(units, &ignored) * energy / (double)constant->formula_units;
    const double value = constant->per_energy * energy;
    cli_json_number(object, "madelung", value);
    cli_json_text(object, "constant", constant->symbol);
    cli_json_number(object, "reference", constant->reference);
    cli_json_number(object, "deviation", cli_deviation(constant, value));
    cli_json_number(object, "energy_per_formula_unit", constant->formula_energy * energy);
    cli_json_number(object, "energy_per_formula_unit_eV", ev);
    cli_json_number(object, "energy_per_formula_unit_kJ_per_mol", CLI_KJ_PER_MOL * ev);
    cli_json_number(object, "formula_units", (double)constant->formula_units);
    cli_json_number(object, "d", constant->d);
}

cJSON *cli_json_begin(const cli_settings *settings, const enuf_structure *structure)
{
    cJSON *object = cJSON_CreateObject();
    cli_json_text(object, "input", settings->input);
    cli_json_number_if(object, "frame", structure->frame > 0, (double)structure->frame);
    cli_json_number_if(object, "step", structure->step_given, (double)structure->step);
    cli_json_number(object, "ions", (double)structure->n);
    return object;
}

cJSON *cli_json_evaluation(const cli_settings *settings, const enuf_structure *structure,
                           const cli_evaluation *evaluation, const cli_lattice_constant *constant)
{
    const enuf_unit_system *units = enuf_unit_system_of(structure->units);
    const enuf_ewald_report *report = &evaluation->report;
    cJSON *object = cli_json_begin(settings, structure);
    cli_json_number(object, "energy", evaluation->result.energy);
    if (constant)
        add_constant(object, constant, structure->units, evaluation->result.energy);
    else
        cJSON_AddNullToObject(object, "madelung");
    add_parts(object, &evaluation->result.parts);
    cli_json_text(object, "unit", units->energy);
    cli_json_text(object, "units", units->name);
    cli_json_number(object, "charge", report->net_charge);
    cli_json_number(object, "volume", enuf_structure_volume(structure));
    add_virial(object, settings->virial, evaluation->result.virial);
    cli_json_text(object, "forces", settings->forces);
    cli_json_text(object, "per_atom", settings->per_atom);
    cli_json_text(object, "potential", settings->potential);
    add_accuracy(object, evaluation);
    add_parameters(object, settings, report);
    cli_json_text(object, "backend", enuf_backend_name(report->backend));
    cli_json_text(object, "precision", enuf_arithmetic_name(report->arithmetic));
    add_ranks(object, &evaluation->ranks);
    add_timing(object, &evaluation->timing);
    return object;
}

cJSON *cli_json_sweep(const cli_settings *settings, const enuf_structure *structure,
                      const cli_lattice_constant *constant, const cli_alpha_sweep *sweep)
{
    cJSON *object = cli_json_begin(settings, structure);
    cli_json_text(object, "constant", constant->symbol);
    cli_json_number(object, "reference", constant->reference);
    cli_json_number(object, "d", constant->d);
    cli_json_number(object, "requested", sweep->requested);
    cJSON *rows = cJSON_AddArrayToObject(object, "sweep");
    for (int64_t i = 0; i < sweep->n; ++i) {
        const cli_alpha_row *row = &sweep->rows[i];
        cJSON *item = cJSON_CreateObject();
        cli_json_number(item, "alpha", row->alpha);
        cli_json_number(item, "madelung", row->constant);
        cli_json_number(item, "real", row->real);
        cli_json_number(item, "reciprocal", row->reciprocal);
        cli_json_number(item, "deviation", row->deviation);
        cli_json_number(item, "predicted", row->predicted);
        cli_json_number(item, "cutoff", row->cutoff);
        cli_json_number(item, "kmax", row->kmax);
        cJSON_AddItemToArray(rows, item);
    }
    return object;
}
