/*
 * bench_ewald.c - the real-space sum in pairs/s and whole Ewald sums in ns an ion.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bench_rows.h"

#include "error.h"
#include "memory.h"
#include "wall_clock.h"

#include <math.h>
#include <stdio.h>

/* Seconds for the repetitions of one figure. */
static const double BUDGET = 1, QUICK_BUDGET = 0.1;

/* A liquid's: about 350 pairs of each ion, 10 Angstrom at 0.1 ions/Angstrom^3. */
static const double CUTOFF = 4.4;

/* An accuracy that both arithmetics reach. */
static const double PAIRS_ACCURACY = 1e-4;

/* Ions along the edges of the box. */
static const int64_t small_box[3] = {20, 20, 25}, large_box[3] = {40, 50, 50};
static const double accuracies[] = {1e-4, 1e-6};

enum { N_ACCURACIES = sizeof accuracies / sizeof *accuracies, SEED = 20240229 };

/* Ions of charge +1 and -1 in turn on a grid of spacing 1, each moved by up to 0.3 along x, y and
 * z. Density and disorder resemble a molten salt. */
typedef struct salt {
    int64_t n;
    double edges[3];
    double *positions, *charges, *forces;
} salt;

typedef struct evaluation {
    const salt *ions;
    enuf_ewald *ewald;
    enuf_ewald_result result;
    double halves[2]; /* seconds of the pairs and of the modes, in the fastest repetition */
    double fastest;
} evaluation;

void cli_bench_list_ewald(int quick, cli_bench_rows *rows)
{
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; ++split) {
        for (int arithmetic = ENUF_ARITHMETIC_DOUBLE; arithmetic <= ENUF_ARITHMETIC_MIXED;
             ++arithmetic) {
            rows->pairs[rows->n_pairs++] =
                (cli_bench_pairs){.split = (enuf_split)split,
                                  .arithmetic = (enuf_arithmetic)arithmetic,
                                  .ions = small_box[0] * small_box[1] * small_box[2],
                                  .cutoff = CUTOFF};
        }
    }
    for (int large = 0; large < (quick ? 1 : 2); ++large) {
        const int64_t *box = large ? large_box : small_box;
        for (int a = 0; a < N_ACCURACIES; ++a) {
            rows->ewald[rows->n_ewald++] = (cli_bench_ewald){.ions = box[0] * box[1] * box[2],
                                                             .report.requested = accuracies[a]};
        }
    }
}

static void place(const int64_t box[3], salt *ions)
{
    uint64_t state = SEED;
    for (int64_t i = 0; i < ions->n; ++i) {
        const int64_t cell[3] = {i % box[0], i / box[0] % box[1], i / (box[0] * box[1])};
        for (int d = 0; d < 3; ++d) {
            ions->positions[3 * i + d] = (double)cell[d] + 0.2 + 0.6 * cli_bench_random(&state);
        }
        ions->charges[i] = (cell[0] + cell[1] + cell[2]) % 2 ? -1 : 1;
    }
}

static enuf_status make_salt(const int64_t box[3], salt *ions)
{
    ions->n = box[0] * box[1] * box[2];
    for (int d = 0; d < 3; ++d) ions->edges[d] = (double)box[d];
    ENUF_TRY(enuf_allocate(&ions->positions, 3 * ions->n, sizeof(double), "positions"));
    ENUF_TRY(enuf_allocate(&ions->charges, ions->n, sizeof(double), "charges"));
    ENUF_TRY(enuf_allocate(&ions->forces, 3 * ions->n, sizeof(double), "forces"));
    place(box, ions);
    return ENUF_SUCCESS;
}

static void free_salt(salt *ions)
{
    enuf_release(&ions->positions);
    enuf_release(&ions->charges);
    enuf_release(&ions->forces);
}

/* Counts the pairs one by one, independently of the library. */
static int64_t count_pairs(const salt *ions, double cutoff)
{
    int64_t pairs = 0;
    for (int64_t i = 0; i < ions->n; ++i) {
        const double *a = ions->positions + 3 * i;
        for (int64_t j = 0; j < i; ++j) {
            const double *b = ions->positions + 3 * j;
            double square = 0;
            for (int d = 0; d < 3; ++d) {
                const double apart = fabs(a[d] - b[d]);
                const double nearest = fmin(apart, ions->edges[d] - apart);
                square += nearest * nearest;
            }
            pairs += square < cutoff * cutoff;
        }
    }
    return pairs;
}

