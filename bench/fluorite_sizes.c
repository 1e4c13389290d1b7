/*
 * fluorite_sizes.c - time, memory and computed Madelung constant of fluorite crystals of 12 m^3
 * ions. The library chooses all parameters but the accuracy.
 *
 *   fluorite_sizes [--cells M,...] [--accuracy A] [--arithmetic double|mixed] [--calibrate]
 *                  [--threads T] [--backend cpu|cuda] [--csv FILE] [--markdown]
 *
 * It computes energy and forces; times are the best of 3. Each size runs in a process of its own,
 * whose peak memory is shown: program, libraries, positions, charges and forces included. On a GPU
 * this is the memory of the host, and times include copies of positions and forces between host and
 * device. Parameters are chosen by the estimate for uncorrelated charges. With --calibrate they are
 * chosen by the positions; this needs exact sums at a sample, so that `tune s` is longer.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "process.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 3, IONS = 12, FORMULA_UNITS = 4 };

static const char PROGRAM[] = "fluorite_sizes";

/* M in E = -2 M/d of a formula unit, d the distance Ca-F: Ewald sums of this library in long
 * double. The literature's A = 11.6365752270768 times sqrt(3)/8 agrees. */
static const double MADELUNG = 2.519392439924283623;

static const bench_column COLUMNS[] = {
    {"ions", 8},         {"cells", 5},     {"A", 5},      {"arithmetic", -10}, {"splitting", -9},
    {"cutoff/d", 8},     {"grid", 4},      {"width", 5},  {"tune s", 7},       {"real s", 8},
    {"reciprocal s", 8}, {"total s", 8},   {"ns/ion", 7}, {"constant", 12},    {"deviation", 9},
    {"peak MB", 8},      {"bytes/ion", 9},
};

typedef struct request {
    int64_t cells;
    double accuracy;
    enuf_arithmetic arithmetic;
    int calibrate, threads;
    enuf_backend backend;
} request;

typedef struct outcome {
    double tune, total, constant;
    enuf_ewald_report report; /* of the fastest evaluation */
} outcome;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

/* d = 1: a = 4/sqrt(3). Ca at the corners and face centres, F at the quarters. */
static void make_fluorite(int64_t m, double *x, double *q)
{
    const double a = 4 / sqrt(3.0);
    int64_t ion = 0;
    for (int64_t cell = 0; cell < m * m * m; cell++) {
        const int64_t corner[3] = {cell % m, cell / m % m, cell / (m * m)};
        for (int k = 0; k < IONS; k++, ion++) {
            for (int d = 0; d < 3; d++) {
                /* Ca: ion 0 at (0,0,0); ion k at 1/2 along all axes but axis k - 1 */
                const double calcium = k == 0 || k == d + 1 ? 0 : 0.5;
                const double fluorine = (k - 4) >> d & 1 ? 0.75 : 0.25;
                x[3 * ion + d] = a * ((double)corner[d] + (k < 4 ? calcium : fluorine));
            }
            q[ion] = k < 4 ? 2 : -1;
        }
    }
}

static void evaluate(const void *input, void *output)
{
    const request *r = input;
    outcome *out = output;
    const int64_t n = IONS * r->cells * r->cells * r->cells;
    double *x = malloc((size_t)n * 7 * sizeof *x), *q = x + 3 * n, *forces = q + n;
    double cell[9] = {0};
    enuf_ewald_options options;
    enuf_ewald *ewald;
    if (!x) bench_die(PROGRAM, "not enough memory for %lld ions", (long long)n);
    make_fluorite(r->cells, x, q);
    for (int d = 0; d < 3; d++) cell[4 * d] = 4 / sqrt(3.0) * (double)r->cells;
    enuf_ewald_options_init(&options);
    options.accuracy = r->accuracy;
    options.arithmetic = r->arithmetic;
    options.threads = r->threads;
    options.backend = r->backend;
    must(enuf_ewald_create(&options, &ewald));
    must(enuf_ewald_set_cell(ewald, cell));
    must(enuf_ewald_set_charges(ewald, n, q, NULL));
    double start = bench_seconds();
    must(enuf_ewald_tune(ewald, r->calibrate ? x : NULL, 3));
    out->tune = bench_seconds() - start;
    out->total = 1e30;
    out->report.struct_size = sizeof out->report;
    for (int k = 0; k < REPEATS; k++) {
        enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
        start = bench_seconds();
        must(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result));
        const double seconds = bench_seconds() - start;
        out->constant = -result.energy * IONS / (2.0 * FORMULA_UNITS * (double)n);
        if (seconds >= out->total) continue;
        out->total = seconds;
        must(enuf_ewald_get_report(ewald, &out->report));
    }
    enuf_ewald_destroy(&ewald);
    free(x);
}

static void row(bench_table *table, const request *r, const outcome *o, double peak)
{
    const double n = IONS * pow((double)r->cells, 3);
    const enuf_ewald_report *report = &o->report;
    bench_number(table, "%.0f", n);
    bench_number(table, "%.0f", (double)r->cells);
    bench_number(table, "%.0e", r->accuracy);
    bench_text(table, enuf_arithmetic_name(r->arithmetic));
    bench_text(table, enuf_split_name(report->split));
    bench_number(table, "%.2f", report->cutoff);
    bench_number(table, "%.0f", (double)report->grid[0]); /* the grid of a cube has equal axes */
    bench_number(table, "%.0f", report->width);
    bench_number(table, "%.2f", o->tune);
    bench_number(table, "%.5f", report->seconds_real);
    bench_number(table, "%.5f", report->seconds_reciprocal);
    bench_number(table, "%.5f", o->total);
    bench_number(table, "%.0f", 1e9 * o->total / n);
    bench_number(table, "%.10f", o->constant);
    bench_number(table, "%.1e", o->constant / MADELUNG - 1);
    bench_number(table, "%.0f", 1e-6 * peak);
    bench_number(table, "%.0f", peak / n);
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double cells[BENCH_MOST_VALUES] = {32, 45, 56, 64};
    int n_cells = 4;
    request r = {.accuracy = 1e-5,
                 .arithmetic = ENUF_ARITHMETIC_DOUBLE,
                 .threads = 1,
                 .backend = ENUF_BACKEND_CPU};
    const char *arithmetic_given = NULL;
    const char *backend_given = NULL;
    const bench_option known[] = {
        BENCH_FLAG("--calibrate", &r.calibrate), BENCH_LIST("--cells", cells, &n_cells),
        BENCH_REAL("--accuracy", &r.accuracy),   BENCH_WORD("--arithmetic", &arithmetic_given),
        BENCH_INTEGER("--threads", &r.threads),  BENCH_WORD("--backend", &backend_given)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    if (arithmetic_given) must(enuf_arithmetic_parse(arithmetic_given, &r.arithmetic));
    if (backend_given) must(enuf_backend_parse(backend_given, &r.backend));
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int k = 0; k < n_cells; k++) {
        outcome out = {0};
        r.cells = (int64_t)cells[k];
        bench_progress("%lld ions", (long long)(IONS * r.cells * r.cells * r.cells));
        const double peak = bench_apart(PROGRAM, evaluate, &r, &out, sizeof out);
        row(&table, &r, &out, peak);
    }
    bench_remark(&table, "reference: %.15f", MADELUNG);
    bench_table_end(&table);
    return 0;
}
