/*
 * bench_report.c - the figures of `enuf bench`, as tables and as JSON.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bench_rows.h"

#include "compiler.h"
#include "cpu_description.h"
#include "json_values.h"

#include <stdio.h>
#include <unistd.h>

typedef struct machine {
    char cpu[128], vectors[96];
    long cores;
    const char *fft; /* version of the library in use */
} machine;

static machine describe_machine(void)
{
    machine m = {.fft = "no FFTs"};
    enuf_fft fft;
    cli_cpu_name(m.cpu, sizeof m.cpu);
    cli_cpu_vectors(m.vectors, sizeof m.vectors);
    m.cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (enuf_fft_find(ENUF_FFT_AUTO, &fft) == ENUF_SUCCESS) enuf_fft_usable(fft, &m.fft);
    return m;
}

static const char *precision_name(enuf_precision precision)
{
    return precision == ENUF_FLOAT ? "float" : "double";
}

static const char *strengths_name(enuf_strengths strengths)
{
    return strengths == ENUF_REAL_STRENGTHS ? "real" : "complex";
}

static double rate(double count, const cli_bench_time *time)
{
    return count / time->seconds;
}

/* "   12.3 ( 4%)": millions a second, and how much longer the median repetition took */
static void print_rate(double count, const cli_bench_time *time)
{
    printf(" %9.2f (%2.0f%%)", 1e-6 * rate(count, time), 100 * time->spread);
}

static void print_machine(const cli_bench_rows *rows)
{
    const machine m = describe_machine();
    printf("enuf %s on %s\n%ld core%s, %d thread%s, %s, %s, %s\n", enuf_version(), m.cpu, m.cores,
           m.cores == 1 ? "" : "s", rows->threads, rows->threads == 1 ? "" : "s", m.vectors,
           CLI_COMPILER, m.fft);
    puts("Best of several repetitions; in brackets how much longer the median one took.");
}

static void print_nufft(const cli_bench_rows *rows)
{
    puts("\nTransforms in 3D, million points/s\n"
         "  numbers         tolerance  width  sigma  density   points    set points        type 1"
         "        type 2  value+gradient");
    for (const cli_bench_nufft *row = rows->nufft; row < rows->nufft + rows->n_nufft; ++row) {
        const double n = (double)row->points;
        printf("  %-6s %-7s %10g %6d %6.2f %8g %8lld", precision_name(row->precision),
               strengths_name(row->strengths), row->tolerance, row->plan.width,
               row->plan.upsampling, row->density, (long long)row->points);
        print_rate(n, &row->set_points);
        print_rate(n, &row->type1);
        print_rate(n, &row->type2);
        print_rate(n, &row->gradient);
        putchar('\n');
    }
}

static void print_fft(const cli_bench_rows *rows)
{
    puts("\nFFT of the fine grid, million cells/s");
    for (const cli_bench_fft *row = rows->fft; row < rows->fft + rows->n_fft; ++row) {
        printf("  %-6s %-7s   %3lld x %3lld x %3lld", precision_name(row->precision),
               strengths_name(row->strengths), (long long)row->grid, (long long)row->grid,
               (long long)row->grid);
        print_rate((double)(row->grid * row->grid * row->grid), &row->time);
        putchar('\n');
    }
}

static void print_pairs(const cli_bench_rows *rows)
{
    puts("\nReal space, energy and forces, million pairs/s");
    for (const cli_bench_pairs *row = rows->pairs; row < rows->pairs + rows->n_pairs; ++row) {
        printf("  %-8s %-6s %9lld ions, %lld pairs ", enuf_split_name(row->split),
               enuf_arithmetic_name(row->arithmetic), (long long)row->ions, (long long)row->pairs);
        print_rate((double)row->pairs, &row->time);
        putchar('\n');
    }
}

static void print_ewald(const cli_bench_rows *rows)
{
    puts("\nEwald sums, energy and forces, in double\n"
         "       ions  accuracy        ns/ion         of it real   reciprocal  split     cutoff"
         "  grid         width  choice [s]");
    for (const cli_bench_ewald *row = rows->ewald; row < rows->ewald + rows->n_ewald; ++row) {
        const enuf_ewald_report *report = &row->report;
        const double per_ion = 1e9 / (double)row->ions;
        char grid[40];
        snprintf(grid, sizeof grid, "%lldx%lldx%lld", (long long)report->grid[0],
                 (long long)report->grid[1], (long long)report->grid[2]);
        printf("  %9lld %9g %11.1f (%2.0f%%) %12.1f %12.1f  %-8s %7.3f  %-12s %5d %11.3f\n",
               (long long)row->ions, report->requested, per_ion * row->time.seconds,
               100 * row->time.spread, per_ion * report->seconds_real,
               per_ion * report->seconds_reciprocal, enuf_split_name(report->split), report->cutoff,
               grid, report->width, row->tune);
    }
}

void cli_bench_print_table(const cli_settings *settings, const cli_bench_rows *rows)
{
    print_machine(rows);
    if (settings->quick) puts("--quick: small cases, few repetitions; not for comparisons.");
    print_nufft(rows);
    print_fft(rows);
    print_pairs(rows);
    print_ewald(rows);
}

static void add_time(cJSON *object, const cli_bench_time *time)
{
    cli_json_number(object, "seconds", time->seconds);
    cli_json_number(object, "spread", time->spread);
    cli_json_number(object, "repetitions", time->repetitions);
}

