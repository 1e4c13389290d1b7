/*
 * exact_sums.c - time of exact Ewald sums (enuf_exact_ewald(), and behind
 * enuf_ewald_measure_error() and --measure-error) on the CPU's threads and on the GPU, for growing
 * numbers of ions.
 *
 *   exact_sums [--ions N,...] [--targets N,...] [--alpha F,...] [--backend cpu,cuda] [--threads T]
 *              [--csv FILE] [--markdown]
 *
 * --targets: ions whose forces are summed (0: all). --alpha: factors on the splitting parameter
 * that the library chooses, the first of them 1. If its times of a pair and a mode suit the
 * machine, the total is least there. Times are the best of at least 2 calls and half a second,
 * after one call that starts threads and GPU; `pairs` and `modes` are the parts of that call.
 * `differs` is the RMS difference of the forces from those of the first row of the same ions and
 * targets, in F_ref. SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "salt.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 2 };
static const double ENOUGH_SECONDS = 0.5;

static const char PROGRAM[] = "exact_sums";

static const bench_column COLUMNS[] = {
    {"ions", 8},    {"targets", 8}, {"backend", -7}, {"threads", 7},    {"alpha", 7},
    {"pairs s", 9}, {"modes s", 9}, {"total s", 9},  {"us/target", 10}, {"differs", 9},
};

/* Times of a call, from the lines of its log. */
typedef struct call_times {
    double start, pairs, modes, end;
    double alpha;
} call_times;

typedef struct task {
    const bench_salt *salt;
    int64_t n_targets;
    const int64_t *targets;
    enuf_exact_options options;
    double *forces; /* [n_targets][3] */
} task;

static void hear(void *context, const char *text)
{
    call_times *times = context;
    const char *alpha = strstr(text, "alpha ");
    if (alpha) {
        times->pairs = bench_seconds();
        times->alpha = atof(alpha + strlen("alpha "));
    } else {
        times->modes = bench_seconds();
    }
}

static call_times call(const task *t)
{
    call_times times = {0};
    enuf_exact_options options = t->options;
    enuf_exact_result result = {.forces = t->forces};
    options.log = hear;
    options.log_context = &times;
    times.start = bench_seconds();
    if (enuf_exact_ewald(&options, t->salt->cell, t->salt->n, t->salt->x, 3, t->salt->q, NULL,
                         t->n_targets, t->targets, &result) != ENUF_SUCCESS)
        bench_die(PROGRAM, "%s", enuf_last_error());
    times.end = bench_seconds();
    return times;
}

static call_times best_of_calls(const task *t)
{
    call_times best = call(t);
    best.end = INFINITY;
    double spent = 0;
    for (int k = 0; k < REPEATS || spent < ENOUGH_SECONDS; k++) {
        const call_times times = call(t);
        spent += times.end - times.start;
        if (times.end - times.start < best.end - best.start) best = times;
    }
    return best;
}

static double rms_difference(const bench_salt *salt, int64_t n, const double *a, const double *b)
{
    const double f_ref = pow((double)salt->n, 2.0 / 3) / (salt->edge * salt->edge);
    double sum = 0;
    for (int64_t k = 0; k < 3 * n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum / (double)n) / f_ref;
}

static void row(bench_table *table, const task *t, const call_times *times, double differs)
{
    const double total = times->end - times->start;
    bench_number(table, "%.0f", (double)t->salt->n);
    bench_number(table, "%.0f", (double)t->n_targets);
    bench_text(table, enuf_backend_name(t->options.backend));
    bench_number(table, "%.0f", t->options.threads);
    bench_number(table, "%.4f", times->alpha);
    bench_number(table, "%.5f", times->modes - times->pairs);
    bench_number(table, "%.5f", times->end - times->modes);
    bench_number(table, "%.5f", total);
    bench_number(table, "%.3f", 1e6 * total / (double)t->n_targets);
    bench_number(table, "%.1e", differs);
}

/* All backends and factors, for some of the ions. */
static void rows_of(bench_table *table, const bench_salt *salt, int64_t n_targets, int backends,
                    int threads, int n_factors, const double *factors)
{
    task t = {.salt = salt, .n_targets = n_targets};
    int64_t *targets = bench_salt_sample(salt, n_targets);
    double *first = malloc((size_t)n_targets * 3 * sizeof *first);
    int n_rows = 0;
    t.targets = targets;
    t.forces = malloc((size_t)n_targets * 3 * sizeof *t.forces);
    if (!first || !t.forces) bench_die(PROGRAM, "not enough memory");
    for (int b = 0; b < 2; b++) {
        double chosen = 0;
        if (!(backends >> b & 1)) continue;
        for (int f = 0; f < n_factors; f++) {
            enuf_exact_options_init(&t.options);
            t.options.backend = b ? ENUF_BACKEND_CUDA : ENUF_BACKEND_CPU;
            t.options.threads = threads;
            if (f > 0) t.options.alpha = factors[f] * chosen;
            bench_progress("%lld ions, %lld targets, %s", (long long)salt->n, (long long)n_targets,
                           enuf_backend_name(t.options.backend));
            const call_times times = best_of_calls(&t);
            if (f == 0) chosen = times.alpha;
            if (n_rows++ == 0) memcpy(first, t.forces, (size_t)n_targets * 3 * sizeof *first);
            row(table, &t, &times, rms_difference(salt, n_targets, t.forces, first));
        }
    }
    free(first);
    free(t.forces);
    free(targets);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"cpu", "cuda"};
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double sizes[BENCH_MOST_VALUES] = {1e4, 1e5}, samples[BENCH_MOST_VALUES] = {1000, 0},
           factors[BENCH_MOST_VALUES] = {1};
    int n_sizes = 2, n_samples = 2, n_factors = 1, threads = 0, backends = 3;
    const char *reason = "";
    const bench_option known[] = {
        BENCH_LIST("--ions", sizes, &n_sizes), BENCH_LIST("--targets", samples, &n_samples),
        BENCH_LIST("--alpha", factors, &n_factors), BENCH_NAMES("--backend", &backends, names, 2),
        BENCH_INTEGER("--threads", &threads)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    if (factors[0] != 1) bench_die(PROGRAM, "--alpha has to begin with 1, the chosen one");
    if ((backends & 2) && !enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        printf("%s: without the GPU: %s\n", PROGRAM, reason);
        backends &= ~2;
    }
    bench_table table;
    bench_table_begin(&table, &output, backends & 2 ? reason : NULL, COLUMNS,
                      sizeof COLUMNS / sizeof *COLUMNS);
    for (int a = 0; a < n_sizes; a++) {
        bench_salt salt = bench_salt_make((int64_t)sizes[a]);
        for (int k = 0; k < n_samples; k++) {
            const int64_t n = (int64_t)samples[k];
            rows_of(&table, &salt, n == 0 || n > salt.n ? salt.n : n, backends, threads, n_factors,
                    factors);
        }
        bench_salt_free(&salt);
    }
    bench_table_end(&table);
    return 0;
}
