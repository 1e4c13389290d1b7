/*
 * chosen_parameters.c - compares the parameters that enuf chooses with the fastest candidate. It
 * times energy and forces with every candidate whose predicted cost is at most 1.6 times the lowest
 * one.
 *
 *   chosen_parameters [--least-ions N] [--most-ions N] [--threads T] [--calibration FILE]
 *                     [--csv FILE] [--markdown]
 *
 * All candidates are timed once in each of several rounds, so that other work on the machine slows
 * all alike; the best time of each counts. Systems: random salts, 0.1 ions per cubic angstrom; a
 * salt in a thin, tilted cell with edges 1 : 2 : 4; a salt slab with a vacuum of twice its
 * thickness (EW3DC); liquid SPC/E water of examples/data, also 3 x 3 x 3 times as large.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "correlated_systems.h"
#include "salt.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, LEAST_ROUNDS = 3, MOST_ROUNDS = 200 };
/* the largest predicted cost over the lowest; seconds after which a candidate is timed no more */
static const double DEAREST = 1.6, ENOUGH_SECONDS = 0.5;

static const char PROGRAM[] = "chosen_parameters";

static const bench_column COLUMNS[] = {
    {"system", -16},       {"ions", 8},        {"A", 5},
    {"arithmetic", -10},   {"of", 3},          {"chosen", -28},
    {"predicted ms", 8},   {"measured ms", 8}, {"fastest ms", 8},
    {"chosen/fastest", 7}, {"fastest", -28},
};

typedef struct charged_system {
    const char *name;
    int64_t n;
    double cell[9], slab;
    double *x, *q;
} charged_system;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static double *room(int64_t count)
{
    double *array = malloc((size_t)count * sizeof *array);
    if (!array) bench_die(PROGRAM, "not enough memory for %lld numbers", (long long)count);
    return array;
}

/* A random salt. shape: cell vectors in units of the edge of the cube with the same volume. */
static charged_system salt_in(const char *name, int64_t n, const double shape[9], double slab)
{
    bench_salt salt = bench_salt_make(n);
    charged_system s = {.name = name, .n = n, .slab = slab, .x = room(3 * n), .q = salt.q};
    for (int k = 0; k < 9; k++) s.cell[k] = salt.edge * shape[k];
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) {
            s.x[3 * i + d] = 0;
            for (int e = 0; e < 3; e++) s.x[3 * i + d] += salt.x[3 * i + e] * shape[3 * e + d];
        }
    salt.q = NULL;
    bench_salt_free(&salt);
    return s;
}

/* Liquid water, `copies` times along each edge. */
static charged_system water(const char *name, int copies)
{
    ionic_system one;
    if (!ionic_system_build(SYSTEM_LIQUID_WATER, ENUF_EXAMPLE_DATA, &one))
        bench_die(PROGRAM, "%s cannot be read", ENUF_EXAMPLE_DATA);
    int64_t n = one.n * copies * copies * copies, at = 0;
    charged_system s = {.name = name, .n = n, .x = room(3 * n), .q = room(n)};
    for (int k = 0; k < 9; k++) s.cell[k] = copies * one.cell[k];
    for (int c = 0; c < copies * copies * copies; c++) {
        const int shift[3] = {c % copies, c / copies % copies, c / copies / copies};
        for (int64_t i = 0; i < one.n; i++, at++) {
            s.q[at] = one.charges[i];
            for (int d = 0; d < 3; d++) {
                s.x[3 * at + d] = one.positions[3 * i + d];
                for (int e = 0; e < 3; e++) s.x[3 * at + d] += shift[e] * one.cell[3 * e + d];
            }
        }
    }
    ionic_system_free(&one);
    return s;
}

static enuf_ewald *make(const enuf_ewald_options *options, const charged_system *s)
{
    enuf_ewald *ewald;
    must(enuf_ewald_create(options, &ewald));
    must(enuf_ewald_set_cell(ewald, s->cell));
    must(enuf_ewald_set_charges(ewald, s->n, s->q, NULL));
    return ewald;
}

static int64_t list_candidates(const enuf_ewald_options *options, const charged_system *s,
                               enuf_ewald_candidate list[MOST])
{
    int64_t n = 0;
    list[0].struct_size = sizeof *list;
    enuf_ewald *ewald = make(options, s);
    must(enuf_ewald_tune(ewald, s->x, 3));
    must(enuf_ewald_list_candidates(ewald, DEAREST, MOST, list, &n));
    enuf_ewald_destroy(&ewald);
    return n;
}

static enuf_ewald *make_candidate(const enuf_ewald_options *options, const charged_system *s,
                                  const enuf_ewald_candidate *c)
{
    enuf_ewald_options o = *options;
    o.split = c->split;
    o.cutoff = c->cutoff;
    o.alpha = c->alpha;
    o.c = c->c;
    o.kmax = c->kmax;
    memcpy(o.grid, c->grid, sizeof o.grid);
    o.width = c->width;
    o.shape = c->shape;
    return make(&o, s);
}

