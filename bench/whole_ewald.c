/*
 * whole_ewald.c - time, memory and error of energy and forces for growing numbers of ions at one
 * density. The library chooses all parameters but the accuracy.
 *
 *   whole_ewald [--ions N,...] [--threads T] [--ordered] [--measure-up-to N] [--csv FILE]
 *               [--markdown]
 *
 * The ions are in random order, the worst case for caches; with --ordered in spatial order. A time
 * is the best of at least 3 evaluations and half a second. Each row runs in a process of its own,
 * to measure its memory: `object MB` is the library's report, `peak MB` the peak of the process,
 * which includes the making of the ions and the exact sums of `tune`. `measured` is the error
 * against exact sums on 200 ions, which `tune` did not use. Below the table: the exponent p of
 * total ~ n^p, from one size to the next, and by least squares over all.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "process.h"
#include "salt.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 3, SAMPLE = 200 };
static const double ENOUGH_SECONDS = 0.5; /* short evaluations are repeated so long */

static const char PROGRAM[] = "whole_ewald";

static const bench_column COLUMNS[] = {
    {"ions", 8},    {"A", 5},      {"arithmetic", -10}, {"splitting", -9}, {"cutoff", 6},
    {"grid", -11},  {"width", 5},  {"tune s", 7},       {"real s", 8},     {"reciprocal s", 8},
    {"total s", 8}, {"ns/ion", 7}, {"predicted", 9},    {"measured", 9},   {"object MB", 8},
    {"peak MB", 8},
};

typedef struct request {
    double accuracy;
    enuf_arithmetic arithmetic;
} request;

/* The input of a row's process. */
typedef struct task {
    const request *request;
    int64_t n;
    int threads, measure, ordered;
} task;

static const request REQUESTS[] = {
    {1e-4, ENUF_ARITHMETIC_MIXED},  {1e-5, ENUF_ARITHMETIC_MIXED},   {1e-4, ENUF_ARITHMETIC_DOUBLE},
    {1e-6, ENUF_ARITHMETIC_DOUBLE}, {1e-10, ENUF_ARITHMETIC_DOUBLE},
};
enum { N_REQUESTS = sizeof REQUESTS / sizeof *REQUESTS };

/* The output of a row's process. */
typedef struct outcome {
    double tune, total;
    enuf_ewald_report report; /* of the fastest evaluation */
} outcome;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void evaluate(const void *input, void *output)
{
    const task *t = input;
    const request *r = t->request;
    const int64_t n = t->n;
    outcome *out = output;
    bench_salt salt = bench_salt_make(n);
    if (t->ordered) bench_salt_order(&salt);
    enuf_ewald_options options;
    enuf_ewald *ewald;
    double *forces = malloc((size_t)n * 3 * sizeof *forces);
    if (!forces) bench_die(PROGRAM, "not enough memory for %lld ions", (long long)n);
    out->total = 1e30;
    out->report.struct_size = sizeof out->report;
    enuf_ewald_options_init(&options);
    options.accuracy = r->accuracy;
    options.arithmetic = r->arithmetic;
    options.threads = t->threads;
    must(enuf_ewald_create(&options, &ewald));
    must(enuf_ewald_set_cell(ewald, salt.cell));
    must(enuf_ewald_set_charges(ewald, n, salt.q, NULL));
    double start = bench_seconds();
    must(enuf_ewald_tune(ewald, salt.x, 3));
    out->tune = bench_seconds() - start;
    double spent = 0;
    for (int k = 0; k < REPEATS || spent < ENOUGH_SECONDS; k++) {
        enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
        start = bench_seconds();
        must(enuf_ewald_compute(ewald, salt.x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result));
        const double seconds = bench_seconds() - start;
        spent += seconds;
        if (seconds >= out->total) continue;
        out->total = seconds;
        must(enuf_ewald_get_report(ewald, &out->report));
    }
    if (t->measure) {
        enuf_ewald_error error = {.struct_size = sizeof error};
        must(enuf_ewald_measure_error(ewald, salt.x, 3, SAMPLE, 31, &error));
        out->report.measured = error.accuracy;
    }
    enuf_ewald_destroy(&ewald);
    free(forces);
    bench_salt_free(&salt);
}

