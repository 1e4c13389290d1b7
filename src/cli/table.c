/* table.c - see table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include "crystal_names.h"
#include "forecast.h"
#include "safe_text.h"
#include "table_row.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* As many digits as a quantity of the input has. */
static void given(const char *label, double value, const char *unit)
{
    char text[CLI_VALUE_SIZE];
    snprintf(text, sizeof text, "%.10g", value);
    cli_row(label, text, "%s", unit);
}

static void known(const char *label, double value, double error, const char *unit)
{
    char text[CLI_VALUE_SIZE];
    cli_row(label, cli_value(value, error, text), "%s", unit);
}

static void about(const char *label, double value, const char *behind)
{
    char text[CLI_VALUE_SIZE];
    snprintf(text, sizeof text, "%.2g", value);
    cli_row(label, text, "%s", behind);
}

static void print_system(const cli_settings *settings, const enuf_structure *structure,
                         double net_charge)
{
    const enuf_unit_system *units = enuf_unit_system_of(structure->units);
    char input[CLI_SHOWN_NAME];
    printf("%s %s: %lld ions, %s units%s\n\n", settings->name,
           cli_safe_text(settings->input, input, sizeof input), (long long)structure->n,
           units->name,
           structure->units_given || settings->units != CLI_UNITS_OF_FILE
               ? ""
               : " (assumed: the file does not say; see --units)");
    char length[32];
    snprintf(length, sizeof length, "%s^3", units->length);
    given("volume", enuf_structure_volume(structure), length);
    given("net charge", net_charge, units->charge);
}

static void print_constant(const cli_lattice_constant *constant, const cli_evaluation *evaluation,
                           enuf_units units)
{
    const double energy = evaluation->result.energy, error = evaluation->energy_error;
    const double value = constant->per_energy * energy;
    const double deviation = cli_deviation(constant, value);
    double of_constant;
    const double ev = cli_electronvolts(units, &of_constant) / (double)constant->formula_units;
    const double ev_error = fabs(ev) * (error + of_constant * fabs(energy));
    char label[40], text[CLI_VALUE_SIZE];
    snprintf(label, sizeof label, "Madelung constant %s", constant->symbol);
    cli_row(label, cli_value(value, fabs(constant->per_energy) * error, text), "+/- %.2g",
            fabs(constant->per_energy) * error);
    if (!isnan(deviation)) {
        known("  reference", constant->reference, 1e-14 * constant->reference, "");
        about("  relative deviation", deviation, "");
    }
    known("energy per formula unit", constant->formula_energy * energy,
          fabs(constant->formula_energy) * error, "e^2/d");
    if (isnan(ev)) return;
    known("", ev * energy, ev_error, "eV");
    known("", CLI_KJ_PER_MOL * ev * energy, CLI_KJ_PER_MOL * ev_error, "kJ/mol");
}

static void print_parts(const cli_evaluation *evaluation, const char *unit)
{
    const enuf_ewald_parts *parts = &evaluation->result.parts;
    const double error = evaluation->energy_error;
    char text[CLI_VALUE_SIZE];
    cli_row("energy", cli_value(evaluation->result.energy, error, text), "%s  +/- %.2g %s", unit,
            error, cli_error_source_name(evaluation->energy_source));
    known("  real", parts->real, error, unit);
    known("  reciprocal", parts->reciprocal, error, unit);
    known("  self", parts->self, error, unit);
    if (parts->background != 0) known("  background", parts->background, error, unit);
    if (parts->surface != 0) known("  surface", parts->surface, error, unit);
    if (parts->excluded != 0) known("  excluded", parts->excluded, error, unit);
}

static void print_virial(const double virial[6], double error, const char *unit)
{
    static const char *const names[6] = {"virial xx", "       yy", "       zz",
                                         "       xy", "       xz", "       yz"};
    for (int k = 0; k < 6; ++k) known(names[k], virial[k], error, unit);
}

static void print_accuracy(const cli_evaluation *evaluation, const enuf_unit_system *units)
{
    const enuf_ewald_report *report = &evaluation->report;
    char behind[120];
    snprintf(behind, sizeof behind, "of F_ref = %.6g %s", report->f_ref, units->force);
    about("accuracy requested", report->requested, behind);
    about("         predicted", report->predicted,
          report->calibrated ? "for these positions" : "for uncorrelated charges");
    if (evaluation->error.sample > 0) {
        snprintf(behind, sizeof behind, "on %lld atoms, worst %.2g %s",
                 (long long)evaluation->error.sample, evaluation->error.worst_force, units->force);
        about("         measured", report->measured, behind);
    }
    const int counts = evaluation->energy_source != CLI_ERROR_MEASURED &&
                       report->energy_bias > evaluation->energy_error;
    if (report->energy_tail == 0 && !counts) return;
    snprintf(behind, sizeof behind, "%s added; energy may be off by %.2g, virial by %.2g",
             units->energy, report->energy_bias, report->virial_bias);
    about("modes left out", report->energy_tail, behind);
}