/* Best seconds of each candidate. */
static void time_in_turns(const enuf_ewald_options *options, const charged_system *s, int64_t n,
                          const enuf_ewald_candidate *list, double *seconds)
{
    enuf_ewald *ewald[MOST];
    double *forces = room(3 * s->n), spent = 0;
    for (int64_t k = 0; k < n; k++) {
        ewald[k] = make_candidate(options, s, &list[k]);
        seconds[k] = HUGE_VAL;
    }
    for (int round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && spent < ENOUGH_SECONDS);
         round++)
        for (int64_t k = 0; k < n; k++) {
            enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
            double start = bench_seconds();
            must(enuf_ewald_compute(ewald[k], s->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES,
                                    &result));
            double now = bench_seconds() - start;
            if (round > 0) seconds[k] = fmin(seconds[k], now);
            spent += now / (double)n;
        }
    for (int64_t k = 0; k < n; k++) enuf_ewald_destroy(&ewald[k]);
    free(forces);
}

static void describe(const enuf_ewald_candidate *c, char text[64])
{
    snprintf(text, 64, "%s %.2f %lldx%lldx%lld w%d", enuf_split_name(c->split), c->cutoff,
             (long long)c->grid[0], (long long)c->grid[1], (long long)c->grid[2], c->width);
}

static double compare(bench_table *table, const enuf_ewald_options *options,
                      const charged_system *s)
{
    static enuf_ewald_candidate list[MOST];
    double seconds[MOST];
    char chosen[64], best[64];
    bench_progress("%s, %lld ions, A = %.0e", s->name, (long long)s->n, options->accuracy);
    const int64_t n = list_candidates(options, s, list);
    time_in_turns(options, s, n, list, seconds);
    int64_t fastest = 0;
    for (int64_t k = 1; k < n; k++)
        if (seconds[k] < seconds[fastest]) fastest = k;
    describe(&list[0], chosen);
    describe(&list[fastest], best);
    bench_text(table, s->name);
    bench_number(table, "%.0f", (double)s->n);
    bench_number(table, "%.0e", options->accuracy);
    bench_text(table, enuf_arithmetic_name(options->arithmetic));
    bench_number(table, "%.0f", (double)n);
    bench_text(table, chosen);
    bench_number(table, "%.3f",
                 1e3 * (list[0].seconds_real + list[0].seconds_reciprocal) / options->threads);
    bench_number(table, "%.3f", 1e3 * seconds[0]);
    bench_number(table, "%.3f", 1e3 * seconds[fastest]);
    bench_number(table, "%.3f", seconds[0] / seconds[fastest]);
    bench_text(table, best);
    return seconds[0] / seconds[fastest];
}

static double compare_all(bench_table *table, enuf_ewald_options *options, charged_system s,
                          const double ions[2])
{
    static const double accuracies[] = {1e-4, 1e-6, 1e-9};
    double worst = 0;
    options->slab = s.slab;
    for (int a = 0; a < 3 && (double)s.n >= ions[0] && (double)s.n <= ions[1]; a++) {
        options->accuracy = accuracies[a];
        options->arithmetic = ENUF_ARITHMETIC_DOUBLE;
        worst = fmax(worst, compare(table, options, &s));
        options->arithmetic = ENUF_ARITHMETIC_MIXED;
        if (a == 0) worst = fmax(worst, compare(table, options, &s));
    }
    free(s.x);
    free(s.q);
    return worst;
}

int main(int argc, char **argv)
{
    static const double cube[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        thin[9] = {0.5, 0, 0, 0.2, 1, 0, -0.15, 0.25, 2},
                        flat[9] = {1.6, 0, 0, 0, 1.6, 0, 0, 0, 0.390625};
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    enuf_ewald_options options;
    double ions[2] = {0, 1e6}, worst = 0; /* least, most */
    enuf_ewald_options_init(&options);
    options.threads = 1;
    const bench_option known[] = {BENCH_REAL("--least-ions", &ions[0]),
                                  BENCH_REAL("--most-ions", &ions[1]),
                                  BENCH_INTEGER("--threads", &options.threads),
                                  BENCH_WORD("--calibration", &options.calibration_file)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int64_t n = 1000; n <= 1000000 && (double)n <= ions[1]; n *= 10)
        worst = fmax(worst, compare_all(&table, &options, salt_in("salt", n, cube, 0), ions));
    worst =
        fmax(worst, compare_all(&table, &options, salt_in("thin, tilted", 8000, thin, 0), ions));
    worst = fmax(worst, compare_all(&table, &options, salt_in("slab", 8000, flat, 3), ions));
    worst = fmax(worst, compare_all(&table, &options, water("water", 1), ions));
    worst = fmax(worst, compare_all(&table, &options, water("water, 27-fold", 3), ions));
    bench_remark(&table, "largest chosen/fastest: %.3f", worst);
    bench_table_end(&table);
    return 0;
}
