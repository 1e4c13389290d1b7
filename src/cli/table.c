/* table.c - see table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include "forecast.h"
#include "safe_text.h"
#include "units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void row(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void row(const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %-26s ", label);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

static void number(const char *label, double value, const char *unit)
{
    row(label, "%23.14g  %s", value, unit);
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
    row("volume", "%23.14g  %s^3", enuf_structure_volume(structure), units->length);
    number("net charge", net_charge, units->charge);
}

static void print_constant(const cli_lattice_constant *constant, double energy)
{
    const double value = constant->per_energy * energy;
    const double deviation = cli_deviation(constant, value);
    char label[40];
    snprintf(label, sizeof label, "Madelung constant %s", constant->symbol);
    row(label, "%23.13g", value);
    if (!isnan(deviation)) {
        row("  reference", "%23.13g", constant->reference);
        row("  relative deviation", "%23.2g", deviation);
    }
    row("energy per formula unit", "%23.13g  e^2/d", constant->formula_energy * energy);
}

static void print_parts(const enuf_ewald_result *result, const char *unit)
{
    const enuf_ewald_parts *parts = &result->parts;
    number("energy", result->energy, unit);
    number("  real", parts->real, unit);
    number("  reciprocal", parts->reciprocal, unit);
    number("  self", parts->self, unit);
    if (parts->background != 0) number("  background", parts->background, unit);
    if (parts->surface != 0) number("  surface", parts->surface, unit);
    if (parts->excluded != 0) number("  excluded", parts->excluded, unit);
}

static void print_virial(const double virial[6], const char *unit)
{
    static const char *const names[6] = {"virial xx", "       yy", "       zz",
                                         "       xy", "       xz", "       yz"};
    for (int k = 0; k < 6; ++k) number(names[k], virial[k], unit);
}

static void print_accuracy(const cli_evaluation *evaluation, const enuf_unit_system *units)
{
    const enuf_ewald_report *report = &evaluation->report;
    row("accuracy requested", "%23.2g  of F_ref = %.6g %s", report->requested, report->f_ref,
        units->force);
    row("         predicted", "%23.2g", report->predicted);
    if (evaluation->error.sample > 0) {
        row("         measured", "%23.2g  on %lld atoms, worst %.2g %s", report->measured,
            (long long)evaluation->error.sample, evaluation->error.worst_force, units->force);
    }
}

static void print_method(const enuf_ewald_report *report, const enuf_unit_system *units)
{
    if (report->split == ENUF_SPLIT_GAUSSIAN)
        row("split", "%23s  alpha %.8g 1/%s", enuf_split_name(report->split), report->alpha,
            units->length);
    else
        row("split", "%23s  c %.8g", enuf_split_name(report->split), report->c);
    row("cutoff", "%23.8g  %s", report->cutoff, units->length);
    row("kmax", "%23.8g  modes |k| <= 2 pi kmax / V^(1/3)", report->kmax);
    char grid[64];
    snprintf(grid, sizeof grid, "%lld x %lld x %lld", (long long)report->grid[0],
             (long long)report->grid[1], (long long)report->grid[2]);
    row("grid", "%23s  window %s, width %d", grid, enuf_window_name(report->window), report->width);
    row("backend", "%23s  %s precision, %d thread%s", enuf_backend_name(report->backend),
        enuf_arithmetic_name(report->arithmetic), report->threads, report->threads == 1 ? "" : "s");
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
    row("ranks", "%23d  modes %s; at most %lld ions, %lld grid cells, %.3g MB sent", ranks->n,
        cli_decomposition_name(ranks->decomposition), (long long)most_points, (long long)most_cells,
        1e-6 * (double)most_bytes);
    if (ranks->devices == 0) return;
    const int through_host = strcmp(ranks->transport, "host") == 0;
    row("GPUs", "%23d  arrays go between them %s%s", ranks->devices,
        through_host ? "through the " : "by: ", ranks->transport);
}

void cli_table_print(const cli_settings *settings, const enuf_structure *structure,
                     const cli_evaluation *evaluation, const cli_lattice_constant *constant)
{
    const enuf_unit_system *units = enuf_unit_system_of(structure->units);
    print_system(settings, structure, evaluation->report.net_charge);
    if (constant) print_constant(constant, evaluation->result.energy);
    print_parts(&evaluation->result, units->energy);
    if (settings->virial) print_virial(evaluation->result.virial, units->energy);
    print_accuracy(evaluation, units);
    print_method(&evaluation->report, units);
    print_ranks(&evaluation->ranks);
    const cli_timing *timing = &evaluation->timing;
    row("time", "%23.3f  s: read %.3f, tune %.3f, real %.3f, reciprocal %.3f", timing->total,
        timing->read, timing->tune, timing->real, timing->reciprocal);
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
         "and fcc it is -M/2 e^2/d.");
}