static void add_rate(cJSON *row, const char *key, double points, const cli_bench_time *time)
{
    cJSON *object = cJSON_AddObjectToObject(row, key);
    cli_json_number(object, "points_per_second", rate(points, time));
    add_time(object, time);
}

static void add_grid(cJSON *row, const char *key, const int64_t grid[3])
{
    cJSON *list = cJSON_AddArrayToObject(row, key);
    for (int d = 0; d < 3; ++d) cJSON_AddItemToArray(list, cJSON_CreateNumber((double)grid[d]));
}

static cJSON *add_row(cJSON *list)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    return row;
}

static void add_machine(cJSON *object, const cli_bench_rows *rows)
{
    const machine m = describe_machine();
    cJSON *item = cJSON_AddObjectToObject(object, "machine");
    cJSON_AddStringToObject(item, "cpu", m.cpu);
    cJSON_AddStringToObject(item, "vector_instructions", m.vectors);
    cli_json_number(item, "cores", (double)m.cores);
    cli_json_number(item, "threads", rows->threads);
    cJSON_AddStringToObject(item, "compiler", CLI_COMPILER);
    cJSON_AddStringToObject(item, "fft", m.fft);
}

static void add_nufft(cJSON *list, const cli_bench_nufft *row)
{
    cJSON *item = add_row(list);
    const double n = (double)row->points;
    const int64_t modes[3] = {row->modes, row->modes, row->modes};
    cJSON_AddStringToObject(item, "precision", precision_name(row->precision));
    cJSON_AddStringToObject(item, "strengths", strengths_name(row->strengths));
    cli_json_number(item, "tolerance", row->tolerance);
    cli_json_number(item, "width", row->plan.width);
    cli_json_number(item, "upsampling", row->plan.upsampling);
    cli_json_number(item, "density", row->density);
    cli_json_number(item, "points", n);
    add_grid(item, "modes", modes);
    add_grid(item, "grid", row->plan.fine_grid);
    add_rate(item, "set_points", n, &row->set_points);
    add_rate(item, "type1", n, &row->type1);
    add_rate(item, "type2", n, &row->type2);
    add_rate(item, "type2_with_gradient", n, &row->gradient);
}

static void add_fft(cJSON *list, const cli_bench_fft *row)
{
    cJSON *item = add_row(list);
    const int64_t grid[3] = {row->grid, row->grid, row->grid};
    const double cells = (double)(row->grid * row->grid * row->grid);
    cJSON_AddStringToObject(item, "precision", precision_name(row->precision));
    cJSON_AddStringToObject(item, "strengths", strengths_name(row->strengths));
    add_grid(item, "grid", grid);
    cli_json_number(item, "cells_per_second", rate(cells, &row->time));
    add_time(item, &row->time);
}

static void add_pairs(cJSON *list, const cli_bench_pairs *row)
{
    cJSON *item = add_row(list);
    cJSON_AddStringToObject(item, "split", enuf_split_name(row->split));
    cJSON_AddStringToObject(item, "precision", enuf_arithmetic_name(row->arithmetic));
    cli_json_number(item, "ions", (double)row->ions);
    cli_json_number(item, "cutoff", row->cutoff);
    cli_json_number(item, "pairs", (double)row->pairs);
    cli_json_number(item, "pairs_per_second", rate((double)row->pairs, &row->time));
    add_time(item, &row->time);
}

static void add_ewald(cJSON *list, const cli_bench_ewald *row)
{
    cJSON *item = add_row(list);
    const enuf_ewald_report *report = &row->report;
    cli_json_number(item, "ions", (double)row->ions);
    cli_json_number(item, "accuracy", report->requested);
    cli_json_number(item, "predicted", report->predicted);
    cJSON_AddStringToObject(item, "split", enuf_split_name(report->split));
    cli_json_number(item, "cutoff", report->cutoff);
    add_grid(item, "grid", report->grid);
    cli_json_number(item, "width", report->width);
    cli_json_number(item, "ns_per_ion", 1e9 * row->time.seconds / (double)row->ions);
    add_time(item, &row->time);
    cli_json_number(item, "real", report->seconds_real);
    cli_json_number(item, "reciprocal", report->seconds_reciprocal);
    cli_json_number(item, "tune", row->tune);
}

enuf_status cli_bench_print_json(const cli_settings *settings, const cli_bench_rows *rows)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "version", enuf_version());
    cJSON_AddBoolToObject(object, "quick", settings->quick);
    add_machine(object, rows);
    cJSON *list = cJSON_AddArrayToObject(object, "nufft");
    for (int r = 0; r < rows->n_nufft; ++r) add_nufft(list, &rows->nufft[r]);
    list = cJSON_AddArrayToObject(object, "fft");
    for (int r = 0; r < rows->n_fft; ++r) add_fft(list, &rows->fft[r]);
    list = cJSON_AddArrayToObject(object, "pairs");
    for (int r = 0; r < rows->n_pairs; ++r) add_pairs(list, &rows->pairs[r]);
    list = cJSON_AddArrayToObject(object, "ewald");
    for (int r = 0; r < rows->n_ewald; ++r) add_ewald(list, &rows->ewald[r]);
    return cli_json_print(object);
}
