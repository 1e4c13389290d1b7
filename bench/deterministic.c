/*
 * deterministic.c - time of energy and forces with `deterministic` against the ordinary evaluation.
 *
 *   deterministic [--ions N,...] [--accuracy A,...] [--threads T,...] [--mixed] [--csv FILE]
 *                 [--markdown]
 *
 * Each object chooses its parameters: the ordinary one by the positions, the deterministic one
 * without them. Both evaluate by turns, at least 20 times and 3 seconds; a time is the least. The
 * ions are in random order. The ordinary evaluation is in double, with --mixed both are mixed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "salt.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 20, SIDES = 2 };
static const double ENOUGH_SECONDS = 3;

static const char PROGRAM[] = "deterministic";

static const bench_column COLUMNS[] = {
    {"ions", 8},
    {"accuracy", 8},
    {"threads", 7},
    {"ordinary ms", 11},
    {"deterministic ms", 16},
    {"ratio", 6},
    {"real ms", 8},
    {"deterministic real ms", 21},
    {"reciprocal ms", 13},
    {"deterministic reciprocal ms", 27},
};

/* One of the two objects, and its fastest evaluation. */
typedef struct side {
    enuf_ewald *ewald;
    double *forces;
    double total, real, reciprocal;
} side;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static side make_side(const bench_salt *salt, const enuf_ewald_options *options)
{
    side s = {.forces = malloc((size_t)salt->n * 3 * sizeof(double)), .total = INFINITY};
    if (!s.forces) bench_die(PROGRAM, "not enough memory for %lld ions", (long long)salt->n);
    must(enuf_ewald_create(options, &s.ewald));
    must(enuf_ewald_set_cell(s.ewald, salt->cell));
    must(enuf_ewald_set_charges(s.ewald, salt->n, salt->q, NULL));
    must(enuf_ewald_tune(s.ewald, salt->x, 3));
    return s;
}

static double evaluate(side *s, const bench_salt *salt)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = s->forces};
    enuf_ewald_report report = {.struct_size = sizeof report};
    const double start = bench_seconds();
    must(enuf_ewald_compute(s->ewald, salt->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result));
    const double seconds = bench_seconds() - start;
    must(enuf_ewald_get_report(s->ewald, &report));
    s->total = fmin(s->total, seconds);
    s->real = fmin(s->real, report.seconds_real);
    s->reciprocal = fmin(s->reciprocal, report.seconds_reciprocal);
    return seconds;
}

static void row(bench_table *table, const bench_salt *salt, const enuf_ewald_options *options)
{
    side sides[SIDES];
    for (int k = 0; k < SIDES; k++) {
        enuf_ewald_options of_side = *options;
        of_side.deterministic = k;
        sides[k] = make_side(salt, &of_side);
        sides[k].real = sides[k].reciprocal = INFINITY;
    }
    double spent = 0;
    for (int repeat = 0; repeat < REPEATS || spent < ENOUGH_SECONDS; repeat++)
        for (int k = 0; k < SIDES; k++) spent += evaluate(&sides[k], salt);
    const side *ordinary = &sides[0], *deterministic = &sides[1];
    bench_number(table, "%.0f", (double)salt->n);
    bench_number(table, "%.0e", options->accuracy);
    bench_number(table, "%.0f", options->threads);
    bench_number(table, "%.2f", 1e3 * ordinary->total);
    bench_number(table, "%.2f", 1e3 * deterministic->total);
    bench_number(table, "%.2f", deterministic->total / ordinary->total);
    bench_number(table, "%.2f", 1e3 * ordinary->real);
    bench_number(table, "%.2f", 1e3 * deterministic->real);
    bench_number(table, "%.2f", 1e3 * ordinary->reciprocal);
    bench_number(table, "%.2f", 1e3 * deterministic->reciprocal);
    for (int k = 0; k < SIDES; k++) {
        enuf_ewald_destroy(&sides[k].ewald);
        free(sides[k].forces);
    }
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double sizes[BENCH_MOST_VALUES] = {1e4, 1e5}, accuracies[BENCH_MOST_VALUES] = {1e-4, 1e-6},
           threads[BENCH_MOST_VALUES] = {1, 2};
    int n_sizes = 2, n_accuracies = 2, n_threads = 2;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    int mixed = 0;
    const bench_option known[] = {BENCH_FLAG("--mixed", &mixed),
                                  BENCH_LIST("--ions", sizes, &n_sizes),
                                  BENCH_LIST("--accuracy", accuracies, &n_accuracies),
                                  BENCH_LIST("--threads", threads, &n_threads)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    if (mixed) options.arithmetic = ENUF_ARITHMETIC_MIXED;
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int n = 0; n < n_sizes; n++) {
        bench_salt salt = bench_salt_make((int64_t)sizes[n]);
        for (int a = 0; a < n_accuracies; a++)
            for (int t = 0; t < n_threads; t++) {
                options.accuracy = accuracies[a];
                options.threads = (int)threads[t];
                row(&table, &salt, &options);
            }
        bench_salt_free(&salt);
    }
    bench_table_end(&table);
    return 0;
}