static enuf_status prepare(const salt *ions, const enuf_ewald_options *options, evaluation *e)
{
    const double cell[9] = {ions->edges[0], 0, 0, 0, ions->edges[1], 0, 0, 0, ions->edges[2]};
    *e = (evaluation){.ions = ions,
                      .result = {.struct_size = sizeof e->result, .forces = ions->forces}};
    ENUF_TRY(enuf_ewald_create(options, &e->ewald));
    ENUF_TRY(enuf_ewald_set_cell(e->ewald, cell));
    ENUF_TRY(enuf_ewald_set_charges(e->ewald, ions->n, ions->charges, NULL));
    return enuf_ewald_tune(e->ewald, NULL, 3);
}

static const int WANTED = ENUF_WANT_ENERGY | ENUF_WANT_FORCES;

static enuf_status sum_pairs(void *context, double *seconds)
{
    evaluation *e = context;
    (void)seconds;
    return enuf_ewald_real(e->ewald, e->ions->positions, 3, WANTED, &e->result);
}

static enuf_status sum_everything(void *context, double *seconds)
{
    evaluation *e = context;
    enuf_ewald_report report = {.struct_size = sizeof report};
    const double begin = enuf_seconds();
    ENUF_TRY(enuf_ewald_compute(e->ewald, e->ions->positions, 3, WANTED, &e->result));
    *seconds = enuf_seconds() - begin;
    ENUF_TRY(enuf_ewald_get_report(e->ewald, &report));
    if (e->fastest == 0 || *seconds < e->fastest) {
        e->fastest = *seconds;
        e->halves[0] = report.seconds_real;
        e->halves[1] = report.seconds_reciprocal;
    }
    return ENUF_SUCCESS;
}

static enuf_ewald_options options_of(const cli_settings *settings, double accuracy)
{
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = accuracy;
    options.threads = settings->ewald.threads;
    return options;
}

static enuf_status measure_pairs(const cli_settings *settings, const salt *ions,
                                 cli_bench_pairs *row)
{
    evaluation e = {0};
    enuf_ewald_options options = options_of(settings, PAIRS_ACCURACY);
    options.split = row->split;
    options.arithmetic = row->arithmetic;
    options.cutoff = row->cutoff;
    enuf_status status = prepare(ions, &options, &e);
    if (!status) {
        status =
            cli_bench_measure(sum_pairs, &e, settings->quick ? QUICK_BUDGET : BUDGET, &row->time);
    }
    enuf_ewald_destroy(&e.ewald);
    return status;
}

static enuf_status measure_ewald(const cli_settings *settings, const salt *ions,
                                 cli_bench_ewald *row)
{
    evaluation e = {0};
    const enuf_ewald_options options = options_of(settings, row->report.requested);
    const double begin = enuf_seconds();
    enuf_status status = prepare(ions, &options, &e);
    row->tune = enuf_seconds() - begin;
    if (!status) {
        status = cli_bench_measure(sum_everything, &e, settings->quick ? QUICK_BUDGET : BUDGET,
                                   &row->time);
    }
    row->report.struct_size = sizeof row->report;
    if (!status) status = enuf_ewald_get_report(e.ewald, &row->report);
    row->report.seconds_real = e.halves[0];
    row->report.seconds_reciprocal = e.halves[1];
    enuf_ewald_destroy(&e.ewald);
    return status;
}

static enuf_status run_small(const cli_settings *settings, const salt *ions, cli_progress *progress,
                             cli_bench_rows *rows)
{
    int64_t pairs = 0;
    for (int r = 0; r < rows->n_pairs; ++r) {
        cli_progress_step(progress, "pairs");
        if (pairs == 0) pairs = count_pairs(ions, CUTOFF);
        rows->pairs[r].pairs = pairs;
        ENUF_TRY(measure_pairs(settings, ions, &rows->pairs[r]));
    }
    return ENUF_SUCCESS;
}

static enuf_status run_whole(const cli_settings *settings, const salt *ions, cli_progress *progress,
                             cli_bench_rows *rows)
{
    char what[48];
    for (int r = 0; r < rows->n_ewald; ++r) {
        if (rows->ewald[r].ions != ions->n) continue;
        snprintf(what, sizeof what, "Ewald sum of %lld ions", (long long)ions->n);
        cli_progress_step(progress, what);
        ENUF_TRY(measure_ewald(settings, ions, &rows->ewald[r]));
    }
    return ENUF_SUCCESS;
}

enuf_status cli_bench_run_ewald(const cli_settings *settings, cli_progress *progress,
                                cli_bench_rows *rows)
{
    for (int large = 0; large < (settings->quick ? 1 : 2); ++large) {
        salt ions = {0};
        enuf_status status = make_salt(large ? large_box : small_box, &ions);
        if (!status && !large) status = run_small(settings, &ions, progress, rows);
        if (!status) status = run_whole(settings, &ions, progress, rows);
        free_salt(&ions);
        ENUF_TRY(status);
    }
    return ENUF_SUCCESS;
}