static void print_method(const enuf_ewald_report *report, const enuf_unit_system *units)
{
    char text[64];
    if (report->split == ENUF_SPLIT_GAUSSIAN)
        cli_row("split", enuf_split_name(report->split), "alpha %.8g 1/%s", report->alpha,
                units->length);
    else
        cli_row("split", enuf_split_name(report->split), "c %.8g", report->c);
    snprintf(text, sizeof text, "%.8g", report->cutoff);
    cli_row("cutoff", text, "%s", units->length);
    snprintf(text, sizeof text, "%.8g", report->kmax);
    cli_row("kmax", text, "modes |k| <= 2 pi kmax / V^(1/3)");
    snprintf(text, sizeof text, "%lld x %lld x %lld", (long long)report->grid[0],
             (long long)report->grid[1], (long long)report->grid[2]);
    cli_row("grid", text, "window %s, width %d", enuf_window_name(report->window), report->width);
    cli_row("backend", enuf_backend_name(report->backend), "%s precision, %d thread%s",
            enuf_arithmetic_name(report->arithmetic), report->threads,
            report->threads == 1 ? "" : "s");
}

static void print_ranks(const cli_rank_report *ranks)
{
    if (ranks->n < 2) return;
    int64_t most_points = 0, most_cells = 0, most_bytes = 0;
    for (int r = 0; r < ranks->n; ++r) {
        if (ranks->points[r] > most_points) most_points = ranks->points[r];
        if (ranks->cells[r] > most_cells) most_cells = ranks->cells[r];
        if (ranks->bytes[r] > most_bytes) most_bytes = ranks->bytes[r];
    }
    char text[32];
    snprintf(text, sizeof text, "%d", ranks->n);
    cli_row("ranks", text, "modes %s; at most %lld ions, %lld grid cells, %.3g MB sent",
            cli_decomposition_name(ranks->decomposition), (long long)most_points,
            (long long)most_cells, 1e-6 * (double)most_bytes);
    if (ranks->devices == 0) return;
    const int through_host = strcmp(ranks->transport, "host") == 0;
    snprintf(text, sizeof text, "%d", ranks->devices);
    cli_row("GPUs", text, "arrays go between them %s%s",
            through_host ? "through the " : "by: ", ranks->transport);
}

void cli_table_print(const cli_settings *settings, const enuf_structure *structure,
                     const cli_evaluation *evaluation, const cli_lattice_constant *constant)
{
    const enuf_unit_system *units = enuf_unit_system_of(structure->units);
    print_system(settings, structure, evaluation->report.net_charge);
    if (constant) print_constant(constant, evaluation, structure->units);
    print_parts(evaluation, units->energy);
    if (settings->virial)
        print_virial(evaluation->result.virial, evaluation->virial_error, units->energy);
    print_accuracy(evaluation, units);
    print_method(&evaluation->report, units);
    print_ranks(&evaluation->ranks);
    const cli_timing *timing = &evaluation->timing;
    char text[32];
    snprintf(text, sizeof text, "%.3f", timing->total);
    cli_row("time", text, "s: read %.3f, tune %.3f, real %.3f, reciprocal %.3f", timing->read,
            timing->tune, timing->real, timing->reciprocal);
}

void cli_table_print_frame(const cli_settings *settings, const enuf_structure *structure,
                           const cli_evaluation *evaluation, int first)
{
    static const char *const names[6] = {"virial xx", "yy", "zz", "xy", "xz", "yz"};
    const double error = evaluation->energy_error;
    char text[CLI_VALUE_SIZE], step[32] = "-", input[CLI_SHOWN_NAME];
    if (first) {
        printf("%8s %12s %9s %20s %9s %-9s", "frame", "step", "ions", "energy", "+/-", "unit");
        for (int k = 0; settings->virial && k < 6; ++k) printf(" %15s", names[k]);
        puts("  file");
    }
    if (structure->step_given) snprintf(step, sizeof step, "%lld", (long long)structure->step);
    printf("%8lld %12s %9lld %20s %9.2g %-9s", (long long)structure->frame, step,
           (long long)structure->n, cli_value(evaluation->result.energy, error, text), error,
           enuf_unit_system_of(structure->units)->energy);
    for (int k = 0; settings->virial && k < 6; ++k)
        printf(" %15s", cli_value(evaluation->result.virial[k], evaluation->virial_error, text));
    printf("  %s\n", cli_safe_text(settings->input, input, sizeof input));
    fflush(stdout);
}

void cli_table_print_crystals(void)
{
    printf("%-13s %-6s %-22s %-34s %-19s %s\n", "structure", "ions", "charges", "d", "constant",
           "symbol");
    for (int c = 0; c < enuf_crystal_count(); ++c) {
        const enuf_crystal *crystal = enuf_crystal_at(c);
        char charges[64] = "";
        int used = 0;
        for (int s = 0; s < crystal->n_species; ++s) {
            used += snprintf(charges + used, sizeof charges - (size_t)used, "%s%s %+g",
                             s ? ", " : "", crystal->species[s], crystal->charges[s]);
        }
        printf("%-13s %-6d %-22s %-34s %-19.16g %s\n", crystal->name, crystal->n_ions, charges,
               crystal->length, crystal->constant, crystal->symbol);
    }
    puts("\nions: in the cubic (wurtzite: hexagonal, rutile: tetragonal) cell. The energy of a "
         "formula unit is\n-A e^2/d; M = A/|z+ z-| for two ions; for the Wigner crystals sc, bcc "
         "and fcc it is -M/2 e^2/d.\n\n"
         "Other names, in any case; a compound has charges of its own:\n");
    cli_crystal_print_names();
}