static void row(bench_table *table, int64_t n, const request *r, const outcome *o, double peak)
{
    const enuf_ewald_report *report = &o->report;
    const long long g[3] = {report->grid[0], report->grid[1], report->grid[2]};
    char grid[64];
    if (g[0] == g[1] && g[1] == g[2])
        snprintf(grid, sizeof grid, "%lld^3", g[0]);
    else
        snprintf(grid, sizeof grid, "%lldx%lldx%lld", g[0], g[1], g[2]);
    bench_number(table, "%.0f", (double)n);
    bench_number(table, "%.0e", r->accuracy);
    bench_text(table, enuf_arithmetic_name(r->arithmetic));
    bench_text(table, enuf_split_name(report->split));
    bench_number(table, "%.2f", report->cutoff);
    bench_text(table, grid);
    bench_number(table, "%.0f", report->width);
    bench_number(table, "%.2f", o->tune);
    bench_number(table, "%.4f", report->seconds_real);
    bench_number(table, "%.4f", report->seconds_reciprocal);
    bench_number(table, "%.4f", o->total);
    bench_number(table, "%.0f", 1e9 * o->total / (double)n);
    bench_number(table, "%.1e", report->predicted);
    bench_number(table, "%.1e", report->measured);
    bench_number(table, "%.0f", 1e-6 * (double)report->bytes);
    bench_number(table, "%.0f", 1e-6 * peak);
}

/* Slope of log seconds against log n. */
static double exponent(int count, const double *n, const double *seconds)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int k = 0; k < count; k++) {
        x += log(n[k]) / count;
        y += log(seconds[k]) / count;
    }
    for (int k = 0; k < count; k++) {
        xx += (log(n[k]) - x) * (log(n[k]) - x);
        xy += (log(n[k]) - x) * (log(seconds[k]) - y);
    }
    return xy / xx;
}

static void remark_growth(bench_table *table, const request *r, int count, const double *n,
                          const double *seconds)
{
    char text[512];
    int used = snprintf(text, sizeof text, "growth, A = %.0e %s: total ~ n^p, p =", r->accuracy,
                        enuf_arithmetic_name(r->arithmetic));
    for (int k = 0; k + 1 < count && used < (int)sizeof text; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %.3f (%.0f to %.0f)",
                         exponent(2, n + k, seconds + k), n[k], n[k + 1]);
    bench_remark(table, "%s, %.3f over all", text, exponent(count, n, seconds));
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double sizes[BENCH_MOST_VALUES] = {1e4, 1e5, 1e6}, measured_up_to = 1e5;
    int n_sizes = 3, threads = 1, ordered = 0;
    const bench_option known[] = {
        BENCH_FLAG("--ordered", &ordered), BENCH_LIST("--ions", sizes, &n_sizes),
        BENCH_INTEGER("--threads", &threads), BENCH_REAL("--measure-up-to", &measured_up_to)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    double seconds[N_REQUESTS][BENCH_MOST_VALUES];
    for (int k = 0; k < N_REQUESTS; k++)
        for (int a = 0; a < n_sizes; a++) {
            const int64_t n = (int64_t)sizes[a];
            const task t = {&REQUESTS[k], n, threads, sizes[a] <= measured_up_to, ordered};
            outcome out = {0};
            bench_progress("%lld ions, A = %.0e", (long long)n, REQUESTS[k].accuracy);
            const double peak = bench_apart(PROGRAM, evaluate, &t, &out, sizeof out);
            seconds[k][a] = out.total;
            row(&table, n, &REQUESTS[k], &out, peak);
        }
    for (int k = 0; k < N_REQUESTS && n_sizes > 1; k++)
        remark_growth(&table, &REQUESTS[k], n_sizes, sizes, seconds[k]);
    bench_table_end(&table);
    return 0;
}
